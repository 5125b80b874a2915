#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "spindrift/core/random.h"
#include "spindrift/pbf/step.h"

namespace spindrift::pbf {
namespace {

constexpr int n = 16;
constexpr double spacing = 0.02;
constexpr Vec3f omega{1, -2, 3};

/// A block about the origin in rigid rotation, its particles moved off the lattice by a share of the spacing.
ParticleStore rotating_block(double jitter) {
    ParticleStore particles;
    const Range born = particles.append(static_cast<std::size_t>(n * n * n));
    for (const std::size_t i : born) {
        const auto k = static_cast<int>(i);
        const int cell[] = {k % n, k / n % n, k / (n * n)};
        Vec3f x;
        for (int a = 0; a < 3; ++a) {
            const double shift = jitter * (2.0 * uniform(hash_counter(7, i, static_cast<std::uint64_t>(a))) - 1);
            x[a] = static_cast<float>((cell[a] + 0.5 - 0.5 * n + shift) * spacing);
        }
        const Vec3f v = cross(omega, x);
        particles.position()[i] = {x.x, x.y, x.z, 0};
        particles.velocity()[i] = {v.x, v.y, v.z, particles.velocity()[i].w};
    }
    return particles;
}

/// Of the vorticity inside, relative to that of the rotation: the largest, and that of the mean.
struct Errors {
    double largest = 0, mean = 0;
};

Errors vorticity_errors(double jitter) {
    ParticleStore particles = rotating_block(jitter);
    Solver solver({}, {{.spacing = spacing, .density = 1000, .viscosity = 1e-6}});
    solver.observe(particles, collision::Walls{});
    std::vector<Vec3f> vorticity(particles.size());
    solver.measure_vorticity(particles, vorticity);
    Errors errors;
    Vec3d sum{};
    double count = 0;
    // Two spacings off the surface nothing is missing from a particle's support.
    const double inside = (0.5 * n - 2.5) * spacing;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const Float4 x = particles.position()[i];
        if (std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)}) > inside) continue;
        errors.largest = std::max<double>(errors.largest, length(vorticity[i] - omega * 2.f) / length(omega * 2.f));
        sum += vec_cast<double>(vorticity[i]);
        count += 1;
    }
    EXPECT_GT(count, 1000);
    errors.mean = length(sum / count - vec_cast<double>(omega) * 2.0) / length(omega * 2.f);
    return errors;
}

TEST(Vorticity, rigid_rotation_has_twice_its_angular_velocity) {
    // On the lattice the sum is calibrated; what is left is the approximate square root, good to 4e-4.
    EXPECT_LT(vorticity_errors(0).largest, 0.002);
}

TEST(Vorticity, disorder_spreads_it_and_keeps_its_mean) {
    // Neighbours a tenth of the spacing off their places make single values scatter by 10 %, with little bias.
    EXPECT_LT(vorticity_errors(0.1).mean, 0.03);
}

}  // namespace
}  // namespace spindrift::pbf
