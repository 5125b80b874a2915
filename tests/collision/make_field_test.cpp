#include "spindrift/collision/fields/make_field.h"

#include "meshes.h"
#include <gtest/gtest.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"

namespace spindrift::collision {
namespace {

/// Points are floats of cell coordinates up to 64: their rounding is the only error distances have, in cells.
constexpr double rounding = 1e-4;

FieldSettings settings_of(Mode mode, double cell) {
    FieldSettings settings;
    settings.cell = cell;
    settings.mode = mode;
    settings.band = 4 * cell;
    settings.depth = 3 * cell;
    settings.primitives = true;
    settings.name = "cup";
    return settings;
}

/// Compares |distance + shift| of nodes with those of all triangles.
void expect_distances(const Field& field, const Mesh& mesh, double shift, std::size_t count = 1000) {
    std::size_t compared = 0;
    visit_some_nodes(field, count, [&](Vec3d p, std::size_t node) {
        const BruteForce expected = nearest_by_force(mesh, p);
        const double found = std::abs(field.distance[node] + shift);
        if (expected.distance > 3 * field.cell) return;
        ++compared;
        ASSERT_NEAR(found, expected.distance / field.cell, rounding) << p.x << ' ' << p.y << ' ' << p.z;
        ASSERT_GE(field.primitive[node], 0);
        const auto triangle = static_cast<std::size_t>(field.primitive[node]);
        const Mesh one{mesh.points, {mesh.triangles[triangle]}, {}};
        ASSERT_NEAR(nearest_by_force(one, p).distance, expected.distance, rounding * field.cell);
    });
    EXPECT_GT(compared, 40u);
}

TEST(MakeField, GivesTheDistancesOfABumpySphereAndItsGradient) {
    const Mesh mesh = bumpy_sphere(60);
    const Field field = make_field(mesh, settings_of(Mode::solid_inside, 0.05));
    EXPECT_EQ(field.note, "");
    EXPECT_TRUE(field.closed);
    expect_distances(field, mesh, 0);
    for (std::uint64_t i = 0; i < 300; ++i) {
        const Vec3d direction = normalize(vec_cast<double>(random_vector(1, i)));
        const FieldSample out = sample_at(field, direction * 1.2), in = sample_at(field, direction * 0.8);
        EXPECT_GT(out.distance, 0);
        EXPECT_LT(in.distance, 0);
        // Bumps are 0.1 high and 1 wide: normals are within half a right angle of the sphere's, but not in furrows.
        const FieldSample on = sample_at(field, direction);
        EXPECT_GT(dot(vec_cast<double>(on.gradient), direction), 0.5);
    }
}

TEST(MakeField, KnowsAllNodesAroundAMeshThatIsFinerThanItsCells) {
    const Mesh mesh = bumpy_sphere(30);
    FieldSettings settings = settings_of(Mode::solid_inside, 0.3);
    settings.band = 9 * settings.cell;
    const Field field = make_field(mesh, settings);
    std::size_t far = 0;
    visit_some_nodes(field, field.distance.size(), [&](Vec3d p, std::size_t node) {
        const double expected = nearest_by_force(mesh, p).distance / field.cell;
        if (field.distance[node] < 0 || expected > 9) return;
        far += expected > 6;
        ASSERT_NEAR(static_cast<double>(field.distance[node]), expected, rounding) << p.x << ' ' << p.y << ' ' << p.z;
    });
    EXPECT_GT(far, 1000u);
}

TEST(MakeField, GivesTheDistancesOfASoupAsAShell) {
    const Mesh mesh = soup(60, 0.4f);
    FieldSettings settings = settings_of(Mode::shell, 0.06);
    expect_distances(make_field(mesh, settings), mesh, least_half_thickness);
    settings.thickness = 0.3;
    expect_distances(make_field(mesh, settings), mesh, 2.5);
}

TEST(MakeField, KnowsWhichSideOfEachModeIsFree) {
    const Mesh mesh = box_mesh({-1, -1, -1}, {1, 1, 1});
    struct Case {
        Mode mode;
        bool center_free, near_inside_free, near_outside_free, beyond_free;
    };
    for (const Case& c :
         {Case{Mode::solid_inside, false, false, true, true}, Case{Mode::solid_outside, true, true, false, false},
          Case{Mode::shell, true, true, true, true}}) {
        const Field field = make_field(mesh, settings_of(c.mode, 0.04));
        const auto is_free = [&](double x) { return sample_at(field, {x, 0.1, 0.2}).distance > 0; };
        EXPECT_EQ(is_free(0), c.center_free);
        EXPECT_EQ(is_free(0.93), c.near_inside_free);
        EXPECT_EQ(is_free(1.07), c.near_outside_free);
        EXPECT_EQ(is_free(-50), c.beyond_free);
        EXPECT_EQ(is_free(1.001), c.mode == Mode::solid_inside);
        EXPECT_TRUE(field.closed);
        EXPECT_EQ(field.note, "");
    }
}

TEST(MakeField, MovesTheSurfaceByTheOffsetOutOfTheSolid) {
    const Mesh mesh = box_mesh({-1, -1, -1}, {1, 1, 1});
    for (const double offset : {-0.1, 0.1}) {
        for (const Mode mode : {Mode::solid_inside, Mode::solid_outside}) {
            FieldSettings settings = settings_of(mode, 0.05);
            settings.offset = offset;
            const double wall = mode == Mode::solid_inside ? 1 + offset : 1 - offset;
            const double out = mode == Mode::solid_inside ? 1 : -1;
            const Field field = make_field(mesh, settings);
            for (const double step : {-0.12, 0., 0.15})
                EXPECT_NEAR(sample_at(field, {0.3, wall + out * step, 0}).distance, step / 0.05, 0.01);
        }
    }
}

TEST(MakeField, IsExactAtTheEdgesOfATurnedBox) {
    // Edges are not mistaken for thin walls.
    const Mesh mesh = turned(box_mesh({-1, -0.8f, -0.6f}, {1, 0.8f, 0.6f}), 0.6f);
    const Field field = make_field(mesh, settings_of(Mode::solid_inside, 0.07));
    EXPECT_EQ(field.note, "");
    expect_distances(field, mesh, 0, 4000);
}

TEST(MakeField, TakesFlippedDoubledAndSelfIntersectingMeshes) {
    Mesh flipped = bumpy_sphere(40);
    for (std::size_t t = 0; t < flipped.triangles.size(); t += 3)
        std::swap(flipped.triangles[t][0], flipped.triangles[t][1]);
    Mesh doubled = joined(bumpy_sphere(40), bumpy_sphere(40));
    for (const Mesh& mesh : {flipped, doubled}) {
        const Field field = make_field(mesh, settings_of(Mode::solid_inside, 0.06));
        EXPECT_TRUE(field.closed);
        EXPECT_LT(sample_at(field, {0, 0, 0}).distance, 0);
        expect_distances(field, mesh, 0);
    }
    const Mesh crossing =
        joined(box_mesh({-1, -1, -1}, {0.4f, 0.4f, 0.4f}), turned(box_mesh({-0.5f, -0.5f, -0.5f}, {1, 1, 1}), 0.2f));
    const Field field = make_field(crossing, settings_of(Mode::solid_inside, 0.06));
    visit_some_nodes(field, 1000, [&](Vec3d p, std::size_t node) {
        const double expected = nearest_by_force(crossing, p).distance / field.cell;
        if (field.distance[node] > 0 && expected < 4) {
            ASSERT_NEAR(field.distance[node], expected, rounding);
        }
    });
    EXPECT_LT(sample_at(field, {0, 0, 0}).distance, 0);
    EXPECT_LT(sample_at(field, {-0.2, -0.2, -0.2}).distance, -1);
}

TEST(MakeField, TakesFansSliversAndTrianglesWithoutAnArea) {
    Mesh fan;
    fan.points = {{0, -1, 0}, {0, 1, 0}};
    for (std::uint32_t i = 0; i < 5; ++i) {
        const float angle = static_cast<float>(i) * 1.1f;
        fan.points.push_back({std::cos(angle), 0.1f, std::sin(angle)});
        fan.triangles.push_back({0, 1, i + 2});
    }
    Mesh slivers;
    for (std::uint32_t i = 0; i < 40; ++i) {
        const Vec3f a = random_vector(1, i), b = random_vector(2, i);
        slivers.points.insert(slivers.points.end(), {a, b, a + (b - a) * 0.3f + random_vector(3, i, 0, 1e-6f)});
        slivers.triangles.push_back({i * 3, i * 3 + 1, i * 3 + 2});
    }
    Mesh flat = soup(10, 0.3f);
    for (std::uint32_t i = 0; i < 10; ++i)
        flat.triangles.push_back({i * 3, i * 3, i % 2 ? i * 3 : i * 3 + 1});
    for (const Mesh& mesh : {fan, slivers, flat}) {
        for (const Mode mode : {Mode::shell, Mode::solid_inside}) {
            const Field field = make_field(mesh, settings_of(mode, 0.06));
            expect_distances(field, mesh, least_half_thickness);
            EXPECT_EQ(field.closed, mode == Mode::shell);
        }
    }
}

TEST(MakeField, MakesAShellOfAnOpenMesh) {
    const Mesh mesh = open_bowl(40);
    for (const Mode mode : {Mode::solid_inside, Mode::solid_outside}) {
        const Field field = make_field(mesh, settings_of(mode, 0.05));
        EXPECT_FALSE(field.closed);
        EXPECT_NE(field.note.find("'cup' is not closed (40 open edges)"), std::string::npos) << field.note;
        EXPECT_EQ(field.beyond, free_block);
        EXPECT_GT(sample_at(field, {0, -0.5, 0}).distance, 0);
        EXPECT_GT(sample_at(field, {0, -1.5, 0}).distance, 0);
        EXPECT_LT(sample_at(field, {0, -1, 0}).distance, -0.4);
        expect_distances(field, mesh, least_half_thickness);
    }
}

TEST(MakeField, MakesAShellOfASolidThinnerThanItsCells) {
    for (const float thickness : {0.0f, 0.02f, 0.05f}) {
        const Mesh plate = turned(box_mesh({-1, 0, -1}, {1, thickness, 1}), 0.4f);
        const Field field = make_field(plate, settings_of(Mode::solid_inside, 0.05));
        EXPECT_TRUE(field.closed);
        EXPECT_NE(field.note.find("thinner than two of its cells"), std::string::npos) << field.note;
        expect_distances(field, plate, least_half_thickness);
    }
}

TEST(MakeField, HasNoHolesInPlatesOfAnyThickness) {
    for (int i = 1; i <= 12; ++i) {
        const float cell = 0.07f, thickness = 0.2f * static_cast<float>(i) * cell,
                    angle = 0.31f * static_cast<float>(i);
        const Mesh plate = turned(box_mesh({-1, -thickness / 2, -1}, {1, thickness / 2, 1}), angle);
        const Field field = make_field(plate, settings_of(Mode::solid_inside, cell));
        for (std::uint64_t way = 0; way < 300; ++way) {
            const Vec3f from = random_vector(way, 0, -0.9f, 0.9f);
            float least = 1;
            for (float y = -3 * cell; y < 3 * cell; y += 0.1f * cell) {
                const Mesh point = turned(Mesh{{{from.x, y, from.z}}, {}, {}}, angle);
                least = std::min(least, sample_at(field, vec_cast<double>(point.points[0])).distance);
            }
            ASSERT_LT(least, 0) << "thickness " << thickness / cell << " cells: " << field.note;
        }
    }
}

TEST(MakeField, ThickensOnlyWhatIsThinOrOpen) {
    // A ball with a sheet beside it that has no inside.
    Mesh sheet;
    sheet.points = {{1.5f, -0.5f, -0.51f}, {1.5f, 0.5f, -0.5f}, {1.52f, 0, 0.5f}};
    sheet.triangles = {{0, 1, 2}};
    const Mesh mesh = joined(bumpy_sphere(40), sheet);
    const Field field = make_field(mesh, settings_of(Mode::solid_inside, 0.05));
    EXPECT_FALSE(field.closed);
    EXPECT_NE(field.note.find("open or thinner than two cells"), std::string::npos) << field.note;
    EXPECT_LT(sample_at(field, {0, 0, 0}).distance, 0);
    EXPECT_LT(sample_at(field, {1.51, 0, 0}).distance, -0.4);
    EXPECT_NEAR(sample_at(field, {1.65, 0, 0}).distance, (1.65 - 1.51) / 0.05 - least_half_thickness, 0.1);
    visit_some_nodes(field, 1000, [&](Vec3d p, std::size_t node) {
        const double expected = nearest_by_force(mesh, p).distance / field.cell;
        if (p.x < 1.2 && expected < 3) {
            ASSERT_NEAR(std::abs(field.distance[node]), expected, rounding);
        }
    });
}

TEST(MakeField, HasNoZeroCrossingAwayFromTheSurface) {
    const Mesh mesh = bumpy_sphere(40);
    for (const Mode mode : {Mode::solid_inside, Mode::solid_outside}) {
        const Field field = make_field(mesh, settings_of(mode, 0.04));
        for (std::uint64_t i = 0; i < 20000; ++i) {
            const Vec3f p = random_vector(5, i, -1.6f, 1.6f);
            const float size = length(p);
            if (size > 0.85f && size < 1.15f) continue;
            const bool free = (size > 1) == (mode == Mode::solid_inside);
            ASSERT_EQ(sample_at(field, vec_cast<double>(p)).distance > 0, free) << p.x << ' ' << p.y << ' ' << p.z;
        }
    }
}

TEST(MakeField, GivesTheSameBitsForAnyNumberOfThreads) {
    const Mesh mesh = joined(bumpy_sphere(50), soup(10, 0.5f));
    const auto make = [&](int threads) {
        const ThreadLimit limit(threads);
        return make_field(mesh, settings_of(Mode::solid_inside, 0.05));
    };
    const Field one = make(1);
    for (const int threads : {2, 4, 4}) {
        const Field other = make(threads);
        EXPECT_EQ(one.table, other.table);
        EXPECT_EQ(one.distance, other.distance);
        EXPECT_EQ(one.primitive, other.primitive);
    }
}

TEST(MakeField, GivesSharedNodesOfBricksTheSameDistance) {
    const Field field = make_field(bumpy_sphere(40), settings_of(Mode::solid_inside, 0.06));
    std::size_t shared = 0;
    for (std::size_t block = 0; block + 1 < field.table.size(); ++block) {
        const std::int32_t a = field.table[block], b = field.table[block + 1];
        if (a < 0 || b < 0 || (block + 1) % static_cast<std::size_t>(field.bricks.x) == 0) continue;
        for (std::size_t row = 0; row < 81; ++row, ++shared) {
            ASSERT_EQ(field.distance[static_cast<std::size_t>(a) * brick_nodes + row * 9 + 8],
                      field.distance[static_cast<std::size_t>(b) * brick_nodes + row * 9]);
        }
    }
    EXPECT_GT(shared, 1000u);
}

TEST(MakeField, RefusesAbsurdCellsAndSaysWhatTheyWouldTake) {
    const Mesh mesh = bumpy_sphere(40);
    FieldSettings settings = settings_of(Mode::solid_inside, 1e-4);
    settings.memory_limit = 1'000'000'000;
    for (const double cell : {1e-4, 1e-9}) {
        settings.cell = cell;
        try {
            make_field(mesh, settings);
            ADD_FAILURE() << "made a field of cells of " << cell;
        } catch (const Error& error) {
            const std::string text = error.what();
            EXPECT_EQ(error.code(), ExitCode::out_of_resources);
            EXPECT_NE(text.find("the field of collider 'cup' would take "), std::string::npos) << text;
            EXPECT_NE(text.find(cell == 1e-4 ? "GB with cells of 0.1 mm; a cell of " : "TB with cells of 1e-06 mm"),
                      std::string::npos)
                << text;
        }
    }
}

TEST(MakeField, EstimatesMemoryAboutRight) {
    FieldSettings settings = settings_of(Mode::solid_inside, 0.02);
    const Mesh mesh = bumpy_sphere(40);
    const std::size_t bytes = make_field(mesh, settings).bytes();
    // Twice the field is too little while it is made, or the limit means nothing; eight times must do.
    settings.memory_limit = bytes / 2;
    EXPECT_THROW(make_field(mesh, settings), OutOfMemoryError);
    settings.memory_limit = bytes * 8;
    EXPECT_NO_THROW(make_field(mesh, settings));
}

TEST(MakeField, RefusesMeshesTooFarFromTheirOrigin) {
    Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
    for (Vec3f& p : mesh.points)
        p.x += 1e6f;
    EXPECT_THROW(make_field(mesh, settings_of(Mode::solid_inside, 0.05)), UsageError);
    EXPECT_THROW(make_field(Mesh{}, settings_of(Mode::solid_inside, 0.05)), Error);
}

}  // namespace
}  // namespace spindrift::collision
