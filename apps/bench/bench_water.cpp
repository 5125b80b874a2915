#include "bench/bench_water.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include "spindrift/core/random.h"
#include "spindrift/geometry/primitives.h"

namespace spindrift::cli {

namespace {

constexpr double depth = 0.5;

struct Wave {
    double x, z, size, phase;  ///< 1/m, 1/m, m
};
constexpr std::array<Wave, 5> waves{{{1.9, 0.7, 0.050, 0.3},
                                     {-2.3, 3.1, 0.035, 1.1},
                                     {5.2, 4.1, 0.018, 2.7},
                                     {-7.9, 9.4, 0.009, 0.9},
                                     {17.0, -13.0, 0.004, 1.7}}};

double height(double x, double z) {
    double y = depth;
    for (const Wave& w : waves)
        y += w.size * std::sin(w.x * x + w.z * z + w.phase);
    return y;
}

Vec3d upward(double x, double z) {
    Vec3d n{0, 1, 0};
    for (const Wave& w : waves) {
        const double slope = w.size * std::cos(w.x * x + w.z * z + w.phase);
        n.x -= slope * w.x, n.z -= slope * w.z;
    }
    return normalize(n);
}

/// Points come with their normals.
class Builder {
  public:
    std::uint32_t point(Vec3d place, Vec3d normal) {
        mesh_.points.push_back(vec_cast<float>(place));
        for (int c = 0; c < 3; ++c)
            normals_.push_back(static_cast<float>(normal[c]));
        return static_cast<std::uint32_t>(mesh_.points.size() - 1);
    }
    void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) { mesh_.triangles.push_back({a, b, c}); }

    geometry::Mesh take() {
        mesh_.attributes.push_back({"N", 3, std::move(normals_)});
        return std::move(mesh_);
    }

  private:
    geometry::Mesh mesh_{};
    std::vector<float> normals_{};
};

/// The surface, n by n cells.
void add_waves(Builder& builder, int n) {
    const auto at = [&](int i) { return water_reach * (2.0 * i / n - 1); };
    for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i)
            builder.point({at(i), height(at(i), at(j)), at(j)}, upward(at(i), at(j)));
    const auto index = [&](int i, int j) { return static_cast<std::uint32_t>(j * (n + 1) + i); };
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            builder.triangle(index(i, j), index(i, j + 1), index(i + 1, j + 1));
            builder.triangle(index(i, j), index(i + 1, j + 1), index(i + 1, j));
        }
    }
}

/// Four sides and the bottom, with points of their own, as their normals are others.
void add_walls(Builder& builder, int n) {
    const std::uint32_t middle = builder.point({}, {0, -1, 0});
    for (int side = 0; side < 4; ++side) {
        const double angle = side * std::numbers::pi / 2, c = std::round(std::cos(angle)),
                     s = std::round(std::sin(angle));
        const Vec3d outward{c, 0, s}, along{s, 0, -c};
        for (int i = 0; i <= n; ++i) {
            const Vec3d foot = (outward + along * (2.0 * i / n - 1)) * water_reach;
            const std::uint32_t low = builder.point(foot, outward);
            const std::uint32_t high = builder.point({foot.x, height(foot.x, foot.z), foot.z}, outward);
            const std::uint32_t below = builder.point(foot, {0, -1, 0});
            if (i == 0) continue;
            builder.triangle(low - 3, low, high);
            builder.triangle(low - 3, high, high - 3);
            builder.triangle(middle, below, below - 3);
        }
    }
}

void add_drop(Builder& builder, std::uint64_t number) {
    const auto draw = [&](std::uint64_t k) { return static_cast<double>(uniform(hash_counter(5, number, k))); };
    const Vec3d center{1.6 * (2 * draw(0) - 1), depth + 0.3 + 0.5 * draw(1), 1.6 * (2 * draw(2) - 1)};
    const geometry::Mesh drop = geometry::make_sphere(center, 0.02 + 0.08 * draw(3));
    std::uint32_t first = 0;
    for (std::size_t i = 0; i < drop.points.size(); ++i) {
        const Vec3d place = vec_cast<double>(drop.points[i]);
        const std::uint32_t added = builder.point(place, normalize(place - center));
        if (i == 0) first = added;
    }
    for (const auto& [a, b, c] : drop.triangles)
        builder.triangle(first + a, first + b, first + c);
}

}  // namespace

geometry::Mesh wavy_water(std::size_t triangles) {
    constexpr std::size_t of_drop = 5120;
    // A fifth in drops, the rest in 2 n^2 of the waves and 12 n of the walls.
    const std::size_t drops = triangles / 5 / of_drop;
    const double rest = static_cast<double>(triangles - drops * of_drop);
    const int n = std::max(4, static_cast<int>(std::lround(std::sqrt(rest / 2 + 9) - 3)));
    Builder builder;
    add_waves(builder, n);
    add_walls(builder, n);
    for (std::size_t k = 0; k < drops; ++k)
        add_drop(builder, k);
    return builder.take();
}

std::vector<Vec3f> wavy_particles(std::size_t count, double& spacing) {
    spacing = std::cbrt(4 * water_reach * water_reach * depth / static_cast<double>(count));
    const auto columns = static_cast<std::size_t>(std::max(1.0, std::floor(2 * water_reach / spacing)));
    std::vector<Vec3f> x(count);
    const double layers = std::ceil(static_cast<double>(count) / static_cast<double>(columns * columns));
    for (std::size_t i = 0; i < count; ++i) {
        const auto place = [&](std::size_t k, std::uint64_t draw) {
            const double jitter = 0.4 * (static_cast<double>(uniform(hash_counter(6, i, draw))) - 0.5);
            return (static_cast<double>(k) + 0.5 + jitter) * spacing;
        };
        const double px = place(i % columns, 0) - water_reach, pz = place(i / columns % columns, 1) - water_reach;
        const double share = place(i / columns / columns, 2) / (layers * spacing);
        x[i] = vec_cast<float>(Vec3d{px, share * height(px, pz), pz});
    }
    return x;
}

}  // namespace spindrift::cli
