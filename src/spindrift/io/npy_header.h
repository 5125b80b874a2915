#pragma once
// Inside io only: the text that opens a .npy array, its type and shape.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "spindrift/particles/channel_array.h"

namespace spindrift::io {

/// Magic, version and the length of what follows, in the longer of the two forms.
inline constexpr std::size_t npy_preamble_bytes = 12;

struct NpyShape {
    ChannelType type;
    std::uint64_t size = 0;  ///< particles
};

/// Version 1.0, little endian, C order, padded to a multiple of 64 bytes.
std::string format_npy_header(ChannelType type, std::uint64_t size);

/// Bytes of the whole header, from the first bytes of the file; throws FormatProblem.
std::size_t npy_header_bytes(std::string_view preamble);

/// Reads a whole header; throws FormatProblem.
NpyShape parse_npy_header(std::string_view header);

}  // namespace spindrift::io
