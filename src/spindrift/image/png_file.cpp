#include "spindrift/image/png_file.h"

#include <vector>

#include <png.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"

namespace spindrift::image {

namespace {

/// The simplified interface of libpng, which answers instead of jumping; frees what it holds.
struct PngImage {
    png_image image{};

    PngImage() { image.version = PNG_IMAGE_VERSION; }
    ~PngImage() { png_image_free(&image); }
    PngImage(const PngImage&) = delete;
    PngImage& operator=(const PngImage&) = delete;
};

png_byte to_byte(float linear) {
    return static_cast<png_byte>(srgb_encode(linear) * 255 + 0.5f);
}

std::vector<png_byte> to_bytes(const Image& image) {
    std::vector<png_byte> bytes(image.pixels.size() * 3);
    parallel_for(image.pixels.size(), [&](Range r) {
        for (const auto i : r) {
            for (int c = 0; c < 3; ++c)
                bytes[i * 3 + static_cast<std::size_t>(c)] = to_byte(image.pixels[i][c]);
        }
    });
    return bytes;
}

}  // namespace

WrittenFile write_png(const std::filesystem::path& path, const Image& image) {
    PngImage png;
    png.image.width = static_cast<png_uint_32>(image.width);
    png.image.height = static_cast<png_uint_32>(image.height);
    png.image.format = PNG_FORMAT_RGB;
    const std::vector<png_byte> pixels = to_bytes(image);

    // Compress into memory of the largest size that can be needed, then write the file in one go.
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png.image);
    std::vector<std::byte> file(size);
    if (!png_image_write_to_memory(&png.image, file.data(), &size, 0, pixels.data(), 0, nullptr)) {
        throw IoError(IoError::Kind::other, path, png.image.message);
    }
    AtomicFile aside(path);
    aside.write(file.data(), size);
    return aside.commit();
}

}  // namespace spindrift::image
