// Words on pictures, and pictures beside each other.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "spindrift/core/parallel.h"
#include "spindrift/render/annotate/contact_sheet.h"
#include "spindrift/render/annotate/font.h"

namespace spindrift::render {
namespace {

using image::luminance;

constexpr Vec3f white{1, 1, 1};

/// How much of a picture is covered by white letters, in pixels.
double coverage(const Image& image) {
    double sum = 0;
    for (const Vec3f p : image.pixels)
        sum += p.x;
    return sum;
}

Image picture_of(std::string_view text, double size = 20) {
    Image image(static_cast<int>(text_width(text, size)) + 20, 40);
    draw_text(image, 10, 28, text, {white, size});
    return image;
}

TEST(Text, every_ascii_character_but_the_space_has_its_own_glyph) {
    std::vector<std::vector<Vec3f>> seen;
    for (char c = ' '; c <= '~'; ++c) {
        Image image(40, 40);
        draw_text(image, 10, 28, std::string(1, c), {white, 20});
        EXPECT_EQ(coverage(image) == 0, c == ' ') << c;
        EXPECT_EQ(std::ranges::count(seen, image.pixels), 0) << c;
        seen.push_back(image.pixels);
    }
}

TEST(Text, letters_stand_on_the_baseline_and_capitals_have_their_height) {
    for (const double size : {10.0, 15.0, 30.0, 61.5}) {
        Image image(200, 100);
        draw_text(image, 10, 80, "HEI", {white, size});
        int top = image.height, bottom = 0;
        for (int y = 0; y < image.height; ++y) {
            for (int x = 0; x < image.width; ++x) {
                if (image.at(x, y).x > 0.5f) top = std::min(top, y), bottom = std::max(bottom, y + 1);
            }
        }
        EXPECT_EQ(bottom, 80) << size;
        // Hinting moves the top to a whole pixel, and strokes are a fraction of a pixel heavier.
        EXPECT_NEAR(80 - top, cap_height(size), 1.25) << size;
    }
}

TEST(Text, width_grows_with_the_size_and_pairs_are_kerned) {
    EXPECT_EQ(text_width("", 20), 0);
    EXPECT_NEAR(text_width("dam 42", 40), 2 * text_width("dam 42", 20), 1e-9);
    EXPECT_LT(text_width("AV", 20), text_width("A", 20) + text_width("V", 20) - 0.5);
    // All ink lies within the width, but for the fraction of a pixel by which strokes are heavier.
    Image image(static_cast<int>(text_width("WATER", 24)) + 22, 40);
    draw_text(image, 10, 30, "WATER", {white, 24});
    for (int y = 0; y < image.height; ++y) {
        EXPECT_LT(image.at(8, y).x, 0.3f);
        EXPECT_LT(image.at(image.width - 10, y).x, 0.3f);
    }
}

TEST(Text, letters_of_units_and_formulas_are_there) {
    const Image missing = picture_of("\U0010fffd");
    for (const char* text : {"²", "³", "⁻", "⁶", "µ", "−", "×", "·", "…", "Δ", "λ", "é", "ü", "°", "“"}) {
        EXPECT_GT(coverage(picture_of(text)), 0) << text;
        EXPECT_NE(picture_of(text).pixels, missing.pixels) << text;
    }
}

TEST(Text, what_is_no_character_is_a_replacement) {
    const double one = text_width("\xef\xbf\xbd", 20);
    EXPECT_GT(one, 0);
    struct Case {
        std::string text;
        int replacements;
    };
    const Case cases[] = {{"\xff", 1},
                          {"\x80", 1},
                          {"\xc3", 1},
                          {"\xe2\x82", 2},
                          {"\xc0\xaf", 2},
                          {"\xed\xa0\x80", 3},
                          {"\xf4\x90\x80\x80", 4},
                          {"\xf5\x80\x80\x80", 4},
                          {"\xf4\x8f\xbf\xbd", 1}};
    for (const Case& each : cases) {
        EXPECT_NEAR(text_width(each.text, 20), each.replacements * one, 1e-6) << testing::PrintToString(each.text);
        EXPECT_GT(coverage(picture_of(each.text)), 0);
    }
    EXPECT_EQ(text_width("a\nb\tc", 20), text_width("a b c", 20));
    EXPECT_EQ(text_width(std::string_view("a\0b", 3), 20), text_width("a b", 20));
}

TEST(Text, is_cut_at_the_borders_and_bears_odd_places_and_sizes) {
    Image image(8, 8);
    draw_text(image, -9, 5, "WATER", {white, 12});
    EXPECT_GT(coverage(image), 0);
    Image empty(8, 8);
    const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
    for (const double far : {-1e9, 1e9, 1e300, nan, infinity}) {
        draw_text(empty, far, 5, "WATER", {white, 12});
        draw_text(empty, 5, far, "WATER", {white, 12});
    }
    EXPECT_EQ(coverage(empty), 0);
    for (const double size : {nan, -3.0, 0.0, infinity, 1e30, 5000.0})
        draw_text(empty, 0, 8, "W", {white, size});
}

TEST(Text, same_bits_on_several_threads_at_once) {
    const Image expected = picture_of("frame 42   1.75 s", 15);
    std::vector<Image> images(64);
    parallel_for(images.size(), 1, [&](Range range) {
        for (const auto i : range) {
            picture_of("other size", 10 + static_cast<double>(i % 7));
            images[i] = picture_of("frame 42   1.75 s", 15);
        }
    });
    for (const Image& image : images)
        EXPECT_EQ(image.pixels, expected.pixels);
}

TEST(Text, what_is_too_long_ends_with_an_ellipsis_between_characters) {
    EXPECT_EQ(fit_text("water", 20, 500), "water");
    EXPECT_EQ(fit_text("water", 20, text_width("water", 20)), "water");
    EXPECT_EQ(fit_text("", 20, 0), "");
    EXPECT_EQ(fit_text("water", 20, 5), "");
    const std::string cut = fit_text("öööööööööö", 20, text_width("ööööö", 20));
    EXPECT_TRUE(cut.starts_with("öö") && cut.ends_with("ö…")) << cut;
    EXPECT_LE(text_width(cut, 20), text_width("ööööö", 20));
    EXPECT_EQ(fit_text("two words", 20, text_width("two …", 20)), "two…");
}

TEST(Text, sizes_read_well_at_the_usual_heights) {
    EXPECT_EQ(text_size(1080), 30);
    EXPECT_EQ(text_size(540), 15);
    EXPECT_EQ(text_size(90), 10);
}

TEST(ContactSheet, has_shots_in_rows_with_labels_below) {
    const std::vector<Image> shots{Image(60, 40, {1, 0, 0}), Image(60, 40, {0, 1, 0}), Image(60, 40, {0, 0, 1})};
    const std::vector<std::string> labels{"one", "two", "three"};
    const Image sheet = contact_sheet(shots, labels, 2);
    const int strip = sheet_strip(40);
    EXPECT_EQ(sheet.width, 2 * 60 + 3 * sheet_gap);
    EXPECT_EQ(sheet.height, 2 * (40 + strip) + 3 * sheet_gap);
    const Vec3f paper = sheet.at(0, 0);
    EXPECT_EQ(sheet.at(sheet_gap, sheet_gap), (Vec3f{1, 0, 0}));
    EXPECT_EQ(sheet.at(2 * sheet_gap + 60, sheet_gap), (Vec3f{0, 1, 0}));
    EXPECT_EQ(sheet.at(sheet_gap, 2 * sheet_gap + 40 + strip), (Vec3f{0, 0, 1}));
    EXPECT_EQ(sheet.at(2 * sheet_gap + 60, 2 * sheet_gap + 40 + strip), paper);

    // Ink below the first shot, none below the place without a shot.
    const auto ink_below = [&](int x0, int y0) {
        int ink = 0;
        for (int y = y0; y < y0 + strip; ++y) {
            for (int x = x0; x < x0 + 60; ++x)
                ink += luminance(sheet.at(x, y)) < 0.3f;
        }
        return ink;
    };
    EXPECT_GT(ink_below(sheet_gap, sheet_gap + 40), 20);
    EXPECT_EQ(ink_below(2 * sheet_gap + 60, 2 * (sheet_gap + 40) + strip), 0);
    EXPECT_EQ(contact_sheet(shots, {}, 3).height, 40 + 2 * sheet_gap);
}

}  // namespace
}  // namespace spindrift::render
