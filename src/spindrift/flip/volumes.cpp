// The grid as others take it: velocities on faces, the surface's distance and the pressure, in SI units.

#include <cmath>

#include "spindrift/core/parallel.h"
#include "spindrift/flip/step.h"

namespace spindrift::flip {

namespace {

using grid::leaf_cells;
using grid::Volume;

/// Layers of faces that velocities are known on beyond those of particles: what interpolates beside the surface sees
/// no farther.
constexpr int shown_layers = 2;
/// Cells on each side of the surface whose distance is measured.
constexpr float band = 1;

Volume start(const char* name, const char* unit, const MacGrid& grid, Volume::Kind kind) {
    Volume volume{.name = name, .kind = kind, .unit = unit, .leaves = grid.leaves};
    volume.active.assign(grid.leaves.size(), no_cells);
    for (int c = 0; c < (kind == Volume::Kind::faces ? 3 : 1); ++c)
        volume.values.emplace_back("grid output");
    return volume;
}

/// Sets the values of all leaves: convert(leaf, cell, active) for each cell.
template <class Convert>
void set_values(Volume& volume, int component, const Convert& convert) {
    grid::Field<float>& values = volume.values[static_cast<std::size_t>(component)];
    values.resize(volume.leaves.size(), volume.background);
    parallel_for(volume.leaves.size() - 1, 32, [&](Range range) {
        for (const std::size_t k : range) {
            for (int cell = 0; cell < leaf_cells; ++cell) {
                bool active = false;
                values.leaf(k + 1)[cell] = convert(k + 1, cell, active);
                if (active) set(volume.active[k + 1], cell);
            }
        }
    });
}

/// Where liquid has or had a pressure; it is stored as a velocity.
Volume pressure_volume(const MacGrid& grid, const Solids& solids, double scale) {
    Volume volume = start("pressure", "Pa", grid, Volume::Kind::scalar);
    set_values(volume, 0, [&](std::size_t l, int cell, bool& active) {
        const float p = grid.pressure.leaf(l)[cell];
        active = p != 0 || (is_set(grid.wet[l], cell) && !is_set(solids.inside(l), cell));
        return static_cast<float>(scale * static_cast<double>(p));
    });
    return volume;
}

Volume surface_volume(const MacGrid& grid, float cell_width) {
    Volume volume = start("surface", "m", grid, Volume::Kind::level_set);
    volume.background = band * cell_width;
    set_values(volume, 0, [&](std::size_t l, int cell, bool& active) {
        const float phi = grid.phi.leaf(l)[cell];
        active = std::abs(phi) < band;
        return active ? phi * cell_width : std::copysign(volume.background, phi);
    });
    return volume;
}

/// Extends the velocities that particles gave, and lets walls have their say. Faces that no velocity reached are at
/// rest.
Volume velocity_volume(MacGrid& grid, const Solids& solids) {
    Volume volume = start("vel", "m/s", grid, Volume::Kind::faces);
    grid.extrapolate_velocities(shown_layers);
    // Walls know their velocity far from the liquid too, where nobody asks.
    const auto reached = [&](int axis, std::size_t l, int cell) { return grid.layer[axis].leaf(l)[cell] < no_layer; };
    for (std::size_t l = 1; l < grid.leaves.size(); ++l) {
        for (int cell = 0; cell < leaf_cells; ++cell) {
            if (reached(0, l, cell) || reached(1, l, cell) || reached(2, l, cell)) set(volume.active[l], cell);
        }
    }
    solids.stop(grid.leaves, grid.velocity, grid.layer);
    solids.constrain(grid.leaves, grid.velocity);
    for (int axis = 0; axis < 3; ++axis) {
        set_values(volume, axis, [&](std::size_t l, int cell, bool& active) {
            active = is_set(volume.active[l], cell);
            return active && reached(axis, l, cell) ? grid.velocity[axis].leaf(l)[cell] : 0.f;
        });
    }
    return volume;
}

}  // namespace

std::vector<grid::Volume> Solver::volumes(ParticleStore& particles, const collision::Walls& walls) {
    const double cell = fluid::largest_support(properties_.rule().liquids());
    std::vector<Volume> all;
    if (solved_.dt > 0) {
        all.push_back(pressure_volume(grid_, solids_, density() * cell / solved_.dt));
        all.back().origin = solved_.origin;
    } else {
        all.push_back(pressure_volume(MacGrid(), solids_, 1));
    }
    // The grid of the particles as they are now takes its place.
    observe(particles, walls);
    surface_.find(grid_, cells_, solids_, sorted_.grid(), particles.position().data());
    all.push_back(surface_volume(grid_, static_cast<float>(cell)));
    all.push_back(velocity_volume(grid_, solids_));
    all[1].origin = all[2].origin = particles.origin;
    for (Volume& volume : all)
        volume.cell = cell;
    return all;
}

}  // namespace spindrift::flip
