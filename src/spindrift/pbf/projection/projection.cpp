#include "spindrift/pbf/projection/projection.h"

#include <algorithm>
#include <cmath>

#include "spindrift/core/parallel.h"
#include "spindrift/mac/surface_beside_walls.h"
#include "spindrift/mac/transfer_kernels.h"
#include "spindrift/pbf/coarse/coarse_cell_kernels.h"

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

/// Depth of a cell's middle, in cells, that liquid of some thickness has somewhere: what is two cells from such a cell
/// is of the bulk.
constexpr float deep_enough = -0.75f;
/// Share of what is around a cell that walls leave if they pass through its middle.
constexpr float mostly_wall = 0.5f;

/// Share of a cell that walls leave from which it is whole.
constexpr float whole_share = 0.999f;

/// Layers of faces that the change is extended by: as far as particles beside the surface see.
constexpr int change_layers = 2;

template <class Body>
void for_each_leaf(std::size_t total, const Body& body) {
    parallel_for(total - 1, 16, [&](Range range) {
        for (const std::size_t k : range)
            body(k + 1);
    });
}

Vec3i cell_of(int cell) {
    return {cell & 7, cell >> 3 & 7, cell >> 6};
}

Vec3i beside(Vec3i cell, int axis, int step) {
    cell[axis] += step;
    return cell;
}

std::size_t count_of(const neighbors::LeafGrid& sorted) {
    return sorted.leaves().back().first + sorted.leaves().back().count;
}

/// Solids and shells are two cells thick or more: what moves less than that into one comes out where it went in.
bool may_be_crossed(const collision::WallField& field) {
    return 0.8f * field.cell < neighbors::largest_move;
}

void keep_out_of_fields(const collision::Walls& walls, const Float4& from, Float4& to) {
    Vec3f end = to.xyz();
    collision::WallHit hit;
    for (const collision::WallField& field : walls.fields) {
        if (may_be_crossed(field) && !field.is_clear(from.xyz(), end, collision::Start::now))
            field.trace(from.xyz(), end, collision::Start::now, hit);
    }
    to = {end.x, end.y, end.z, to.w};
}

/// Whether a leaf is near a field that its particles might be moved through.
bool is_beside_field(const collision::Walls& walls, const Leaf& leaf, float width) {
    const Vec3f low = vec_cast<float>(leaf.coord) * width;
    return std::any_of(walls.fields.begin(), walls.fields.end(), [&](const auto& field) {
        return may_be_crossed(field) && field.near(low, low + Vec3f{width, width, width}, neighbors::largest_move);
    });
}

}  // namespace

int Projection::project(neighbors::LeafGrid& sorted, const collision::Walls& walls, const fluid::PerParticle& density,
                        Float4* x, Float4* v, float dt_per_h, const Bodies& bodies) {
    for (Leaf& leaf : sorted.leaves())
        leaf.moved = 0;
    particles_.find(sorted, x, grid_);
    if (grid_.leaves.empty()) return 0;
    solids_.place(grid_.leaves, walls, grid_.open);
    const Particles particles{sorted, walls, x, v, dt_per_h, walls.are_free(), density};
    scatter(particles);
    find_surface(x, dt_per_h);
    keep_velocities();
    const int iterations = solve(bodies);
    find_change();
    change_.renew(count_of(sorted));
    correct(particles);
    if (particles.free) keep_momentum(particles, bodies);
    return iterations;
}

/// Velocities of faces: the mean of the momenta around them over that of the masses.
void Projection::scatter(const Particles& particles) {
    const std::size_t count = count_of(particles.sorted);
    densities_.find(particles_, particles.x, particles.density, count, grid_);
    if (densities_.any()) {
        particles_.scatter(particles.x, densities_.weighted(particles.v, particles.density, count), grid_);
        densities_.divide(grid_);
    } else {
        particles_.scatter(particles.x, particles.v, grid_);
    }
    grid_.extrapolate_velocities(1);
}

void Projection::find_surface(const Float4* x, float dt_per_h) {
    particles_.measure(x, grid_, [&](std::size_t l) { return solids_.tent(l); });
    leave_out_thin_liquid();
    find_near_air();
    take_surface_back(dt_per_h);
    mac::extend_beside_walls(grid_, solids_, whole_share);
}

/// A layer thinner than about a cell is left to the density iterations: a cell that it half fills would resist as a
/// full one does, so that films would hover above walls and be dragged along by them.
void Projection::leave_out_thin_liquid() {
    const std::size_t total = grid_.leaves.size();
    std::vector<grid::LeafMask> deep(total, mac::no_cells), beside_deep(total, mac::no_cells);
    for_each_leaf(total, [&](std::size_t l) {
        const float *const phi = grid_.phi.leaf(l), *const tent = solids_.tent(l);
        for (int n = 0; n < leaf_cells; ++n) {
            // Of cells that are mostly wall the rest is soon full.
            if (phi[n] < deep_enough && (!tent || tent[n] > mostly_wall)) mac::set(deep[l], n);
        }
    });
    for_each_leaf(total, [&](std::size_t l) { beside_deep[l] = mac::dilated(mac::halo(grid_.leaves, l, deep)); });
    for_each_leaf(total, [&](std::size_t l) {
        const grid::LeafMask bulk = mac::dilated(mac::halo(grid_.leaves, l, beside_deep));
        float* const phi = grid_.phi.leaf(l);
        mac::for_each_set(mac::without(mac::all_cells, bulk), [&](int n) { phi[n] = mac::far_outside; });
    });
}

void Projection::find_near_air() {
    const std::size_t total = grid_.leaves.size();
    std::vector<grid::LeafMask> air(total, mac::all_cells);
    near_air_.resize(total);
    for_each_leaf(total, [&](std::size_t l) {
        const float* const phi = grid_.phi.leaf(l);
        air[l] = mac::no_cells;
        for (int n = 0; n < leaf_cells; ++n) {
            if (phi[n] >= 0) mac::set(air[l], n);
        }
    });
    for_each_leaf(total, [&](std::size_t l) { near_air_[l] = mac::dilated(mac::halo(grid_.leaves, l, air)); });
}

/// Particles stand where the step leads them. With the surface of that place waves lose a share of omega^2 dt / 2 per
/// second, which is a fifth of one that sloshes; with that of the beginning they lose nothing.
void Projection::take_surface_back(float dt_per_h) {
    const std::size_t total = grid_.leaves.size();
    earlier_.resize(total, mac::far_outside);
    for_each_leaf(total, [&](std::size_t l) {
        const float* const phi = grid_.phi.leaf(l);
        std::copy_n(phi, leaf_cells, earlier_.leaf(l));
        mac::for_each_set(near_air_[l], [&](int n) {
            if (phi[n] <= mac::deep_inside || phi[n] >= mac::far_outside) return;
            const Vec3i cell = cell_of(n);
            Vec3f slope{}, u{};
            for (int a = 0; a < 3; ++a) {
                const Vec3i high = beside(cell, a, 1);
                slope[a] = grid_.phi.near(grid_.leaves, l, high) - grid_.phi.near(grid_.leaves, l, beside(cell, a, -1));
                u[a] = 0.5f * (grid_.velocity[a].leaf(l)[n] + grid_.velocity[a].near(grid_.leaves, l, high));
            }
            constexpr float flat = 0.1f;
            const float steep = length(slope);
            if (steep < flat) return;
            earlier_.leaf(l)[n] =
                std::clamp(phi[n] + dt_per_h * dot(u, slope) / steep, mac::deep_inside, mac::far_outside);
        });
    });
    grid_.phi.swap(earlier_);
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

int Projection::solve(const Bodies& bodies) {
    const mac::GridKernels kernels = mac::grid_kernels();
    const std::size_t total = grid_.leaves.size();
    stencil_.resize(total);
    rhs_.resize(total, 0);
    const mac::PressurePass pass = pressure_pass();
    for_each_leaf(total, [&](std::size_t l) { kernels.assemble(pass, l); });
    add_walls(bodies.coupling);
    bodies_.list(grid_, solids_, stencil_,
                 {.coupling = bodies.coupling, .cell = bodies.unit, .density = bodies.density, .at_walls = true});
    bodies_.add_motion(rhs_);
    const grid::SolveReport report =
        solver_.solve(grid_.leaves, stencil_, rhs_, grid_.pressure,
                      {.tolerance = tolerance, .addition = bodies_.empty() ? nullptr : &bodies_});
    for_each_leaf(total, [&](std::size_t l) { kernels.project(pass, l); });
    if (bodies.coupling) {
        if (!bodies_.empty()) bodies_.weigh(grid_.pressure);
        bodies.coupling->press(bodies_.impulses());
        solids_.follow(*bodies.coupling, bodies.unit);
    }
    return report.iterations;
}

/// What walls push into cells that no body is which answers.
void Projection::add_walls(const fluid::Coupling* coupling) {
    if (!solids_.moves()) return;
    for (std::size_t l = 1; l < grid_.leaves.size(); ++l) {
        for (const mac::WallFace& face : solids_.faces(l)) {
            const float speed = face.moved * face.velocity[face.axis];
            if (speed == 0) continue;
            if (coupling && face.body >= 0 && coupling->body(static_cast<std::size_t>(face.body)).answers) continue;
            const auto [low_leaf, low] = mac::cell_below(grid_.leaves, l, face);
            if (mac::gives_way(grid_, stencil_, l, face.cell)) rhs_.leaf(l)[face.cell] += speed;
            if (mac::gives_way(grid_, stencil_, low_leaf, low)) rhs_.leaf(low_leaf)[low] -= speed;
        }
    }
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
    particles_.for_each_run_of(l, [&](std::uint32_t own, std::uint32_t first, std::uint32_t last) {
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
    });
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
