// Where things are written on pictures, and what is left out.

#include "spindrift/render/annotate/annotations.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "spindrift/params/info.h"

namespace spindrift::render {
namespace {

constexpr Vec3f gray{0.3f, 0.3f, 0.3f};

/// First and last column and row of what differs from the empty picture, of the part that is looked at.
struct Bounds {
    int left = 1 << 20, top = 1 << 20, right = -1, bottom = -1;
    bool empty() const { return right < 0; }
};

Bounds changed(const Image& image) {
    Bounds b;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            if (image.at(x, y) == gray) continue;
            b.left = std::min(b.left, x), b.right = std::max(b.right, x);
            b.top = std::min(b.top, y), b.bottom = std::max(b.bottom, y);
        }
    }
    return b;
}

Image annotated(const Annotations& notes, int width = 960, int height = 540) {
    Image image(width, height, gray);
    annotate(image, notes);
    return image;
}

bool holds(const Image& image, Vec3f color) {
    return std::ranges::any_of(image.pixels, [&](Vec3f c) { return length(c - color) < 1e-3f; });
}

/// Colours of one row between the first and last ink of the legend's frame, each once, without the ink.
std::vector<Vec3f> fields_of(const Image& image, const image::ColorMap& map, int count) {
    std::vector<Vec3f> found;
    for (int i = 0; i < count; ++i) {
        const Vec3f color = map(static_cast<float>(i) / static_cast<float>(std::max(1, count - 1)));
        if (holds(image, color)) found.push_back(color);
    }
    return found;
}

TEST(Annotations, nothing_is_drawn_for_nothing) {
    EXPECT_TRUE(changed(annotated({})).empty());
}

TEST(Annotations, texts_are_where_their_corners_are) {
    for (std::size_t i = 0; i < enum_words(Corner{}).size(); ++i) {
        const auto corner = static_cast<Corner>(i);
        const std::string_view name = word(corner);
        const Bounds b = changed(annotated({.texts = {{"some words", corner}}}));
        ASSERT_FALSE(b.empty()) << name;
        EXPECT_EQ(b.bottom < 60, name.starts_with("upper")) << name;
        EXPECT_EQ(b.top > 480, name.starts_with("lower")) << name;
        EXPECT_EQ(b.right < 200, name.ends_with("left")) << name;
        EXPECT_EQ(b.left > 760, name.ends_with("right")) << name;
        EXPECT_EQ(std::abs(b.left - (959 - b.right)) <= 1, name == "upper" || name == "lower") << name;
    }
}

TEST(Annotations, texts_of_one_corner_follow_each_other_without_overlap) {
    const Image one = annotated({.texts = {{"first", Corner::lower_right}}});
    const Image two = annotated({.texts = {{"first", Corner::lower_right}, {"second", Corner::lower_right}}});
    const Bounds a = changed(one), b = changed(two);
    EXPECT_LT(b.top, a.top - 10);
    for (int y = a.top; y <= a.bottom; ++y) {
        for (int x = a.left; x <= a.right; ++x)
            EXPECT_EQ(one.at(x, y), two.at(x, y));
    }
}

TEST(Annotations, a_long_title_moves_below_the_label) {
    const std::string title(70, 'n');
    const Bounds alone = changed(annotated({.title = title}));
    const Bounds label = changed(annotated({.label = "frame 42   1.75 s"}));
    ASSERT_LT(alone.left, label.right) << "the title is long enough to meet the label";
    const Image both = annotated({.label = "frame 42   1.75 s", .title = title});
    EXPECT_GT(changed(both).bottom, alone.bottom + 10);
}

TEST(Annotations, lines_that_are_too_long_are_cut_and_lines_break) {
    const Bounds b = changed(annotated({.texts = {{std::string(1000, 'm'), Corner::upper}}}));
    ASSERT_FALSE(b.empty());
    EXPECT_GE(b.left, 5);
    EXPECT_LE(b.right, 954);
    const Bounds one = changed(annotated({.label = "a"})), three = changed(annotated({.label = "a\nb\nc"}));
    EXPECT_GT(three.bottom, one.bottom + 30);
}

TEST(Annotations, the_legend_has_the_colors_of_its_map_and_grows_with_the_picture) {
    const Legend legend{"speed (m/s)", {0, 4}, &image::color_map("speed")};
    const Image image = annotated({.legend = legend});
    EXPECT_TRUE(
        std::ranges::any_of(image.pixels, [&](Vec3f c) { return length(c - image::color_map("speed")(0)) < 0.01f; }));
    EXPECT_TRUE(
        std::ranges::any_of(image.pixels, [&](Vec3f c) { return length(c - image::color_map("speed")(1)) < 0.01f; }));
    const Bounds b = changed(image), large = changed(annotated({.legend = legend}, 1920, 1080));
    EXPECT_NEAR(large.right - large.left, 2 * (b.right - b.left), 8) << "whole pixels";
    EXPECT_LT(b.right, 300);
    EXPECT_GT(b.top, 440);
}

TEST(Annotations, whole_numbers_have_fields_of_one_color_each) {
    const image::ColorMap& map = image::color_map("lod");
    const Image image = annotated({.legend = Legend{"lod", {0, 3}, &map, true}});
    EXPECT_EQ(fields_of(image, map, 4).size(), 4u);
    EXPECT_FALSE(holds(image, map(0.5f))) << "between the second and the third";
    const Image many = annotated({.legend = Legend{"id", {0, 400}, &map, true}});
    EXPECT_EQ(many.pixels, annotated({.legend = Legend{"id", {0, 400}, &map, false}}).pixels) << "too many for fields";
    const Image one = annotated({.legend = Legend{"lod", {2, 2}, &map, true}});
    EXPECT_TRUE(holds(one, map(0)));
}

TEST(Annotations, fields_are_for_few_whole_numbers) {
    EXPECT_TRUE(has_fields({0, 0}));
    EXPECT_TRUE(has_fields({-3, 8}));
    EXPECT_FALSE(has_fields({0, 12}));
    EXPECT_FALSE(has_fields({0, 2.5}));
    EXPECT_FALSE(has_fields({3, 1}));
    EXPECT_FALSE(has_fields({0, std::nan("")}));
}

TEST(Annotations, legends_of_odd_ranges_are_borne) {
    const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
    const std::array<double, 2> ranges[] = {{0, 0}, {nan, nan}, {-infinity, infinity}, {1e300, 1e301}, {1e9, 1e9 + 1}};
    for (const auto& range : ranges) {
        for (const bool whole : {false, true})
            EXPECT_FALSE(changed(annotated({.legend = Legend{"x", range, &image::color_map("x"), whole}})).empty());
    }
}

TEST(Annotations, the_scale_bar_is_as_long_as_it_says) {
    // 960 pixels of 1 mm: the longest round length below a quarter of them is 20 cm.
    const Image image = annotated({.scale_bar = ScaleBar{0.001}});
    const Bounds b = changed(image);
    EXPECT_GT(b.left, 700);
    EXPECT_GT(b.top, 480);
    int longest = 0;
    for (int y = b.top; y <= b.bottom; ++y) {
        int run = 0;
        for (int x = b.left; x <= b.right; ++x) {
            run = image.at(x, y) == panel_ink ? run + 1 : 0;
            longest = std::max(longest, run);
        }
    }
    EXPECT_EQ(longest, 200);
    for (const double odd : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity(), 1e-300})
        EXPECT_TRUE(changed(annotated({.scale_bar = ScaleBar{odd}})).empty()) << odd;
}

TEST(Annotations, small_pictures_leave_out_what_does_not_fit) {
    Annotations notes{.label = "frame 42", .title = "title", .texts = {{"text", Corner::lower}}};
    notes.legend = Legend{"speed (m/s)", {0, 4}, &image::color_map("speed")};
    notes.scale_bar = ScaleBar{0.01};
    for (const auto& [width, height] : {std::pair{1, 1}, {3, 200}, {200, 3}, {24, 16}})
        EXPECT_TRUE(changed(annotated(notes, width, height)).empty()) << width << " x " << height;
    // In all others, whatever is drawn stays inside and apart from the border.
    for (const auto& [width, height] : {std::pair{160, 90}, {90, 160}, {480, 270}, {300, 2000}}) {
        const Bounds b = changed(annotated(notes, width, height));
        ASSERT_FALSE(b.empty());
        EXPECT_TRUE(b.left >= 5 && b.top >= 5 && b.right < width - 5 && b.bottom < height - 5)
            << width << " x " << height;
    }
}

TEST(Annotations, letters_read_on_bright_and_on_dark_pictures) {
    for (const float tone : {0.f, 0.2f, 0.6f, 1.f}) {
        Image image(960, 540, {tone, tone, tone});
        annotate(image, {.label = "frame 42"});
        float darkest = 10, brightest = 0;
        for (int y = 14; y < 34; ++y) {
            for (int x = 16; x < 80; ++x) {
                darkest = std::min(darkest, image::luminance(image.at(x, y)));
                brightest = std::max(brightest, image::luminance(image.at(x, y)));
            }
        }
        // The contrast that guidelines for web pages ask for small text.
        EXPECT_GT((brightest + 0.05f) / (darkest + 0.05f), 7) << tone;
    }
}

}  // namespace
}  // namespace spindrift::render
