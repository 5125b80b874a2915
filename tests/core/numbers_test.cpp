// Vectors, random numbers and hashes.
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "spindrift/core/hash.h"
#include "spindrift/core/random.h"
#include "spindrift/core/vec.h"

namespace spindrift {
namespace {

TEST(VecTest, arithmetic_is_by_component) {
    const Vec3i a{1, 2, 3}, b{10, 20, 30};
    EXPECT_EQ(a + b, (Vec3i{11, 22, 33}));
    EXPECT_EQ(b - a, (Vec3i{9, 18, 27}));
    EXPECT_EQ(-a, (Vec3i{-1, -2, -3}));
    EXPECT_EQ(2 * a, a * 2);
    EXPECT_EQ((Vec3d{1, 2, 3} / 2), (Vec3d{0.5, 1, 1.5}));
    Vec3i c = a;
    (c += b) -= a;
    EXPECT_EQ(c *= 3, (Vec3i{30, 60, 90}));
    EXPECT_EQ(min(a, Vec3i{3, 2, 1}), (Vec3i{1, 2, 1}));
    EXPECT_EQ(max(a, Vec3i{3, 2, 1}), (Vec3i{3, 2, 3}));
}

TEST(VecTest, axes_are_addressed_by_number) {
    Vec3d a;
    for (int axis = 0; axis < 3; ++axis)
        a[axis] = axis + 1;
    EXPECT_EQ(a, (Vec3d{1, 2, 3}));
}

TEST(VecTest, products_are_right_handed) {
    EXPECT_EQ(cross(Vec3i{1, 0, 0}, Vec3i{0, 1, 0}), (Vec3i{0, 0, 1}));
    EXPECT_EQ(cross(Vec3i{0, 1, 0}, Vec3i{0, 0, 1}), (Vec3i{1, 0, 0}));
    EXPECT_EQ(dot(Vec3i{1, 2, 3}, Vec3i{4, 5, 6}), 32);
    EXPECT_EQ(length(Vec3d{2, 3, 6}), 7);
    EXPECT_EQ(normalize(Vec3d{0, 0, -5}), (Vec3d{0, 0, -1}));
}

TEST(VecTest, finite_means_every_component) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(is_finite(Vec3d{1, 2, 3}));
    for (int axis = 0; axis < 3; ++axis) {
        Vec3d a{}, b{};
        a[axis] = nan;
        b[axis] = -infinity;
        EXPECT_FALSE(is_finite(a) || is_finite(b));
    }
}

TEST(BoxTest, faces_belong_to_a_box_but_touching_is_no_overlap) {
    constexpr Box3d box{{0, 0, 0}, {1, 2, 3}};
    EXPECT_EQ(box.size(), (Vec3d{1, 2, 3}));
    EXPECT_EQ(box.center(), (Vec3d{0.5, 1, 1.5}));
    EXPECT_TRUE(box.contains({1, 2, 3}) && box.contains({0, 0, 0}));
    EXPECT_FALSE(box.contains({1, 2, 3.001}));
    EXPECT_TRUE(box.overlaps({{0.9, 1.9, 2.9}, {5, 5, 5}}));
    EXPECT_FALSE(box.overlaps({{1, 0, 0}, {2, 2, 3}}));
}

constexpr std::size_t draws = 100000;

/// Five standard deviations of the mean of that many independent numbers of this spread: one failure in two million.
double bound_of_mean(double deviation) {
    return 5 * deviation / std::sqrt(static_cast<double>(draws));
}

TEST(RandomTest, uniform_numbers_fill_zero_to_one_without_one) {
    EXPECT_EQ(uniform(0), 0.f);
    EXPECT_LT(uniform(~std::uint64_t{0}), 1.f);
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < draws; ++i) {
        const double u = static_cast<double>(uniform(hash_counter(1, i, 0)));
        ASSERT_TRUE(u >= 0 && u < 1);
        sum += u;
        squares += u * u;
    }
    // Uniform on [0, 1): u spreads by sqrt(1/12), u squared by sqrt(1/5 - 1/9).
    EXPECT_NEAR(sum / draws, 0.5, bound_of_mean(std::sqrt(1. / 12)));
    EXPECT_NEAR(squares / draws, 1. / 3, bound_of_mean(std::sqrt(4. / 45)));
}

/// Neighbouring seeds, items and draws are what the program uses, so these must look independent.
TEST(RandomTest, neighbouring_counters_are_not_correlated) {
    double by_seed = 0, by_item = 0, by_draw = 0;
    const auto centred = [](std::uint64_t seed, std::uint64_t item, std::uint64_t draw) {
        return static_cast<double>(uniform(hash_counter(seed, item, draw))) - 0.5;
    };
    for (std::size_t i = 0; i < draws; ++i) {
        const double u = centred(7, i, 3);
        by_seed += u * centred(8, i, 3);
        by_item += u * centred(7, i + 1, 3);
        by_draw += u * centred(7, i, 4);
    }
    // The product of two independent centred numbers has mean 0 and spread 1/12.
    const double bound = bound_of_mean(1. / 12);
    EXPECT_NEAR(by_seed / draws, 0, bound);
    EXPECT_NEAR(by_item / draws, 0, bound);
    EXPECT_NEAR(by_draw / draws, 0, bound);
}

TEST(RandomTest, the_same_counter_gives_the_same_number_and_others_do_not) {
    // A constant expression cannot depend on what was drawn before.
    constexpr std::uint64_t known = hash_counter(1, 2, 3);
    EXPECT_EQ(hash_counter(1, 2, 3), known);
    std::set<std::uint64_t> all;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        for (std::uint64_t item = 0; item < 20; ++item) {
            for (std::uint64_t draw = 0; draw < 20; ++draw)
                all.insert(hash_counter(seed, item, draw));
        }
    }
    EXPECT_EQ(all.size(), 8000u);
}

std::string hex_of(std::string_view text) {
    return Hash64().add(text).hex();
}

TEST(HashTest, equal_content_has_equal_hashes) {
    EXPECT_EQ(hex_of("particles"), hex_of(std::string("parti") + "cles"));
    EXPECT_EQ(hex_of("").size(), 16u);
    const std::vector<float> values{1, 2, 3};
    EXPECT_EQ(Hash64().add(std::span<const float>(values)).value(), Hash64().add(values.data(), 12).value());
}

TEST(HashTest, every_bit_length_and_order_count) {
    const std::string text = "a text of some 30 letters, as is";
    std::set<std::string> all{hex_of(text)};
    for (std::size_t byte = 0; byte < text.size(); ++byte) {
        for (int bit = 0; bit < 8; ++bit) {
            std::string other = text;
            other[byte] = static_cast<char>(other[byte] ^ (1 << bit));
            all.insert(hex_of(other));
        }
    }
    for (std::size_t zeros = 1; zeros <= 20; ++zeros)
        all.insert(hex_of(text + std::string(zeros, '\0')));
    for (std::size_t zeros = 0; zeros <= 20; ++zeros)
        all.insert(hex_of(std::string(zeros, '\0')));
    EXPECT_EQ(all.size(), 1 + 8 * text.size() + 20 + 21);
    EXPECT_NE(Hash64().add("12345678").add("abcdefgh").value(), Hash64().add("abcdefgh").add("12345678").value());
}

TEST(HashTest, nothing_can_be_added) {
    EXPECT_EQ(Hash64().add(nullptr, 0).value(), Hash64().value());
    EXPECT_EQ(Hash64().add(std::span<const float>{}).value(), Hash64().value());
}

TEST(StreamHash, of_pieces_is_the_hash_of_the_whole) {
    std::string text;
    for (int i = 0; i < 100; ++i)
        text += static_cast<char>(i * 37);
    for (const std::size_t piece : {1, 3, 7, 8, 9, 16, 100}) {
        StreamHash hash;
        for (std::size_t at = 0; at < text.size(); at += piece)
            hash.add(text.data() + at, std::min(piece, text.size() - at));
        EXPECT_EQ(hash.hex(), hex_of(text)) << piece;
    }
    StreamHash nothing;
    nothing.add(nullptr, 0);
    EXPECT_EQ(nothing.hex(), hex_of(""));
}

}  // namespace
}  // namespace spindrift
