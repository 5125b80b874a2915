#include "spindrift/geometry/read_mesh.h"

#include <algorithm>
#include <bit>

#include "mesh_files.h"

#include "spindrift/geometry/formats.h"

namespace spindrift::geometry {
namespace {

TEST(ReadMesh, a_missing_file_and_a_folder_are_told_apart_from_damage) {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "folder.obj");
    for (const char* name : {"absent.obj", "folder.obj"}) {
        try {
            read_mesh(folder / name);
            ADD_FAILURE() << name;
        } catch (const IoError& error) {
            EXPECT_EQ(error.kind(), IoError::Kind::missing) << error.what();
        }
    }
}

TEST(ReadMesh, unknown_endings_are_refused_with_those_that_are_known) {
    expect_refused("bowl.abc", "x", "meshes are read from .obj, .ply, .stl, .gltf and .glb files, not from '.abc'");
    expect_refused("bowl", "x", "not from ''");
}

TEST(ReadMesh, files_without_faces_are_refused) {
    expect_refused("points.obj", "v 0 0 0\nv 1 0 0\n", "has no faces (2 points)");
    expect_refused("points.ply",
                   "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
                   "property float z\nend_header\n0 0 0\n",
                   "has no faces (1 points)");
    expect_refused("none.stl", "solid x\nendsolid x\n", "has no faces");
    expect_refused("bad.obj", "v 0 0 0\nf 1 2 3\n", "no faces that can be used, of 1: 1 triangle with a bad index");
    for (const char* name : {"x.obj", "x.ply", "x.stl", "x.gltf", "x.glb"})
        expect_refused(name, "", "the file is empty");
}

TEST(ReadObj, a_cube_of_quads_is_closed_and_keeps_its_texture) {
    const MeshFile file = read_text("Cube.OBJ", cube_obj);
    EXPECT_EQ(file.mesh.points.size(), 8u);
    EXPECT_EQ(file.mesh.triangles.size(), 12u);
    EXPECT_EQ(describe_defects(file.report), "clean");
    EXPECT_NEAR(enclosed_volume(file.mesh), 1, 1e-6);
    ASSERT_EQ(file.mesh.uv.size(), 12u);
    EXPECT_EQ(file.mesh.uv[0], (std::array<Uv, 3>{Uv{0, 0}, Uv{1, 0}, Uv{1, 1}}));
    EXPECT_EQ(file.mesh.uv[1], (std::array<Uv, 3>{Uv{0, 0}, Uv{1, 1}, Uv{0, 1}}));
}

TEST(ReadObj, a_hollow_polygon_is_cut_without_overlap) {
    // An L: the fan of its first corner would cover what is not part of it.
    const MeshFile file = read_text("l.obj", "v 1 2 0\nv 0 2 0\nv 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nf 1 2 3 4 5 6\n");
    EXPECT_EQ(file.mesh.triangles.size(), 4u);
    EXPECT_NEAR(surface_area(file.mesh), 3, 1e-6);
    EXPECT_TRUE(file.mesh.uv.empty());
}

TEST(ReadObj, faces_without_texture_among_others_have_zeros) {
    const MeshFile file =
        read_text("x.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 1\nvt 0.5 0.25\nf 1/1 2/1 3/1\nf 2 4 3\n");
    ASSERT_EQ(file.mesh.uv.size(), 2u);
    EXPECT_EQ(file.mesh.uv[0][2], (Uv{0.5f, 0.25f}));
    EXPECT_EQ(file.mesh.uv[1][2], (Uv{0, 0}));
}

TEST(ReadObj, points_that_are_no_numbers_do_not_become_zeros) {
    std::string text(cube_obj);
    text.replace(text.find("v 1 1 1"), 7, "v nan 1 -inf");
    const MeshFile file = read_text("x.obj", text);
    EXPECT_EQ(file.report.not_finite_points, 1u);
    EXPECT_EQ(file.report.not_finite, 5u);
}

TEST(ReadObj, other_text_is_refused) {
    expect_refused("x.obj", "hello\nworld\n", "not a Wavefront OBJ file");
}

TEST(ReadPly, text_gives_points_and_their_texture) {
    const MeshFile file = read_text("quad.ply", quad_ply);
    ASSERT_EQ(file.mesh.triangles.size(), 2u);
    EXPECT_EQ(file.mesh.points[2], (Vec3f{1, 1, 0}));
    EXPECT_EQ(file.mesh.uv[1], (std::array<Uv, 3>{Uv{0, 0}, Uv{1, 1}, Uv{0, 1}}));
    EXPECT_EQ(describe_defects(file.report), "open (4 edges)");
}

template <class T>
void append_turned(std::string& bytes, T value, bool turn) {
    auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
    if (turn) std::ranges::reverse(raw);
    bytes.append(raw.data(), raw.size());
}

/// A triangle whose coordinates are doubles after a list and a short, with texture coordinates at the face.
std::string binary_ply(bool big) {
    std::string bytes = std::string("ply\r\nformat binary_") + (big ? "big" : "little") +
                        "_endian 1.0\r\nelement vertex 3\r\nproperty list uchar short tags\r\nproperty short id\r\n"
                        "property double x\r\nproperty double y\r\nproperty double z\r\nelement face 1\r\n"
                        "property list int uint vertex_index\r\nproperty list uchar float texcoord\r\n"
                        "property uchar flag\r\nend_header\r\n";
    for (int i = 0; i < 3; ++i) {
        append_turned<std::uint8_t>(bytes, static_cast<std::uint8_t>(i), big);
        for (int k = 0; k < i; ++k)
            append_turned<std::int16_t>(bytes, 7, big);
        append_turned<std::int16_t>(bytes, -2, big);
        append_turned<double>(bytes, i == 1 ? 2.5 : 0, big);
        append_turned<double>(bytes, i == 2 ? 1.5 : 0, big);
        append_turned<double>(bytes, -0.25, big);
    }
    append_turned<std::int32_t>(bytes, 3, big);
    for (std::uint32_t i = 0; i < 3; ++i)
        append_turned(bytes, i, big);
    append_turned<std::uint8_t>(bytes, 6, big);
    for (int i = 0; i < 6; ++i)
        append_turned(bytes, 0.125f * static_cast<float>(i), big);
    append_turned<std::uint8_t>(bytes, 9, big);
    return bytes;
}

TEST(ReadPly, binary_of_both_byte_orders_and_any_types_is_read) {
    for (const bool big : {false, true}) {
        const MeshFile file = read_text("x.ply", binary_ply(big));
        ASSERT_EQ(file.mesh.points.size(), 3u);
        EXPECT_EQ(file.mesh.points[1], (Vec3f{2.5f, 0, -0.25f}));
        EXPECT_EQ(file.mesh.points[2], (Vec3f{0, 1.5f, -0.25f}));
        EXPECT_EQ(file.mesh.triangles[0], (Triangle{0, 1, 2}));
        ASSERT_EQ(file.mesh.uv.size(), 1u);
        EXPECT_EQ(file.mesh.uv[0][2], (Uv{0.5f, 0.625f}));
    }
}

TEST(ReadPly, every_cut_of_a_binary_file_is_found) {
    const std::string whole = binary_ply(false);
    for (std::size_t length = 1; length < whole.size(); ++length)
        EXPECT_THROW(read_ply("x.ply", whole.substr(0, length)), IoError) << length;
}

TEST(ReadPly, absurd_counts_are_refused_before_memory_is_taken) {
    const std::string header =
        "ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float x\n"
        "property float y\nproperty float z\nend_header\n0123456789";
    expect_refused("x.ply", header, "it announces 4000000000 of 'vertex' but only 10 bytes are left");
    expect_refused("x.ply",
                   "ply\nformat ascii 1.0\nelement face 1\nproperty list uint int vertex_indices\nend_header\n"
                   "4000000000 1 2 3\n",
                   "a list of 4000000000 numbers does not fit");
    expect_refused("x.ply", "ply\nformat ascii 1.0\nelement nothing 900000000000000\nend_header\n", "has no faces");
    expect_refused("x.ply", "ply\nformat ascii 1.0\nelement vertex -3\nend_header\n", "no usable count of 'vertex'");
}

TEST(ReadPly, errors_say_what_was_expected) {
    std::string text(quad_ply);
    expect_refused("x.ply", "plx\n", "its first line should be 'ply'");
    expect_refused("x.ply", "ply\nformat ascii 1.0\n", "has no end ('end_header')");
    expect_refused("x.ply", "ply\nformat octal 1.0\nend_header\n", "unknown format 'octal'");
    expect_refused("x.ply", "ply\nelement vertex 1\nproperty quad x\nend_header\n", "unknown type 'quad'");
    expect_refused("x.ply", text.replace(text.find("1 0 0 1 0"), 9, "1 0 o 1 0"), "a number was expected before byte");
}

TEST(ReadStl, text_is_welded_and_its_name_may_hold_keywords) {
    const MeshFile file = read_text("x.stl", corner_stl);
    EXPECT_EQ(file.mesh.points.size(), 4u);
    EXPECT_EQ(file.mesh.triangles[1], (Triangle{0, 2, 3}));
    EXPECT_EQ(file.report.pieces, 1u);
    std::string text(corner_stl);
    expect_refused("x.stl", text.substr(0, text.find("endsolid")), "its last line should be 'endsolid'");
    expect_refused("x.stl", text.replace(text.find("1e0"), 3, "z"), "three numbers were expected");
}

TEST(ReadStl, binary_that_begins_like_text_is_told_by_its_size) {
    std::string bytes = "solid but binary";
    bytes.resize(80, ' ');
    append(bytes, std::uint32_t{2});
    for (const auto& corners : {std::array{0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f},
                                std::array{0.f, 0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f}}) {
        bytes.append(12, '\0');
        append(bytes, corners);
        bytes.append(2, '\0');
    }
    const MeshFile file = read_text("x.stl", bytes);
    EXPECT_EQ(file.mesh.points.size(), 4u);
    EXPECT_EQ(file.mesh.triangles.size(), 2u);
    bytes[0] = 'S' + 1;
    expect_refused("x.stl", bytes.substr(0, 150), "150 bytes are too few for the 2 triangles");
    bytes[83] = '\x7f';
    expect_refused("x.stl", bytes, "are too few for the 2130706434 triangles");
}

}  // namespace
}  // namespace spindrift::geometry
