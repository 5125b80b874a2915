// A narrow band of particles in the cache, and what is inside of it.

#include <cmath>
#include <cstring>

#include "complaint.h"
#include "playback.h"
#include "temporary_folder.h"
#include <gtest/gtest.h>

#include "spindrift/cache/scene_copy.h"
#include "spindrift/core/atomic_file.h"
#include "spindrift/core/parallel.h"
#include "spindrift/io/npz.h"
#include "spindrift/stages/frame/filled_particles.h"
#include "spindrift/stages/mesh/mesh_stage.h"
#include "spindrift/stages/run/run.h"

namespace spindrift::stages {
namespace {

namespace fs = std::filesystem;

/// A pool deep enough for a core, into which a column falls beside a block that moves.
const std::string pool = R"(
    solver = "apic"
    frames = [1, 8]
    [domain]
    box = [[0, 0, 0], [0.9, 1.3, 0.9]]
    [[liquid]]
    spacing = 0.02
    fill = [{ box = [[0, 0, 0], [0.9, 0.9, 0.9]] }, { box = [[0, 0.9, 0], [0.3, 1.1, 0.9]] }]
    [[collider]]
    box = [[0.75, 0.1, 0.2], [0.8, 0.3, 0.4]]
    position = { keys = [[1, [0, 0, 0]], [8, [-0.1, 0.05, 0]]] }
    [flip]
    narrow_band = 3
    )";

std::string hash_of(const sim::Snapshot& snapshot) {
    Hash64 hash;
    for (const ChannelArray& channel : snapshot.parts.at("core").arrays.channels)
        hash.add(channel.name()).add(channel.data(), channel.size_bytes());
    return content_hash(snapshot) + hash.hex();
}

class CoreFiles : public ::testing::Test {
  protected:
    RunReport run(int last, const std::vector<std::string>& overrides = {}) {
        std::vector<std::string> all = overrides;
        all.push_back("frames=[1," + std::to_string(last) + "]");
        SilentProgress quiet;
        RunOptions options;
        options.folder = cache_;
        return run_scene(parse_scene(pool, "pool.toml", all), options, quiet);
    }
    fs::path file(const char* stage, const char* frame) const {
        return cache_ / stage / (std::string("liquid.") + frame + ".npz");
    }
    ChannelSet filled(int frame) const {
        const cache::Cache seen = cache::Cache::open(cache_);
        return read_filled_particles(seen, *seen.find(cache::series::particles, frame));
    }
    TemporaryFolder folder_;
    fs::path cache_ = folder_.path() / "cache";
};

TEST_F(CoreFiles, a_band_has_the_same_bits_for_any_number_of_threads_and_after_resumes) {
    const Scene scene = parse_scene(pool, "pool.toml");
    const auto whole = [&](int threads) {
        const ThreadLimit limit(threads);
        sim::Simulation simulation(scene);
        simulation.fill();
        run_to(simulation, 7);
        return hash_of(simulation.snapshot());
    };
    const std::string one = whole(1);
    EXPECT_EQ(whole(2), one);
    EXPECT_EQ(whole(3), one);

    sim::Simulation first(scene);
    first.fill();
    run_to(first, 3);
    sim::Simulation second(scene);
    second.restore(first.snapshot(), "frame");
    run_to(second, 5);
    EXPECT_FALSE(second.advance_frame(sim::StopAfter(1)));
    sim::Simulation third(scene);
    third.restore(second.snapshot(), "checkpoint");
    run_to(third, 7);
    EXPECT_EQ(hash_of(third.snapshot()), one);
}

TEST_F(CoreFiles, frames_hold_the_band_and_readers_get_all) {
    run(4);
    const ChannelSet band = io::read_npz(file("particles", "0004"));
    const ChannelSet all = filled(4);
    const std::size_t started = io::read_npz(file("particles", "0001")).size();
    EXPECT_LT(band.size(), 0.95 * static_cast<double>(started));
    // Cells at its border may have a particle or two more or less.
    EXPECT_NEAR(static_cast<double>(all.size()), static_cast<double>(started), 0.04 * static_cast<double>(started));
    std::size_t made = 0;
    for (const std::int64_t id : all.find("id")->as<std::int64_t>())
        made += id < 0;
    EXPECT_EQ(made, all.size() - band.size());
    // What is inside is not hollow: one surface, and of the liquid's volume.
    SilentProgress quiet;
    const Scene scene = cache::load_cached_scene(cache_);
    const double particle = std::pow(0.02, 3);
    const MeshReport report = mesh_cache(scene, {.folder = cache_, .first = 4, .last = 4}, quiet);
    ASSERT_EQ(report.records.size(), 1u);
    EXPECT_NEAR(report.records[0].volume, static_cast<double>(all.size()) * particle,
                0.1 * static_cast<double>(all.size()) * particle);
}

TEST_F(CoreFiles, a_run_goes_on_from_its_files) {
    run(6);
    const ChannelSet expected = io::read_npz(file("particles", "0006"));
    fs::remove_all(cache_);
    run(3);
    run(6);
    const ChannelSet again = io::read_npz(file("particles", "0006"));
    ASSERT_EQ(again.size(), expected.size());
    EXPECT_EQ(std::memcmp(again.find("P")->data(), expected.find("P")->data(), expected.find("P")->size_bytes()), 0);
}

TEST_F(CoreFiles, a_damaged_file_costs_a_frame_and_no_more) {
    run(4);
    write_file(file("core", "0004"), "not an archive");
    EXPECT_THROW(filled(4), IoError);
    const RunReport report = run(5);
    EXPECT_EQ(report.frames_reused, 3);
    EXPECT_EQ(report.frames_simulated, 2);
}

}  // namespace
}  // namespace spindrift::stages
