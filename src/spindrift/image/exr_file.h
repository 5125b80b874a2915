#pragma once
// OpenEXR pictures on disk: linear floats.
//
//   write_exr("wet.0042.exr", image);
//   write_exr("height.exr", 256, 256, heights);       // one channel, Y
//   write_exr("dam.0042.exr", 960, 540, {ExrChannel::full("Z", depth), ExrChannel::whole("id", ids)},
//             {{"ids", "0 sky, 1 floor"}});

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "spindrift/core/atomic_file.h"
#include "spindrift/image/image.h"

namespace spindrift::image {

/// Channels R, G, B of 32-bit floats; written aside and renamed. Throws IoError.
WrittenFile write_exr(const std::filesystem::path& path, const Image& image);

/// One channel Y of 32-bit floats, rows from the top.
WrittenFile write_exr(const std::filesystem::path& path, int width, int height, std::span<const float> values);

/// One of several channels of a file. The numbers belong to the caller, rows from the top, and must live while the file
/// is written.
struct ExrChannel {
    std::string name;  ///< such as R, or N.X for a component of the layer N
    std::variant<std::span<const float>, std::span<const Vec3f>, std::span<const std::uint32_t>> numbers;
    int component = 0;     ///< of vectors
    bool is_half = false;  ///< 16 bits, from -65504 to 65504; what is no number becomes 0

    static ExrChannel half(std::string name, std::span<const float> numbers) {
        return {std::move(name), numbers, 0, true};
    }
    static ExrChannel half(std::string name, std::span<const Vec3f> numbers, int component) {
        return {std::move(name), numbers, component, true};
    }
    static ExrChannel full(std::string name, std::span<const float> numbers) { return {std::move(name), numbers}; }
    static ExrChannel full(std::string name, std::span<const Vec3f> numbers, int component) {
        return {std::move(name), numbers, component};
    }
    static ExrChannel whole(std::string name, std::span<const std::uint32_t> numbers) {
        return {std::move(name), numbers};
    }
};

/// Names and texts of attributes in a file's header.
using ExrTexts = std::vector<std::pair<std::string, std::string>>;

/// Channels by name, compressed without loss; written aside and renamed. Throws IoError.
WrittenFile write_exr(const std::filesystem::path& path, int width, int height, const std::vector<ExrChannel>& channels,
                      const ExrTexts& texts = {});

/// Reads R, G, B, or a single channel as grey; of several parts the first. Throws IoError.
Image read_exr(const std::filesystem::path& path);

}  // namespace spindrift::image
