#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>

#include <fmt/format.h>

#include "spindrift/core/interruption.h"
#include "spindrift/geometry/formats.h"
#include "spindrift/geometry/polygons.h"
#include "spindrift/geometry/text_scanner.h"
#include "spindrift/geometry/topology.h"

namespace spindrift::geometry {

namespace {

/// Eighty bytes of anything, the number of triangles, then for each a normal, three corners and two bytes.
constexpr std::size_t header_bytes = 84, triangle_bytes = 50, corners_offset = 12;

bool equal_word(std::string_view word, std::string_view small) {
    return std::ranges::equal(word, small, [](unsigned char a, char b) { return std::tolower(a) == b; });
}

bool starts_with_solid(const std::string& bytes) {
    return equal_word(TextScanner(std::string_view(bytes).substr(0, 256)).word(), "solid");
}

std::uint64_t binary_triangles(const std::string& bytes) {
    std::uint32_t count = 0;
    if (bytes.size() >= header_bytes) std::memcpy(&count, bytes.data() + header_bytes - 4, 4);
    return count;
}

Mesh read_binary(const std::filesystem::path& path, const std::string& bytes) {
    const std::uint64_t count = binary_triangles(bytes);
    if (bytes.size() < header_bytes || bytes.size() - header_bytes < count * triangle_bytes) {
        throw damaged(path, fmt::format("this is not a whole STL file: {} bytes are too few for the {} triangles it "
                                        "announces",
                                        bytes.size(), count));
    }
    if (3 * count >= most_points) throw damaged(path, "the mesh has too many triangles");
    Mesh mesh;
    mesh.points.resize(3 * count);
    OftenInterruptible ask;
    for (std::size_t i = 0; i < count; ++i) {
        ask();
        std::memcpy(&mesh.points[3 * i], bytes.data() + header_bytes + i * triangle_bytes + corners_offset, 36);
        const auto first = static_cast<std::uint32_t>(3 * i);
        mesh.triangles.push_back({first, first + 1, first + 2});
    }
    return mesh;
}

Mesh read_text(const std::filesystem::path& path, const std::string& bytes) {
    Mesh mesh;
    Polygons loops;
    TextScanner scanner(bytes);
    bool ended = false;
    OftenInterruptible ask;
    for (std::string_view word = scanner.word(); !word.empty(); word = scanner.word()) {
        ask();
        if (equal_word(word, "vertex")) {
            const auto x = scanner.number(), y = scanner.number(), z = scanner.number();
            if (!x || !y || !z)
                throw damaged(path, fmt::format("three numbers were expected before byte {}", scanner.position()));
            loops.corners.push_back(static_cast<std::uint32_t>(mesh.points.size()));
            mesh.points.push_back(vec_cast<float>(Vec3d{*x, *y, *z}));
            if (mesh.points.size() >= most_points) throw damaged(path, "the mesh has too many points");
        } else if (equal_word(word, "endloop")) {
            loops.end_polygon();
        } else if (equal_word(word, "solid") || equal_word(word, "endsolid")) {
            // Names may be any words.
            ended = word.size() == 8;
            scanner.skip_line();
        }
    }
    if (!ended) throw damaged(path, "this STL file is cut off: its last line should be 'endsolid'");
    add_triangles(mesh, loops);
    return mesh;
}

/// Makes one point of equal corners, in the order of their first appearance.
void join_corners(Mesh& mesh) {
    std::vector<std::uint32_t> number = weld(mesh.points);
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < number.size(); ++i) {
        if (number[i] != i) {
            number[i] = number[number[i]];
            continue;
        }
        mesh.points[kept] = mesh.points[i];
        number[i] = kept++;
    }
    mesh.points.resize(kept);
    for (Triangle& triangle : mesh.triangles) {
        for (std::uint32_t& corner : triangle)
            corner = number[corner];
    }
}

}  // namespace

Mesh read_stl(const std::filesystem::path& path, const std::string& bytes) {
    // Some programs begin binary files with "solid" too, so the size decides.
    const bool fits = bytes.size() == header_bytes + binary_triangles(bytes) * triangle_bytes;
    Mesh mesh = !fits && starts_with_solid(bytes) ? read_text(path, bytes) : read_binary(path, bytes);
    join_corners(mesh);
    return mesh;
}

}  // namespace spindrift::geometry
