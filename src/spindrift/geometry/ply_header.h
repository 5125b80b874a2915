#pragma once
// What stands before the data of a PLY file: elements (points, faces) and their properties in order.
//
//   PlyHeader header = read_ply_header("bunny.ply", bytes);
//   const PlyElement& first = header.elements.front();          // usually "vertex"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace spindrift::geometry {

enum class PlyFormat { text, little_endian, big_endian };
enum class PlyNumber { i8, u8, i16, u16, i32, u32, f32, f64 };

/// Bytes of one number in a binary file.
std::size_t size_of(PlyNumber type);

struct PlyProperty {
    std::string name;
    PlyNumber type{};  ///< of its number, or of each number of a list
    bool is_list = false;
    PlyNumber count_type{};  ///< of a list's length
};

struct PlyElement {
    std::string name;
    std::uint64_t count = 0;
    std::vector<PlyProperty> properties;

    /// Place of a property among the properties, -1 if there is none.
    int find(std::string_view property) const;
    /// Bytes that one of them needs at least.
    std::size_t least_bytes(PlyFormat format) const;
};

struct PlyHeader {
    PlyFormat format{};
    std::vector<PlyElement> elements;
    std::size_t bytes = 0;  ///< where the data begins
};

/// Throws IoError.
PlyHeader read_ply_header(const std::filesystem::path& path, std::string_view bytes);

}  // namespace spindrift::geometry
