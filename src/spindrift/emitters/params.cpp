#include "spindrift/emitters/params.h"

#include <fmt/format.h>

#include "spindrift/emitters/level.h"

namespace spindrift::emitters {

namespace {

FillParams as_fill(const std::optional<Box3d>& box, const std::optional<SphereShape>& sphere,
                   const std::optional<CylinderShape>& cylinder) {
    FillParams fill;
    fill.box = box;
    fill.sphere = sphere;
    fill.cylinder = cylinder;
    return fill;
}

void check_window(const Checker& checker, const std::optional<std::array<double, 2>>& active) {
    if (active && (*active)[0] > (*active)[1])
        checker.problem("active", "the last frame comes before the first; write [first, last]");
}

bool has_zero(const Animated<Vec3d>& direction) {
    if (direction.keys.empty()) return length(direction.constant) == 0;
    for (const auto& key : direction.keys) {
        if (length(key.value) == 0) return true;
    }
    return false;
}

void check_flow(const EmitterParams& emitter, const Checker& checker, std::string_view kind) {
    if (emitter.speed && emitter.rate)
        checker.problem("rate", fmt::format("a {} has 'speed' or 'rate', not both; remove one of them", kind));
    if (!emitter.speed && !emitter.rate) {
        checker.problem(
            fmt::format("a {} needs 'speed' or 'rate'; add speed = 2, in m/s, or rate = 0.001, in m^3/s", kind));
    }
}

void check_nozzle(const EmitterParams& emitter, const Checker& checker) {
    check_flow(emitter, checker, "nozzle");
    if (has_zero(emitter.direction)) checker.problem("direction", "a direction must not be [0, 0, 0]");
    if (checker.given("velocity"))
        checker.problem("velocity", "a nozzle has 'direction' and 'speed' or 'rate' instead; remove it");
}

void check_surface(const EmitterParams& emitter, const Checker& checker) {
    check_flow(emitter, checker, "surface");
    for (const char* key : {"direction", "velocity"}) {
        if (checker.given(key))
            checker.problem(key, "liquid leaves a surface along its normals with 'speed' or 'rate'; remove it");
    }
    for (const char* key : {"position", "rotation_deg", "scale", "start"}) {
        if (!emitter.collider.empty() && checker.given(key))
            checker.problem(key, "the emitter is where its collider is; remove it, or give it to the collider");
    }
    if (emitter.start && emitter.collider.empty() && emitter.mesh.find('#') == std::string::npos)
        checker.problem("start", "only a sequence of meshes (name.####.ply) has a start");
}

}  // namespace

void FloodParams::check(const Checker& checker) const {
    if (from.y > level)
        checker.problem("from",
                        "the point lies above 'level', so no liquid would be there; raise one or lower the other");
}

void FillParams::check(const Checker& checker) const {
    const bool shaped = is_analytic() || !mesh.empty() || flood;
    if (level.empty() || shaped) {
        checker.exactly_one({{"box", box.has_value()},
                             {"sphere", sphere.has_value()},
                             {"cylinder", cylinder.has_value()},
                             {"mesh", !mesh.empty()},
                             {"flood", flood.has_value()}});
    }
    if (!level.empty()) {
        const std::string wrong = problem_of_level(level);
        if (!wrong.empty()) checker.problem("level", wrong);
        if (flood) checker.problem("level", "a flood has a level of its own, flood = { from = ..., level = 0.4 }");
    }
    if (box) checker.box("box", *box);
    for (const char* key : {"position", "rotation_deg", "scale"}) {
        if (mesh.empty() && checker.given(key))
            checker.problem(key, "it places a 'mesh'; other shapes stand where their numbers say, so remove it");
    }
}

FillParams EmitterParams::shape() const {
    return as_fill(box, sphere, cylinder);
}

FillParams RegionParams::shape() const {
    return as_fill(box, sphere, cylinder);
}

void EmitterParams::check(const Checker& checker) const {
    checker.exactly_one({{"disc", disc.has_value()},
                         {"rectangle", rectangle.has_value()},
                         {"box", box.has_value()},
                         {"sphere", sphere.has_value()},
                         {"cylinder", cylinder.has_value()},
                         {"mesh", !mesh.empty()},
                         {"collider", !collider.empty()}});
    if (box) checker.box("box", *box);
    check_window(checker, active);
    if (is_surface()) return check_surface(*this, checker);
    for (const char* key : {"scale", "start", "emission_map"}) {
        if (checker.given(key)) checker.problem(key, "only a surface (mesh, collider) has it; remove it");
    }
    if (is_nozzle()) return check_nozzle(*this, checker);
    if (!box && !sphere && !cylinder) return;
    for (const char* key : {"direction", "speed"}) {
        if (checker.given(key))
            checker.problem(key, "only a nozzle (disc, rectangle) has it; give a volume a 'velocity'");
    }
}

void RegionParams::check(const Checker& checker) const {
    checker.exactly_one({{"box", box.has_value()}, {"sphere", sphere.has_value()}, {"cylinder", cylinder.has_value()}});
    if (box) checker.box("box", *box);
}

void KillerParams::check(const Checker& checker) const {
    check_window(checker, active);
    if (!has_conditions() && !most)
        checker.problem(
            "no condition is given; give at least one of 'age', 'speed', 'slower', 'isolated', 'most', 'inside', "
            "'outside'");
}

}  // namespace spindrift::emitters
