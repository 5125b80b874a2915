#include "spindrift/geometry/mesh_quality.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "spindrift/core/parallel.h"
#include "spindrift/geometry/crossings.h"
#include "spindrift/geometry/fans.h"
#include "spindrift/geometry/mesh_report.h"
#include "spindrift/geometry/topology.h"

namespace spindrift::geometry {

namespace {

constexpr double sliver_aspect = 10;

/// What is summed up over the triangles.
struct TriangleSums {
    double volume = 0, area = 0, largest_aspect = 0;
    std::size_t degenerate = 0, slivers = 0;

    void add(Vec3d a, Vec3d b, Vec3d c) {
        const Vec3d ab = b - a, ac = c - a, bc = c - b, n = cross(ab, ac);
        const double twice = length(n), longest = std::max({dot(ab, ab), dot(ac, ac), dot(bc, bc)});
        volume += dot(a, n);
        area += twice;
        if (twice <= area_rounding * longest) {
            ++degenerate;
            return;
        }
        const double here = aspect(std::sqrt(longest), twice / 2);
        largest_aspect = std::max(largest_aspect, here);
        slivers += here > sliver_aspect;
    }
    friend TriangleSums operator+(const TriangleSums& a, const TriangleSums& b) {
        return {a.volume + b.volume, a.area + b.area, std::max(a.largest_aspect, b.largest_aspect),
                a.degenerate + b.degenerate, a.slivers + b.slivers};
    }
};

/// What is summed up over the points and the edges that go from them to later ones.
struct PointSums {
    EdgeCounts counts{};
    std::size_t edges = 0, several_fans = 0, loose = 0;
    double shortest = std::numeric_limits<double>::infinity(), longest = 0, length_sum = 0;

    void add(const FanEdge& edge, double squared) {
        counts.add(edge);
        ++edges;
        shortest = std::min(shortest, squared);
        longest = std::max(longest, squared);
        length_sum += std::sqrt(squared);
    }
    friend PointSums operator+(PointSums a, const PointSums& b) {
        a.counts.open += b.counts.open;
        a.counts.non_manifold += b.counts.non_manifold;
        a.counts.mixed += b.counts.mixed;
        a.edges += b.edges;
        a.several_fans += b.several_fans;
        a.loose += b.loose;
        a.shortest = std::min(a.shortest, b.shortest);
        a.longest = std::max(a.longest, b.longest);
        a.length_sum += b.length_sum;
        return a;
    }
};

TriangleSums sum_triangles(const Mesh& mesh) {
    const Vec3d middle = bounds(mesh).center();
    const auto point = [&](std::uint32_t i) { return vec_cast<double>(mesh.points[i]) - middle; };
    return parallel_sum<TriangleSums>(mesh.triangles.size(), [&](Range range) {
        TriangleSums sums;
        for (const std::size_t t : range) {
            const Triangle& corners = mesh.triangles[t];
            sums.add(point(corners[0]), point(corners[1]), point(corners[2]));
        }
        return sums;
    });
}

PointSums sum_points(const Mesh& mesh) {
    const Fans fans = make_fans(mesh.triangles, mesh.points.size());
    return parallel_sum<PointSums>(mesh.points.size(), [&](Range range) {
        PointSums sums;
        FanEdges around;
        for (const std::size_t p : range) {
            around.find(fans.at(p));
            sums.several_fans += around.parts() > 1;
            sums.loose += around.parts() == 0;
            for (const FanEdge& edge : around.edges()) {
                if (edge.other <= p) continue;
                const Vec3d d = vec_cast<double>(mesh.points[edge.other]) - vec_cast<double>(mesh.points[p]);
                sums.add(edge, dot(d, d));
            }
        }
        return sums;
    });
}

std::string counted(std::size_t n, const char* one, const char* many) {
    return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::string describe_joins(const MeshQuality& q) {
    std::string text = q.watertight() ? "watertight" : "not watertight";
    if (q.open_edges > 0) text += fmt::format(", {}", counted(q.open_edges, "open edge", "open edges"));
    if (q.manifold()) text += ", manifold";
    const auto add = [&](std::size_t n, const char* one, const char* many) {
        if (n > 0) text += ", " + counted(n, one, many);
    };
    add(q.non_manifold_edges, "non-manifold edge", "non-manifold edges");
    add(q.non_manifold_points, "non-manifold point", "non-manifold points");
    add(q.flipped_edges, "edge of mixed winding", "edges of mixed winding");
    add(q.degenerate, "triangle without area", "triangles without area");
    add(q.loose_points, "loose point", "loose points");
    if (q.crossings >= 0) text += ", " + counted(static_cast<std::size_t>(q.crossings), "crossing", "crossings");
    text += ", " + counted(q.pieces, "piece", "pieces");
    if (q.genus >= 0) text += fmt::format(", genus {}", q.genus);
    return text;
}

}  // namespace

double aspect(double longest_edge, double area) {
    return longest_edge * longest_edge * std::sqrt(3.0) / (4 * area);
}

MeshQuality measure(const Mesh& mesh, bool count_crossings) {
    const TriangleSums triangles = sum_triangles(mesh);
    const PointSums points = sum_points(mesh);
    MeshQuality q;
    q.points = mesh.points.size();
    q.triangles = mesh.triangles.size();
    q.volume = triangles.volume / 6;
    q.area = triangles.area / 2;
    q.degenerate = triangles.degenerate;
    q.largest_aspect = triangles.largest_aspect;
    q.slivers = triangles.slivers;
    q.open_edges = points.counts.open;
    q.non_manifold_edges = points.counts.non_manifold;
    q.flipped_edges = points.counts.mixed;
    q.non_manifold_points = points.several_fans;
    q.loose_points = points.loose;
    q.pieces = label_pieces(mesh.triangles, mesh.points.size()).count;
    if (points.edges > 0) {
        q.shortest = std::sqrt(points.shortest);
        q.longest = std::sqrt(points.longest);
        q.mean = points.length_sum / static_cast<double>(points.edges);
    }
    if (q.watertight() && q.manifold()) {
        // Euler and Poincare: points - edges + triangles = 2 pieces - 2 genus.
        const auto euler = static_cast<std::int64_t>(q.points - q.loose_points + q.triangles) -
                           static_cast<std::int64_t>(points.edges);
        q.genus = static_cast<std::int64_t>(q.pieces) - euler / 2;
    }
    if (count_crossings) q.crossings = geometry::count_crossings(mesh.points, mesh.triangles);
    return q;
}

std::string describe(const MeshQuality& q) {
    std::string text = describe_joins(q);
    text += fmt::format(", {} points, {} triangles, {:.6g} m^3, {:.6g} m^2", q.points, q.triangles, q.volume, q.area);
    if (q.triangles > 0)
        text += fmt::format(", edges {:.3g} to {:.3g} m, {:.2g} % slivers", q.shortest, q.longest,
                            100 * static_cast<double>(q.slivers) / static_cast<double>(q.triangles));
    return text;
}

}  // namespace spindrift::geometry
