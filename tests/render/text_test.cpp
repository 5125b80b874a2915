// Words on pictures, and pictures beside each other.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "spindrift/render/contact_sheet.h"
#include "spindrift/render/font.h"

namespace spindrift::render {
namespace {

using image::luminance;

int count_pixels(const Image& image, Vec3f color) {
    return static_cast<int>(std::ranges::count(image.pixels, color));
}

TEST(Text, every_ascii_character_but_the_space_has_its_own_glyph) {
    std::vector<std::vector<Vec3f>> seen;
    for (char c = ' '; c <= '~'; ++c) {
        Image image(glyph_width, glyph_height);
        draw_text(image, 0, 0, std::string(1, c), {{1, 1, 1}, 1});
        EXPECT_EQ(count_pixels(image, {1, 1, 1}) == 0, c == ' ') << c;
        EXPECT_EQ(std::ranges::count(seen, image.pixels), 0) << c;
        seen.push_back(image.pixels);
    }
}

TEST(Text, text_scales_by_whole_dots_and_is_cut_at_the_border) {
    Image once(40, 10), twice(80, 20), outside(8, 8);
    draw_text(once, 0, 0, "dam 42", {{1, 1, 1}, 1});
    draw_text(twice, 0, 0, "dam 42", {{1, 1, 1}, 2});
    EXPECT_EQ(count_pixels(twice, {1, 1, 1}), 4 * count_pixels(once, {1, 1, 1}));
    EXPECT_EQ(text_width("dam 42", 2), 70);
    draw_text(outside, -9, -3, "WATER", {{1, 1, 1}, 3});
    EXPECT_GT(count_pixels(outside, {1, 1, 1}), 0);
}

TEST(ContactSheet, has_shots_in_rows_with_labels_below) {
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
}  // namespace spindrift::render
