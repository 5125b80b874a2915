#include "spindrift/collision/params.h"

namespace spindrift::collision {

bool ColliderParams::is_analytic() const {
    return (box || plane) && mode == Mode::solid_inside && !is_placed() && offset == 0 && !active;
}

bool ColliderParams::is_sequence() const {
    return mesh.find('#') != std::string::npos;
}

void ColliderParams::check(const Checker& checker) const {
    checker.exactly_one({{"box", box.has_value()},
                         {"plane", plane.has_value()},
                         {"sphere", sphere.has_value()},
                         {"cylinder", cylinder.has_value()},
                         {"mesh", !mesh.empty()},
                         {"vdb", !vdb.empty()}});
    if (box) checker.box("box", *box);
    if (plane && !is_analytic())
        checker.problem(
            "plane",
            "a plane cannot move, be offset, be there for a time or have another mode; use a large box instead");
    if (!vdb.empty() && mode == Mode::shell)
        checker.problem("mode",
                        "a level set is closed: mode is \"solid_inside\" for what it says is solid, or "
                        "\"solid_outside\" for the opposite");
    for (const auto& [key, file] :
         {std::pair{"friction_map", friction_map}, {"bounce_map", bounce_map}, {"stickiness_map", stickiness_map}}) {
        if (!file.empty() && mesh.empty()) checker.problem(key, "an image needs UVs: it goes with 'mesh' only");
    }
    if (wet_map && mesh.empty()) checker.problem("wet_map", "a wet map needs UVs: it goes with 'mesh' only");
    if (wet_map && active) checker.problem("active", "a collider with a wet map is always there; remove one of them");
    if (active && (*active)[0] > (*active)[1])
        checker.problem("active", "the last frame comes before the first; write [first, last]");
    if (!vdb.empty() && (scale.moves() || scale.at(0) != 1))
        checker.problem("scale", "a level set has the size that its file says; scale it where it was made");
    if (start && !is_sequence()) checker.problem("start", "only a sequence of meshes (name.####.ply) has a start");
}

}  // namespace spindrift::collision
