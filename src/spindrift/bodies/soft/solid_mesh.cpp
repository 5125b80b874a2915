#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "spindrift/bodies/soft/soft_mesh.h"
#include "spindrift/collision/fields/make_field.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"

namespace spindrift::bodies {

namespace {

/// A cell is looked at in this many places along each axis.
constexpr int looks = 4;
/// Cells that are filled less are left out: almost nothing of the solid is lost, and nothing flutters.
constexpr double least_share = 0.03;

/// Boxes over the mesh's bounds.
struct Lattice {
    Vec3d low{}, size{};  ///< of a box
    Vec3i count{};

    std::size_t total() const { return cell({0, 0, count.z}); }
    std::size_t cell(Vec3i c) const {
        const auto x = static_cast<std::size_t>(count.x), y = static_cast<std::size_t>(count.y);
        return (static_cast<std::size_t>(c.z) * y + static_cast<std::size_t>(c.y)) * x + static_cast<std::size_t>(c.x);
    }
    Vec3i place(std::size_t cell) const {
        const auto x = static_cast<std::size_t>(count.x), y = static_cast<std::size_t>(count.y);
        return {static_cast<int>(cell % x), static_cast<int>(cell / x % y), static_cast<int>(cell / x / y)};
    }
    Vec3d corner(Vec3d c) const { return low + Vec3d{c.x * size.x, c.y * size.y, c.z * size.z}; }
};

Lattice plan_lattice(const geometry::Mesh& mesh, const BodyParams& params) {
    const Box3d box = geometry::bounds(mesh);
    const Vec3d size = box.size();
    const double longest = std::max({size.x, size.y, size.z});
    const double cell = params.soft.cell.value_or(longest / 8);
    if (!(std::min({size.x, size.y, size.z}) > 1e-6 * longest)) {
        throw UsageError(
            fmt::format("{} is flat: it encloses nothing that could be soft; kind = \"cloth\" makes a "
                        "sheet of its triangles",
                        describe_body(params)));
    }
    Lattice lattice;
    lattice.low = box.lo;
    double cells = 1;
    for (int a = 0; a < 3; ++a) {
        const double n = std::max(1.0, std::round(size[a] / cell));
        cells *= n;
        lattice.count[a] = static_cast<int>(std::min(n, 1e6));
        lattice.size[a] = size[a] / n;
    }
    if (cells > 4.0 * most_points) {
        throw UsageError(
            fmt::format("{} would need {:.0f} cells of {:.3g} m; at most {} points fit: make 'soft.cell' "
                        "larger",
                        describe_body(params), cells, cell, most_points));
    }
    return lattice;
}

/// The share of each box that lies inside the mesh.
std::vector<double> fill_lattice(const geometry::Mesh& mesh, const Lattice& lattice, const BodyParams& params) {
    if (params.box) return std::vector<double>(lattice.total(), 1);
    const double finest = std::min({lattice.size.x, lattice.size.y, lattice.size.z}) / looks;
    collision::FieldSettings settings;
    settings.cell = finest;
    settings.band = settings.depth = 2 * finest;
    settings.name = params.name.empty() ? "a soft body" : params.name;
    const collision::Field field = collision::make_field(mesh, settings);
    if (!field.closed) {
        throw UsageError(
            fmt::format("the mesh of {} has holes, so nobody knows what is inside: close it in your modelling "
                        "program, or make it kind = \"cloth\"",
                        describe_body(params)));
    }
    const collision::FieldView view = field.view();
    std::vector<double> shares(lattice.total());
    parallel_for(shares.size(), 64, [&](Range range) {
        for (const std::size_t c : range) {
            const Vec3d low = vec_cast<double>(lattice.place(c));
            double sum = 0;
            for (int k = 0; k < looks * looks * looks; ++k) {
                const Vec3d look{k % looks + 0.5, k / looks % looks + 0.5, k / looks / looks + 0.5};
                const Vec3d nodes = field.to_nodes(lattice.corner(low + look / looks));
                const auto distance = static_cast<double>(collision::sample_distance(view, vec_cast<float>(nodes)));
                sum += std::clamp(0.5 - distance, 0.0, 1.0);
            }
            const double share = sum / (looks * looks * looks);
            shares[c] = share > 1 - 1e-3 ? 1 : share < least_share ? 0 : share;
        }
    });
    return shares;
}

/// Points of the boxes that are filled: corners and, in the middle of each box, one more.
class Builder {
  public:
    Builder(SoftMesh& soft, const Lattice& lattice) : soft_(soft), lattice_(lattice) {
        const auto x = static_cast<std::size_t>(lattice.count.x) + 1, y = static_cast<std::size_t>(lattice.count.y) + 1;
        corner_.assign(x * y * (static_cast<std::size_t>(lattice.count.z) + 1), none);
    }

    void add_cell(Vec3i place, double share, double density) {
        constraints::Cell cell;
        cell.share = share;
        for (int v = 0; v < 8; ++v)
            cell.points[static_cast<std::size_t>(v)] = corner(place + Vec3i{v & 1, v >> 1 & 1, v >> 2});
        const std::int64_t middle = add_point(lattice_.corner(vec_cast<double>(place) + Vec3d{0.5, 0.5, 0.5}));
        const double mass = density * share * lattice_.size.x * lattice_.size.y * lattice_.size.z;
        // Lumped: a quarter of each tetrahedron goes to each corner, and the middle is a corner of all twelve.
        soft_.masses[static_cast<std::size_t>(middle)] += mass / 4;
        for (const auto& [a, b, c] : constraints::cell_faces) {
            for (const std::size_t v : {a, b, c})
                soft_.masses[static_cast<std::size_t>(cell.points[v])] += mass / 48;
            soft_.tetrahedra.push_back({{middle, cell.points[a], cell.points[b], cell.points[c]}, share});
        }
        soft_.cells.push_back(cell);
    }

  private:
    static constexpr std::int64_t none = -1;

    std::int64_t add_point(Vec3d at) {
        soft_.points.push_back(at);
        soft_.masses.push_back(0);
        return static_cast<std::int64_t>(soft_.points.size()) - 1;
    }
    std::int64_t corner(Vec3i c) {
        const auto x = static_cast<std::size_t>(lattice_.count.x) + 1,
                   y = static_cast<std::size_t>(lattice_.count.y) + 1;
        std::int64_t& point = corner_[(static_cast<std::size_t>(c.z) * y + static_cast<std::size_t>(c.y)) * x +
                                      static_cast<std::size_t>(c.x)];
        if (point == none) point = add_point(lattice_.corner(vec_cast<double>(c)));
        return point;
    }

    SoftMesh& soft_;
    const Lattice& lattice_;
    std::vector<std::int64_t> corner_;
};

/// The filled box that a point is in, or the nearest one.
std::size_t find_cell(const Lattice& lattice, const std::vector<std::int32_t>& cells, Vec3d at) {
    Vec3i place{};
    Vec3d within{};
    for (int a = 0; a < 3; ++a) {
        within[a] = (at[a] - lattice.low[a]) / lattice.size[a];
        place[a] = std::clamp(static_cast<int>(std::floor(within[a])), 0, lattice.count[a] - 1);
    }
    const int most = std::max({lattice.count.x, lattice.count.y, lattice.count.z});
    for (int reach = 0; reach <= most; ++reach) {
        std::int32_t best = -1;
        double nearest = std::numeric_limits<double>::infinity();
        for (int z = std::max(place.z - reach, 0); z <= std::min(place.z + reach, lattice.count.z - 1); ++z)
            for (int y = std::max(place.y - reach, 0); y <= std::min(place.y + reach, lattice.count.y - 1); ++y)
                for (int x = std::max(place.x - reach, 0); x <= std::min(place.x + reach, lattice.count.x - 1); ++x) {
                    const std::int32_t cell = cells[lattice.cell({x, y, z})];
                    const double away = length(Vec3d{x + 0.5, y + 0.5, z + 0.5} - within);
                    if (cell < 0 || away >= nearest) continue;
                    best = cell;
                    nearest = away;
                }
        if (best >= 0) return static_cast<std::size_t>(best);
    }
    return 0;
}

/// Of the twelve tetrahedra of a box, that which has the point or misses it by least.
Rider ride(const SoftMesh& soft, std::size_t cell, Vec3d at) {
    Rider best;
    double best_least = -std::numeric_limits<double>::infinity();
    for (std::size_t t = 12 * cell; t < 12 * cell + 12; ++t) {
        Rider rider;
        std::array<Vec3d, 4> x{};
        for (std::size_t v = 0; v < 4; ++v) {
            rider.points[v] = static_cast<std::uint32_t>(soft.tetrahedra[t].points[v]);
            x[v] = soft.points[rider.points[v]];
        }
        const Vec3d p = x[1] - x[0], q = x[2] - x[0], r = x[3] - x[0], to = at - x[0];
        const double six = dot(p, cross(q, r));
        rider.weights[1] = dot(to, cross(q, r)) / six;
        rider.weights[2] = dot(p, cross(to, r)) / six;
        rider.weights[3] = dot(p, cross(q, to)) / six;
        rider.weights[0] = 1 - rider.weights[1] - rider.weights[2] - rider.weights[3];
        const double least = *std::min_element(rider.weights.begin(), rider.weights.end());
        if (least <= best_least) continue;
        best = rider;
        best_least = least;
    }
    return best;
}

/// Of the boxes' filled volume, so that the body weighs what it should. The mesh's own volume is more exact, but means
/// nothing if parts of it overlap.
double density_of(const BodyParams& params, const geometry::Mesh& mesh, double filled) {
    constexpr double usual = 500, most_apart = 0.1;
    if (params.mass) return *params.mass / filled;
    const double volume = std::abs(signed_volume(mesh));
    const bool agree = std::abs(volume - filled) < most_apart * filled;
    return params.density.value_or(usual) * (agree ? volume / filled : 1);
}

}  // namespace

SoftMesh make_solid_mesh(const geometry::Mesh& mesh, const BodyParams& params) {
    if (mesh.triangles.empty())
        throw UsageError(fmt::format("{} has no triangles; give another 'mesh'", describe_body(params)));
    const Lattice lattice = plan_lattice(mesh, params);
    const std::vector<double> shares = fill_lattice(mesh, lattice, params);
    double filled = 0;
    for (const double share : shares)
        filled += share;
    if (filled == 0) {
        throw UsageError(
            fmt::format("{} encloses nothing in cells of {:.3g} m: make 'soft.cell' smaller, or kind = "
                        "\"cloth\" of it",
                        describe_body(params), lattice.size.x));
    }
    const double density = density_of(params, mesh, filled * lattice.size.x * lattice.size.y * lattice.size.z);
    SoftMesh soft;
    Builder builder(soft, lattice);
    std::vector<std::int32_t> cells(shares.size(), -1);
    for (std::size_t c = 0; c < shares.size(); ++c) {
        if (shares[c] == 0) continue;
        cells[c] = static_cast<std::int32_t>(soft.cells.size());
        builder.add_cell(lattice.place(c), shares[c], density);
    }
    if (soft.points.size() > most_points) {
        throw UsageError(fmt::format("{} would have {} points; at most {} fit: make 'soft.cell' larger",
                                     describe_body(params), soft.points.size(), most_points));
    }
    soft.surface = mesh;
    cut_long_edges(soft.surface, 1.01 * std::max({lattice.size.x, lattice.size.y, lattice.size.z}), most_elements);
    for (const Vec3f point : soft.surface.points) {
        const Vec3d at = vec_cast<double>(point);
        soft.riders.push_back(ride(soft, find_cell(lattice, cells, at), at));
    }
    return soft;
}

}  // namespace spindrift::bodies
