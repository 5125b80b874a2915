// Mesh files with random damage: they are read or refused, and nothing else happens.

#include <string>

#include "mesh_files.h"

#include "spindrift/core/random.h"
#include "spindrift/geometry/formats.h"
#include "spindrift/geometry/primitives.h"
#include "spindrift/geometry/write_mesh.h"

namespace spindrift::geometry {
namespace {

constexpr int rounds = 1500;

/// Random numbers of one round.
class Draws {
  public:
    explicit Draws(std::uint64_t round) : round_(round) {}
    std::size_t below(std::size_t n) { return n == 0 ? 0 : hash_counter(3, round_, draw_++) % n; }

  private:
    std::uint64_t round_, draw_ = 0;
};

/// Numbers that break sums, in text and in bytes.
const std::string& nasty(Draws& draws) {
    static const std::string words[] = {"4294967295",
                                        "-1",
                                        "1e999",
                                        "nan",
                                        "99999999999999999999",
                                        "2147483648",
                                        "1e-9",
                                        "",
                                        " ",
                                        "0",
                                        "\n",
                                        "[",
                                        "}",
                                        "\"",
                                        std::string(4, '\xff'),
                                        std::string(4, '\0'),
                                        std::string("\x7f\xff\xff\xff", 4)};
    return words[draws.below(std::size(words))];
}

void damage(std::string& bytes, Draws& draws) {
    const std::size_t at = draws.below(bytes.size() + 1);
    switch (draws.below(6)) {
        case 0:
            if (at < bytes.size()) bytes[at] = static_cast<char>(draws.below(256));
            break;
        case 1:
            if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << draws.below(8)));
            break;
        case 2:
            bytes.erase(at, draws.below(20));
            break;
        case 3:
            bytes.insert(at, bytes.substr(draws.below(bytes.size()), 1 + draws.below(30)));
            break;
        case 4:
            bytes.resize(at);
            break;
        default: {
            const std::string& word = nasty(draws);
            bytes.replace(at, std::min(word.size(), bytes.size() - at), word);
        }
    }
}

/// Digits are the dangerous part of headers and JSON: one number becomes another.
void damage_number(std::string& bytes, Draws& draws) {
    const std::size_t at = bytes.find_first_of("0123456789", draws.below(bytes.size() + 1));
    if (at == std::string::npos) return;
    const std::size_t end = std::min(bytes.find_first_not_of("0123456789", at), bytes.size());
    bytes.replace(at, end - at, nasty(draws));
}

std::string binary_stl() {
    std::string bytes(80, ' ');
    append(bytes, std::uint32_t{2});
    for (int i = 0; i < 2; ++i) {
        bytes.append(12, '\0');
        append(bytes, std::array{0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, static_cast<float>(i)});
        bytes.append(2, '\0');
    }
    return bytes;
}

std::string written_ply() {
    const TemporaryFolder folder;
    write_ply(folder / "x.ply", make_box({{0, 0, 0}, {1, 1, 1}}));
    return read_file(folder / "x.ply");
}

/// Readers work on what a file holds, so that thousands of rounds need no disk.
void expect_survival(const std::string& format, const std::string& seed) {
    int read = 0, refused = 0;
    for (int round = 0; round < rounds; ++round) {
        Draws draws(static_cast<std::uint64_t>(round));
        std::string bytes = seed;
        for (std::size_t hits = 1 + draws.below(4); hits > 0; --hits) {
            if (draws.below(3) == 0)
                damage_number(bytes, draws);
            else
                damage(bytes, draws);
        }
        try {
            const std::filesystem::path path = "absent_folder/x" + format;
            Mesh mesh = format == ".obj"   ? read_obj(path, bytes)
                        : format == ".ply" ? read_ply(path, bytes)
                        : format == ".stl" ? read_stl(path, bytes)
                                           : read_gltf(path, bytes);
            const MeshReport report = clean(mesh);
            EXPECT_EQ(report.triangles - report.dropped(), mesh.triangles.size());
            ++read;
        } catch (const IoError& error) {
            EXPECT_EQ(error.kind(), IoError::Kind::corrupt);
            ++refused;
        } catch (const std::exception& error) {
            ADD_FAILURE() << format << " round " << round << ": " << error.what();
        }
    }
    EXPECT_GT(read, 0);
    // Hardly any text is wrong as an OBJ file.
    EXPECT_TRUE(refused > 0 || format == ".obj");
}

TEST(MeshFuzz, damaged_obj_is_read_or_refused) {
    expect_survival(".obj", std::string(cube_obj));
}

TEST(MeshFuzz, damaged_ply_is_read_or_refused) {
    expect_survival(".ply", std::string(quad_ply));
    expect_survival(".ply", written_ply());
}

TEST(MeshFuzz, damaged_stl_is_read_or_refused) {
    expect_survival(".stl", std::string(corner_stl));
    expect_survival(".stl", binary_stl());
}

TEST(MeshFuzz, damaged_gltf_is_read_or_refused) {
    expect_survival(".glb", square_glb());
    expect_survival(
        ".gltf", R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":36,"uri":)"
                 R"("data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}],)"
                 R"("bufferViews":[{"buffer":0,"byteLength":36}],"accessors":[{"bufferView":0,"componentType":5126,)"
                 R"("count":3,"type":"VEC3"}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],)"
                 R"("nodes":[{"mesh":0,"translation":[1,2,3],"children":[1]},{"mesh":0}],"scenes":[{"nodes":[0]}]})");
}

}  // namespace
}  // namespace spindrift::geometry
