// What a field costs follows what is in it: a draft waits less for its colliders than the final does.

#include <filesystem>

#include "stopping_progress.h"
#include <gtest/gtest.h>

#include "spindrift/collision/walls/colliders.h"
#include "spindrift/core/interruption.h"
#include "spindrift/core/parallel.h"

namespace spindrift::collision {
namespace {

struct Cost {
    long pieces;  ///< of work: blocks that are looked at and bricks that are measured ask whether to stop, each
    double bytes;
};

/// Of a mesh of an example, whose cells are asked to be fine, beside liquid of a spacing.
Cost cost_of(const char* mesh, double spacing, double offset = 0) {
    ColliderParams thing;
    thing.name = mesh;
    thing.mesh = mesh;
    thing.cell = 0.008;
    thing.offset = offset;
    const std::filesystem::path folder = std::filesystem::path(SPINDRIFT_SOURCE_DIR) / "examples/drain";
    const ThreadLimit one(1);
    constexpr long endless = 1L << 40;
    const StopAt never(endless);
    const Interruptible work(never, "stopped");
    Colliders colliders({.params = {&thing, 1}, .folder = folder, .spacing = spacing, .support = 2 * spacing});
    return {endless - never.left, static_cast<double>(colliders.reports().at(0).bytes)};
}

TEST(FieldCost, drafts_cost_less_than_finals) {
    // The wall of the pipe becomes thinner than two cells on the way, and its field is made twice.
    for (const char* mesh : {"grate.obj", "pipe.obj"}) {
        SCOPED_TRACE(mesh);
        long finer = cost_of(mesh, 0.011).pieces;
        for (const double spacing : {0.022, 0.04, 0.1, 0.5}) {
            const long pieces = cost_of(mesh, spacing).pieces;
            EXPECT_GT(pieces, 60) << "the pieces are counted";
            EXPECT_LT(pieces, finer) << spacing;
            finer = pieces;
        }
    }
}

TEST(FieldCost, wide_offsets_cost_what_their_fields_hold) {
    const Cost plain = cost_of("grate.obj", 0.1), wide = cost_of("grate.obj", 0.1, 0.4);
    EXPECT_GT(wide.bytes, plain.bytes);
    // Blocks that are looked at and not measured are few.
    EXPECT_LT(static_cast<double>(wide.pieces) / wide.bytes, 1.5 * static_cast<double>(plain.pieces) / plain.bytes);
}

}  // namespace
}  // namespace spindrift::collision
