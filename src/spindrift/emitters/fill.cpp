#include "spindrift/emitters/fill.h"

#include <cmath>
#include <numbers>

#include "spindrift/core/parallel.h"
#include "spindrift/core/random.h"
#include "spindrift/emitters/level.h"

namespace spindrift::emitters {

namespace {

bool in_cylinder(const CylinderShape& c, Vec3d p) {
    const Vec3d axis = c.top - c.base;
    const double t = dot(p - c.base, axis) / dot(axis, axis);
    return t >= 0 && t <= 1 && length(p - c.base - axis * t) <= c.radius;
}

Box3d cylinder_bounds(const CylinderShape& c) {
    const Vec3d axis = normalize(c.top - c.base);
    Vec3d reach;
    for (int a = 0; a < 3; ++a)
        reach[a] = c.radius * std::sqrt(std::max(0.0, 1 - axis[a] * axis[a]));
    return {min(c.base, c.top) - reach, max(c.base, c.top) + reach};
}

bool in_shape(const FillParams& fill, Vec3d p) {
    if (fill.box) return fill.box->contains(p);
    if (fill.sphere) return length(p - fill.sphere->center) <= fill.sphere->radius;
    return fill.cylinder && in_cylinder(*fill.cylinder, p);
}

double volume_of_shape(const FillParams& fill) {
    if (fill.box) return fill.box->size().x * fill.box->size().y * fill.box->size().z;
    if (fill.sphere) return 4.0 / 3 * std::numbers::pi * std::pow(fill.sphere->radius, 3);
    if (!fill.cylinder) return 0;
    const CylinderShape& c = *fill.cylinder;
    return std::numbers::pi * c.radius * c.radius * length(c.top - c.base);
}

/// Of what is inside of a shape, by a grid of places.
double share_below_level(const FillParams& fill) {
    constexpr int cells = 32;
    const Box3d box = bounds(fill);
    const Vec3d step = box.size() / double(cells);
    int inside = 0, below = 0;
    for (int i = 0; i < cells * cells * cells; ++i) {
        const int x = i % cells, y = i / cells % cells, z = i / (cells * cells);
        const Vec3d p = box.lo + Vec3d{(x + 0.5) * step.x, (y + 0.5) * step.y, (z + 0.5) * step.z};
        if (!in_shape(fill, p)) continue;
        inside += 1;
        below += is_below_level(fill, p);
    }
    return inside > 0 ? double(below) / inside : 0;
}

}  // namespace

Box3d bounds(const FillParams& fill) {
    if (fill.box) return *fill.box;
    if (fill.sphere) {
        const Vec3d r{fill.sphere->radius, fill.sphere->radius, fill.sphere->radius};
        return {fill.sphere->center - r, fill.sphere->center + r};
    }
    return fill.cylinder ? cylinder_bounds(*fill.cylinder) : Box3d{};
}

bool is_below_level(const FillParams& fill, Vec3d p) {
    return fill.level.empty() || p.y <= level_at(fill.level, p);
}

bool contains(const FillParams& fill, Vec3d p) {
    return in_shape(fill, p) && is_below_level(fill, p);
}

double volume(const FillParams& fill) {
    return volume_of_shape(fill) * (fill.level.empty() || !fill.is_analytic() ? 1 : share_below_level(fill));
}

Lattice::Lattice(const Box3d& box, double distance) : spacing(distance) {
    // A size that is a whole number of spacings up to rounding counts so.
    for (int a = 0; a < 3; ++a) {
        layers[a] = std::max(1L, static_cast<long>(std::floor(box.size()[a] / spacing + 1e-6)));
        first[a] = box.center()[a] - 0.5 * static_cast<double>(layers[a] - 1) * spacing;
    }
}

std::vector<Vec3d> sample_fill(const FillParams& fill, double spacing, std::uint64_t seed) {
    return sample_region(bounds(fill), [&](Vec3d p) { return contains(fill, p); }, {fill, spacing, seed});
}

Vec3d jittered(Vec3d p, std::uint64_t site, const RegionSampling& how) {
    for (int a = 0; a < 3; ++a) {
        p[a] += (2 * uniform(hash_counter(how.seed, site, static_cast<std::uint64_t>(a))) - 1) * how.fill.jitter *
                how.spacing;
    }
    return p;
}

std::vector<Vec3d> sample_region(const Box3d& box, const std::function<bool(Vec3d)>& inside,
                                 const RegionSampling& how) {
    Lattice lattice(box, how.spacing);
    // Layers are counted from the ground, since the top of the shape says nothing.
    if (!how.fill.level.empty()) lattice.first.y = box.lo.y + 0.5 * how.spacing;
    const Vec3<long> layers = lattice.layers;
    std::vector<std::vector<Vec3d>> slices(static_cast<std::size_t>(layers.z));
    parallel_chunks(slices.size(), [&](std::size_t slice) {
        std::uint64_t site = slice * static_cast<std::uint64_t>(layers.x * layers.y);
        for (long y = 0; y < layers.y; ++y) {
            for (long x = 0; x < layers.x; ++x, ++site) {
                Vec3d p = lattice.site(x, y, static_cast<long>(slice));
                if (!inside(p)) continue;
                if (how.fill.sampling == Sampling::jittered) {
                    const Vec3d moved = jittered(p, site, how);
                    if (inside(moved)) p = moved;
                }
                slices[slice].push_back(p);
            }
        }
    });
    std::vector<Vec3d> positions;
    for (const std::vector<Vec3d>& slice : slices)
        positions.insert(positions.end(), slice.begin(), slice.end());
    return positions;
}

}  // namespace spindrift::emitters
