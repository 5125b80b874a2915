#pragma once
// Whether triangles enclose something.
//
//   expect_closed(mesh.triangles);
//   EXPECT_GT(signed_volume(mesh.points, mesh.triangles), 0);

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "spindrift/geometry/mesh.h"

namespace spindrift::surface {

/// Each directed edge occurs once, and so does its opposite: no gaps, no doubled faces, all turned the same way.
inline void expect_closed(std::span<const geometry::Triangle> triangles) {
    std::vector<std::array<std::uint32_t, 2>> edges, opposite;
    for (const auto& t : triangles) {
        for (std::size_t i = 0; i < 3; ++i) {
            edges.push_back({t[i], t[(i + 1) % 3]});
            opposite.push_back({t[(i + 1) % 3], t[i]});
            EXPECT_NE(t[i], t[(i + 1) % 3]);
        }
    }
    std::sort(edges.begin(), edges.end());
    std::sort(opposite.begin(), opposite.end());
    EXPECT_EQ(std::adjacent_find(edges.begin(), edges.end()), edges.end()) << "an edge occurs twice";
    EXPECT_TRUE(edges == opposite) << "an edge has no opposite";
}

inline double signed_volume(std::span<const Vec3f> points, std::span<const geometry::Triangle> triangles) {
    double sum = 0;
    for (const auto& [a, b, c] : triangles) {
        const auto pa = vec_cast<double>(points[a]), pb = vec_cast<double>(points[b]), pc = vec_cast<double>(points[c]);
        sum += dot(pa, cross(pb, pc)) / 6;
    }
    return sum;
}

}  // namespace spindrift::surface
