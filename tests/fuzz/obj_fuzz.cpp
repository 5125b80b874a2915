#include "support.h"

#include "spindrift/geometry/formats.h"
#include "spindrift/geometry/mesh_report.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace spindrift;
    return fuzz::may_refuse([&] {
        geometry::Mesh mesh = geometry::read_obj("fuzz.obj", std::string(fuzz::as_text(data, size)));
        geometry::clean(mesh);
    });
}
