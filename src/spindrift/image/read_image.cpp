#include "spindrift/image/read_image.h"

#include <array>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/errors.h"
#include "spindrift/image/exr_file.h"
#include "spindrift/image/file_checks.h"
#include "spindrift/image/png_file.h"

namespace spindrift::image {

namespace {

enum class FileKind { png, exr };

/// By the first bytes: names of pictures are often wrong.
FileKind file_kind(const std::filesystem::path& path) {
    check_is_file(path);
    std::array<char, 4> bytes{};
    std::ifstream(path, std::ios::binary).read(bytes.data(), bytes.size());
    const std::string_view magic(bytes.data(), bytes.size());
    if (magic == "\x89PNG") return FileKind::png;
    if (magic == "\x76\x2f\x31\x01") return FileKind::exr;
    throw IoError(IoError::Kind::corrupt, path, "this is not a picture that can be read; give a PNG or OpenEXR file");
}

/// The two pixels around a place along one side, and the share of the second. Places that are no number are 0.
struct Between {
    int first, second;
    float share;
};

Between between(float place, int pixels) {
    const float turn = std::isfinite(place) ? place - std::floor(place) : 0;
    const float at = turn * static_cast<float>(pixels) - 0.5f, low = std::floor(at);
    const int first = (static_cast<int>(low) + pixels) % pixels;
    return {first, (first + 1) % pixels, at - low};
}

}  // namespace

void check_is_file(const std::filesystem::path& path) {
    std::error_code ignored;
    const auto type = std::filesystem::status(path, ignored).type();
    if (type == std::filesystem::file_type::directory) throw read_error(path, EISDIR);
    if (type == std::filesystem::file_type::not_found) throw read_error(path, ENOENT);
    if (type != std::filesystem::file_type::regular)
        throw IoError(IoError::Kind::missing, path, "this is a device; a file is needed");
    if (!std::ifstream(path, std::ios::binary)) throw read_error(path, EACCES);
}

void check_size(const std::filesystem::path& path, long long width, long long height) {
    if (width > 0 && height > 0 && width <= most_side && height <= most_side && width * height <= most_pixels) return;
    throw IoError(IoError::Kind::corrupt, path,
                  fmt::format("a picture of {} x {} pixels cannot be read; up to {} along a side and {} million in all "
                              "are possible: scale it down",
                              width, height, most_side, most_pixels >> 20));
}

Image read_image(const std::filesystem::path& path) {
    return file_kind(path) == FileKind::png ? read_png(path) : read_exr(path);
}

Image read_data_image(const std::filesystem::path& path) {
    return file_kind(path) == FileKind::png ? read_png_data(path) : read_exr(path);
}

Vec3f lookup(const Image& image, float u, float v) {
    const Between x = between(u, image.width), y = between(1 - v, image.height);
    const auto row = [&](int j) { return image.at(x.first, j) * (1 - x.share) + image.at(x.second, j) * x.share; };
    return row(y.first) * (1 - y.share) + row(y.second) * y.share;
}

}  // namespace spindrift::image
