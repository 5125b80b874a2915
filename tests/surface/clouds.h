#pragma once
// Clouds of particles for tests of surfaces, and what every mesh of them must be.
//
//   const Cloud cloud{.x = ball(0.05, Layout::jittered), .spacing = {0.05}};
//   expect_sound(reconstruct(cloud).surface.mesh, "a ball");

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "spindrift/core/hash.h"
#include "spindrift/core/random.h"
#include "spindrift/geometry/mesh_quality.h"
#include "spindrift/surface/reconstruct.h"

namespace spindrift::surface {

using geometry::Mesh;
using geometry::MeshQuality;

/// Particles and which liquid they are of.
struct Cloud {
    std::vector<Vec3f> x{};
    std::vector<std::uint16_t> liquid{};
    std::vector<double> spacing{};

    neighbors::ParticleView view() const { return {.x = x, .liquid = liquid, .spacing = spacing}; }
};

inline float noise(std::size_t i, std::uint64_t draw) {
    return uniform(hash_counter(7, i, draw)) - 0.5f;
}

enum class Layout { straight, turned, jittered };

/// Sites of a lattice, `kind` deciding how it lies, that the predicate takes.
template <class Inside>
std::vector<Vec3f> fill(double spacing, Layout kind, const Inside& inside) {
    std::vector<Vec3f> x;
    const int n = static_cast<int>(std::ceil(1.0 / spacing));
    for (int k = -n; k <= n; ++k) {
        for (int j = -n; j <= n; ++j) {
            for (int i = -n; i <= n; ++i) {
                Vec3d p = Vec3d{i + 0.5, j + 0.5, k + 0.5} * spacing;
                if (kind == Layout::turned) {
                    // By 0.5 about z, then by 0.3 about x.
                    p = {std::cos(0.5) * p.x - std::sin(0.5) * p.y, std::sin(0.5) * p.x + std::cos(0.5) * p.y, p.z};
                    p = {p.x, std::cos(0.3) * p.y - std::sin(0.3) * p.z, std::sin(0.3) * p.y + std::cos(0.3) * p.z};
                }
                if (!inside(p)) continue;
                Vec3f at = vec_cast<float>(p);
                // As far as particles of a liquid at rest lie off their lattice.
                if (kind == Layout::jittered) {
                    const auto d = static_cast<float>(0.2 * spacing);
                    at += Vec3f{noise(x.size(), 0), noise(x.size(), 1), noise(x.size(), 2)} * d;
                }
                x.push_back(at);
            }
        }
    }
    return x;
}

inline constexpr double radius = 0.5;

inline std::vector<Vec3f> ball(double spacing, Layout kind) {
    return fill(spacing, kind, [](Vec3d p) { return length(p) < radius; });
}

inline Reconstruction reconstruct(const Cloud& cloud, const MeshParams& params = {}) {
    Reconstructor reconstructor;
    return reconstructor.run({.particles = cloud.view(), .params = params});
}

inline std::string hash_of(const Mesh& mesh) {
    Hash64 hash;
    for (const Vec3f p : mesh.points)
        hash.add(std::string_view(reinterpret_cast<const char*>(&p), sizeof p));
    for (const geometry::Triangle& t : mesh.triangles)
        hash.add(std::string_view(reinterpret_cast<const char*>(&t), sizeof t));
    for (const geometry::Attribute& each : mesh.attributes)
        hash.add(std::string_view(reinterpret_cast<const char*>(each.values.data()), 4 * each.values.size()));
    return hash.hex();
}

inline void expect_sound(const Mesh& mesh, const std::string& what) {
    const MeshQuality quality = geometry::measure(mesh, false);
    EXPECT_TRUE(quality.watertight()) << what << ": " << geometry::describe(quality);
    EXPECT_TRUE(quality.oriented()) << what << ": " << geometry::describe(quality);
    EXPECT_EQ(quality.degenerate, 0u) << what;
    for (const Vec3f p : mesh.points)
        ASSERT_TRUE(is_finite(p)) << what;
}

/// How far a mesh is from the ball of ball().
struct Sphericity {
    double volume_error, area_error, farthest, roughness;  ///< the last two in spacings
};

inline Sphericity sphericity(const Mesh& mesh, double spacing) {
    const MeshQuality quality = geometry::measure(mesh, false);
    double farthest = 0, sum = 0, sum2 = 0;
    for (const Vec3f p : mesh.points) {
        const double off = (length(vec_cast<double>(p)) - radius) / spacing;
        farthest = std::max(farthest, std::abs(off));
        sum += off;
        sum2 += off * off;
    }
    const auto n = static_cast<double>(mesh.points.size());
    return {std::abs(quality.volume / 0.5235988 - 1), std::abs(quality.area / 3.1415927 - 1), farthest,
            std::sqrt(sum2 / n - sum * sum / (n * n))};
}

}  // namespace spindrift::surface
