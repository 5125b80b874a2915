#pragma once
// Random numbers from a counter: the same (seed, item, draw) gives the same number, whatever was drawn before.
//
//   float jitter = uniform(hash_counter(seed, particle_id, 0));

#include <cstdint>

namespace spindrift {

/// Finaliser of SplitMix64 (Steele et al. 2014): every bit of the input reaches every bit of the output.
constexpr std::uint64_t mix_bits(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

constexpr std::uint64_t hash_counter(std::uint64_t seed, std::uint64_t item, std::uint64_t draw) {
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;
    return mix_bits(mix_bits(mix_bits(seed + golden) + item * golden + 1) + draw * golden + 1);
}

/// Uniform in [0, 1), 24 bits.
constexpr float uniform(std::uint64_t bits) {
    return static_cast<float>(bits >> 40) * 0x1p-24f;
}

}  // namespace spindrift
