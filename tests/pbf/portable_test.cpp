// Loops whose bits all processors with fused products share.

#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/isa.h"
#include "spindrift/core/random.h"
#include "spindrift/pbf/step.h"

namespace spindrift::pbf {
namespace {

constexpr double spacing = 0.02;
const Liquid water{.spacing = spacing, .density = 1000, .viscosity = 1e-3};

/// A jittered block, a little too close together.
ParticleStore block() {
    ParticleStore particles;
    constexpr int n = 12;
    std::size_t i = particles.append(n * n * n).first;
    for (std::uint64_t k = 0; k < n * n * n; ++k, ++i) {
        const auto at = [&](std::uint64_t cell, std::uint64_t axis) {
            const auto jitter = 0.2 * static_cast<double>(uniform(hash_counter(3, k, axis)));
            return static_cast<float>((static_cast<double>(cell) + 0.5 + jitter) * 0.97 * spacing);
        };
        particles.position()[i] = {at(k % n, 0), at(k / n % n, 1), at(k / (n * n), 2), 0};
    }
    return particles;
}

std::map<std::uint32_t, Vec3f> after_steps(Bits bits, int steps) {
    SolverParams params;
    params.bits = bits;
    Solver solver(params, {water});
    ParticleStore particles = block();
    for (int k = 0; k < steps; ++k)
        solver.step(particles, {}, {}, 1.0 / 480);
    std::map<std::uint32_t, Vec3f> places;
    for (std::size_t i = 0; i < particles.size(); ++i)
        places[particles.slot(i)] = particles.position()[i].xyz();
    return places;
}

TEST(PortableBits, are_native_ones_but_for_the_rounding_of_a_square_root) {
    if (active_isa() == Isa::sse42) {
        EXPECT_THROW(after_steps(Bits::portable, 1), UsageError);
        return;
    }
    const auto native = after_steps(Bits::native, 1), portable = after_steps(Bits::portable, 1);
    float farthest = 0;
    for (const auto& [slot, x] : native)
        farthest = std::max(farthest, length(x - portable.at(slot)));
    // Both are good to 12 bits of a move, and iterations move nobody by more than a spacing here.
    EXPECT_GT(farthest, 0.f);
    EXPECT_LT(farthest, static_cast<float>(spacing / 4096));
    EXPECT_EQ(after_steps(Bits::portable, 5), after_steps(Bits::portable, 5));
}

}  // namespace
}  // namespace spindrift::pbf
