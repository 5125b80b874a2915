#include "spindrift/collision/fields/field_cache.h"

#include <cstring>
#include <functional>
#include <limits>

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

TEST(FieldCache, RefusesHeadersThatAnnounceNonsense) {
    const TemporaryFolder folder;
    const auto path = folder / "cup.field";
    write_field(path, make_field(open_bowl(12), cup_settings()));
    const std::string good = read_file(path);
    // Offsets of the header: beyond, band, first, bricks, size of the note, cell, count of bricks, primitives.
    for (const std::size_t at : {16u, 20u, 28u, 40u, 44u, 48u, 52u, 56u, 64u, 68u, 72u}) {
        for (const std::int32_t value : {std::numeric_limits<std::int32_t>::max(),
                                         std::numeric_limits<std::int32_t>::min(), 0x7fc00000, -1, 1 << 20}) {
            std::string bad = good;
            std::memcpy(bad.data() + at, &value, sizeof value);
            if (bad == good) continue;
            for (const std::size_t size : {good.size(), std::size_t{87}, std::size_t{80}}) {
                write_file(path, bad.substr(0, size));
                EXPECT_FALSE(read_field(path)) << "value " << value << " at " << at << ", " << size << " bytes";
            }
        }
    }
}

TEST(FieldCache, MakesFieldsAnewWhoseFilesAreWholeAndWrong) {
    const TemporaryFolder folder;
    const Mesh mesh = open_bowl(12);
    const FieldSettings settings = cup_settings();
    const Field made = make_field(mesh, settings);
    const auto path = folder / field_file_name(mesh, settings);
    // Written as the program writes, so that sizes and hash are right.
    const auto expect_refused = [&](const std::function<void(Field&)>& spoil) {
        Field bad = made;
        spoil(bad);
        write_field(path, bad);
        expect_same(cached_field(folder.path(), mesh, settings), made);
        EXPECT_TRUE(read_field(path));
    };
    const auto bricks = static_cast<std::int32_t>(made.brick_count());
    const auto triangles = static_cast<std::int32_t>(mesh.triangles.size());
    for (const std::int32_t entry : {bricks, -3, std::numeric_limits<std::int32_t>::max()})
        expect_refused([&](Field& field) { field.table.front() = field.table.back() = entry; });
    for (const std::int32_t triangle : {triangles, -2})
        expect_refused([&](Field& field) { field.primitive[7] = triangle; });
    expect_refused([&](Field& field) { field.primitive.clear(); });
    expect_refused([&](Field& field) { field.distance[7] = std::numeric_limits<float>::quiet_NaN(); });
    expect_refused([&](Field& field) { field.cell = 0.2; });
    expect_refused([&](Field& field) { field.beyond = 12; });
    expect_refused([&](Field& field) { field.band = -1; });
    expect_refused([&](Field& field) { field.first.x = 1 << 30; });
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
