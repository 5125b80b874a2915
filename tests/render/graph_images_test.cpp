#include "spindrift/render/graph_images.h"

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "spindrift/core/errors.h"
#include "spindrift/render/annotate/contact_sheet.h"

namespace spindrift::render {
namespace {

/// Four pixels: a near and a far body, one of which is half covered, the floor, and sky.
Layers four_pixels() {
    Layers layers(4, 1);
    layers.depth = {1, 3, 2, std::numeric_limits<float>::infinity()};
    layers.alpha = {1, 0.5f, 1, 0};
    layers.normal = {{0, 1, 0}, {1, 0, 0}, {0, 1, 0}, {}};
    layers.albedo = {{0.5f, 0, 0}, {0, 0.5f, 0}, {0.2f, 0.2f, 0.2f}, {1, 1, 1}};
    layers.id = {body_id::first_liquid, body_id::first_collider, body_id::floor, body_id::sky};
    return layers;
}

Picture picture(Vec3f color, bool layered = true) {
    Picture made{Image(4, 1, color), {}};
    if (layered) made.layers = std::make_shared<Layers>(four_pixels());
    return made;
}

TEST(GraphImages, depths_go_from_white_to_almost_black_and_sky_is_black) {
    const Image own = show_layer(four_pixels(), LayerName::depth, {});
    EXPECT_EQ(own.at(0, 0), (Vec3f{1, 1, 1}));
    EXPECT_GT(own.at(2, 0).x, own.at(1, 0).x);
    EXPECT_GT(own.at(1, 0).x, 0) << "far, but not the sky";
    EXPECT_EQ(own.at(3, 0), Vec3f{});
    const Image given = show_layer(four_pixels(), LayerName::depth, std::array{0.0, 10.0});
    EXPECT_LT(given.at(0, 0).x, 1);
    EXPECT_GT(given.at(1, 0).x, own.at(1, 0).x);
    Layers horizon = four_pixels();
    horizon.depth[2] = 1000;
    EXPECT_EQ(show_layer(horizon, LayerName::depth, {}).at(1, 0), own.at(1, 0)) << "far floor leaves bodies apart";
    Layers sky(2, 1);
    EXPECT_EQ(show_layer(sky, LayerName::depth, {}).at(0, 0), Vec3f{});
}

TEST(GraphImages, other_layers_have_colours_of_their_own) {
    const Layers layers = four_pixels();
    const Image normal = show_layer(layers, LayerName::normal, {});
    EXPECT_EQ(normal.at(0, 0).y, 1);
    EXPECT_EQ(normal.at(3, 0), Vec3f{});
    EXPECT_EQ(show_layer(layers, LayerName::albedo, {}).pixels, layers.albedo);
    const Image id = show_layer(layers, LayerName::id, {});
    EXPECT_NE(id.at(0, 0), id.at(1, 0));
    EXPECT_NE(id.at(1, 0), id.at(2, 0));
    EXPECT_EQ(id.at(3, 0), Vec3f{});
    const Image alpha = show_layer(layers, LayerName::alpha, {});
    EXPECT_EQ(alpha.at(0, 0), (Vec3f{1, 1, 1}));
    EXPECT_EQ(alpha.at(3, 0), Vec3f{});
}

TEST(GraphImages, composites_follow_their_mode_and_amount) {
    const Picture a = picture({0.8f, 0.4f, 0.2f}), b = picture({0.5f, 0.5f, 0.5f}, false);
    const auto at = [&](int x, CompositeMode mode, std::optional<double> amount = {}) {
        return composite(a, b, mode, amount).at(x, 0);
    };
    using enum CompositeMode;
    EXPECT_EQ(at(0, over), (Vec3f{0.8f, 0.4f, 0.2f}));
    EXPECT_EQ(at(3, over), (Vec3f{0.5f, 0.5f, 0.5f})) << "sky lets the second through";
    EXPECT_FLOAT_EQ(at(1, over).x, 0.65f) << "half covered";
    EXPECT_FLOAT_EQ(at(0, mix).x, 0.65f);
    EXPECT_FLOAT_EQ(at(0, multiply).x, 0.4f);
    EXPECT_FLOAT_EQ(at(0, multiply, 0.0).x, 0.8f);
    EXPECT_FLOAT_EQ(at(0, difference).x, 0.3f);
    EXPECT_FLOAT_EQ(at(0, difference).z, 0.3f);
    EXPECT_EQ(at(1, wipe), a.image.at(1, 0));
    EXPECT_EQ(at(2, wipe), b.image.at(2, 0));
    EXPECT_THROW(composite(a, {Image(3, 1), {}}, mix, {}), UsageError);
}

TEST(GraphImages, scaling_keeps_the_shape) {
    Image image(8, 4, {0.25f, 0.5f, 1});
    const Image small = scale_to_width(image, 4), large = scale_to_width(image, 20);
    EXPECT_EQ(small.height, 2);
    EXPECT_EQ(large.height, 10);
    EXPECT_EQ(large.at(19, 9), image.at(7, 3)) << "an even colour stays what it is, up to the border";
    EXPECT_EQ(scale_to_width(Image(1000, 1), 10).height, 1);
    EXPECT_THROW(scale_to_width(Image(1, 16384), 16384), UsageError);
}

TEST(GraphImages, pictures_side_by_side_fill_rows) {
    const std::vector<Image> images(3, Image(40, 20));
    EXPECT_EQ(side_by_side(images, {}, 3).width, 3 * 40 + 4 * sheet_gap);
    EXPECT_EQ(side_by_side(images, {}, 2).height, 2 * 20 + 3 * sheet_gap);
}

}  // namespace
}  // namespace spindrift::render
