#include "spindrift/preview/image.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "temporary_folder.h"
#include <gtest/gtest.h>

#include "spindrift/core/errors.h"
#include "spindrift/preview/contact_sheet.h"
#include "spindrift/preview/font.h"
#include "spindrift/preview/png_file.h"

namespace spindrift::preview {
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

int count_pixels(const Image& image, Vec3f color) {
    return static_cast<int>(std::ranges::count(image.pixels, color));
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

TEST(Image, every_ascii_character_but_the_space_has_its_own_glyph) {
    std::vector<std::vector<Vec3f>> seen;
    for (char c = ' '; c <= '~'; ++c) {
        Image image(glyph_width, glyph_height);
        draw_text(image, 0, 0, std::string(1, c), {{1, 1, 1}, 1});
        EXPECT_EQ(count_pixels(image, {1, 1, 1}) == 0, c == ' ') << c;
        EXPECT_EQ(std::ranges::count(seen, image.pixels), 0) << c;
        seen.push_back(image.pixels);
    }
}

TEST(Image, text_scales_by_whole_dots_and_is_cut_at_the_border) {
    Image once(40, 10), twice(80, 20), outside(8, 8);
    draw_text(once, 0, 0, "dam 42", {{1, 1, 1}, 1});
    draw_text(twice, 0, 0, "dam 42", {{1, 1, 1}, 2});
    EXPECT_EQ(count_pixels(twice, {1, 1, 1}), 4 * count_pixels(once, {1, 1, 1}));
    EXPECT_EQ(text_width("dam 42", 2), 70);
    draw_text(outside, -9, -3, "WATER", {{1, 1, 1}, 3});
    EXPECT_GT(count_pixels(outside, {1, 1, 1}), 0);
}

TEST(Image, contact_sheet_puts_shots_in_rows_with_labels_below) {
    const std::vector<Image> shots{Image(60, 40, {1, 0, 0}), Image(60, 40, {0, 1, 0}), Image(60, 40, {0, 0, 1})};
    const std::vector<std::string> labels{"one", "two", "three"};
    const Image sheet = contact_sheet(shots, labels, 2);
    EXPECT_EQ(sheet.width, 2 * 60 + 3 * sheet_gap);
    EXPECT_EQ(sheet.height, 2 * (40 + sheet_strip) + 3 * sheet_gap);
    const Vec3f paper = sheet.at(0, 0);
    EXPECT_EQ(sheet.at(sheet_gap, sheet_gap), (Vec3f{1, 0, 0}));
    EXPECT_EQ(sheet.at(2 * sheet_gap + 60, sheet_gap), (Vec3f{0, 1, 0}));
    EXPECT_EQ(sheet.at(sheet_gap, 2 * sheet_gap + 40 + sheet_strip), (Vec3f{0, 0, 1}));
    EXPECT_EQ(sheet.at(2 * sheet_gap + 60, 2 * sheet_gap + 40 + sheet_strip), paper);

    // Ink below the first shot, none below the place without a shot.
    const auto ink_below = [&](int x0, int y0) {
        int ink = 0;
        for (int y = y0; y < y0 + sheet_strip; ++y) {
            for (int x = x0; x < x0 + 60; ++x)
                ink += luminance(sheet.at(x, y)) < 0.1f;
        }
        return ink;
    };
    EXPECT_GT(ink_below(sheet_gap, sheet_gap + 40), 50);
    EXPECT_EQ(ink_below(2 * sheet_gap + 60, 2 * (sheet_gap + 40) + sheet_strip), 0);
    EXPECT_EQ(contact_sheet(shots, {}, 3).height, 40 + 2 * sheet_gap);
}

}  // namespace
}  // namespace spindrift::preview
