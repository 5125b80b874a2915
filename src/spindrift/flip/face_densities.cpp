#include "spindrift/flip/face_densities.h"

#include "spindrift/core/parallel.h"

namespace spindrift::flip {

namespace {

/// Calls body(velocities, lightness) for each axis of each leaf.
template <class Grid, class Fields, class Body>
void for_each_leaf(Grid& grid, Fields& lightness, const Body& body) {
    parallel_for(grid.leaves.size() - 1, 16, [&](Range range) {
        for (const std::size_t k : range) {
            for (int axis = 0; axis < 3; ++axis)
                body(grid.velocity[axis].leaf(k + 1), lightness[axis].leaf(k + 1));
        }
    });
}

}  // namespace

const Float4* FaceDensities::as_velocities(const fluid::PerParticle& density, std::size_t particles) {
    values_.renew(particles + ParticleStore::padding);
    parallel_for(particles, [&](Range range) {
        for (const std::size_t i : range)
            values_[i] = {density[i], density[i], density[i], 0};
    });
    return values_.data();
}

/// Faces that no particle is near take what is beside them.
void FaceDensities::take(mac::MacGrid& grid) {
    any_ = true;
    grid.extrapolate_velocities(2);
    lightness_.resize(grid.leaves.size(), 1);
    for_each_leaf(grid, lightness_, [](const float* density, float* light) {
        for (int n = 0; n < grid::leaf_cells; ++n)
            light[n] = density[n] > 0 ? 1 / density[n] : 1;
    });
}

const Float4* FaceDensities::weighted(const ParticleStore& particles, const fluid::PerParticle& density) {
    const ConstChannel<Float4> v = particles.velocity();
    values_.renew(particles.size() + ParticleStore::padding);
    parallel_for(particles.size(), [&](Range range) {
        for (const std::size_t i : range)
            values_[i] = {v[i].x * density[i], v[i].y * density[i], v[i].z * density[i], v[i].w};
    });
    return values_.data();
}

const float* FaceDensities::weighted_affine(const ParticleStore& particles, const ChannelArray* affine,
                                            const fluid::PerParticle& density) {
    if (!affine) return nullptr;
    const auto* const from = reinterpret_cast<const float*>(affine->data());
    const auto floats = static_cast<std::size_t>(affine->type().width);
    // Rows of those that were killed are still there.
    affine_.resize(affine->size() * floats);
    parallel_for(particles.size(), [&](Range range) {
        for (const std::size_t i : range) {
            const std::size_t first = particles.slot(i) * floats;
            for (std::size_t n = first; n < first + floats; ++n)
                affine_[n] = from[n] * density[i];
        }
    });
    return affine_.data();
}

void FaceDensities::divide(mac::MacGrid& grid) const {
    for_each_leaf(grid, lightness_, [](float* u, const float* light) {
        for (int n = 0; n < grid::leaf_cells; ++n)
            u[n] *= light[n];
    });
}

}  // namespace spindrift::flip
