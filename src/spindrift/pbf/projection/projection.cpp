#include "spindrift/pbf/projection/projection.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "spindrift/core/parallel.h"
#include "spindrift/mac/inflow.h"
#include "spindrift/mac/transfer_kernels.h"
#include "spindrift/pbf/projection/each_leaf.h"
#include "spindrift/pbf/projection/kept_out.h"
#include "spindrift/pbf/projection/quad_kernels.h"

namespace spindrift::pbf {

namespace {

using grid::leaf_cells;
using neighbors::Leaf;

constexpr std::size_t zero = 0;

/// The residual at which the solve stops, relative to the right-hand side. With 1e-2 waves and drafts are the same, but
/// single particles of tanks at rest reach 0.12 m/s instead of 0.03.
constexpr double tolerance = 1e-3;

/// Heights above the surface, in cells, between which a particle has less and less of the pressure's change: beside the
/// surface it is the liquid's, above it would float.
constexpr float beside_surface = 0.25f, above_surface = 0.75f;

/// Layers of faces that the change is extended by: as far as particles beside the surface see.
constexpr int change_layers = 2;

}  // namespace

int Projection::project(neighbors::LeafGrid& sorted, const collision::Walls& walls, const fluid::PerParticle& density,
                        Float4* x, Float4* v, float dt_per_h, const fluid::HeldParticles& held, const Bodies& bodies) {
    for (Leaf& leaf : sorted.leaves())
        leaf.moved = 0;
    particles_.find(sorted, x, grid_);
    if (grid_.leaves.empty()) return 0;
    solids_.place(grid_.leaves, walls, grid_.open);
    const Particles particles{sorted, walls, x, v, dt_per_h, walls.are_free(), density};
    scatter(particles);
    find_surface(x, dt_per_h);
    keep_velocities();
    const int iterations = solve(particles, held, bodies);
    find_change();
    change_.renew(particles.count());
    correct(particles);
    if (particles.free) keep_momentum(particles, bodies);
    return iterations;
}

/// Velocities of faces: the mean of the momenta around them over that of the masses.
void Projection::scatter(const Particles& particles) {
    const std::size_t count = particles.count();
    densities_.find(particles_, particles.x, particles.density, count, grid_);
    if (densities_.any()) {
        particles_.scatter(particles.x, densities_.weighted(particles.v, particles.density, count), grid_);
        densities_.divide(grid_);
    } else {
        particles_.scatter(particles.x, particles.v, grid_);
    }
    grid_.extrapolate_velocities(1);
}

void Projection::keep_velocities() {
    const mac::GridKernels kernels = mac::grid_kernels();
    const std::size_t total = grid_.leaves.size();
    reached_.resize(3 * total);
    for_each_leaf(total, [&](std::size_t l) {
        for (int axis = 0; axis < 3; ++axis) {
            std::copy_n(grid_.velocity[axis].leaf(l), leaf_cells, grid_.before[axis].leaf(l));
            kernels.find_known(grid_.layer[axis].leaf(l), reached_[static_cast<std::size_t>(axis) * total + l]);
        }
    });
}

mac::PressurePass Projection::pressure_pass() {
    mac::PressurePass pass{};
    pass.leaves = &grid_.leaves;
    pass.phi = grid_.phi.leaf(zero);
    pass.diagonal = stencil_.diagonal.leaf(zero);
    pass.rhs = rhs_.leaf(zero);
    pass.pressure = grid_.pressure.leaf(zero);
    for (int axis = 0; axis < 3; ++axis) {
        pass.open[axis] = grid_.open[axis].leaf(zero);
        pass.lightness[axis] = densities_.lightness(axis);
        pass.velocity[axis] = grid_.velocity[axis].leaf(zero);
        pass.coupling[axis] = stencil_.coupling[axis].leaf(zero);
        pass.layer[axis] = grid_.layer[axis].leaf(zero);
    }
    return pass;
}

/// Bodies that hold each other let go where the pressure asks for it, and the pressure is another then.
int Projection::solve(const Particles& particles, const fluid::HeldParticles& held, const Bodies& bodies) {
    constexpr int most_rounds = 4;
    int iterations = solve_once(particles, held, bodies);
    for (int round = 1; round < most_rounds && !bodies_.empty(); ++round) {
        bodies_.weigh(grid_.pressure);
        if (!bodies.coupling->let_go(bodies_.impulses())) break;
        iterations += solve_once(particles, held, bodies);
    }
    const mac::PressurePass pass = pressure_pass();
    for_each_leaf(grid_.leaves.size(), [&](std::size_t l) { mac::grid_kernels().project(pass, l); });
    if (bodies.coupling) {
        if (!bodies_.empty()) bodies_.weigh(grid_.pressure);
        bodies.coupling->press(bodies_.impulses());
        solids_.follow(*bodies.coupling, bodies.unit);
    }
    return iterations;
}

int Projection::solve_once(const Particles& particles, const fluid::HeldParticles& held, const Bodies& bodies) {
    const mac::GridKernels kernels = mac::grid_kernels();
    const std::size_t total = grid_.leaves.size();
    stencil_.resize(total);
    rhs_.resize(total, 0);
    const mac::PressurePass pass = pressure_pass();
    for_each_leaf(total, [&](std::size_t l) { kernels.assemble(pass, l); });
    add_walls(bodies.coupling);
    add_nozzles(particles, held);
    bodies_.list(grid_, solids_, stencil_,
                 {.coupling = bodies.coupling, .cell = bodies.unit, .density = bodies.density, .at_walls = true});
    bodies_.add_motion(rhs_);
    return solver_
        .solve(grid_.leaves, stencil_, rhs_, grid_.pressure,
               {.tolerance = tolerance, .addition = bodies_.empty() ? nullptr : &bodies_})
        .iterations;
}

/// What walls push into cells that no body is which answers.
void Projection::add_walls(const fluid::Coupling* coupling) {
    if (!solids_.moves()) return;
    const auto push = [&](std::size_t leaf, int cell, int axis, float speed) {
        if (speed == 0) return;
        const auto [low_leaf, low] = mac::cell_below(grid_.leaves, leaf, cell, axis);
        if (mac::gives_way(grid_, stencil_, leaf, cell)) rhs_.leaf(leaf)[cell] += speed;
        if (mac::gives_way(grid_, stencil_, low_leaf, low)) rhs_.leaf(low_leaf)[low] -= speed;
    };
    const auto answers = [&](int body) {
        return coupling && body >= 0 && coupling->body(static_cast<std::size_t>(body)).answers;
    };
    for (std::size_t l = 1; l < grid_.leaves.size(); ++l) {
        for (const mac::DisplacedFace& face : solids_.displaced(l)) {
            if (!answers(face.body)) push(l, face.cell, face.axis, face.share * face.velocity[face.axis]);
        }
        for (const mac::WallFace& face : solids_.faces(l)) {
            if (!answers(face.body)) push(l, face.cell, face.axis, face.moved * face.velocity[face.axis]);
        }
    }
}

void Projection::add_nozzles(const Particles& particles, const fluid::HeldParticles& held) {
    const std::span<const Leaf> leaves = std::as_const(particles.sorted).leaves();
    std::vector<mac::CellInflow> inflow;
    for (const fluid::HeldParticles::Held& each : held) {
        const auto after = std::upper_bound(leaves.begin(), leaves.end(), each.index,
                                            [](std::uint32_t index, const Leaf& leaf) { return index < leaf.first; });
        const float size = particles.sorted.resolutions().h[(after - 1)->resolution];
        mac::list_inflow(grid_, particles.walls, {each.x.xyz(), each.v.xyz(), size}, inflow);
    }
    mac::add_inflow(inflow, stencil_, rhs_);
}

/// Velocities become what they changed by.
void Projection::find_change() {
    const std::size_t total = grid_.leaves.size();
    solids_.stop(grid_.leaves, grid_.velocity, grid_.layer);
    for_each_leaf(total, [&](std::size_t l) {
        for (int axis = 0; axis < 3; ++axis) {
            float *const u = grid_.velocity[axis].leaf(l), *const layer = grid_.layer[axis].leaf(l);
            const float* const before = grid_.before[axis].leaf(l);
            const grid::LeafMask& reached = reached_[static_cast<std::size_t>(axis) * total + l];
            for (int n = 0; n < leaf_cells; ++n) {
                // A closed face that no particle reaches says nothing.
                if (layer[n] == 0 && !mac::is_set(reached, n)) layer[n] = mac::no_layer;
                u[n] = layer[n] == 0 ? u[n] - before[n] : 0.f;
            }
        }
    });
    grid_.extrapolate_velocities(change_layers);
}

/// Of the change that a particle takes, by its height above the surface.
float Projection::share_at(float phi) {
    return std::clamp((above_surface - phi) / (above_surface - beside_surface), 0.f, 1.f);
}

/// Shares of the particles of a run, or nullptr if the surface is nowhere near.
const float* Projection::find_shares(const Float4* x, std::uint32_t leaf, std::uint32_t first,
                                     std::uint32_t last) const {
    if (!mac::any(near_air_[leaf])) return nullptr;
    const mac::TransferKernels kernels = mac::transfer_kernels();
    thread_local std::vector<float> cells(mac::copy_cell_floats), shares;
    kernels.copy_cells(grid_.leaves, grid_.phi.leaf(zero), leaf, cells.data());
    shares.resize(last - first + 8);
    kernels.look_at_cells({.x = x,
                           .corner = vec_cast<float>(grid_.leaves.coord(leaf) * grid::leaf_width),
                           .per_cell = 1,
                           .cells = cells.data(),
                           .out = shares.data()},
                          first, last);
    for (float& share : shares)
        share = share_at(share);
    return shares.data();
}

void Projection::correct(const Particles& particles) {
    leaf_changes_.assign(particles.free ? particles.sorted.leaves().size() : 0, LeafChange{});
    parallel_for(particles_.parts().size(), 4, [&](Range range) {
        for (const std::size_t k : range)
            correct_leaf(particles, particles_.parts()[k]);
    });
}

void Projection::correct_leaf(const Particles& particles, std::size_t l) {
    const auto& [sorted, walls, x, v, dt_per_h, free, density] = particles;
    const mac::TransferKernels kernels = mac::transfer_kernels();
    const float* const bases[3] = {grid_.velocity[0].leaf(zero), grid_.velocity[1].leaf(zero),
                                   grid_.velocity[2].leaf(zero)};
    thread_local std::vector<float> near(mac::copy_floats);
    Leaf& leaf = sorted.leaves()[l];
    const float h = sorted.resolutions().h[leaf.resolution];
    const bool beside_field = is_beside_field(walls, leaf, h * neighbors::leaf_width);
    const Quad most = all(neighbors::largest_move * h);
    const Quad fastest = all(walls.empty() ? 1e30f : neighbors::largest_move * h / dt_per_h);
    Quad moved{};
    std::uint32_t copied = 0;
    // Captured by name, since clang 14 takes no names out of a structure into a lambda by itself.
    const auto correct_run = [&, &walls = walls, x = x, v = v, dt_per_h = dt_per_h, free = free, density = density](
                                 std::uint32_t own, std::uint32_t first, std::uint32_t last) {
        if (own != copied) kernels.copy(grid_.leaves, bases, own, 1, near.data());
        copied = own;
        mac::AdvectPass pass{};
        pass.x = x;
        pass.v = change_.data();
        pass.corner = vec_cast<float>(grid_.leaves.coord(own) * grid::leaf_width);
        pass.per_cell = 1;
        pass.velocity = near.data();
        kernels.look(pass, first, last);
        if (densities_.any()) part(particles, own, first, last);
        const float* const shares = find_shares(x, own, first, last);
        for (std::uint32_t p = first; p < last; ++p) {
            Quad change = load(change_[p]);
            if (shares) change *= shares[p - first];
            change = clamped(change, fastest);
            const Quad move = clamped(change * dt_per_h, most);
            moved = largest(moved, largest(move, -move));
            const Float4 before = x[p];
            store(x[p], with_fourth_of(load(before) + move, load(before)));
            if (beside_field) keep_out_of_fields(walls, before, x[p]);
            // The fourth lane of a velocity is no number: it is kept, not added to.
            const Quad v_p = load(v[p]);
            store(v[p], with_fourth_of(v_p + change, v_p));
            if (free)
                leaf_changes_[l].add(before.xyz(), Vec3f{change[0], change[1], change[2]}, density[p] * h * h * h);
        }
    };
    particles_.for_each_run_of(l, correct_run);
    leaf.moved = std::max({moved[0], moved[1], moved[2]}) / h;
}

/// Lets particles among heavier or lighter ones go their own way.
void Projection::part(const Particles& particles, std::uint32_t leaf, std::uint32_t first, std::uint32_t last) {
    const mac::TransferKernels kernels = mac::transfer_kernels();
    const grid::AxisFields<float>& fields = densities_.densities();
    const float* const bases[3] = {fields[0].leaf(zero), fields[1].leaf(zero), fields[2].leaf(zero)};
    thread_local std::vector<float> near(mac::copy_floats);
    thread_local std::vector<Float4> around;
    around.resize(last - first + 8);
    kernels.copy(grid_.leaves, bases, leaf, 1, near.data());
    mac::AdvectPass pass{};
    pass.x = particles.x + first;
    pass.v = around.data();
    pass.corner = vec_cast<float>(grid_.leaves.coord(leaf) * grid::leaf_width);
    pass.per_cell = 1;
    pass.velocity = near.data();
    kernels.look(pass, 0, last - first);
    for (std::uint32_t p = first; p < last; ++p) {
        const Vec3f mean = around[p - first].xyz();
        const float drift = densities_.drift(particles.density[p], (mean.x + mean.y + mean.z) / 3);
        if (drift != 0) store(change_[p], load(change_[p]) * (1 + drift));
    }
}

void Projection::keep_momentum(const Particles& particles, const Bodies& bodies) {
    Momenta of_bodies;
    const std::vector<fluid::Twist>& impulses = bodies_.impulses();
    // In units of the coarsest particle's mass.
    const double scale = mac::particles_in_cell / (bodies.density * std::pow(bodies.unit, 3));
    for (std::size_t k = 0; k < impulses.size(); ++k) {
        const Vec3d center = bodies.coupling->body(k).center / bodies.unit, push = impulses[k].linear * scale;
        of_bodies.linear += push;
        of_bodies.angular += impulses[k].angular * (scale / bodies.unit) + cross(center, push);
    }
    const RigidMotion rest = rigid_motion(leaf_changes_, of_bodies);
    parallel_for(particles_.parts().size(), 4, [&](Range range) {
        for (const std::size_t k : range) {
            for (const std::size_t p : particles.sorted.leaves()[particles_.parts()[k]].particles()) {
                const Vec3f change = rest.at(particles.x[p].xyz());
                Float4& v = particles.v[p];
                v = {v.x - change.x, v.y - change.y, v.z - change.z, v.w};
            }
        }
    });
}

}  // namespace spindrift::pbf
