#include "spindrift/geometry/mesh_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/interruption.h"
#include "spindrift/core/random.h"
#include "spindrift/geometry/crossings.h"
#include "spindrift/geometry/topology.h"

namespace spindrift::geometry {

namespace {

bool has_no_area(const Mesh& mesh, const Triangle& t) {
    const auto point = [&](std::uint32_t i) { return vec_cast<double>(mesh.points[i]); };
    const Vec3d ab = point(t[1]) - point(t[0]), ac = point(t[2]) - point(t[0]), bc = ac - ab;
    const double longest = std::max({dot(ab, ab), dot(ac, ac), dot(bc, bc)});
    return length(cross(ab, ac)) <= area_rounding * longest;
}

/// Takes away the triangles that `is_bad` is true for, with their texture coordinates; returns how many.
template <class IsBad>
std::size_t drop(Mesh& mesh, const IsBad& is_bad) {
    std::size_t kept = 0;
    OftenInterruptible ask;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        ask();
        if (is_bad(mesh.triangles[i])) continue;
        mesh.triangles[kept] = mesh.triangles[i];
        if (!mesh.uv.empty()) mesh.uv[kept] = mesh.uv[i];
        ++kept;
    }
    const std::size_t dropped = mesh.triangles.size() - kept;
    mesh.triangles.resize(kept);
    if (!mesh.uv.empty()) mesh.uv.resize(kept);
    return dropped;
}

/// Remembers triangles by their three points in any order: a table with open addresses, filled in order.
class SeenTriangles {
  public:
    explicit SeenTriangles(std::size_t triangles) {
        std::size_t size = 16;
        while (size < 2 * triangles)
            size *= 2;
        table_.assign(size, empty);
    }
    /// Whether there was one before; remembers it if not.
    bool add(Triangle t) {
        std::ranges::sort(t);
        std::size_t place = hash_counter(t[0], t[1], t[2]) & (table_.size() - 1);
        for (; table_[place] != empty; place = (place + 1) & (table_.size() - 1)) {
            if (table_[place] == t) return true;
        }
        table_[place] = t;
        return false;
    }

  private:
    static constexpr Triangle empty{0xffffffff, 0xffffffff, 0xffffffff};
    std::vector<Triangle> table_;
};

void mend_numbers(Mesh& mesh, MeshReport& report) {
    const auto good = std::ranges::find_if(mesh.points, is_finite<float>);
    const Vec3f place = good == mesh.points.end() ? Vec3f{} : *good;
    for (Vec3f& p : mesh.points) {
        if (is_finite(p)) continue;
        ++report.not_finite_points;
        p = place;
    }
    for (auto& corners : mesh.uv) {
        for (Uv& uv : corners) {
            if (!std::isfinite(uv[0]) || !std::isfinite(uv[1])) uv = {0, 0};
        }
    }
}

std::string counted(std::size_t n, const char* one, const char* many) {
    return fmt::format("{} {}", n, n == 1 ? one : many);
}

}  // namespace

MeshReport clean(Mesh& mesh) {
    SPINDRIFT_CHECK(mesh.uv.empty() || mesh.uv.size() == mesh.triangles.size());
    MeshReport report;
    report.points = mesh.points.size();
    report.triangles = mesh.triangles.size();
    report.bad_index = drop(mesh, [&](const Triangle& t) { return std::ranges::max(t) >= mesh.points.size(); });
    report.not_finite = drop(mesh, [&](const Triangle& t) {
        return std::ranges::any_of(t, [&](std::uint32_t i) { return !is_finite(mesh.points[i]); });
    });
    mend_numbers(mesh, report);
    report.degenerate = drop(mesh, [&](const Triangle& t) { return has_no_area(mesh, t); });

    const std::vector<std::uint32_t> welded = weld(mesh.points);
    stop_if_interrupted();
    const auto joined = [&](const Triangle& t) { return Triangle{welded[t[0]], welded[t[1]], welded[t[2]]}; };
    SeenTriangles seen(mesh.triangles.size());
    report.duplicate = drop(mesh, [&](const Triangle& t) { return seen.add(joined(t)); });

    std::vector<Triangle> triangles;
    triangles.reserve(mesh.triangles.size());
    for (const Triangle& t : mesh.triangles)
        triangles.push_back(joined(t));
    stop_if_interrupted();
    const EdgeCounts edges = count_edges(triangles, mesh.points.size());
    report.open_edges = edges.open;
    report.non_manifold_edges = edges.non_manifold;
    report.mixed_edges = edges.mixed;
    stop_if_interrupted();
    report.pieces = label_pieces(triangles, mesh.points.size()).count;
    const std::int64_t crossings = count_crossings(mesh.points, triangles);
    report.crossings = std::min(crossings, most_crossings);
    return report;
}

std::string describe_defects(const MeshReport& report) {
    std::string text;
    const auto add = [&](std::size_t n, const std::string& phrase) {
        if (n > 0) text += (text.empty() ? "" : ", ") + phrase;
    };
    const auto triangles = [](std::size_t n, const char* with) {
        return counted(n, "triangle", "triangles") + " with " + with;
    };
    add(report.bad_index, triangles(report.bad_index, "a bad index"));
    add(report.not_finite_points, counted(report.not_finite_points, "point", "points") + " not finite");
    add(report.degenerate, triangles(report.degenerate, "no area"));
    add(report.duplicate, counted(report.duplicate, "doubled triangle", "doubled triangles"));
    add(report.open_edges, fmt::format("open ({})", counted(report.open_edges, "edge", "edges")));
    add(report.non_manifold_edges, counted(report.non_manifold_edges, "non-manifold edge", "non-manifold edges"));
    add(report.mixed_edges, counted(report.mixed_edges, "edge", "edges") + " of mixed winding");
    if (report.crossings > 0) {
        const auto n = static_cast<std::size_t>(report.crossings);
        add(n, (report.crossings == most_crossings ? "at least " : "") + counted(n, "crossing pair", "crossing pairs"));
    }
    if (report.crossings < 0) add(1, "crossings not counted");
    return text.empty() ? "clean" : text;
}

}  // namespace spindrift::geometry
