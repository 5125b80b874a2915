// Reading of PNG files with libpng's full interface: its simple one bends 16-bit numbers and those with a gamma.

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <png.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/image/file_checks.h"
#include "spindrift/image/png_file.h"

namespace spindrift::image {

namespace {

/// Packing cannot make more than this of one byte.
constexpr double most_unpacked = 1040;

/// Numbers of a picture, always red, green, blue and opacity.
struct Samples {
    int width = 0, height = 0;
    bool wide = false;  ///< 16 bits instead of 8
    std::vector<png_byte> bytes;

    float at(std::size_t i) const {
        if (!wide) return static_cast<float>(bytes[i]) / 255;
        std::uint16_t value;
        std::memcpy(&value, bytes.data() + 2 * i, sizeof value);
        return static_cast<float>(value) / 65535;
    }
};

class PngReader {
  public:
    explicit PngReader(const std::filesystem::path& path) : path_(path), file_(read_file(path)) {
        png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, on_error, on_warning);
        info_ = png_ ? png_create_info_struct(png_) : nullptr;
        if (!info_) {
            png_destroy_read_struct(&png_, nullptr, nullptr);
            throw OutOfMemoryError("no memory to read a picture");
        }
    }
    ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
    PngReader(const PngReader&) = delete;
    PngReader& operator=(const PngReader&) = delete;

    Samples read() {
        check(run(read_header));
        check_size(path_, png_get_image_width(png_, info_), png_get_image_height(png_, info_));
        check_is_long_enough();
        check(run(ask_for_colors));

        Samples samples;
        samples.width = static_cast<int>(png_get_image_width(png_, info_));
        samples.height = static_cast<int>(png_get_image_height(png_, info_));
        samples.wide = png_get_bit_depth(png_, info_) == 16;
        const std::size_t row = png_get_rowbytes(png_, info_), rows = static_cast<std::size_t>(samples.height);
        SPINDRIFT_CHECK(row == static_cast<std::size_t>(samples.width) * (samples.wide ? 8 : 4));
        samples.bytes.resize(row * rows);
        for (std::size_t y = 0; y < rows; ++y)
            rows_.push_back(samples.bytes.data() + y * row);
        check(run(read_rows));
        return samples;
    }

  private:
    using Step = void (*)(PngReader&);

    /// libpng jumps out of errors. Nothing with a destructor may live in a step, nor here.
    bool run(Step step) {
        if (setjmp(png_jmpbuf(png_)) != 0) return false;
        step(*this);
        return true;
    }

    static void read_header(PngReader& self) {
        png_set_user_limits(self.png_, 0x7fffffff, 0x7fffffff);
        png_set_read_fn(self.png_, &self, on_read);
        png_read_info(self.png_, self.info_);
    }
    static void ask_for_colors(PngReader& self) {
        png_set_expand(self.png_);
        png_set_gray_to_rgb(self.png_);
        png_set_add_alpha(self.png_, 0xffff, PNG_FILLER_AFTER);
        png_set_swap(self.png_);
        png_set_interlace_handling(self.png_);
        png_read_update_info(self.png_, self.info_);
    }
    static void read_rows(PngReader& self) { png_read_image(self.png_, self.rows_.data()); }

    static void on_read(png_structp png, png_bytep out, std::size_t bytes) {
        auto& self = *static_cast<PngReader*>(png_get_io_ptr(png));
        if (bytes > self.file_.size() - self.at_) png_error(png, "it is cut off");
        std::memcpy(out, self.file_.data() + self.at_, bytes);
        self.at_ += bytes;
    }
    static void on_error(png_structp png, png_const_charp text) {
        auto& self = *static_cast<PngReader*>(png_get_error_ptr(png));
        std::strncpy(self.problem_.data(), text, self.problem_.size() - 1);
        png_longjmp(png, 1);
    }
    static void on_warning(png_structp, png_const_charp) {}

    void check(bool success) const {
        if (!success) refuse(problem_.data());
    }
    [[noreturn]] void refuse(const char* why) const {
        throw IoError(IoError::Kind::corrupt, path_,
                      fmt::format("this PNG picture is damaged: {}; export it again", why));
    }

    void check_is_long_enough() const {
        const double bits = static_cast<double>(png_get_image_width(png_, info_)) * png_get_image_height(png_, info_) *
                            png_get_bit_depth(png_, info_) * png_get_channels(png_, info_);
        if (bits / 8 > most_unpacked * static_cast<double>(file_.size())) refuse("it is too short for its size");
    }

    std::filesystem::path path_;
    std::string file_;
    std::size_t at_ = 0;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
    std::vector<png_bytep> rows_;
    std::array<char, 200> problem_{};
};

/// Makes pixels of samples; `convert` gets red, green, blue and opacity of each.
template <class Convert>
Image to_image(const Samples& samples, const Convert& convert) {
    Image image(samples.width, samples.height);
    parallel_for(image.pixels.size(), [&](Range r) {
        for (const auto i : r) {
            const Vec3f color{samples.at(4 * i), samples.at(4 * i + 1), samples.at(4 * i + 2)};
            image.pixels[i] = convert(color, samples.at(4 * i + 3));
        }
    });
    return image;
}

Samples read_samples(const std::filesystem::path& path) {
    check_is_file(path);
    return PngReader(path).read();
}

}  // namespace

Image read_png(const std::filesystem::path& path) {
    return to_image(read_samples(path), [](Vec3f c, float opacity) {
        return Vec3f{srgb_decode(c.x), srgb_decode(c.y), srgb_decode(c.z)} * opacity;
    });
}

Image read_png_data(const std::filesystem::path& path) {
    return to_image(read_samples(path), [](Vec3f c, float) { return c; });
}

}  // namespace spindrift::image
