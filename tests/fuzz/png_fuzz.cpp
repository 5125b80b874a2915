#include "support.h"

#include "spindrift/image/read_image.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace spindrift;
    static const fuzz::InputFile file("input.png");
    return fuzz::may_refuse([&] { image::read_image(file.with(data, size)); });
}
