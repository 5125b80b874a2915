#pragma once
// Even spreads of points for pixels, paths and photons.
//
//   PixelSampler sampler(x, y, samples_per_pixel);
//   Pair lens = sampler.pair(k, 0);                  // of sample k, for its first decision
//   Vec3f direction = cosine_hemisphere(normal, sampler.pair(k, 1));
//
// Source: Burley 2020 (shuffled scrambled Sobol points), Ahmed and Wonka 2020 (one sequence for all pixels along a
// Z-curve). Differs: the shuffle works on powers of two, not of four. A block of pixels shares well spread points, so
// that what smoothing averages is even.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "spindrift/core/random.h"
#include "spindrift/core/vec.h"

namespace spindrift::render {

/// Two numbers in [0, 1).
struct Pair {
    float u, v;
};

inline std::uint32_t reverse_bits(std::uint32_t x) {
    x = __builtin_bswap32(x);
    x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
    x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
    return ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
}

/// Swaps halves, halves of halves and so on, each as the seed says: points stay as evenly spread as they were.
inline std::uint32_t scramble(std::uint32_t x, std::uint32_t seed) {
    x = reverse_bits(x);
    x += seed;
    x ^= x * 0x6c50b47cu;
    x ^= x * 0xb82f1e52u;
    x ^= x * 0xc7afe638u;
    x ^= x * 0x8d22f6e6u;
    return reverse_bits(x);
}

/// The second dimension of Sobol's sequence, for each byte of an index.
inline constexpr auto sobol_bytes = [] {
    std::array<std::array<std::uint32_t, 256>, 4> table{};
    std::uint32_t direction = 1u << 31;
    for (std::size_t bit = 0; bit < 32; ++bit, direction ^= direction >> 1)
        for (std::size_t value = 0; value < 256; ++value)
            if (value >> bit % 8 & 1) table[bit / 8][value] ^= direction;
    return table;
}();

/// The first two dimensions of Sobol's sequence, scrambled.
inline Pair sobol(std::uint32_t index, std::uint64_t seed) {
    const std::uint32_t second = sobol_bytes[0][index & 255] ^ sobol_bytes[1][index >> 8 & 255] ^
                                 sobol_bytes[2][index >> 16 & 255] ^ sobol_bytes[3][index >> 24];
    const std::uint32_t a = scramble(reverse_bits(index), static_cast<std::uint32_t>(seed));
    const std::uint32_t b = scramble(second, static_cast<std::uint32_t>(seed >> 32));
    return {static_cast<float>(a >> 8) * 0x1p-24f, static_cast<float>(b >> 8) * 0x1p-24f};
}

class PixelSampler {
  public:
    PixelSampler(int x, int y, std::uint32_t samples) {
        // Blocks of 256 by 256 pixels, each with points of its own.
        const auto low = [](int i) { return static_cast<std::uint32_t>(i) & 255u; };
        const auto high = [](int i) { return static_cast<std::uint64_t>(i) >> 8; };
        block_ = high(y) * 65536 + high(x);
        std::uint32_t room = 1;
        while (room < samples && room < 65536)
            room *= 2;
        first_ = (spread(low(x)) | spread(low(y)) << 1) * room;
    }

    /// Of a sample, for one of its decisions.
    Pair pair(std::uint32_t sample, std::uint32_t decision) const {
        const std::uint64_t seed = hash_counter(0x70697865, block_, decision);
        const std::uint32_t index = scramble(first_ + sample, static_cast<std::uint32_t>(seed >> 16));
        return sobol(index, mix_bits(seed));
    }

  private:
    static std::uint32_t spread(std::uint32_t x) {
        x = (x | x << 4) & 0x0f0fu;
        x = (x | x << 2) & 0x3333u;
        return (x | x << 1) & 0x5555u;
    }

    std::uint64_t block_;
    std::uint32_t first_;
};

/// Cosine-weighted direction about a normal.
inline Vec3f cosine_hemisphere(Vec3f normal, Pair p) {
    const float z = 1 - 2 * p.u, r = std::sqrt(std::max(0.f, 1 - z * z));
    const float angle = 2 * std::numbers::pi_v<float> * p.v;
    const Vec3f d = normal + Vec3f{r * std::cos(angle), r * std::sin(angle), z};
    const float size = length(d);
    return size > 1e-3f ? d / size : normal;
}

/// Two unit vectors at right angles to a unit vector and to each other.
struct Frame {
    Vec3f side, top;
    explicit Frame(Vec3f axis)
        : side(normalize(cross(axis, std::abs(axis.z) < 0.9f ? Vec3f{0, 0, 1} : Vec3f{1, 0, 0}))),
          top(cross(side, axis)) {}
};

/// Place on a disc of radius 1.
inline Pair disc(Pair p) {
    const float r = std::sqrt(p.u), angle = 2 * std::numbers::pi_v<float> * p.v;
    return {r * std::cos(angle), r * std::sin(angle)};
}

}  // namespace spindrift::render
