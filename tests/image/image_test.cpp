#include "spindrift/image/image.h"

#include <fstream>
#include <functional>
#include <limits>

#include "temporary_folder.h"
#include <gtest/gtest.h>

#include "spindrift/core/errors.h"
#include "spindrift/image/png_file.h"

namespace spindrift::image {
namespace {

/// Half a step of eight bits.
constexpr float byte_rounding = 0.5f / 255;

Image gradient(int width, int height) {
    Image image(width, height);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            image.at(x, y) = {static_cast<float>(x) / static_cast<float>(width),
                              static_cast<float>(y) / static_cast<float>(height), 0.25f};
        }
    }
    return image;
}

TEST(Image, png_comes_back_within_the_rounding_of_eight_bits) {
    const TemporaryFolder folder;
    const Image image = gradient(37, 23);
    write_png(folder / "picture.png", image);
    const Image back = read_png(folder / "picture.png");
    ASSERT_EQ(back.width, 37);
    ASSERT_EQ(back.height, 23);
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
        for (int c = 0; c < 3; ++c) {
            EXPECT_NEAR(srgb_encode(back.pixels[i][c]), srgb_encode(image.pixels[i][c]), byte_rounding * 1.01f);
        }
    }
}

TEST(Image, png_is_replaced_whole_and_leaves_nothing_aside) {
    const TemporaryFolder folder;
    write_png(folder / "picture.png", Image(4, 4));
    write_png(folder / "picture.png", Image(2, 3, {1, 1, 1}));
    EXPECT_EQ(read_png(folder / "picture.png").height, 3);
    EXPECT_EQ(folder.file_count(), 1u);
}

TEST(Image, colors_out_of_range_are_clamped_in_png) {
    const TemporaryFolder folder;
    write_png(folder / "picture.png", Image(1, 1, {-1, 2, std::numeric_limits<float>::infinity()}));
    EXPECT_EQ(read_png(folder / "picture.png").at(0, 0), (Vec3f{0, 1, 1}));
}

IoError::Kind kind_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const IoError& error) {
        return error.kind();
    }
    ADD_FAILURE() << "no IoError";
    return IoError::Kind::other;
}

TEST(Image, png_errors_say_what_is_wrong) {
    const TemporaryFolder folder;
    std::ofstream(folder / "text.png") << "not a picture";
    EXPECT_EQ(kind_of([&] { read_png(folder / "absent.png"); }), IoError::Kind::missing);
    EXPECT_EQ(kind_of([&] { read_png(folder / "text.png"); }), IoError::Kind::corrupt);
    EXPECT_EQ(kind_of([&] { write_png(folder / "absent/picture.png", Image(1, 1)); }), IoError::Kind::missing);
}

TEST(Image, downsampling_keeps_the_mean) {
    const Image image = gradient(60, 45);
    const Image small = downsample(image, 7, 4);
    const auto mean = [](const Image& picture) {
        Vec3f sum;
        for (const Vec3f p : picture.pixels)
            sum += p;
        return sum / static_cast<float>(picture.pixels.size());
    };
    EXPECT_NEAR(mean(small).x, mean(image).x, 1e-4f);
    EXPECT_NEAR(mean(small).y, mean(image).y, 1e-4f);
    EXPECT_LT(small.at(0, 0).x, small.at(6, 0).x);
}

}  // namespace
}  // namespace spindrift::image
