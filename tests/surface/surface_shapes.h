#pragma once
// Particles in simple arrangements, for tests of surfaces.
//
//   std::vector<Vec3f> box = lattice({20, 20, 12}, 0.01f);
//   shake(box, 0.05f * 0.01f, frame);

#include <cstdint>
#include <vector>

#include "spindrift/core/random.h"
#include "spindrift/core/vec.h"

namespace spindrift::surface {

/// x runs fastest; the first is at half a spacing from the origin on each axis.
inline std::vector<Vec3f> lattice(Vec3i count, float spacing) {
    std::vector<Vec3f> points;
    for (int z = 0; z < count.z; ++z) {
        for (int y = 0; y < count.y; ++y) {
            for (int x = 0; x < count.x; ++x)
                points.push_back((vec_cast<float>(Vec3i{x, y, z}) + Vec3f{0.5f, 0.5f, 0.5f}) * spacing);
        }
    }
    return points;
}

/// How many layers lie between a particle of a lattice and its surface.
inline int layer(std::size_t index, Vec3i count) {
    const auto i = static_cast<int>(index);
    const Vec3i at{i % count.x, i / count.x % count.y, i / count.x / count.y};
    int least = at.x;
    for (int a = 0; a < 3; ++a)
        least = std::min({least, at[a], count[a] - 1 - at[a]});
    return least;
}

/// Moves each point by up to `most` on each axis.
inline void shake(std::vector<Vec3f>& points, float most, std::uint64_t seed) {
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (int a = 0; a < 3; ++a)
            points[i][a] += most * (2 * uniform(hash_counter(seed, i, static_cast<std::uint64_t>(a))) - 1);
    }
}

}  // namespace spindrift::surface
