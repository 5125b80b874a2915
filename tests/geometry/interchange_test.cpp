// What other programs read of the meshes that we write.

#include <cstdlib>

#include "mesh_files.h"
#include <fmt/format.h>

#include "spindrift/geometry/primitives.h"
#include "spindrift/geometry/write_mesh.h"

namespace spindrift::geometry {
namespace {

bool runs(const std::string& command) {
    return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}

/// A ball whose attributes are its positions.
Mesh ball() {
    Mesh mesh = make_sphere({0, 0, 0}, 0.5);
    mesh.uv.clear();
    std::vector<float> values, uv;
    for (const Vec3f p : mesh.points) {
        values.insert(values.end(), {p.x, p.y, p.z});
        uv.insert(uv.end(), {p.x, p.y});
    }
    for (const char* name : {"N", "v", "Cd"})
        mesh.attributes.push_back({name, 3, values});
    for (float& each : mesh.attributes[0].values)
        each *= 2;
    mesh.attributes.push_back({"uv", 2, uv});
    return mesh;
}

/// Runs a script that sees the folder as `folder` and has meshio and numpy.
int run_meshio(const TemporaryFolder& folder, const std::string& script) {
    const std::filesystem::path file = folder / "script.py";
    put_file(file, fmt::format("import meshio, numpy as np\nfolder = '{}'\n{}\n", (folder / "").string(), script));
    return std::system(fmt::format("/usr/bin/python3 {} >/dev/null", file.string()).c_str());
}

TEST(Interchange, meshio_reads_our_files) {
    if (!runs("/usr/bin/python3 -c 'import meshio'")) GTEST_SKIP() << "meshio is not installed";
    const TemporaryFolder folder;
    const Mesh mesh = ball();
    write_ply(folder / "x.ply", mesh);
    write_obj(folder / "x.obj", mesh);
    EXPECT_EQ(run_meshio(folder, fmt::format(R"(
for name in ('x.ply', 'x.obj'):
    mesh = meshio.read(folder + name)
    faces = mesh.cells_dict['triangle']
    assert mesh.points.shape == ({points}, 3) and faces.shape == ({triangles}, 3), name
    a, b, c = (mesh.points[faces[:, k]].astype('f8') for k in range(3))
    volume = np.einsum('ij,ij->i', a, np.cross(b, c)).sum() / 6
    assert abs(volume - 0.5236) < 0.002, (name, volume)
mesh = meshio.read(folder + 'x.ply')
for axis, name in enumerate(('vx', 'vy', 'vz')):
    assert np.array_equal(mesh.point_data[name], mesh.points[:, axis]), name
assert np.allclose(mesh.point_data['nx'], 2 * mesh.points[:, 0])
light = np.maximum(mesh.points[:, 0].astype('f8'), 0)
screen = 255 * np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
red = mesh.point_data['red'].view('u1')  # meshio takes bytes as signed
assert abs(red - screen).max() < 0.6
assert np.array_equal(mesh.point_data['s'], mesh.points[:, 0])
)",
                                             fmt::arg("points", mesh.points.size()),
                                             fmt::arg("triangles", mesh.triangles.size()))),
              0);
}

TEST(Interchange, assimp_reads_our_files) {
    if (!runs("assimp version")) GTEST_SKIP() << "assimp is not installed";
    const TemporaryFolder folder;
    const Mesh mesh = ball();
    write_ply(folder / "x.ply", mesh);
    write_obj(folder / "x.obj", mesh);
    write_glb(folder / "x.glb", mesh);
    const std::vector<Sides> sides(mesh.triangles.size(), Sides{1, 255});
    write_ply(folder / "sides.ply", mesh, sides);
    for (const char* name : {"x.ply", "sides.ply", "x.obj", "x.glb"}) {
        const std::string out = (folder / "info.txt").string();
        ASSERT_EQ(std::system(fmt::format("assimp info {} -r >{} 2>&1", (folder / name).string(), out).c_str()), 0)
            << read_file(out);
        const std::string text = read_file(out);
        EXPECT_NE(text.find(fmt::format("Faces:              {}\n", mesh.triangles.size())), std::string::npos) << text;
        EXPECT_NE(text.find("Meshes:             1\n"), std::string::npos) << text;
    }
}

TEST(Interchange, meshes_without_triangles_are_sound_files) {
    const TemporaryFolder folder;
    write_ply(folder / "x.ply", Mesh{});
    write_obj(folder / "x.obj", Mesh{});
    write_glb(folder / "x.glb", Mesh{});
    EXPECT_THROW(read_mesh(folder / "x.glb"), IoError) << "nothing to read, but a sound file";
    const std::string bytes = read_file(folder / "x.glb");
    EXPECT_EQ(bytes.size() % 4, 0u);
    EXPECT_EQ(bytes.find("accessors"), std::string::npos);
    try {
        read_mesh(folder / "x.glb");
    } catch (const IoError& error) {
        EXPECT_NE(std::string(error.what()).find("no faces"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace spindrift::geometry
