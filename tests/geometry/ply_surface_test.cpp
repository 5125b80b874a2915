// Surfaces written and read back with everything that was on them.

#include "spindrift/geometry/ply_surface.h"

#include <fstream>
#include <string>

#include "mesh_files.h"

#include "spindrift/core/random.h"
#include "spindrift/geometry/primitives.h"

namespace spindrift::geometry {
namespace {

Attribute counted(const Mesh& mesh, const std::string& name, int width) {
    Attribute attribute{name, width, std::vector<float>(mesh.points.size() * static_cast<std::size_t>(width))};
    for (std::size_t i = 0; i < attribute.values.size(); ++i)
        attribute.values[i] = static_cast<float>(i % 64) / 64 - 0.25f * static_cast<float>(width);
    return attribute;
}

Mesh sample() {
    Mesh mesh = make_sphere({0.1, 0.2, 0.3}, 0.4);
    mesh.uv.clear();
    mesh.attributes = {counted(mesh, "N", 3),    counted(mesh, "v", 3),           counted(mesh, "age", 1),
                       counted(mesh, "rest", 3), counted(mesh, "orientation", 4), counted(mesh, "pair", 2),
                       counted(mesh, "uv", 2)};
    return mesh;
}

std::vector<Sides> some_sides(const Mesh& mesh) {
    std::vector<Sides> sides(mesh.triangles.size());
    for (std::size_t i = 0; i < sides.size(); ++i)
        sides[i] = {static_cast<std::uint8_t>(i % 3), static_cast<std::uint8_t>(i % 2 ? 255 : 7)};
    return sides;
}

TEST(PlySurface, gives_back_all_attributes_and_sides_bit_for_bit) {
    const TemporaryFolder folder;
    const Mesh mesh = sample();
    const std::vector<Sides> sides = some_sides(mesh);
    write_ply(folder / "x.ply", mesh, sides);
    const SurfaceFile back = read_ply_surface(folder / "x.ply");
    EXPECT_EQ(back.mesh.points, mesh.points);
    EXPECT_EQ(back.mesh.triangles, mesh.triangles);
    EXPECT_EQ(back.sides, sides);
    ASSERT_EQ(back.mesh.attributes.size(), mesh.attributes.size());
    for (std::size_t i = 0; i < mesh.attributes.size(); ++i) {
        EXPECT_EQ(back.mesh.attributes[i].name, mesh.attributes[i].name);
        EXPECT_EQ(back.mesh.attributes[i].width, mesh.attributes[i].width);
        EXPECT_EQ(back.mesh.attributes[i].values, mesh.attributes[i].values);
    }
}

TEST(PlySurface, colours_come_back_in_linear_light) {
    const TemporaryFolder folder;
    Mesh mesh = sample();
    mesh.attributes = {{"Cd", 3, std::vector<float>(3 * mesh.points.size(), 0.18f)}};
    write_ply(folder / "x.ply", mesh);
    const SurfaceFile back = read_ply_surface(folder / "x.ply");
    EXPECT_TRUE(back.sides.empty());
    ASSERT_NE(back.mesh.find("Cd"), nullptr);
    // Half a step of a byte at this grey is 0.0016 of linear light.
    for (const float value : back.mesh.find("Cd")->values)
        EXPECT_NEAR(value, 0.18f, 0.002f);
}

TEST(PlySurface, an_empty_surface_is_one) {
    const TemporaryFolder folder;
    write_ply(folder / "x.ply", {});
    const SurfaceFile back = read_ply_surface(folder / "x.ply");
    EXPECT_TRUE(back.mesh.points.empty());
    EXPECT_TRUE(back.mesh.triangles.empty());
}

TEST(PlySurface, other_files_are_refused_with_advice) {
    const TemporaryFolder folder;
    EXPECT_THROW(read_ply_surface(folder / "absent.ply"), IoError);
    const auto refused = [&](const std::string& bytes) {
        write_file(folder / "x.ply", bytes);
        try {
            read_ply_surface(folder / "x.ply");
        } catch (const IoError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const std::string points = "element vertex 1\nproperty float x\nproperty float y\nproperty float z\n";
    const std::string faces = "element face 1\nproperty list uchar uint vertex_indices\nend_header\n";
    EXPECT_NE(refused("ply\nformat ascii 1.0\n" + points + faces + "0 0 0\n3 0 0 0\n").find("spindrift mesh"),
              std::string::npos);
    const std::string binary = "ply\nformat binary_little_endian 1.0\n";
    EXPECT_NE(refused(binary + points + faces + std::string(20, '\0')).find("cut off"), std::string::npos);
    EXPECT_NE(refused(binary + points + faces + std::string(25, '\0')).find("not triangles"), std::string::npos);
    EXPECT_NE(refused(binary + "element vertex 99999999999999\nproperty float x\n" + faces).find("cut off"),
              std::string::npos);
}

TEST(PlySurface, damaged_files_are_read_or_refused) {
    const TemporaryFolder folder;
    Mesh mesh = make_sphere({0, 0, 0}, 1);
    mesh.uv.clear();
    mesh.attributes = {counted(mesh, "v", 3), counted(mesh, "rest", 3)};
    write_ply(folder / "x.ply", mesh, some_sides(mesh));
    const std::string whole = read_file(folder / "x.ply");
    const std::size_t header = whole.find("end_header");
    for (std::uint64_t round = 0; round < 300; ++round) {
        std::string bytes = whole;
        const std::size_t at = hash_counter(1, round, 0) % (round % 2 ? header : bytes.size());
        bytes[at] = static_cast<char>(hash_counter(1, round, 1));
        if (round % 5 == 0) bytes.resize(hash_counter(1, round, 2) % bytes.size());
        std::ofstream(folder / "y.ply", std::ios::binary) << bytes;
        try {
            const SurfaceFile file = read_ply_surface(folder / "y.ply");
            for (const Attribute& each : file.mesh.attributes)
                EXPECT_EQ(each.values.size(), file.mesh.points.size() * static_cast<std::size_t>(each.width));
        } catch (const IoError&) {
        }
    }
}

}  // namespace
}  // namespace spindrift::geometry
