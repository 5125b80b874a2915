#pragma once
// Points that searches by cells get wrong when they are wrong.
//
//   for (const PointSet& set : point_sets()) search.build(set.x, set.h);

#include <string>
#include <vector>

#include "spindrift/core/random.h"
#include "spindrift/core/vec.h"

namespace spindrift::neighbors::reference {

struct PointSet {
    std::string name;
    std::vector<Vec3f> x;
    float h = 0.1f;
};

inline Vec3f random_vec(std::uint64_t seed, std::uint64_t i) {
    return {uniform(hash_counter(seed, i, 0)), uniform(hash_counter(seed, i, 1)), uniform(hash_counter(seed, i, 2))};
}

/// Uniform in a box.
inline std::vector<Vec3f> random_points(std::uint64_t seed, std::size_t n, Vec3f corner, Vec3f size) {
    std::vector<Vec3f> x(n);
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3f r = random_vec(seed, i);
        x[i] = corner + Vec3f{r.x * size.x, r.y * size.y, r.z * size.z};
    }
    return x;
}

/// Nodes are `spacing` apart and exact multiples of it from the corner, or what floats make of them.
inline std::vector<Vec3f> lattice_points(int side, Vec3f corner, float spacing) {
    std::vector<Vec3f> x;
    for (int k = 0; k < side; ++k) {
        for (int j = 0; j < side; ++j) {
            for (int i = 0; i < side; ++i)
                x.push_back(corner + vec_cast<float>(Vec3i{i, j, k}) * spacing);
        }
    }
    return x;
}

inline std::vector<Vec3f> clustered_points(std::uint64_t seed, std::size_t clusters, std::size_t each) {
    std::vector<Vec3f> x;
    for (std::size_t c = 0; c < clusters; ++c) {
        const Vec3f corner = random_vec(seed, c) * 20.f - Vec3f{10, 10, 10};
        const auto points = random_points(seed + 1 + c, each, corner, {0.15f, 0.15f, 0.15f});
        x.insert(x.end(), points.begin(), points.end());
    }
    return x;
}

inline std::vector<PointSet> point_sets() {
    const std::size_t n = 1500;
    return {
        {"random", random_points(1, n, {0, 0, 0}, {1, 1, 1})},
        {"random, sparse", random_points(2, n, {0, 0, 0}, {5, 5, 5})},
        {"random, all within a few cells", random_points(3, 300, {0, 0, 0}, {0.25f, 0.15f, 0.05f})},
        {"negative", random_points(4, n, {-1.3f, -1.7f, -1.1f}, {1, 1, 1})},
        {"around the origin", random_points(5, n, {-0.5f, -0.5f, -0.5f}, {1, 1, 1})},
        {"a kilometre away", random_points(6, n, {1000, -1000, 1000}, {1, 1, 1})},
        {"lattice of spacing h", lattice_points(11, {0, 0, 0}, 0.1f)},
        {"lattice of spacing h, a power of two", lattice_points(11, {-0.5f, -0.5f, -0.5f}, 0.125f), 0.125f},
        {"lattice of spacing h, a kilometre away", lattice_points(11, {-1000, 1000, 1000}, 0.1f)},
        {"lattice of spacing h / 2", lattice_points(11, {-0.3f, 0.1f, 0.7f}, 0.05f)},
        {"lattice a hair closer than h", lattice_points(11, {0.3f, 0.3f, 0.3f}, std::nextafter(0.1f, 0.f))},
        {"clustered", clustered_points(7, 12, 120)},
        {"all at one point", std::vector<Vec3f>(100, Vec3f{0.1f, -0.2f, 0.3f})},
        {"on a line", random_points(8, 400, {-3, 2, 2}, {6, 0, 0})},
        {"on a plane", random_points(9, n, {-1, -1, 4}, {2, 2, 0})},
        {"on an upright plane", random_points(10, n, {4, -1, -1}, {0, 2, 2})},
        {"none", {}},
        {"one", {{3, 4, 5}}},
        {"two in touch", {{3, 4, 5}, {3, 4.09f, 5}}},
        {"two far apart", {{-4000, -4000, -4000}, {4000, 4000, 4000}}},
    };
}

}  // namespace spindrift::neighbors::reference
