// Momentum, energy and volume of cloth and soft solids in motion.
#include <gtest/gtest.h>

#include <cmath>

#include "soft_fixture.h"

namespace spindrift::bodies {
namespace {

struct Sums {
    Vec3d momentum{}, angular{};
    double energy = 0;
};

/// With the masses of a body whose points all count alike: the mass comes through the mean velocity.
Sums sums_of(const SoftBody& body) {
    const BodyState& s = body.state();
    Sums sums;
    sums.momentum = s.velocity * body.mass();
    for (const Vec3d v : s.velocities)
        sums.energy += dot(v, v) / static_cast<double>(s.velocities.size());
    return sums;
}

TEST(SoftBody, free_cloth_vibrates) {
    for (const int n : {4, 8, 16, 0}) {
        BodyParams params = strip({0.5, 0.5}, 20);
        params.cloth.damping = 0;
        SoftBody::Setup setup = usual;
        setup.iterations = n;
        SoftBody body(params, setup);
        for (std::size_t i = 0; i < body.state().points.size(); ++i) {
            const Vec3d p = body.state().points[i];
            body.state().velocities[i] = {p.x * 2, std::sin(20 * p.x) * std::cos(17 * p.z), -p.z};
        }
        std::printf("n %d:", n);
        for (int k = 0; k < 10; ++k) {
            run(body, 0.1, {});
            std::printf(" %.3g", sums_of(body).energy);
        }
        std::printf("\n");
    }
}

TEST(SoftBody, free_jelly_vibrates) {
    for (const double young : {1e6, 1e8})
        for (const int n : {4, 8, 0}) {
            BodyParams params = jelly({{0, 0, 0}, {0.2, 0.2, 0.2}}, 0.04);
            params.soft.damping = 0;
            params.soft.poisson = std::getenv("NU") ? std::atof(std::getenv("NU")) : 0.49;
            params.soft.young = young;
            SoftBody::Setup setup = usual;
            setup.iterations = n;
            SoftBody body(params, setup);
            for (std::size_t i = 0; i < body.state().points.size(); ++i) {
                const Vec3d p = body.state().points[i];
                body.state().velocities[i] = {p.x * 2, std::sin(20 * p.x) * std::cos(17 * p.z), -p.z};
            }
            std::printf("E %g n %d: %g", young, n, body.volume());
            for (int k = 0; k < 10; ++k) {
                run(body, 0.05, {});
                std::printf(" %.3g", sums_of(body).energy);
            }
            std::printf(" %g\n", body.volume());
        }
}

}  // namespace
}  // namespace spindrift::bodies
