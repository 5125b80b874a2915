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

/// Of the grate of an example, whose cells are asked to be fine, beside liquid of a spacing.
Cost cost_of(double spacing, double offset) {
    ColliderParams grate;
    grate.name = "grate";
    grate.mesh = "grate.obj";
    grate.cell = 0.008;
    grate.offset = offset;
    const std::filesystem::path folder = std::filesystem::path(SPINDRIFT_SOURCE_DIR) / "examples/drain";
    const ThreadLimit one(1);
    constexpr long endless = 1L << 40;
    const StopAt never(endless);
    const Interruptible work(never, "stopped");
    Colliders colliders({.params = {&grate, 1}, .folder = folder, .spacing = spacing, .support = 2 * spacing});
    return {endless - never.left, static_cast<double>(colliders.reports().at(0).bytes)};
}

TEST(FieldCost, drafts_cost_less_than_finals) {
    const long final_quality = cost_of(0.02, 0).pieces, draft = cost_of(0.1, 0).pieces, rough = cost_of(0.5, 0).pieces;
    EXPECT_GT(rough, 200) << "the pieces are counted";
    EXPECT_LT(draft, final_quality);
    EXPECT_LT(rough, draft);
}

TEST(FieldCost, wide_offsets_cost_what_their_fields_hold) {
    const Cost plain = cost_of(0.1, 0), wide = cost_of(0.1, 0.4);
    EXPECT_GT(wide.bytes, plain.bytes);
    // Blocks that are looked at and not measured are few.
    EXPECT_LT(static_cast<double>(wide.pieces) / wide.bytes, 1.5 * static_cast<double>(plain.pieces) / plain.bytes);
}

}  // namespace
}  // namespace spindrift::collision
