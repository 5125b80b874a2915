#include "support.h"

#include "spindrift/io/statistics.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace spindrift;
    return fuzz::may_refuse([&] { io::parse_statistics(fuzz::as_text(data, size)); });
}
