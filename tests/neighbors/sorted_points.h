#pragma once
// Points in units of h, sorted into leaves as the solver does it, with the particle at infinity behind them.
//
//   SortedPoints sorted(random_points(1, 1000, {-5, -5, -5}, {10, 10, 10}));
//   lists.build(sorted.grid, sorted.x.data(), sorted.kept());

#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "spindrift/core/random.h"
#include "spindrift/core/vec.h"
#include "spindrift/neighbors/cluster_lists.h"
#include "spindrift/neighbors/leaf_grid.h"

namespace spindrift::neighbors {

using Points = std::vector<Vec3f>;

inline Vec3f random_vec(std::uint64_t seed, std::uint64_t i) {
    return {uniform(hash_counter(seed, i, 0)), uniform(hash_counter(seed, i, 1)), uniform(hash_counter(seed, i, 2))};
}

/// Uniform in a box.
inline Points random_points(std::uint64_t seed, std::size_t n, Vec3f corner, Vec3f size) {
    Points points(n);
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3f r = random_vec(seed, i);
        points[i] = corner + Vec3f{r.x * size.x, r.y * size.y, r.z * size.z};
    }
    return points;
}

/// A block of side^3 points.
inline Points lattice_points(int side, Vec3f corner, float spacing) {
    Points points;
    for (int k = 0; k < side; ++k) {
        for (int j = 0; j < side; ++j) {
            for (int i = 0; i < side; ++i)
                points.push_back(corner + vec_cast<float>(Vec3i{i, j, k}) * spacing);
        }
    }
    return points;
}

inline std::vector<Float4> positions_of(const Points& points) {
    std::vector<Float4> x;
    for (Vec3f p : points)
        x.push_back({p.x, p.y, p.z, 0});
    return x;
}

/// Velocities whose fourth float is the particle's number, as in ParticleStore.
inline std::vector<Float4> numbered_velocities(std::size_t n) {
    std::vector<Float4> v(n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto number = static_cast<std::uint32_t>(i);
        v[i] = {static_cast<float>(i % 1000), 2, 3, std::bit_cast<float>(number)};
    }
    return v;
}

inline std::uint32_t number_of(const Float4& v) {
    return std::bit_cast<std::uint32_t>(v.w);
}

struct SortedPoints {
    LeafGrid grid;
    std::vector<Float4> x, v;
    SortResult result;

    explicit SortedPoints(const Points& points)
        : SortedPoints(positions_of(points), numbered_velocities(points.size())) {}
    SortedPoints(const std::vector<Float4>& x_in, const std::vector<Float4>& v_in)
        : x(x_in.size() + cluster_size), v(v_in.size() + cluster_size) {
        constexpr float infinity = std::numeric_limits<float>::infinity();
        result = grid.sort(x_in.size(), x_in.data(), v_in.data(), x.data(), v.data());
        x.resize(result.kept + cluster_size);
        v.resize(result.kept);
        x[result.kept] = {infinity, infinity, infinity, 0};
    }
    std::size_t kept() const { return result.kept; }
};

}  // namespace spindrift::neighbors
