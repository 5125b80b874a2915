#include "support.h"

#include "spindrift/collision/fields/vdb_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace spindrift;
    static const fuzz::InputFile file("input.vdb");
    return fuzz::may_refuse([&] { collision::read_vdb_surface(file.with(data, size)); });
}
