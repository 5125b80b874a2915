#pragma once
// Fills shapes with particles.
//
//   for (Vec3d p : sample_fill(shape, spacing, seed)) ...     // one particle per spacing cubed

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/emitters/params.h"

namespace spindrift::emitters {

/// A cubic lattice in a box: as many layers as fit along each axis, centred, at least one.
struct Lattice {
    Vec3<long> layers{};
    Vec3d first{};
    double spacing = 0;

    Lattice() = default;
    Lattice(const Box3d& box, double spacing);
    std::size_t site_count() const { return static_cast<std::size_t>(layers.x * layers.y * layers.z); }
    Vec3d site(long x, long y, long z) const {
        return first + Vec3d{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)} * spacing;
    }
};

/// Positions on a cubic lattice inside the shape, half a spacing off its faces, jittered if asked for.
std::vector<Vec3d> sample_fill(const FillParams& fill, double spacing, std::uint64_t seed);

/// How places are taken: as `fill` says, one per spacing cubed.
struct RegionSampling {
    const FillParams& fill;
    double spacing;
    std::uint64_t seed;
};

/// The same for anything within a box; `inside` is asked from several threads.
std::vector<Vec3d> sample_region(const Box3d& box, const std::function<bool(Vec3d)>& inside, const RegionSampling& how);

/// The point moved at random; `site` is its number on the lattice.
Vec3d jittered(Vec3d p, std::uint64_t site, const RegionSampling& how);

/// Whether a place is not above what the fill says of its level.
bool is_below_level(const FillParams& fill, Vec3d p);

/// Of shapes that are known by numbers (FillParams::is_analytic); a mesh is empty here.
bool contains(const FillParams& fill, Vec3d p);
Box3d bounds(const FillParams& fill);
/// Cubic metres.
double volume(const FillParams& fill);

}  // namespace spindrift::emitters
