// Points that are to be evenly spread.

#include "spindrift/render/sampling.h"

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace spindrift::render {
namespace {

/// Whether each of the n cells of every grid of columns x n / columns holds one of n points.
bool is_evenly_spread(const std::vector<Pair>& points) {
    const std::size_t n = points.size();
    for (std::size_t columns = 1; columns <= n; columns *= 2) {
        const std::size_t rows = n / columns;
        std::vector<int> held(n);
        for (const Pair& p : points) {
            const auto x = static_cast<std::size_t>(p.u * static_cast<float>(columns));
            const auto y = static_cast<std::size_t>(p.v * static_cast<float>(rows));
            held[y * columns + x] += 1;
        }
        for (const int count : held)
            if (count != 1) return false;
    }
    return true;
}

TEST(Sampling, sixteen_samples_of_a_pixel_are_evenly_spread_for_every_decision) {
    for (const auto& [x, y] : {std::array{0, 0}, {37, 5}, {300, 511}}) {
        const PixelSampler sampler(x, y, 16);
        for (std::uint32_t decision = 0; decision < 12; ++decision) {
            std::vector<Pair> points;
            for (std::uint32_t k = 0; k < 16; ++k)
                points.push_back(sampler.pair(k, decision));
            EXPECT_TRUE(is_evenly_spread(points)) << x << " " << y << " " << decision;
        }
    }
}

TEST(Sampling, pixels_of_a_block_share_evenly_spread_points) {
    for (std::uint32_t decision = 0; decision < 8; ++decision) {
        std::vector<Pair> points;
        for (int pixel = 0; pixel < 4; ++pixel) {
            const PixelSampler sampler(6 + pixel % 2, 10 + pixel / 2, 4);
            for (std::uint32_t k = 0; k < 4; ++k)
                points.push_back(sampler.pair(k, decision));
        }
        EXPECT_TRUE(is_evenly_spread(points)) << decision;
    }
}

TEST(Sampling, samples_that_come_one_by_one_are_even_all_the_time) {
    // A picture that is shown while it becomes better has 1, 2, 4 ... of its samples.
    const PixelSampler sampler(9, 2, 64);
    for (std::uint32_t count = 1; count <= 64; count *= 2) {
        std::vector<Pair> points;
        for (std::uint32_t k = 0; k < count; ++k)
            points.push_back(sampler.pair(k, 3));
        EXPECT_TRUE(is_evenly_spread(points)) << count;
    }
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double x = a[i] - 0.5, y = b[i] - 0.5;
        ab += x * y, aa += x * x, bb += y * y;
    }
    return ab / std::sqrt(aa * bb);
}

TEST(Sampling, decisions_know_nothing_of_each_other) {
    std::array<std::vector<double>, 16> numbers;
    for (int pixel = 0; pixel < 256; ++pixel) {
        const PixelSampler sampler(pixel % 16, pixel / 16, 16);
        for (std::uint32_t k = 0; k < 16; ++k) {
            for (std::uint32_t decision = 0; decision < 8; ++decision) {
                const Pair p = sampler.pair(k, decision);
                numbers[2 * decision].push_back(static_cast<double>(p.u));
                numbers[2 * decision + 1].push_back(static_cast<double>(p.v));
            }
        }
    }
    // Chance alone gives about 0.02 between 4096 numbers.
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k)
            EXPECT_LT(std::abs(correlation(numbers[i], numbers[k])), 0.1) << i << " " << k;
    }
}

TEST(Sampling, blocks_far_apart_have_points_of_their_own) {
    const Pair a = PixelSampler(3, 4, 4).pair(0, 0), b = PixelSampler(259, 4, 4).pair(0, 0);
    EXPECT_NE(a.u, b.u);
}

TEST(Sampling, directions_about_a_normal_follow_the_cosine) {
    const Vec3f normal = normalize(Vec3f{1, 2, -0.5f});
    double sum = 0, squares = 0;
    constexpr std::uint32_t count = 4096;
    for (std::uint32_t i = 0; i < count; ++i) {
        const double c = static_cast<double>(dot(normal, cosine_hemisphere(normal, sobol(i, 5))));
        ASSERT_GE(c, -1e-6);
        sum += c, squares += c * c;
    }
    // Means of cos and its square with weight cos / pi: 2/3 and 1/2.
    EXPECT_NEAR(sum / count, 2.0 / 3, 1e-3);
    EXPECT_NEAR(squares / count, 0.5, 1e-3);
}

}  // namespace
}  // namespace spindrift::render
