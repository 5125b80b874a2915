#include "spindrift/mac/pressure.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "spindrift/core/parallel.h"
#include "spindrift/mac/grid_kernels.h"

namespace spindrift::mac {

namespace {

using grid::leaf_cells;

/// Share of a surplus of particles that a step takes away, the largest surplus and the largest lack that count, and
/// what chance makes of fills in liquid that is stirred.
constexpr double correction = 0.1;
constexpr float largest_surplus = 2, usual_surplus = 0.5f, largest_lack = 0.5f, chance = 0.2f;
/// Cells that liquid has to go in a step for that share: surpluses come from going. Short steps of slow liquid would be
/// stirred by what is in their particles' places from the start.
constexpr double way_of_correction = 0.1;
/// Fill of a cell at the surface, which chance does not give it, from which it has a surplus; and the share that walls
/// leave at least of such a cell.
constexpr float most_packed = 2, largest_packing = 0.5f, least_volume = 0.15f;
/// Seconds in which it goes away in liquid at rest.
constexpr double time_of_correction = 2;

/// Share of the particles that belong around a cell below which liquid between a wall and the air is a thin layer; a
/// cell below the surface of a tank has two thirds at least.
constexpr float thin = 0.6f;

/// Of a wall's normal along the axis of a face: only walls that stand across a face let go of it. At slanted ones what
/// leaves would be pushed along them and grow.
constexpr float least_slant = 0.99f;
/// Share of a face that is as good as open.
constexpr float least_opening = 0.9f;

constexpr std::size_t chunk_of_flows = 16;

Vec3i cell_of(int cell) {
    return {cell & 7, cell >> 3 & 7, cell >> 6};
}

}  // namespace

/// What a cell at the surface holds beyond `most_packed` times its fill: in thin streams along walls nobody else tells.
float packing(int count, float share) {
    const float volume = std::max(share, least_volume);
    return volume * std::clamp(static_cast<float>(count) / (Cells::full * volume) - most_packed, 0.f, largest_packing);
}

/// Share of a cell's surplus that a step takes away, times what makes a divergence of it.
float Pressure::scale_of(const Step& step, float speed) {
    const double way = double{speed} * step.dt / step.cell;
    return static_cast<float>(
        std::min(correction, correction / way_of_correction * way + step.dt / time_of_correction) * step.cell /
        step.dt);
}

void Pressure::set_target(const MacGrid& grid, const Step& step) {
    const GridKernels kernels = grid_kernels();
    const std::size_t zero = 0;
    target_.resize(grid.leaves.size(), 0);
    parallel_for(grid.leaves.size() - 1, 32, [&](Range range) {
        alignas(32) float speed[leaf_cells];
        const auto wave = static_cast<float>(std::sqrt(step.gravity * step.cell));
        for (std::size_t k : range) {
            const std::size_t l = k + 1;
            float* out = target_.leaf(l);
            std::fill(out, out + leaf_cells, 0.f);
            if (grid.sorted[l] < 0) continue;
            kernels.size_of_faces(
                {.leaves = &grid.leaves,
                 .faces = {grid.before[0].leaf(zero), grid.before[1].leaf(zero), grid.before[2].leaf(zero)},
                 .cells = speed},
                l);
            const std::uint16_t* counts = step.cells->counts(static_cast<std::size_t>(grid.sorted[l]));
            const float* const share = step.solids->share(l);
            // Of the core nobody knows how full it is.
            const LeafMask counted = without(step.surface->deep(l), grid.near_core[l]);
            const LeafMask& deeper = step.surface->deeper(l);
            for_each_set(either(counted, grid.wet[l]), [&](int cell) {
                const float volume = share ? share[cell] : 1.f;
                float surplus = 0;
                if (!is_set(counted, cell)) {
                    surplus = packing(counts[cell], volume);
                } else {
                    // Beside cells at the surface, which need not be full, nothing is known to be missing: to count all
                    // that chance makes more would thin them out.
                    const float above = step.surface->fullness(l)[cell] - 1;
                    surplus = volume * std::min(is_set(deeper, cell) ? std::max(above, -largest_lack)
                                                                     : std::max(above - chance, 0.f),
                                                largest_surplus);
                }
                if (surplus == 0) return;
                // More than a half goes no faster than a wave of a cell: what is evened out makes liquid faster, and a
                // large surplus that follows its speed would feed itself.
                const float usual = std::min(surplus, usual_surplus);
                out[cell] = usual * scale_of(step, speed[cell]);
                if (surplus > usual) out[cell] += (surplus - usual) * scale_of(step, std::min(speed[cell], wave));
            });
        }
    });
}

/// Whether there is air beside a cell, or so few particles around it that there soon will be.
bool Pressure::is_thin(const MacGrid& grid, const Step& step, std::size_t leaf, int cell) {
    if (!is_set(step.surface->enclosed(leaf), cell)) return true;
    if (grid.sorted[leaf] < 0) return false;
    const float* room = step.solids->room(leaf);
    return static_cast<float>(step.cells->crowd(static_cast<std::size_t>(grid.sorted[leaf]))[cell]) <
           thin * Cells::full * (room ? room[cell] : 27.f);
}

/// Whether liquid leaves a wall for good: nothing holds a thin layer there. Only where the cell is open on its other
/// side: what comes in at the wall must not be squeezed through a slit.
bool Pressure::leaves(const MacGrid& grid, const Step& step, std::size_t leaf, const WallFace& face) const {
    const float away = face.normal[face.axis];
    if (face.open > 0 || face.sticky || std::abs(away) < least_slant) return false;
    const float speed = grid.velocity[face.axis].leaf(leaf)[face.cell] - face.velocity[face.axis];
    if (speed * away <= 0) return false;
    std::pair<std::size_t, int> at{leaf, face.cell}, behind = cell_below(grid.leaves, leaf, face.cell, face.axis);
    if (away < 0) std::swap(at, behind);
    const auto [own, cell] = at;
    // Liquid on both sides of a thin wall has one velocity between the two.
    const bool both_sides = behind.first > 0 && stencil_.diagonal.leaf(behind.first)[behind.second] > 0;
    if (own == 0 || both_sides) return false;
    // Particles of a cell that is less than half full have no pressure, and leave all the same.
    if (stencil_.diagonal.leaf(own)[cell] <= 0 && !is_set(grid.wet[own], cell)) return false;
    Vec3i other = cell_of(cell);
    if (away > 0) other[face.axis] += 1;
    if (grid.open[face.axis].near(grid.leaves, own, other) < least_opening) return false;
    return is_thin(grid, step, own, cell);
}

bool Pressure::answers(const Step& step, int body) {
    return step.coupling && body >= 0 && step.coupling->body(static_cast<std::size_t>(body)).answers;
}

void Pressure::find_flows(const MacGrid& grid, const Step& step) {
    const std::size_t count = grid.leaves.size() - 1;
    flows_.resize(chunk_count(count, chunk_of_flows));
    for (std::vector<WallFlow>& flows : flows_)
        flows.clear();
    parallel_for(count, chunk_of_flows, [&](Range range) {
        std::vector<WallFlow>& flows = flows_[range.first / chunk_of_flows];
        for (const std::size_t k : range) {
            for (const WallFace& face : step.solids->faces(k + 1)) {
                const bool left = leaves(grid, step, k + 1, face);
                // The motion of bodies that answer is known to those.
                const float moved = answers(step, face.body) ? 0 : face.moved * face.velocity[face.axis];
                const float speed = left ? grid.velocity[face.axis].leaf(k + 1)[face.cell] : moved;
                if (left || speed != 0) flows.push_back({k + 1, &face, speed, left});
            }
        }
    });
}

/// What moving walls push into the cells beside them, and what leaves walls.
void Pressure::add_walls(const MacGrid& grid, const Step& step) {
    left_.clear();
    fastest_push_ = fastest_body_ = 0;
    find_flows(grid, step);
    for (const std::vector<WallFlow>& chunk : flows_) {
        for (const WallFlow& flow : chunk) {
            const WallFace& face = *flow.face;
            if (flow.left) left_.push_back({flow.leaf, face.cell, face.axis, flow.speed});
            const auto [low_leaf, low] = cell_below(grid.leaves, flow.leaf, face.cell, face.axis);
            const bool above = gives_way(grid, stencil_, flow.leaf, face.cell),
                       under = gives_way(grid, stencil_, low_leaf, low);
            if (above) rhs_.leaf(flow.leaf)[face.cell] += flow.speed;
            if (under) rhs_.leaf(low_leaf)[low] -= flow.speed;
            if ((!above && !under) || flow.left) continue;
            fastest_push_ = std::max(fastest_push_, std::abs(dot(face.velocity, face.normal)));
        }
    }
}

void Pressure::release(MacGrid& grid) const {
    for (const LeftFace& face : left_) {
        grid.velocity[face.axis].leaf(face.leaf)[face.cell] = face.speed;
        grid.layer[face.axis].leaf(face.leaf)[face.cell] = 0;
    }
}

/// What bodies that keys move push away by their volume.
void Pressure::add_displaced(const MacGrid& grid, const Step& step) {
    for (std::size_t l = 1; l < grid.leaves.size(); ++l) {
        for (const WallFace& face : step.solids->faces(l)) {
            const float speed = face.body < 0 ? 0 : std::abs(dot(face.velocity, face.normal));
            fastest_body_ = std::max(fastest_body_, speed);
        }
        for (const DisplacedFace& face : step.solids->displaced(l)) {
            if (answers(step, face.body)) continue;
            const float speed = face.share * face.velocity[face.axis];
            const auto [low_leaf, low] = cell_below(grid.leaves, l, face.cell, face.axis);
            if (gives_way(grid, stencil_, l, face.cell)) rhs_.leaf(l)[face.cell] += speed;
            if (gives_way(grid, stencil_, low_leaf, low)) rhs_.leaf(low_leaf)[low] -= speed;
        }
    }
}

PressurePass Pressure::pass_over(MacGrid& grid, const Step& step) {
    constexpr std::size_t zero = 0;
    PressurePass pass{};
    pass.leaves = &grid.leaves;
    pass.phi = grid.phi.leaf(zero);
    pass.diagonal = stencil_.diagonal.leaf(zero);
    pass.rhs = rhs_.leaf(zero);
    pass.target = target_.leaf(zero);
    pass.jump = step.jump ? step.jump->leaf(zero) : nullptr;
    for (int axis = 0; axis < 3; ++axis) {
        pass.open[axis] = grid.open[axis].leaf(zero);
        pass.lightness[axis] = step.lightness ? (*step.lightness)[axis].leaf(zero) : nullptr;
        pass.velocity[axis] = grid.velocity[axis].leaf(zero);
        pass.coupling[axis] = stencil_.coupling[axis].leaf(zero);
        pass.layer[axis] = grid.layer[axis].leaf(zero);
    }
    return pass;
}

grid::SolveReport Pressure::solve(MacGrid& grid, const Step& step) {
    const GridKernels kernels = grid_kernels();
    const PressurePass pass = pass_over(grid, step);
    parallel_for(grid.leaves.size() - 1, 16, [&](Range range) {
        for (std::size_t k : range)
            kernels.assemble(pass, k + 1);
    });
    add_walls(grid, step);
    add_displaced(grid, step);
    add_inflow(step.inflow, stencil_, rhs_);
    bodies_.list(grid, *step.solids, stencil_, {.coupling = step.coupling, .cell = step.cell, .density = step.density});
    bodies_.add_motion(rhs_);
    return solver_.solve(grid.leaves, stencil_, rhs_, grid.pressure,
                         {.tolerance = step.tolerance, .addition = bodies_.empty() ? nullptr : &bodies_});
}

/// Bodies that hold each other let go where the pressure asks for it, and the pressure is another then.
grid::SolveReport Pressure::project(MacGrid& grid, const Step& step) {
    constexpr int most_rounds = 4;
    const GridKernels kernels = grid_kernels();
    stencil_.resize(grid.leaves.size());
    rhs_.resize(grid.leaves.size(), 0);
    set_target(grid, step);
    grid::SolveReport report = solve(grid, step);
    for (int round = 1; round < most_rounds && !bodies_.empty(); ++round) {
        bodies_.weigh(grid.pressure);
        if (!step.coupling->let_go(bodies_.impulses())) break;
        const int before = report.iterations;
        report = solve(grid, step);
        report.iterations += before;
    }
    if (!bodies_.empty()) bodies_.weigh(grid.pressure);
    PressurePass pass = pass_over(grid, step);
    pass.pressure = grid.pressure.leaf(std::size_t{0});
    parallel_for(grid.leaves.size() - 1, 16, [&](Range range) {
        for (std::size_t k : range)
            kernels.project(pass, k + 1);
    });
    return report;
}

}  // namespace spindrift::mac
