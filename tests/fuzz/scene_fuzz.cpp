#include "support.h"

#include "spindrift/scene/scene.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace spindrift;
    return fuzz::may_refuse([&] { parse_scene(fuzz::as_text(data, size), "fuzz.toml"); });
}
