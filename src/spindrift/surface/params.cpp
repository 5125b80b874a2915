#include "spindrift/surface/params.h"

#include <algorithm>

namespace spindrift::surface {

void MeshParams::check(const Checker& checker) const {
    if (radius && *radius < 2 * offset)
        checker.problem("radius", "must be at least twice the offset; a particle does not reach the surface otherwise");
    if (formats.empty()) checker.problem("formats", "expected at least one of ply, obj, glb and vdb");
    for (const std::string& name : channels) {
        if (name.empty() || std::count(channels.begin(), channels.end(), name) > 1)
            checker.problem("channels", "expected names of channels, each once");
    }
}

}  // namespace spindrift::surface
