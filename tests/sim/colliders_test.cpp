// Scenes with colliders of broken, moving and deforming meshes.

#include <cmath>
#include <fstream>
#include <numbers>
#include <string>

#include "temporary_folder.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/hash.h"
#include "spindrift/core/parallel.h"
#include "spindrift/core/progress.h"
#include "spindrift/geometry/pose.h"
#include "spindrift/geometry/primitives.h"
#include "spindrift/geometry/write_mesh.h"
#include "spindrift/image/exr_file.h"
#include "spindrift/sim/simulation.h"

namespace spindrift::sim {
namespace {

using geometry::Mesh;

class CollidersTest : public ::testing::Test {
  protected:
    Scene scene(const std::string& text) { return parse_scene(text, (folder / "scene.toml").string()); }
    void write(const std::string& name, const Mesh& mesh) { geometry::write_ply(folder / name, mesh); }
    static void run(Simulation& simulation, int frames) {
        SilentProgress progress;
        for (int k = 0; k < frames; ++k)
            simulation.advance_frame(progress);
    }
    static std::string hash(const Simulation& simulation) {
        return Hash64().add(simulation.particles().position()).add(simulation.particles().velocity()).hex();
    }

    TemporaryFolder folder;
};

constexpr double edge = 0.3;

/// A box whose faces are cut into n x n squares.
Mesh crate(int n = 1) {
    Mesh mesh;
    for (int side = 0; side < 6; ++side) {
        const auto first = static_cast<std::uint32_t>(mesh.points.size());
        for (int j = 0; j <= n; ++j) {
            for (int i = 0; i <= n; ++i) {
                const double u = edge * i / n, v = edge * j / n, w = side % 2 ? edge : 0;
                const Vec3d p = side / 2 == 0 ? Vec3d{w, u, v} : side / 2 == 1 ? Vec3d{v, w, u} : Vec3d{u, v, w};
                mesh.points.push_back(vec_cast<float>(p));
            }
        }
        for (int j = 0; j < n; ++j) {
            for (int i = 0; i < n; ++i) {
                const auto a = first + static_cast<std::uint32_t>(j * (n + 1) + i), b = a + 1;
                const auto c = a + static_cast<std::uint32_t>(n) + 1, d = c + 1;
                // Inwards on one side of each pair and outwards on the other: winding must not matter.
                mesh.triangles.push_back({a, b, d});
                mesh.triangles.push_back({a, d, c});
            }
        }
    }
    return mesh;
}

/// Long thin triangles from one edge of each face to a point of the other, and some without area.
Mesh splintered_crate() {
    Mesh mesh = crate(1), splinters;
    for (const geometry::Triangle& t : mesh.triangles) {
        const Vec3f a = mesh.points[t[0]], b = mesh.points[t[1]], c = mesh.points[t[2]];
        constexpr int count = 60;
        for (int k = 0; k < count; ++k) {
            const float s0 = static_cast<float>(k) / count, s1 = static_cast<float>(k + 1) / count;
            const auto first = static_cast<std::uint32_t>(splinters.points.size());
            for (const Vec3f p : {a, b + (c - b) * s0, b + (c - b) * s1})
                splinters.points.push_back(p);
            splinters.triangles.push_back({first, first + 1, first + 2});
            if (k % 10 == 0) splinters.triangles.push_back({first, first + 1, first + 1});
        }
    }
    return splinters;
}

/// A crate with sheets inside that share an edge and stick through its walls.
Mesh crossed_crate() {
    Mesh mesh = crate(2);
    const auto first = static_cast<std::uint32_t>(mesh.points.size());
    const float e = static_cast<float>(edge), low = -0.1f * e, high = 0.35f * e;
    for (const Vec3f p : {Vec3f{e / 2, low, e / 2},
                          {e / 2, high, e / 2},
                          {0.2f * e, low, 0.2f * e},
                          {0.2f * e, high, 0.2f * e},
                          {0.8f * e, low, 0.2f * e},
                          {0.8f * e, high, 0.2f * e},
                          {0.5f * e, low, 0.9f * e},
                          {0.5f * e, high, 0.9f * e}})
        mesh.points.push_back(p);
    for (std::uint32_t k = 2; k < 8; k += 2) {
        mesh.triangles.push_back({first, first + 1, first + k});
        mesh.triangles.push_back({first + 1, first + k, first + k + 1});
    }
    return mesh;
}

Mesh doubled_crate() {
    Mesh mesh = crate(3);
    const std::vector<geometry::Triangle> once = mesh.triangles;
    mesh.triangles.insert(mesh.triangles.end(), once.begin(), once.end());
    return mesh;
}

/// One of its walls ends in the middle of another: nothing joins, and nothing shows.
Mesh open_crate() {
    Mesh mesh = crate(2);
    mesh.triangles.pop_back();
    return mesh;
}

TEST_F(CollidersTest, broken_containers_hold_what_is_in_them_through_ten_seconds_of_shaking) {
    write("plain.ply", crate(1));
    write("splinters.ply", splintered_crate());
    write("crossed.ply", crossed_crate());
    write("doubled.ply", doubled_crate());
    struct Case {
        const char *file, *mode;
    };
    for (const Case& c : {Case{"plain.ply", "solid_outside"},
                          {"plain.ply", "shell"},
                          {"splinters.ply", "shell"},
                          {"crossed.ply", "shell"},
                          {"doubled.ply", "solid_outside"}}) {
        std::string keys = "position = { keys = [[1, [0, 0, 0]]", turns = "rotation_deg = { keys = [[1, [0, 0, 0]]";
        for (int k = 1; k < 40; ++k) {
            const double t = 0.25 * k;
            keys += ", [" + std::to_string(1 + 6 * k) + ", [" + std::to_string(0.3 * std::sin(9 * t)) + ", " +
                    std::to_string(0.15 * std::sin(11 * t)) + ", " + std::to_string(0.2 * std::cos(7 * t) - 0.2) + "]]";
            turns += ", [" + std::to_string(1 + 6 * k) + ", [" + std::to_string(40 * std::sin(5 * t)) + ", 0, " +
                     std::to_string(60 * std::sin(4 * t)) + "]]";
        }
        const std::string smooth = "], interpolation = \"smooth\" }\n";
        const Scene shaken = scene(
            "frames = [1, 241]\n[[liquid]]\nspacing = 0.03\nfill = { box = [[0.04, 0.04, 0.04], "
            "[0.26, 0.2, 0.26]] }\n[[collider]]\nmesh = \"" +
            std::string(c.file) + "\"\nmode = \"" + c.mode + "\"\ncell = 0.02\n" + keys + smooth + turns + smooth);
        Simulation simulation(shaken);
        simulation.fill();
        const std::size_t count = simulation.particle_count();
        ASSERT_GT(count, 100u);
        run(simulation, 240);
        EXPECT_EQ(simulation.particle_count(), count) << c.file << ' ' << c.mode;
        const geometry::Pose pose =
            geometry::make_pose(shaken.collider[0].position.at(241), shaken.collider[0].rotation_deg.at(241));
        std::size_t lost = 0;
        for (const Float4& x : simulation.particles().position()) {
            const Vec3d local = pose.to_local(vec_cast<double>(x.xyz()) + simulation.particles().origin);
            lost += !Box3d{{0, 0, 0}, {edge, edge, edge}}.contains(local);
        }
        EXPECT_EQ(lost, 0u) << c.file << ' ' << c.mode;
    }
}

TEST_F(CollidersTest, a_container_with_a_hole_becomes_a_shell_and_says_so) {
    write("open.ply", open_crate());
    Simulation simulation(
        scene("[[liquid]]\nspacing = 0.03\nfill = { box = [[0.06, 0.06, 0.06], [0.24, 0.2, 0.24]] }\n"
              "[[collider]]\nname = \"crate\"\nmesh = \"open.ply\"\nmode = \"solid_outside\"\n"));
    const auto reports = simulation.collider_reports();
    ASSERT_EQ(reports.size(), 1u);
    EXPECT_EQ(reports[0].mode, collision::Mode::shell);
    EXPECT_NE(reports[0].note.find("not closed"), std::string::npos) << reports[0].note;
    EXPECT_EQ(reports[0].mesh.open_edges, 3u);
}

/// A ball that is squeezed from frame to frame, in a pool.
class DeformingTest : public CollidersTest {
  protected:
    void SetUp() override {
        for (int frame = 1; frame <= 6; ++frame) {
            Mesh ball = geometry::make_sphere({0, 0, 0}, 0.1);
            const float squeeze = 1 + 0.3f * std::sin(0.9f * static_cast<float>(frame));
            for (Vec3f& p : ball.points)
                p = {p.x * squeeze, p.y / squeeze, p.z};
            write("ball." + std::to_string(frame) + ".ply", ball);
        }
    }
    Scene pool(const std::string& more = "") {
        return scene(
            "frames = [1, 6]\n[domain]\nbox = [[-0.3, -0.3, -0.3], [0.3, 0.5, 0.3]]\n[[liquid]]\nspacing = "
            "0.03\nfill = { box = [[-0.3, -0.3, -0.3], [0.3, 0.1, 0.3]] }\n[[collider]]\nname = \"ball\"\n"
            "mesh = \"ball.#.ply\"\nposition = [[1, [0, 0, 0]], [6, [0.1, 0.05, 0]]]\n" +
            more);
    }
};

TEST_F(DeformingTest, gives_the_same_bits_for_any_thread_count_and_after_a_resume) {
    std::string hashes[3];
    for (int k = 0; k < 3; ++k) {
        const ThreadLimit limit(k + 1);
        auto simulation = std::make_unique<Simulation>(pool());
        simulation->fill();
        run(*simulation, 2);
        if (k == 2) {
            const Snapshot snapshot = simulation->snapshot();
            simulation = std::make_unique<Simulation>(pool());
            simulation->restore(snapshot, "frame");
        } else {
            simulation->snapshot();
        }
        run(*simulation, 3);
        hashes[k] = hash(*simulation);
    }
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(hashes[0], hashes[2]) << "after a resume";
}

TEST_F(DeformingTest, keeps_liquid_out_while_it_moves) {
    Simulation simulation(pool());
    simulation.fill();
    run(simulation, 5);
    EXPECT_EQ(simulation.count_leaked(), 0u);
}

TEST_F(DeformingTest, a_gap_in_the_sequence_is_named) {
    std::filesystem::remove(folder / "ball.4.ply");
    try {
        Simulation simulation(pool());
        FAIL();
    } catch (const IoError& error) {
        EXPECT_EQ(error.kind(), IoError::Kind::missing);
        EXPECT_NE(std::string(error.what()).find("has no file for 4"), std::string::npos) << error.what();
    }
}

TEST_F(DeformingTest, other_triangles_in_a_frame_are_accepted) {
    write("ball.3.ply", geometry::make_box({{-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1}}));
    Simulation simulation(pool());
    simulation.fill();
    run(simulation, 5);
    EXPECT_GT(simulation.particle_count(), 1000u);
}

/// A pool, and a box in it.
std::string pool_with_box(const std::string& how) {
    return R"(
        frames = [1, 40]
        [domain]
        box = [[0, 0, 0], [0.6, 0.6, 0.4]]
        [[liquid]]
        spacing = 0.025
        fill = { box = [[0, 0, 0], [0.6, 0.3, 0.4]] }
        [[collider]]
        box = [[-0.09, -0.09, -0.09], [0.09, 0.09, 0.09]]
        )" +
           how;
}

std::size_t inside(const Simulation& simulation, Vec3d center) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < simulation.particle_count(); ++i) {
        const Vec3d x =
            simulation.particles().origin + vec_cast<double>(simulation.particles().position()[i].xyz()) - center;
        count += std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)}) < 0.08;
    }
    return count;
}

TEST_F(CollidersTest, one_that_is_there_for_a_time_takes_its_room_and_gives_it_back) {
    for (const std::string solver : {"pbf", "flip"}) {
        Simulation simulation(scene(fmt::format("solver = \"{}\"\n", solver) +
                                    pool_with_box("position = [0.3, 0.15, 0.2]\nactive = [5, 12]")));
        simulation.fill();
        const Vec3d center{0.3, 0.15, 0.2};
        run(simulation, 3);
        EXPECT_GT(inside(simulation, center), 100u) << solver;
        double fastest = 0;
        for (int k = 0; k < 6; ++k) {
            run(simulation, 1);
            fastest = std::max(fastest, simulation.statistics().max_speed);
        }
        EXPECT_EQ(inside(simulation, center), 0u) << solver;
        // What stood there makes a splash; a pool that is swept away in one substep had 92 m/s.
        EXPECT_LT(fastest, 6) << solver;
        run(simulation, 12);
        EXPECT_GT(inside(simulation, center), 50u) << solver;
    }
}

TEST_F(CollidersTest, one_that_jumps_does_not_sweep_what_lies_between) {
    for (const std::string solver : {"pbf", "flip"}) {
        Simulation simulation(scene(
            fmt::format("solver = \"{}\"\n", solver) +
            pool_with_box(
                "position = { keys = [[1, [0.1, 0.45, 0.2]], [6, [0.5, 0.45, 0.2]]], interpolation = \"constant\" }")));
        simulation.fill();
        double fastest = 0;
        for (int k = 0; k < 8; ++k) {
            run(simulation, 1);
            fastest = std::max(fastest, simulation.statistics().max_speed);
        }
        // It stands above the pool all the time.
        EXPECT_LT(fastest, 0.3) << solver;
    }
}

TEST_F(CollidersTest, one_that_grows_pushes_liquid_away) {
    Simulation simulation(scene(pool_with_box("position = [0.3, 0.15, 0.2]\nscale = [[1, 0.2], [20, 1]]")));
    simulation.fill();
    double fastest = 0;
    for (int k = 0; k < 20; ++k) {
        run(simulation, 1);
        fastest = std::max(fastest, simulation.statistics().max_speed);
    }
    EXPECT_EQ(inside(simulation, {0.3, 0.15, 0.2}), 0u);
    EXPECT_LT(simulation.statistics().mean_density_error, 0.01);
    // Its faces go at 9 cm/s.
    EXPECT_LT(fastest, 1.5);
}

TEST_F(CollidersTest, a_painted_stripe_holds_what_slides_over_it) {
    // A plate tilted by 30 degrees, its upper half slippery and its lower half rough: a thin layer runs down the one
    // and comes to rest on the other.
    Mesh plate;
    const double s = std::sin(std::numbers::pi / 6), c = std::cos(std::numbers::pi / 6);
    for (int k = 0; k < 8; ++k) {
        const double along = k & 1 ? 1 : -1, across = k & 2 ? 0.3 : -0.3, height = k & 4 ? 0 : -0.1;
        plate.points.push_back(vec_cast<float>(Vec3d{along * c + height * s, -along * s + height * c, across}));
    }
    const auto face = [&](std::uint32_t a, std::uint32_t b, std::uint32_t d, std::uint32_t e) {
        for (const geometry::Triangle t : {geometry::Triangle{a, b, d}, geometry::Triangle{a, d, e}}) {
            plate.triangles.push_back(t);
            std::array<geometry::Uv, 3> uv{};
            for (int corner = 0; corner < 3; ++corner)
                uv[static_cast<std::size_t>(corner)] = {t[static_cast<std::size_t>(corner)] & 1 ? 1.f : 0.f,
                                                        t[static_cast<std::size_t>(corner)] & 2 ? 1.f : 0.f};
            plate.uv.push_back(uv);
        }
    };
    face(4, 6, 7, 5), face(0, 1, 3, 2), face(0, 4, 5, 1), face(2, 3, 7, 6), face(0, 2, 6, 4), face(1, 5, 7, 3);
    write("plate.ply", plate);
    image::Image stripe(64, 8);
    for (int y = 0; y < 8; ++y) {
        for (int x = 32; x < 64; ++x)
            stripe.at(x, y) = {1, 1, 1};
    }
    image::write_exr(folder / "stripe.exr", stripe);
    double lowest[2];
    for (int k = 0; k < 2; ++k) {
        Simulation simulation(
            scene("frames = [1, 30]\n[[liquid]]\nspacing = 0.03\nviscosity = 0.02\nfill = { box = [[-0.5, 0.27, -0.1], "
                  "[-0.38, 0.36, 0.1]] }\n[[collider]]\nmesh = \"plate.ply\"\nfriction = 1\n" +
                  std::string(k == 0 ? "friction_map = \"stripe.exr\"\n" : "")));
        simulation.fill();
        run(simulation, 24);
        double sum = 0;
        for (const Float4& x : simulation.particles().position())
            sum += static_cast<double>(x.x);
        lowest[k] = sum / static_cast<double>(simulation.particle_count());
    }
    // Painted: it slides over the black half. Rough all over: it hardly leaves its place.
    EXPECT_GT(lowest[0], lowest[1] + 0.15);
    EXPECT_LT(lowest[1], -0.2);
}

TEST_F(CollidersTest, what_cannot_be_used_is_said) {
    const std::string liquid =
        "[[liquid]]\nspacing = 0.03\nfill = { box = [[0, 0, 0], [0.3, 0.3, 0.3]] }\n[[collider]]\n";
    const auto complaint = [&](const std::string& collider) -> std::string {
        try {
            Simulation simulation(scene(liquid + collider));
            return "";
        } catch (const Error& error) {
            return error.what();
        }
    };
    std::ofstream(folder / "empty.obj") << "v 0 0 0\n";
    std::ofstream(folder / "inf.obj") << "v 0 0 0\nv inf 0 0\nv 0 1e39 0\nf 1 2 3\n";
    std::ofstream(folder / "text.png") << "not a picture";
    write("crate.ply", crate());
    EXPECT_NE(complaint("mesh = \"none.obj\"\n").find("none.obj"), std::string::npos);
    EXPECT_NE(complaint("mesh = \"empty.obj\"\n").find("no faces"), std::string::npos);
    EXPECT_NE(complaint("mesh = \"inf.obj\"\n"), "") << "nothing is left of it";
    EXPECT_NE(complaint("mesh = \"crate.xyz\"\n").find(".obj"), std::string::npos) << "formats are listed";
    EXPECT_NE(complaint("mesh = \"crate.ply\"\nband = 500\n").find("would take"), std::string::npos);
    EXPECT_EQ(complaint("mesh = \"crate.ply\"\ncell = 0.000001\n"), "") << "liquid does not see so fine a field";
    EXPECT_NE(complaint("mesh = \"crate.ply\"\nfriction_map = \"text.png\"\n"), "");
    EXPECT_NE(complaint("vdb = \"crate.ply\"\n"), "") << "not a level set";
}

}  // namespace
}  // namespace spindrift::sim
