// Foam on a surface: what it hides, and how it stands out.

#include "spindrift/render/foam.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "draw.h"
#include <gtest/gtest.h>

namespace spindrift::render {
namespace {

constexpr float least = 0.005f;

/// A layer of so many particles for each square of `least`.
struct Layer {
    std::vector<Vec3f> x{};
    std::vector<float> radii{};
    std::vector<std::int64_t> ids{};

    explicit Layer(int each) {
        for (int k = 0; k < 40 * 40 * each; ++k) {
            const int place = k / each, turn = k % each;
            const float aside = static_cast<float>(turn) / static_cast<float>(each);
            x.push_back(Vec3f{static_cast<float>(place % 40) + aside, 0, static_cast<float>(place / 40) - aside} *
                        least);
            radii.push_back(0.001f);
            ids.push_back(1000 + k);
        }
    }
    Foam foam() const { return Foam({.positions = x, .radii = radii, .ids = ids, .least = least}); }
};

constexpr Vec3f middle{0.1f, 0, 0.1f};

TEST(FoamLook, hides_more_where_there_is_more_and_nothing_where_there_is_none) {
    const float one = Layer(1).foam().at(middle).share, four = Layer(4).foam().at(middle).share;
    EXPECT_GT(one, 0.4f);
    EXPECT_LT(one, 0.9f);
    // Layers on each other let through what each does.
    EXPECT_NEAR(std::log(1 - four), 4 * std::log(1 - one), 0.3f * std::abs(4 * std::log(1 - one)));
    EXPECT_EQ(Layer(4).foam().at({0.1f, 0.05f, 0.1f}).share, 0);
    EXPECT_EQ(Foam({.positions = {}, .radii = {}, .ids = {}, .least = least}).at(middle).share, 0);
}

TEST(FoamLook, rises_to_the_middle_of_heaps_and_is_darker_between_them) {
    const Foam foam = Layer(8).foam();
    // Whatever is followed uphill ends on something as bright as foam gets.
    float least_bright = 1, most_bright = 0, steepest = 0;
    for (int k = 0; k < 400; ++k) {
        const Vec3f place{0.05f + 0.005f * static_cast<float>(k % 20), 0, 0.05f + 0.005f * static_cast<float>(k / 20)};
        const Foam::Look look = foam.at(place);
        least_bright = std::min(least_bright, look.color.y), most_bright = std::max(most_bright, look.color.y);
        steepest = std::max(steepest, length(look.slope));
        Vec3f top = place;
        for (int step = 0; step < 200; ++step)
            top += foam.at(top).slope * 1e-4f;
        EXPECT_GE(foam.at(top).color.y, look.color.y - 1e-3f) << k;
    }
    EXPECT_GT(most_bright - least_bright, 0.1f);
    EXPECT_GT(steepest, 0.3f);
    EXPECT_LT(steepest, 1.f);
}

TEST(FoamLook, goes_with_its_particles_in_whatever_order_they_come) {
    const Layer layer(4);
    Layer turned = layer, moved = layer;
    std::reverse(turned.x.begin(), turned.x.end());
    std::reverse(turned.ids.begin(), turned.ids.end());
    const Vec3f way{0.3f, 0.1f, -0.2f};
    for (Vec3f& x : moved.x)
        x += way;
    for (int k = 0; k < 50; ++k) {
        const Vec3f place = middle + Vec3f{0.0007f, 0, 0.0003f} * static_cast<float>(k);
        const Foam::Look a = layer.foam().at(place), b = turned.foam().at(place), c = moved.foam().at(place + way);
        EXPECT_NEAR(a.share, b.share, 1e-5f);
        EXPECT_LT(length(a.slope - b.slope), 1e-5f);
        // Places are rounded otherwise there: the highest of two heaps may be another only where they are as high.
        EXPECT_NEAR(a.share, c.share, 1e-3f);
        EXPECT_NEAR(a.color.y, c.color.y, 1e-3f);
    }
}

TEST(FoamLook, leaves_out_what_is_nowhere) {
    Layer layer(1);
    layer.x[3] = {std::numeric_limits<float>::quiet_NaN(), 0, 0};
    layer.x[4] = {1e30f, 0, 0};
    const Foam foam = layer.foam();
    EXPECT_GT(foam.at(middle).share, 0.4f);
    EXPECT_EQ(foam.at({std::numeric_limits<float>::infinity(), 0, 0}).share, 0);
}

TEST(BubbleLook, one_sees_through_its_middle_and_not_through_its_rim) {
    const std::vector<Vec3f> x{{}};
    const auto picture = [&](bool there, bool hollow) {
        RenderScene scene;
        scene.solids = {{{-2, -2, -1.1}, {2, 2, -1}}};
        if (there) scene.clouds = {{.positions = x, .radius = 0.5f, .color = {1, 0, 0}, .hollow = hollow}};
        return draw(scene, {.position = {0, 0, 4}, .target = {}}, {.resolution = {160, 120}, .samples = 64});
    };
    const Image without = picture(false, false), opaque = picture(true, false), bubble = picture(true, true);
    // How much of the bubble is seen where a share of its radius lies between the place and its middle.
    const auto seen = [&](int aside) {
        const Vec3f behind = without.at(80 + aside, 60);
        return length(bubble.at(80 + aside, 60) - behind) / length(opaque.at(80 + aside, 60) - behind);
    };
    int radius = 0;
    while (length(opaque.at(81 + radius, 60) - without.at(81 + radius, 60)) > 0.05f)
        radius += 1;
    ASSERT_GT(radius, 15);
    // The wall behind is in the bubble's shadow as in that of a ball, and displayed light is no straight line.
    EXPECT_LT(seen(0), 0.5f);
    EXPECT_LT(seen(radius / 3), 0.5f);
    EXPECT_GT(seen(radius * 9 / 10), 0.9f);
}

}  // namespace
}  // namespace spindrift::render
