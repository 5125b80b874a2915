#include "spindrift/grid/vdb_file.h"

#include <bit>

#include "complaint.h"
#include "temporary_folder.h"
#include <gtest/gtest.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/random.h"

namespace spindrift::grid {
namespace {

/// A few leaves around zero and one far away, random values with every third cell active.
Volume random_volume(const std::string& name, Volume::Kind kind) {
    Volume volume{.name = name, .kind = kind, .unit = "m", .cell = 0.06, .origin = {0.25, -3, 1e5}};
    volume.background = kind == Volume::Kind::level_set ? 0.06f : 0.f;
    const std::vector<Vec3i> coords = {{0, 0, 0}, {-1, 0, 0}, {0, -1, 2}, {700, -900, 5}};
    volume.leaves.assign(coords);
    volume.active.assign(volume.leaves.size(), {});
    for (std::uint64_t c = 0; c < (kind == Volume::Kind::faces ? 3u : 1u); ++c) {
        volume.values.emplace_back("test");
        volume.values.back().resize(volume.leaves.size(), volume.background);
        for (std::size_t l = 1; l < volume.leaves.size(); ++l) {
            for (int n = 0; n < leaf_cells; ++n) {
                const bool active = n % 3 == 0;
                const std::uint64_t hash = hash_counter(c, l, static_cast<std::uint64_t>(n));
                volume.values.back().leaf(l)[n] = active ? 2 * uniform(hash) - 1 : volume.background;
                if (active) volume.active[l][static_cast<std::size_t>(n / 64)] |= std::uint64_t{1} << (n % 64);
            }
        }
    }
    return volume;
}

/// Bit for bit, in the leaves of `a`.
void expect_same(const Volume& a, const Volume& b) {
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.unit, b.unit);
    EXPECT_EQ(a.cell, b.cell);
    EXPECT_NEAR(length(a.origin - b.origin), 0, 1e-15 * length(a.origin));
    EXPECT_EQ(a.background, b.background);
    ASSERT_EQ(a.leaves.size(), b.leaves.size());
    ASSERT_EQ(a.values.size(), b.values.size());
    for (std::size_t l = 1; l < a.leaves.size(); ++l) {
        EXPECT_EQ(a.leaves.coord(l), b.leaves.coord(l));
        EXPECT_EQ(a.active[l], b.active[l]);
        for (std::size_t c = 0; c < a.values.size(); ++c) {
            for (int n = 0; n < leaf_cells; ++n) {
                ASSERT_EQ(std::bit_cast<std::uint32_t>(a.values[c].leaf(l)[n]),
                          std::bit_cast<std::uint32_t>(b.values[c].leaf(l)[n]));
            }
        }
    }
}

std::vector<Volume> one_of_each() {
    std::vector<Volume> volumes;
    volumes.push_back(random_volume("surface", Volume::Kind::level_set));
    volumes.push_back(random_volume("vel", Volume::Kind::faces));
    volumes.push_back(random_volume("pressure", Volume::Kind::scalar));
    return volumes;
}

TEST(GridVdb, what_is_written_reads_back_bit_for_bit) {
    const TemporaryFolder folder;
    const std::vector<Volume> volumes = one_of_each();
    write_file(folder / "all.vdb", vdb_content(volumes, {.frame = 7, .time = 0.25, .solver = "apic"}));
    ASSERT_EQ(read_vdb_volumes(folder / "all.vdb").size(), 3u);
    for (const Volume& volume : volumes)
        expect_same(volume, read_vdb_volume(folder / "all.vdb", volume.name));
}

TEST(GridVdb, leaves_of_one_value_are_left_out_or_become_blocks) {
    const TemporaryFolder folder;
    std::vector<Volume> volumes = one_of_each();
    volumes.resize(1);
    Volume& surface = volumes[0];
    const auto inside = static_cast<std::size_t>(surface.leaves.find({0, 0, 0}));
    const auto outside = static_cast<std::size_t>(surface.leaves.find({-1, 0, 0}));
    for (int n = 0; n < leaf_cells; ++n) {
        surface.values[0].leaf(inside)[n] = -surface.background;
        surface.values[0].leaf(outside)[n] = surface.background;
    }
    surface.active[inside] = surface.active[outside] = {};
    write_file(folder / "surface.vdb", vdb_content(volumes, {}));
    const Volume back = read_vdb_volume(folder / "surface.vdb", "surface");
    EXPECT_EQ(back.leaves.size(), 4u) << "leaf 0 and three";
    EXPECT_EQ(back.leaves.find({-1, 0, 0}), 0);
    EXPECT_EQ(back.at({3, 4, 5}).x, -surface.background);
    EXPECT_EQ(back.at({-3, 4, 5}).x, surface.background);
    EXPECT_FALSE(back.is_active({3, 4, 5}));
}

TEST(GridVdb, the_same_grids_are_the_same_bytes) {
    const std::string once = vdb_content(one_of_each(), {.frame = 1});
    EXPECT_EQ(once, vdb_content(one_of_each(), {.frame = 1}));
    EXPECT_NE(once, vdb_content(one_of_each(), {.frame = 2}));
}

TEST(GridVdb, a_grid_without_cells_is_a_grid) {
    const TemporaryFolder folder;
    std::vector<Volume> volumes(1);
    volumes[0].name = "pressure";
    volumes[0].values.emplace_back("test");
    volumes[0].values[0].resize(1, 0);
    volumes[0].active.resize(1);
    write_file(folder / "none.vdb", vdb_content(volumes, {}));
    EXPECT_TRUE(read_vdb_volume(folder / "none.vdb", "pressure").leaves.empty());
}

TEST(GridVdb, damaged_files_are_refused_with_a_sentence) {
    const TemporaryFolder folder;
    const auto said = [&](const std::string& name) { return complaint([&] { read_vdb_volumes(folder / name); }); };
    EXPECT_NE(said("none.vdb").find("there is no such file"), std::string::npos);
    write_file(folder / "text.vdb", "This is not a file of voxels.");
    EXPECT_NE(said("text.vdb").find("is not an OpenVDB file"), std::string::npos);
    const std::string good = vdb_content(one_of_each(), {});
    for (std::size_t i = 0; i < 40; ++i) {
        write_file(folder / "cut.vdb", std::string_view(good).substr(0, good.size() * i / 40));
        EXPECT_NE(said("cut.vdb"), "") << "cut at " << i << " / 40";
    }
    write_file(folder / "good.vdb", good);
    EXPECT_NE(complaint([&] {
                  read_vdb_volume(folder / "good.vdb", "heat");
              }).find("has no grid 'heat'; it has: surface, vel, pressure"),
              std::string::npos);
}

TEST(GridVdb, changed_bytes_are_noticed) {
    const TemporaryFolder folder;
    const std::string good = vdb_content(one_of_each(), {});
    for (std::uint64_t i = 0; i < 200; ++i) {
        std::string bad = good;
        // Headers stand at the beginning: half of the changes go there.
        char& byte = bad[hash_counter(1, i, 0) % (i % 2 ? 3000 : bad.size())];
        byte = static_cast<char>(byte ^ (1 << i % 8));
        write_file(folder / "bad.vdb", bad);
        EXPECT_NE(complaint([&] { read_vdb_volumes(folder / "bad.vdb"); }), "") << i;
    }
}

}  // namespace
}  // namespace spindrift::grid
