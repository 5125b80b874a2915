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

/// The liquid that leads at a place where there is no air.
std::uint8_t leader(const LatticeCell& cell, Vec3d p) {
    if (!cell.several) return cell.liquid;
    std::uint8_t best = air;
    double most = -1;
    for (const std::uint8_t label : cell.label) {
        if (label == air || label == best) continue;
        const double lead = value_in(lead_of(cell, label, air), p);
        // Of equals the lower, whatever the order of the corners.
        if (lead > most || (lead == most && label < best)) best = label, most = lead;
    }
    return best;
}

}  // namespace

std::optional<CellHit> first_hit(const LatticeCell& cell, Vec3d a, Vec3d b) {
    const auto place = [&](double s) { return a + (b - a) * s; };
    const Corners phi = phi_of(cell);
    const Cubic outer = along(phi, a, b);
    std::optional<CellHit> hit;
    if (const auto s = first_root(outer)) {
        hit.emplace();
        hit->s = *s;
        hit->sides = {leader(cell, place(*s)), air};
        hit->gradient = gradient_in(phi, place(*s));
    }
    if (!cell.several || outer[0] >= 0) return hit;
    const std::uint8_t from = leader(cell, a);
    for (const std::uint8_t other : cell.label) {
        if (other == air || other == from) continue;
        const Corners ahead = lead_of(cell, std::max(from, other), std::min(from, other));
        const auto s = first_root(along(ahead, a, b));
        if (!s || (hit && hit->s <= *s)) continue;
        hit = CellHit{*s, {std::min(from, other), std::max(from, other)}, gradient_in(ahead, place(*s))};
    }
    return hit;
}

}  // namespace spindrift::render
