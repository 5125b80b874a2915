#include "spindrift/pbf/projection/face_densities.h"

#include <algorithm>

#include "spindrift/core/parallel.h"
#include "spindrift/pbf/projection/each_leaf.h"

namespace spindrift::pbf {

namespace {

/// Share of other liquids around a particle, between which it begins to go its own way: beside a flat interface the
/// first layer sees a third of them.
constexpr float few_others = 0.4f, many_others = 0.45f;

/// Of the pressure's change, what a particle adds at most by being lighter: a sphere without mass in a liquid has the
/// mass of half of what it displaces to move.
constexpr float most_drift = 2;

template <class Body>
void for_each_axis(const mac::MacGrid& grid, const Body& body) {
    for_each_leaf(grid.leaves.size(), [&](std::size_t l) {
        for (int axis = 0; axis < 3; ++axis)
            body(axis, l);
    });
}

}  // namespace

void FaceDensities::find(ProjectedLeaves& leaves, const Float4* x, const fluid::PerParticle& density,
                         std::size_t particles, mac::MacGrid& grid) {
    any_ = density.each != nullptr;
    if (!any_) return;
    values_.renew(particles);
    const auto [least, most] = std::minmax_element(density.each, density.each + particles);
    least_ = *least, most_ = *most;
    parallel_for(particles, [&](Range range) {
        for (const std::size_t i : range)
            values_[i] = {density[i], density[i], density[i], 0};
    });
    leaves.scatter(x, values_.data(), grid);
    grid.extrapolate_velocities(1);
    density_.resize(grid.leaves.size(), 1);
    lightness_.resize(grid.leaves.size(), 1);
    for_each_axis(grid, [&](int axis, std::size_t l) {
        const float* const mean = grid.velocity[axis].leaf(l);
        float *const to = density_[axis].leaf(l), *const light = lightness_[axis].leaf(l);
        for (int n = 0; n < grid::leaf_cells; ++n) {
            to[n] = mean[n] > 0 ? mean[n] : 1;
            light[n] = 1 / to[n];
        }
    });
}

const Float4* FaceDensities::weighted(const Float4* v, const fluid::PerParticle& density, std::size_t particles) {
    parallel_for(particles, [&](Range range) {
        for (const std::size_t i : range)
            values_[i] = {v[i].x * density[i], v[i].y * density[i], v[i].z * density[i], 0};
    });
    return values_.data();
}

void FaceDensities::divide(mac::MacGrid& grid) const {
    for_each_axis(grid, [&](int axis, std::size_t l) {
        const float* const light = lightness_[axis].leaf(l);
        float* const u = grid.velocity[axis].leaf(l);
        for (int n = 0; n < grid::leaf_cells; ++n)
            u[n] *= light[n];
    });
}

float FaceDensities::drift(float own, float around) const {
    const float other = around > own ? most_ : least_;
    if (other == own) return 0;
    const float share = (around - own) / (other - own);
    const float alone = std::clamp((share - few_others) / (many_others - few_others), 0.f, 1.f);
    return alone * std::min((around - own) / own, most_drift);
}

}  // namespace spindrift::pbf
