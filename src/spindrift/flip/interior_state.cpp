// The core as a restart and others see it: arrays, and how much liquid it is.

#include <algorithm>
#include <array>

#include "spindrift/core/errors.h"
#include "spindrift/core/exact_sum.h"
#include "spindrift/flip/step.h"

namespace spindrift::flip {

namespace {

using grid::leaf_cells;

constexpr const char *coord_array = "leaf", *mask_array = "cells";
constexpr const char* velocity_arrays[3] = {"vx", "vy", "vz"};
constexpr const char* width_array = "cell_width";

}  // namespace

ChannelSet Solver::grid_state() const {
    ChannelSet out;
    if (!interior_.is_used()) return out;
    const Interior::State& state = interior_.state();
    const std::size_t n = state.leaves.size() - 1;
    ChannelArray& coord = out.add(coord_array, {ScalarType::i32, 3}, n);
    for (std::size_t k = 0; k < n; ++k)
        coord.as<Vec3i>()[k] = state.leaves.coord(k + 1);
    ChannelArray& cells = out.add(mask_array, {ScalarType::u64, 8}, n);
    for (std::size_t k = 0; k < n; ++k)
        cells.as<LeafMask>()[k] = state.liquid[k + 1];
    for (int axis = 0; axis < 3; ++axis) {
        ChannelArray& u = out.add(velocity_arrays[axis], {ScalarType::f32, leaf_cells}, n);
        std::copy_n(reinterpret_cast<const std::byte*>(state.velocity[axis].leaf(std::size_t{1})), u.size_bytes(),
                    u.data());
    }
    out.add(width_array, {ScalarType::f64, 1}, 1).as<double>()[0] = double{cell_};
    return out;
}

void Solver::set_grid_state(const ChannelSet& in) {
    interior_.clear();
    if (!interior_.is_used()) return;
    const auto array = [&](const char* name, ChannelType type) -> const ChannelArray& {
        const ChannelArray* found = in.find(name);
        if (!found || found->type() != type)
            throw UsageError("the inside of the liquid is not in the form that this program writes");
        return *found;
    };
    const ChannelArray& coord = array(coord_array, {ScalarType::i32, 3});
    const ChannelArray& cells = array(mask_array, {ScalarType::u64, 8});
    const std::size_t n = coord.size();
    std::vector<Vec3i> coords(coord.as<Vec3i>().begin(), coord.as<Vec3i>().end());
    constexpr int farthest = static_cast<int>(neighbors::coordinate_limit) / grid::leaf_width;
    for (const Vec3i at : coords) {
        if (at != max(min(at, Vec3i{farthest, farthest, farthest}), Vec3i{-farthest, -farthest, -farthest}))
            throw UsageError("the inside of the liquid is farther away than cells are counted");
    }
    Interior::State state;
    state.leaves.assign(coords);
    if (state.leaves.size() != n + 1 || cells.size() != n)
        throw UsageError("the inside of the liquid has leaves twice or without cells");
    state.liquid.assign(n + 1, no_cells);
    state.velocity.resize(n + 1, 0);
    for (std::size_t k = 0; k < n; ++k) {
        const auto l = static_cast<std::size_t>(state.leaves.find(coords[k]));
        state.liquid[l] = cells.as<LeafMask>()[k];
        for (int axis = 0; axis < 3; ++axis) {
            const ChannelArray& u = array(velocity_arrays[axis], {ScalarType::f32, leaf_cells});
            if (u.size() != n) throw UsageError("the inside of the liquid lacks velocities");
            std::copy_n(reinterpret_cast<const float*>(u.data()) + k * leaf_cells, leaf_cells,
                        state.velocity[axis].leaf(l));
        }
    }
    interior_.set_state(std::move(state));
}

/// Cells of the core that have particles all the same are counted by those.
fluid::Unseen Solver::unseen() const {
    if (!interior_.is_used()) return {};
    const Interior::State& state = interior_.state();
    std::vector<Vec3i> coords;
    for (const neighbors::Leaf& leaf : sorted_.leaves())
        coords.push_back(leaf.coord);
    grid::LeafSet with_particles;
    with_particles.assign(coords);
    std::vector<std::size_t> sorted(with_particles.size(), 0);
    for (std::size_t k = 0; k < coords.size(); ++k)
        sorted[static_cast<std::size_t>(with_particles.find(coords[k]))] = k;
    const double width = double{cell_}, volume = width * width * width;
    const auto sums = exact_sums<9>(state.leaves.size() - 1, 16, [&](std::size_t k) {
        const std::size_t l = k + 1;
        fluid::Unseen part;
        const std::int32_t own = with_particles.find(state.leaves.coord(l));
        const std::uint16_t* counts = own > 0 && cells_.leaves() == coords.size()
                                          ? cells_.counts(sorted[static_cast<std::size_t>(own)])
                                          : nullptr;
        for (int cell = 0; cell < leaf_cells; ++cell) {
            if (!is_set(state.liquid[l], cell)) continue;
            const double share = counts ? std::max(0.0, 1 - counts[cell] / double{Cells::full}) : 1;
            const Vec3d u = vec_cast<double>(interior_.velocity_of(l, cell));
            const Vec3d x = (vec_cast<double>(state.leaves.coord(l) * grid::leaf_width +
                                              Vec3i{cell & 7, cell >> 3 & 7, cell >> 6}) +
                             Vec3d{0.5, 0.5, 0.5}) *
                            width;
            const double mass = share * volume * liquid().density;
            part.volume += share * volume;
            part.mass += mass;
            part.momentum += u * mass;
            part.moment += x * mass;
            part.kinetic += 0.5 * mass * dot(u, u);
        }
        const Vec3d &p = part.momentum, &m = part.moment;
        return std::array{part.mass, part.volume, p.x, p.y, p.z, m.x, m.y, m.z, part.kinetic};
    });
    return {.mass = sums[0],
            .volume = sums[1],
            .momentum = {sums[2], sums[3], sums[4]},
            .moment = {sums[5], sums[6], sums[7]},
            .kinetic = sums[8]};
}

}  // namespace spindrift::flip
