#include "spindrift/render/lattice_cell.h"

#include <algorithm>

#include "spindrift/render/cubic_root.h"
#include "spindrift/surface/lattice.h"

namespace spindrift::render {

namespace {

using surface::air;
using Corners = std::array<double, 8>;

constexpr double mix(double a, double b, double s) {
    return a + (b - a) * s;
}

double value_in(const Corners& f, Vec3d p) {
    const double low = mix(mix(f[0], f[1], p.x), mix(f[2], f[3], p.x), p.y);
    const double high = mix(mix(f[4], f[5], p.x), mix(f[6], f[7], p.x), p.y);
    return mix(low, high, p.z);
}

Vec3d gradient_in(const Corners& f, Vec3d p) {
    const double x = mix(mix(f[1] - f[0], f[3] - f[2], p.y), mix(f[5] - f[4], f[7] - f[6], p.y), p.z);
    const double y = mix(mix(f[2] - f[0], f[3] - f[1], p.x), mix(f[6] - f[4], f[7] - f[5], p.x), p.z);
    const double z = mix(mix(f[4] - f[0], f[5] - f[1], p.x), mix(f[6] - f[2], f[7] - f[3], p.x), p.y);
    return {x, y, z};
}

/// A trilinear function along the way from a to b. Its weights are means of values at the corners of the box around
/// the way: the function is linear in each coordinate.
Cubic along(Corners f, Vec3d a, Vec3d b) {
    for (int axis = 0; axis < 3; ++axis) {
        const std::size_t step = std::size_t{1} << axis;
        for (std::size_t k = 0; k < 8; ++k) {
            if (k & step) continue;
            const double low = f[k], high = f[k + step];
            f[k] = mix(low, high, a[axis]);
            f[k + step] = mix(low, high, b[axis]);
        }
    }
    return {f[0], (f[1] + f[2] + f[4]) / 3, (f[3] + f[5] + f[6]) / 3, f[7]};
}

Corners phi_of(const LatticeCell& cell) {
    Corners f;
    std::copy(cell.phi.begin(), cell.phi.end(), f.begin());
    return f;
}

/// Above 0 where a is ahead of b, or of nothing if that is air.
Corners lead_of(const LatticeCell& cell, std::uint8_t a, std::uint8_t b) {
    Corners f{};
    for (std::size_t k = 0; k < 8; ++k) {
        if (cell.label[k] == a) f[k] = cell.lead[k];
        if (cell.label[k] == b && b != air) f[k] = -cell.lead[k];
    }
    return f;
}

/// The liquids at the corners, each once.
struct Liquids {
    std::array<std::uint8_t, 8> labels{};
    std::size_t count = 0;

    explicit Liquids(const LatticeCell& cell) {
        for (const std::uint8_t label : cell.label) {
            const auto end = labels.begin() + static_cast<std::ptrdiff_t>(count);
            if (label != air && std::find(labels.begin(), end, label) == end) labels[count++] = label;
        }
    }
    const std::uint8_t* begin() const { return labels.data(); }
    const std::uint8_t* end() const { return labels.data() + count; }
};

/// The liquid that leads at a place where there is no air.
std::uint8_t leader(const LatticeCell& cell, Vec3d p) {
    if (!cell.several) return cell.liquid;
    std::uint8_t best = air;
    double most = 0;
    for (const std::uint8_t label : Liquids(cell)) {
        const double lead = value_in(lead_of(cell, label, air), p);
        // Of equals the lower, whatever the order of the corners.
        if (best == air || lead > most || (lead == most && label < best)) best = label, most = lead;
    }
    return best;
}

/// A little behind a point of the surface against air, within the cell. At faces that only air is beside no liquid
/// leads.
Vec3d behind(Vec3d p, Vec3d gradient) {
    constexpr double depth = 1e-3;
    const double size = length(gradient);
    const Vec3d deeper = size > 0 ? p - gradient * (depth / size) : p;
    return min(max(deeper, Vec3d{0, 0, 0}), Vec3d{1, 1, 1});
}

/// Puts the border that a ray meets first in place of what it meets later. At faces that only air is beside all leads
/// are 0: what seems to be a border just there is the surface.
void meet_borders(const LatticeCell& cell, Vec3d a, Vec3d b, std::uint8_t from, std::optional<CellHit>& hit) {
    constexpr double same_place = 1e-6;
    for (const std::uint8_t other : Liquids(cell)) {
        if (other == from) continue;
        const geometry::Sides sides{std::min(from, other), std::max(from, other)};
        const Corners ahead = lead_of(cell, sides[1], sides[0]);
        const auto s = first_root(along(ahead, a, b));
        if (s && !(hit && hit->s <= *s + same_place)) hit = CellHit{*s, sides, gradient_in(ahead, a + (b - a) * *s)};
    }
}

}  // namespace

std::optional<CellHit> first_hit(const LatticeCell& cell, Vec3d a, Vec3d b) {
    const Corners phi = phi_of(cell);
    const Cubic outer = along(phi, a, b);
    const bool in_air = outer[0] >= 0;
    const std::uint8_t from = in_air ? air : leader(cell, a);
    std::optional<CellHit> hit;
    if (const auto s = first_root(outer)) {
        const Vec3d place = a + (b - a) * *s, gradient = gradient_in(phi, place);
        hit = CellHit{*s, {in_air ? leader(cell, behind(place, gradient)) : from, air}, gradient};
    }
    if (cell.several && !in_air) meet_borders(cell, a, b, from, hit);
    return hit;
}

}  // namespace spindrift::render
