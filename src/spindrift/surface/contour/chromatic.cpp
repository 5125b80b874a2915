#include "spindrift/surface/contour/chromatic.h"

#include <bit>
#include <limits>
#include <utility>

#include "spindrift/core/buffer.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/surface/contour/cube_kinds.h"
#include "spindrift/surface/contour/cube_points.h"
#include "spindrift/surface/contour/cube_table.h"
#include "spindrift/surface/contour/cube_walk.h"
#include "spindrift/surface/contour/tetra_table.h"

namespace spindrift::surface {

namespace {

constexpr std::size_t leaves_per_chunk = 16;

/// Bits of the kinds of points at the lowest corner of a cube.
std::uint32_t marks_of(const CutCube& cube) {
    const auto& labels = cube.labels;
    if (cube.tetra) return tetra_marks(labels);
    std::uint32_t marks = unsigned{labels[0] != labels[1]} | unsigned{labels[0] != labels[2]} << 1 |
                          unsigned{labels[0] != labels[4]} << 2;
    if (cube.split == 0) return marks;
    for (int face = 0; face < 6; face += 2) {
        const bool differ = labels[0] != labels[static_cast<std::size_t>(face_diagonal(face))];
        if ((cube.split >> face & 1) && differ) marks |= bit_of(diagonal_kind(face));
    }
    const CubeLoops loops = walk_faces(cube.inside, cube.split);
    for (int loop = 0, middle = first_middle_kind; loop < loops.count; ++loop) {
        if (has_middle(loops, loop)) marks |= bit_of(middle++);
    }
    return marks;
}

std::size_t count_triangles(const CutCube& cube) {
    std::size_t count = 0;
    if (cube.tetra) {
        for (const CubeTetra& tetra : cube_tetrahedra()) {
            std::uint8_t labels[4];
            for (std::size_t c = 0; c < 4; ++c)
                labels[c] = cube.labels[tetra.corners[c]];
            count += static_cast<std::size_t>(tetra_table()[cut_edges(labels)].count);
        }
    } else if (cube.split) {
        const CubeLoops loops = walk_faces(cube.inside, cube.split);
        for (int loop = 0; loop < loops.count; ++loop)
            count += has_middle(loops, loop) ? static_cast<std::size_t>(loops.end(loop) - loops.begin(loop)) : 1;
    } else {
        const auto& row = cube_table()[cube.inside];
        while (row[3 * count] != 255)
            ++count;
    }
    return count;
}

/// Numbers of the points of a leaf.
struct Numbers {
    const std::uint32_t* marks = nullptr;
    const std::uint16_t* before = nullptr;
    std::uint32_t first = 0;
};

/// Writes the triangles of cubes one after another.
class TriangleWriter {
  public:
    /// The leaf's own numbers and those of the leaves at its high sides.
    TriangleWriter(const std::array<Numbers, 8>& leaves, geometry::Triangle* triangles,
                   std::array<std::uint8_t, 2>* sides)
        : leaves_(leaves), triangles_(triangles), sides_(sides) {}

    void write(const CutCube& cube) {
        if (cube.tetra) {
            for (const CubeTetra& tetra : cube_tetrahedra())
                write_tetra(cube, tetra);
        } else if (cube.split) {
            write_loops(cube);
        } else {
            write_plain(cube);
        }
    }

  private:
    std::uint32_t number(Vec3i cube, CubePoint point) const {
        const Vec3i p = cube + Vec3i{point.corner & 1, point.corner >> 1 & 1, point.corner >> 2};
        const Numbers& leaf = leaves_[static_cast<std::size_t>(p.x >> 3 | p.y >> 3 << 1 | p.z >> 3 << 2)];
        const int i = point_index({p.x & 7, p.y & 7, p.z & 7});
        const int rank = std::popcount(leaf.marks[i] & (bit_of(point.kind) - 1));
        return leaf.first + leaf.before[i] + static_cast<std::uint32_t>(rank);
    }

    void add(const geometry::Triangle& triangle, std::array<std::uint8_t, 2> sides) {
        *triangles_++ = triangle;
        *sides_++ = sides;
    }

    void write_tetra(const CutCube& cube, const CubeTetra& tetra) {
        std::uint8_t labels[4];
        for (std::size_t c = 0; c < 4; ++c)
            labels[c] = cube.labels[tetra.corners[c]];
        const TetraCase& all = tetra_table()[cut_edges(labels)];
        for (std::size_t i = 0; i < static_cast<std::size_t>(all.count); ++i) {
            TetraTriangle triangle = all.triangles[i];
            const auto sides = turn_to_higher(labels, triangle);
            const auto& p = triangle.points;
            add({number(cube.at, tetra.points[p[0]]), number(cube.at, tetra.points[p[1]]),
                 number(cube.at, tetra.points[p[2]])},
                sides);
        }
    }

    void write_loops(const CutCube& cube) {
        const CubeLoops loops = walk_faces(cube.inside, cube.split);
        std::uint8_t middle = first_middle_kind;
        for (int loop = 0; loop < loops.count; ++loop) {
            std::array<std::uint32_t, 18> numbers;
            std::size_t n = 0;
            for (int i = loops.begin(loop); i < loops.end(loop); ++i)
                numbers[n++] = number(cube.at, loop_point(loops.points[static_cast<std::size_t>(i)]));
            if (!has_middle(loops, loop)) {
                add({numbers[0], numbers[1], numbers[2]}, {cube.liquid(), air});
                continue;
            }
            const std::uint32_t center = number(cube.at, {0, middle++});
            for (std::size_t i = 0; i < n; ++i)
                add({numbers[i], numbers[(i + 1) % n], center}, {cube.liquid(), air});
        }
    }

    void write_plain(const CutCube& cube) {
        const auto& row = cube_table()[cube.inside];
        for (std::size_t i = 0; row[i] != 255; i += 3) {
            add({number(cube.at, loop_point(row[i])), number(cube.at, loop_point(row[i + 1])),
                 number(cube.at, loop_point(row[i + 2]))},
                {cube.liquid(), air});
        }
    }

    const std::array<Numbers, 8>& leaves_;
    geometry::Triangle* triangles_;
    std::array<std::uint8_t, 2>* sides_;
};

/// Counts what each leaf has, then writes it where it belongs. A point is numbered by the leaf of its lowest corner, so
/// that others find its number by counting marks.
class Contour {
  public:
    Contour(const Lattice& lattice, Cut cut) : lattice_(lattice), cubes_(find_cubes(lattice, cut)) {}

    geometry::InterfaceMesh make();

  private:
    void count(std::size_t leaf, const CellCorners& corners);
    void sum_up();
    std::array<Numbers, 8> numbers_around(std::size_t leaf) const;
    void write(std::size_t leaf, const CellCorners& corners, geometry::InterfaceMesh& out) const;
    void write_points(std::size_t leaf, const CutCube& cube, const CellCorners& corners, Vec3f* to) const;

    const Lattice& lattice_;
    std::vector<LeafCubes> cubes_;
    Buffer<std::uint32_t> marks_{"contour"};       ///< 512 for each leaf: bits of the kinds of points there
    Buffer<std::uint16_t> before_{"contour"};      ///< 512 for each leaf: points of the leaf before those
    std::vector<std::size_t> points_, triangles_;  ///< of each leaf, then of all leaves before it
};

geometry::InterfaceMesh Contour::make() {
    const std::size_t n = cubes_.size();
    marks_.resize(leaf_points * n);
    before_.resize(leaf_points * n);
    points_.resize(n + 1);
    triangles_.resize(n + 1);
    parallel_for(n, leaves_per_chunk, [&](Range range) {
        CellCorners corners;
        for (const std::size_t leaf : range) {
            if (!is_cut(cubes_[leaf])) continue;
            gather_labels(lattice_, leaf, corners);
            count(leaf, corners);
        }
    });
    sum_up();
    geometry::InterfaceMesh out;
    out.mesh.points.resize(points_[n]);
    out.mesh.triangles.resize(triangles_[n]);
    out.sides.resize(triangles_[n]);
    parallel_for(n, leaves_per_chunk, [&](Range range) {
        CellCorners corners;
        for (const std::size_t leaf : range) {
            if (!is_cut(cubes_[leaf])) continue;
            gather_labels(lattice_, leaf, corners);
            write(leaf, corners, out);
        }
    });
    return out;
}

void Contour::count(std::size_t leaf, const CellCorners& corners) {
    std::uint32_t* marks = &marks_[leaf_points * leaf];
    std::fill_n(marks, leaf_points, 0);
    std::size_t triangles = 0;
    for_cut_cubes(lattice_, cubes_, leaf, corners, [&](const CutCube& cube) {
        marks[point_index(cube.at)] = marks_of(cube);
        if (cube.whole) triangles += count_triangles(cube);
    });
    std::uint16_t points = 0;
    for (std::size_t i = 0; i < leaf_points; ++i) {
        before_[leaf_points * leaf + i] = points;
        points = static_cast<std::uint16_t>(points + std::popcount(marks[i]));
    }
    points_[leaf] = points;
    triangles_[leaf] = triangles;
}

/// From what each leaf has to where it begins.
void Contour::sum_up() {
    std::size_t points = 0, triangles = 0;
    for (std::size_t leaf = 0; leaf <= cubes_.size(); ++leaf) {
        points += std::exchange(points_[leaf], points);
        triangles += std::exchange(triangles_[leaf], triangles);
    }
    if (points > std::numeric_limits<std::uint32_t>::max())
        throw Error(ExitCode::out_of_resources,
                    "The surface has more points than a mesh can hold; use a larger mesh.voxel");
}

std::array<Numbers, 8> Contour::numbers_around(std::size_t leaf) const {
    std::array<Numbers, 8> around;
    for (std::size_t side = 0; side < 8; ++side) {
        const std::size_t k = 13 + (side & 1) + 3 * (side >> 1 & 1) + 9 * (side >> 2);
        const std::int32_t other = lattice_.neighbors[27 * leaf + k];
        if (other < 0) continue;
        const auto from = static_cast<std::size_t>(other);
        around[side].marks = &marks_[leaf_points * from];
        around[side].before = &before_[leaf_points * from];
        around[side].first = static_cast<std::uint32_t>(points_[from]);
    }
    return around;
}

void Contour::write(std::size_t leaf, const CellCorners& corners, geometry::InterfaceMesh& out) const {
    const std::array<Numbers, 8> around = numbers_around(leaf);
    TriangleWriter writer(around, out.mesh.triangles.data() + triangles_[leaf], out.sides.data() + triangles_[leaf]);
    Vec3f* points = out.mesh.points.data() + points_[leaf];
    for_cut_cubes(lattice_, cubes_, leaf, corners, [&](const CutCube& cube) {
        write_points(leaf, cube, corners, points);
        if (cube.whole) writer.write(cube);
    });
}

void Contour::write_points(std::size_t leaf, const CutCube& cube, const CellCorners& corners, Vec3f* to) const {
    const std::size_t i = leaf_points * leaf + static_cast<std::size_t>(point_index(cube.at));
    to += before_[i];
    const Vec3d low = lattice_.place(lattice_.leaves[leaf], cube.at);
    const auto add = [&](Vec3f p) { *to++ = vec_cast<float>(low + vec_cast<double>(p) * lattice_.voxel); };
    for (std::uint32_t marks = marks_[i] & (bit_of(first_middle_kind) - 1); marks; marks &= marks - 1)
        add(place_point(corners, cube.low, std::countr_zero(marks)));
    if (marks_[i] < bit_of(first_middle_kind)) return;
    const CubeLoops loops = walk_faces(cube.inside, cube.split);
    for (int loop = 0; loop < loops.count; ++loop) {
        if (has_middle(loops, loop)) add(place_middle(corners, cube.low, loops, loop));
    }
}

}  // namespace

geometry::InterfaceMesh contour_liquids(const Lattice& lattice, Cut cut) {
    return Contour(lattice, cut).make();
}

}  // namespace spindrift::surface
