// glTF files: scenes of nodes, all ways to give faces, and accessors that lie.

#include <algorithm>

#include "mesh_files.h"

#include "spindrift/geometry/formats.h"

namespace spindrift::geometry {
namespace {

TEST(ReadGltf, a_binary_file_gives_faces_and_texture_from_the_lower_edge) {
    const MeshFile file = read_text("x.glb", square_glb());
    ASSERT_EQ(file.mesh.points.size(), 4u);
    EXPECT_EQ(file.mesh.triangles[1], (Triangle{0, 2, 3}));
    EXPECT_EQ(file.mesh.uv[1], (std::array<Uv, 3>{Uv{0, 0}, Uv{1, 1}, Uv{0, 1}}));
    EXPECT_NEAR(surface_area(file.mesh), 1, 1e-6);
}

template <class Index>
void expect_index_type(int type) {
    const std::string buffer = square_buffer<Index>();
    const std::string json = gltf_json({.buffer_bytes = buffer.size(), .index_type = type});
    const MeshFile file = read_text("x.glb", make_glb(json, buffer));
    EXPECT_EQ(file.mesh.triangles[1], (Triangle{0, 2, 3})) << type;
}

TEST(ReadGltf, indices_may_have_one_two_or_four_bytes) {
    expect_index_type<std::uint8_t>(5121);
    expect_index_type<std::uint16_t>(5123);
    expect_index_type<std::uint32_t>(5125);
}

TEST(ReadGltf, buffers_may_be_files_beside_or_text_inside) {
    const TemporaryFolder folder;
    const std::string buffer = square_buffer<std::uint16_t>();
    put_file(folder / "my data.bin", buffer);
    GltfParts parts{.uri = R"("uri":"my%20data.bin",)", .buffer_bytes = buffer.size()};
    put_file(folder / "x.gltf", gltf_json(parts));
    EXPECT_EQ(read_mesh(folder / "x.gltf").mesh.triangles.size(), 2u);
    std::filesystem::remove(folder / "my data.bin");
    EXPECT_THROW(read_mesh(folder / "x.gltf"), IoError);

    // One triangle as text: nine floats, of which 0x3f800000 is 1.
    const std::string inside =
        R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":36,"uri":)"
        R"("data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}],)"
        R"("bufferViews":[{"buffer":0,"byteLength":36}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,)"
        R"("type":"VEC3"}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0}]})";
    const Mesh mesh = read_text("x.gltf", inside).mesh;
    EXPECT_EQ(mesh.points[2], (Vec3f{0, 1, 0}));
    EXPECT_TRUE(mesh.uv.empty());
}

TEST(ReadGltf, pictures_of_materials_are_not_needed) {
    GltfParts parts{.more = R"(,"images":[{"uri":"absent.png"},{"bufferView":1,"mimeType":"image/png"}],)"
                            R"("textures":[{"source":0}],"materials":[{"name":"m"}])"};
    EXPECT_EQ(read_text("x.glb", square_glb(parts)).mesh.triangles.size(), 2u);
}

TEST(ReadGltf, strips_and_fans_face_one_way) {
    const MeshFile strip = read_text("x.glb", square_glb({.index_count = 4, .mode = 5}));
    // Indices 0 1 2 0: the second triangle of the strip has the first corner twice.
    EXPECT_EQ(strip.report.triangles, 2u);
    EXPECT_EQ(strip.report.mixed_edges, 0u);
    const MeshFile fan = read_text("x.glb", square_glb({.index_count = 6, .mode = 6}));
    EXPECT_EQ(fan.report.triangles, 4u);
    EXPECT_EQ(fan.mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
    EXPECT_THROW(read_text("x.glb", square_glb({.mode = 1})), IoError) << "lines are not faces";
}

TEST(ReadGltf, nodes_move_turn_scale_and_mirror) {
    const GltfParts parts{.nodes = R"({"children":[1,2],"translation":[10,0,0]},{"mesh":0,"scale":[2,1,1],)"
                                   R"("rotation":[0,0,0.7071067811865476,0.7071067811865476]},)"
                                   R"({"mesh":0,"matrix":[-1,0,0,0,0,1,0,0,0,0,1,0,0,0,5,1]})"};
    const Mesh mesh = read_text("x.glb", square_glb(parts)).mesh;
    ASSERT_EQ(mesh.points.size(), 8u);
    // (1, 0, 0) scaled to (2, 0, 0), turned to (0, 2, 0); rounding of float.
    EXPECT_NEAR(length(mesh.points[1] - Vec3f{10, 2, 0}), 0, 1e-5);
    EXPECT_NEAR(length(mesh.points[5] - Vec3f{9, 0, 5}), 0, 1e-5);
    const auto normal_z = [&](std::size_t t) {
        const auto& [a, b, c] = mesh.triangles[t];
        return cross(mesh.points[b] - mesh.points[a], mesh.points[c] - mesh.points[a]).z;
    };
    EXPECT_GT(normal_z(0), 0);
    EXPECT_GT(normal_z(2), 0) << "a mirrored node keeps its front in front";
}

TEST(ReadGltf, nodes_in_a_circle_come_to_an_end) {
    const GltfParts parts{.nodes = R"({"mesh":0,"children":[1,1,7,-2]},{"mesh":0,"children":[0]})"};
    const MeshFile file = read_text("x.glb", square_glb(parts));
    EXPECT_EQ(file.report.triangles, 4u);
    EXPECT_EQ(file.report.duplicate, 2u);
}

TEST(ReadGltf, accessors_that_leave_their_buffer_are_refused) {
    const auto refuse = [](const std::string& accessor, const std::string& sentence) {
        expect_refused("x.glb", square_glb({.accessor_0 = accessor}), sentence);
    };
    refuse(R"("bufferView":0,"componentType":5126,"count":5,"type":"VEC3")", "accessor 0 of the glTF file leaves");
    refuse(R"("bufferView":0,"componentType":5126,"count":4,"byteOffset":4,"type":"VEC3")", "leaves its buffer");
    refuse(R"("bufferView":0,"componentType":5126,"count":1,"byteOffset":18446744073709551612,"type":"VEC3")", "");
    refuse(R"("bufferView":0,"componentType":5126,"count":1000000000000000000,"type":"VEC3")", "leaves its buffer");
    refuse(R"("bufferView":9,"componentType":5126,"count":4,"type":"VEC3")", "names bufferView 9");
    refuse(R"("bufferView":0,"componentType":5126,"count":4,"type":"VEC2")", "another type than its use asks for");
    refuse(R"("componentType":5126,"count":4,"type":"VEC3")", "names bufferView -1");
}

TEST(ReadGltf, compressed_nested_and_broken_files_are_refused) {
    expect_refused("x.glb", square_glb({.more = R"(,"extensionsRequired":["KHR_draco_mesh_compression"])"}),
                   "the glTF file is compressed");
    expect_refused("x.gltf", std::string(100000, '['), "nested too deep");
    expect_refused("x.gltf", R"({"asset":{"version":"2.0","extras":)" + std::string(100000, '{'), "nested too deep");
    expect_refused("x.gltf", "{ not json", "not a sound glTF file: parse error at line 1");
    const std::string whole = square_glb();
    for (std::size_t length = 1; length < whole.size(); ++length)
        EXPECT_THROW(read_gltf("x.glb", whole.substr(0, length)), IoError) << length;
}

}  // namespace
}  // namespace spindrift::geometry
