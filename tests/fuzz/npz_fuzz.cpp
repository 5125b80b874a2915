#include "support.h"

#include "spindrift/io/npz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace spindrift;
    static const fuzz::InputFile file("npz");
    return fuzz::may_refuse([&] { io::read_npz(file.with(data, size), io::Lengths::any); });
}
