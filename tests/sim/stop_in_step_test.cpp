// A user who wants to stop does not wait for a step: its loops end wherever they are.

#include <string>

#include "playback.h"
#include "stopping_progress.h"
#include <gtest/gtest.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/interruption.h"

namespace spindrift::sim {
namespace {

/// Two liquids, walls with fields, an emitter, a body: what has loops of its own in a step.
std::string busy(const std::string& solver) {
    return "solver = \"" + solver + R"("
        frames = [1, 4]
        [domain]
        box = [[0, 0, 0], [0.6, 0.5, 0.3]]
        [[liquid]]
        name = "water"
        spacing = 0.02
        fill = { box = [[0, 0, 0], [0.25, 0.3, 0.3]] }
        [[liquid]]
        name = "oil"
        viscosity = 0.05
        spacing = 0.02
        fill = { box = [[0.25, 0, 0], [0.4, 0.15, 0.3]] }
        [[emitter]]
        liquid = "water"
        disc = { radius = 0.04 }
        position = [0.5, 0.4, 0.15]
        speed = 2.0
        [[collider]]
        sphere = { center = [0.45, 0.02, 0.15], radius = 0.07 }
        [[body]]
        box = [[-0.05, -0.05, -0.05], [0.05, 0.05, 0.05]]
        position = [0.12, 0.38, 0.15]
        density = 400
        )";
}

class StopInStep : public testing::TestWithParam<const char*> {
  protected:
    Scene scene = parse_scene(busy(GetParam()), "test.toml");
    SilentProgress quiet;
};

TEST_P(StopInStep, asks_many_times) {
    Simulation simulation(scene);
    simulation.fill();
    const long many = 1000000;
    const StopAt never(many);
    {
        const Interruptible step(never, "stopped");
        simulation.advance(simulation.choose_dt());
    }
    // A heavy scene has the same loops with more pieces: a step is asked in each of its phases.
    EXPECT_GT(many - never.left, 40);
}

TEST_P(StopInStep, ends_anywhere) {
    Simulation whole(scene);
    whole.fill();
    run_to(whole, 2);
    const Snapshot before = whole.snapshot();
    Simulation stopped(scene);
    stopped.restore(before, "frame");
    for (long question = 0; question < 300; question += 7) {
        {
            const StopAt soon(question);
            const Interruptible step(soon, "stopped");
            EXPECT_THROW(stopped.advance_frame(quiet), InterruptedError) << question;
        }
        // What is left of a step is of no use, and does no harm.
        stopped.restore(before, "frame");
        EXPECT_EQ(stopped.particle_count(), before.channels.size());
    }
}

INSTANTIATE_TEST_SUITE_P(Solvers, StopInStep, testing::Values("pbf", "flip", "apic"),
                         [](const auto& method) { return std::string(method.param); });

}  // namespace
}  // namespace spindrift::sim
