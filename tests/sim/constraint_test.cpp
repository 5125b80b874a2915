#include "playback.h"
#include <gtest/gtest.h>

#include "spindrift/constraints/distance.h"
#include "spindrift/constraints/pin.h"
#include "spindrift/core/hash.h"
#include "spindrift/sim/simulation.h"

namespace spindrift::sim {
namespace {

Scene dam() {
    return parse_scene(R"(
        frames = [1, 6]
        [domain]
        box = [[0, 0, 0], [0.8, 0.6, 0.3]]
        [[liquid]]
        spacing = 0.02
        fill = { box = [[0, 0, 0], [0.2, 0.3, 0.2]] })",
                       "test.toml");
}

const Vec3d point{0.3, 0.3, 0.1};

void add_constraints(Simulation& simulation) {
    const std::vector<constraints::DistanceLink> links = {{700, 701, 0.02}, {701, 702, 0.02}};
    const std::vector<constraints::Pin> pins = {{.id = 700, .point = point}};
    simulation.add_constraint(std::make_shared<constraints::DistanceConstraint>(links), 1);
    simulation.add_constraint(std::make_shared<constraints::PinConstraint>(pins), 2);
}

TEST(Constraints, a_run_goes_on_bit_for_bit_when_they_are_added_again) {
    Simulation whole(dam());
    whole.fill();
    add_constraints(whole);
    run_to(whole, 3);
    const Snapshot halfway = whole.snapshot();
    run_to(whole, 6);

    Simulation resumed(dam());
    resumed.restore(halfway, "halfway");
    add_constraints(resumed);
    run_to(resumed, 6);
    EXPECT_EQ(content_hash(resumed.snapshot()), content_hash(whole.snapshot()));

    const Snapshot end = whole.snapshot();
    const auto ids = end.channels.find("id")->as<std::int64_t>();
    const auto found = std::find(ids.begin(), ids.end(), 700);
    ASSERT_NE(found, ids.end());
    const auto at =
        vec_cast<double>(end.channels.find("P")->as<Vec3f>()[static_cast<std::size_t>(found - ids.begin())]);
    EXPECT_LT(length(at - point), 1e-7);  // the rounding of a float below a metre
}

}  // namespace
}  // namespace spindrift::sim
