#include "spindrift/collision/field_cache.h"

#include "meshes.h"
#include "temporary_folder.h"
#include <gtest/gtest.h>

#include "spindrift/core/atomic_file.h"

namespace spindrift::collision {
namespace {

FieldSettings cup_settings() {
    FieldSettings settings;
    settings.cell = 0.1;
    settings.mode = Mode::shell;
    settings.primitives = true;
    settings.name = "cup/2";
    return settings;
}

void expect_same(const Field& a, const Field& b) {
    EXPECT_EQ(a.cell, b.cell);
    EXPECT_EQ(a.first, b.first);
    EXPECT_EQ(a.bricks, b.bricks);
    EXPECT_EQ(a.band, b.band);
    EXPECT_EQ(a.depth, b.depth);
    EXPECT_EQ(a.closed, b.closed);
    EXPECT_EQ(a.beyond, b.beyond);
    EXPECT_EQ(a.note, b.note);
    EXPECT_EQ(a.table, b.table);
    EXPECT_EQ(a.distance, b.distance);
    EXPECT_EQ(a.primitive, b.primitive);
}

TEST(FieldCache, GivesTheSameBitsFromTheFile) {
    const TemporaryFolder folder;
    FieldSettings settings = cup_settings();
    for (const bool solid : {false, true}) {
        // The solid is open: its note must survive.
        settings.mode = solid ? Mode::solid_inside : Mode::shell;
        settings.primitives = !solid;
        const Mesh mesh = open_bowl(12);
        const Field made = cached_field(folder.path() / "new" / "fields", mesh, settings);
        const std::string name = field_file_name(mesh, settings);
        EXPECT_TRUE(name.starts_with("cup_2.") && name.ends_with(".field")) << name;
        const std::optional<Field> kept = read_field(folder.path() / "new" / "fields" / name);
        ASSERT_TRUE(kept);
        expect_same(made, *kept);
        expect_same(made, cached_field(folder.path() / "new" / "fields", mesh, settings));
    }
}

TEST(FieldCache, TakesTheFileInsteadOfMakingTheField) {
    const TemporaryFolder folder;
    const Mesh mesh = open_bowl(12);
    const FieldSettings settings = cup_settings();
    Field other = make_field(mesh, settings);
    other.note = "from the file";
    write_field(folder / field_file_name(mesh, settings), other);
    EXPECT_EQ(cached_field(folder.path(), mesh, settings).note, "from the file");
}

TEST(FieldCache, MakesDamagedFilesAnew) {
    const TemporaryFolder folder;
    const Mesh mesh = open_bowl(12);
    const FieldSettings settings = cup_settings();
    const Field made = cached_field(folder.path(), mesh, settings);
    const auto path = folder / field_file_name(mesh, settings);
    const std::string good = read_file(path);
    for (std::uint64_t i = 0; i < 60; ++i) {
        std::string bad = good;
        const std::size_t at = hash_counter(1, i, 0) % (i % 2 ? 80 : good.size());
        if (i % 5 == 0) {
            bad.resize(at);
        } else {
            bad[at] = static_cast<char>(bad[at] ^ (1 << i % 8));
        }
        write_file(path, bad);
        EXPECT_FALSE(read_field(path)) << "damage at " << at;
    }
    expect_same(cached_field(folder.path(), mesh, settings), made);
    EXPECT_TRUE(read_field(path));
}

TEST(FieldCache, NamesFilesByEverythingThatMatters) {
    const Mesh mesh = open_bowl(12);
    const FieldSettings settings = cup_settings();
    const std::string name = field_file_name(mesh, settings);
    const auto expect_other = [&](auto change) {
        FieldSettings changed = settings;
        change(changed);
        EXPECT_NE(field_file_name(mesh, changed), name);
    };
    expect_other([](FieldSettings& s) { s.cell = 0.11; });
    expect_other([](FieldSettings& s) { s.mode = Mode::solid_inside; });
    expect_other([](FieldSettings& s) { s.thickness = 0.3; });
    expect_other([](FieldSettings& s) { s.offset = 0.01; });
    expect_other([](FieldSettings& s) { s.band = 0.4; });
    expect_other([](FieldSettings& s) { s.depth = 0.4; });
    expect_other([](FieldSettings& s) { s.primitives = false; });
    Mesh moved = mesh;
    moved.points[5].x += 1e-6f;
    EXPECT_NE(field_file_name(moved, settings), name);
    Mesh turned_over = mesh;
    std::swap(turned_over.triangles[3][0], turned_over.triangles[3][1]);
    EXPECT_NE(field_file_name(turned_over, settings), name);
}

TEST(FieldCache, WorksWithoutAFolderAndWhereItMayNotWrite) {
    const TemporaryFolder folder;
    const Mesh mesh = open_bowl(12);
    expect_same(cached_field({}, mesh, cup_settings()), make_field(mesh, cup_settings()));
    write_file(folder / "file", "");
    expect_same(cached_field(folder / "file", mesh, cup_settings()), make_field(mesh, cup_settings()));
}

}  // namespace
}  // namespace spindrift::collision
