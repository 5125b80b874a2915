#include "spindrift/whitewater/params.h"

#include <algorithm>

#include <fmt/format.h>

namespace spindrift::whitewater {

namespace {

void check_range(const Checker& checker, std::string_view key, const std::array<double, 2>& range) {
    if (!(range[0] < range[1]))
        checker.problem(key, "the second number has to be above the first; write [where it begins, where it is full]");
}

void check_sizes(const Checker& checker, std::string_view key, const std::array<double, 2>& range) {
    if (range[0] > range[1]) checker.problem(key, "the largest is below the smallest; write [smallest, largest]");
}

}  // namespace

void TrappedAirParams::check(const Checker& checker) const {
    if (speed) check_range(checker, "speed", *speed);
}

void CrestParams::check(const Checker& checker) const {
    if (curvature) check_range(checker, "curvature", *curvature);
}

void VorticityParams::check(const Checker& checker) const {
    check_range(checker, "speed", speed);
}

void SprayParams::check(const Checker& checker) const {
    check_sizes(checker, "diameter_mm", diameter_mm);
}

void BubbleParams::check(const Checker& checker) const {
    check_sizes(checker, "diameter_mm", diameter_mm);
}

void FoamParams::check(const Checker& checker) const {
    check_range(checker, "crowd", crowd);
}

void SourceParams::check(const Checker& checker) const {
    checker.exactly_one({{"box", box.has_value()},
                         {"sphere", sphere.has_value()},
                         {"cylinder", cylinder.has_value()},
                         {"mesh", !mesh.empty()},
                         {"collider", !collider.empty()}});
    if (box) checker.box("box", *box);
    if (diameter_mm) check_sizes(checker, "diameter_mm", *diameter_mm);
    if (active && (*active)[0] > (*active)[1])
        checker.problem("active", "the last frame comes before the first; write [first, last]");
    if (speed > 0 && !is_surface())
        checker.problem("speed", "only surfaces of meshes and colliders have normals; use 'velocity'");
    for (const char* key : {"position", "rotation_deg", "scale"}) {
        if (!collider.empty() && checker.given(key))
            checker.problem(key, "the source is where its collider is; remove it, or give it to the collider");
    }
    if (!checker.given("rate")) checker.problem("rate", "a source needs a rate; add rate = 1000, particles per second");
}

bool WhitewaterParams::has(Kind kind) const {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

bool WhitewaterParams::has(Potential cause) const {
    return std::find(causes.begin(), causes.end(), cause) != causes.end();
}

void WhitewaterParams::check(const Checker& checker) const {
    if (kinds.empty()) checker.problem("kinds", "no kind is left; name some of spray, foam, bubbles and mist");
    check_range(checker, "energy", energy);
    if (causes.empty() && source.empty())
        checker.problem("causes", "nothing is ever born; name a cause, or add a [[whitewater.source]]");
    for (std::size_t i = 0; i < source.size(); ++i) {
        if (source[i].kind && !has(*source[i].kind))
            checker.entry("source", i)
                .problem("kind", fmt::format("whitewater.kinds has no {}; add it there", word(*source[i].kind)));
    }
}

}  // namespace spindrift::whitewater
