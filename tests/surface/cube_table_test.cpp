// Marching cubes on random fields: every pattern of corners, each beside every other that fits.

#include "spindrift/surface/contour/cube_table.h"

#include <map>
#include <set>

#include "closed.h"

#include "spindrift/core/random.h"
#include "spindrift/surface/contour/cube_walk.h"

namespace spindrift::surface {
namespace {

constexpr int width = 24;

/// Random points inside or outside, outside all around.
class RandomField {
  public:
    explicit RandomField(std::uint64_t seed, float share) : seed_(seed), share_(share) {}

    bool inside(Vec3i p) const {
        for (int a = 0; a < 3; ++a) {
            if (p[a] < 1 || p[a] >= width - 1) return false;
        }
        const auto item = static_cast<std::uint64_t>((p.z * width + p.y) * width + p.x);
        return uniform(hash_counter(seed_, item, 0)) < share_;
    }

    unsigned pattern(Vec3i cube) const {
        unsigned bits = 0;
        for (int c = 0; c < 8; ++c)
            bits |= unsigned{inside(cube + Vec3i{c & 1, c >> 1 & 1, c >> 2})} << c;
        return bits;
    }

  private:
    std::uint64_t seed_;
    float share_;
};

/// Calls f(cube, pattern) for all cubes.
template <class F>
void for_cubes(const RandomField& field, const F& f) {
    for (int i = 0; i < width * width * width; ++i) {
        const Vec3i cube{i % width, i / width % width, i / width / width};
        f(cube, field.pattern(cube));
    }
}

geometry::Mesh march(const RandomField& field, std::set<unsigned>& seen) {
    geometry::Mesh mesh;
    std::map<std::array<int, 4>, std::uint32_t> numbers;
    for_cubes(field, [&](Vec3i cube, unsigned pattern) {
        seen.insert(pattern);
        const auto& row = cube_table()[pattern];
        for (std::size_t i = 0; row[i] != 255; i += 3) {
            geometry::Triangle triangle;
            for (std::size_t k = 0; k < 3; ++k) {
                const int edge = row[i + k], corner = edge_corner(edge);
                const Vec3i low = cube + Vec3i{corner & 1, corner >> 1 & 1, corner >> 2};
                const auto next = static_cast<std::uint32_t>(mesh.points.size());
                const auto [it, fresh] = numbers.insert({{low.x, low.y, low.z, edge_axis(edge)}, next});
                if (fresh) {
                    auto p = vec_cast<float>(low);
                    p[edge_axis(edge)] += 0.5f;
                    mesh.points.push_back(p);
                }
                triangle[k] = it->second;
            }
            mesh.triangles.push_back(triangle);
        }
    });
    return mesh;
}

TEST(CubeTable, random_fields_give_closed_meshes_and_every_pattern_occurs) {
    std::set<unsigned> seen;
    for (const float share : {0.2f, 0.5f, 0.8f}) {
        const RandomField field(7, share);
        const geometry::Mesh mesh = march(field, seen);
        expect_closed(mesh.triangles);
        std::size_t inside = 0;
        for_cubes(field, [&](Vec3i cube, unsigned) { inside += field.inside(cube); });
        // Cut half-way, a lone point inside has a sixth of a voxel, and one outside takes as much at least.
        constexpr double block = (width - 2) * (width - 2) * (width - 2);
        const double volume = signed_volume(mesh.points, mesh.triangles);
        EXPECT_GT(volume, 0.16 * static_cast<double>(inside));
        EXPECT_LT(volume, block - 0.16 * (block - static_cast<double>(inside)));
    }
    EXPECT_EQ(seen.size(), 256u);
}

TEST(CubeTable, normals_point_away_from_a_single_inside_corner) {
    for (int corner = 0; corner < 8; ++corner) {
        const auto& row = cube_table()[1u << corner];
        ASSERT_EQ(row[3], 255);
        Vec3i p[3];
        for (std::size_t k = 0; k < 3; ++k) {
            const int c = edge_corner(row[k]);
            p[k] = {2 * (c & 1), 2 * (c >> 1 & 1), 2 * (c >> 2)};
            p[k][edge_axis(row[k])] = 1;
        }
        const Vec3i away = p[0] - Vec3i{2 * (corner & 1), 2 * (corner >> 1 & 1), 2 * (corner >> 2)};
        EXPECT_GT(dot(cross(p[1] - p[0], p[2] - p[0]), away), 0) << corner;
    }
}

TEST(CubeTable, no_pattern_has_more_than_five_triangles_and_the_empty_and_full_ones_have_none) {
    EXPECT_EQ(cube_table()[0][0], 255);
    EXPECT_EQ(cube_table()[255][0], 255);
    for (const auto& row : cube_table())
        EXPECT_EQ(row[15], 255);
}

TEST(CubeTable, two_inside_corners_across_a_face_are_apart) {
    EXPECT_EQ(walk_faces(0b00001001, 0).count, 2);
    EXPECT_EQ(walk_faces(0b11110110, 0).count, 1);
    // Along the diagonal of a split face they join; the other two corners would not.
    EXPECT_EQ(walk_faces(0b00001001, 0b010000).count, 1);
    EXPECT_EQ(walk_faces(0b00000110, 0b010000).count, 2);
}

}  // namespace
}  // namespace spindrift::surface
