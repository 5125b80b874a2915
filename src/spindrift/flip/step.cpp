#include "spindrift/flip/step.h"

#include <algorithm>
#include <cmath>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/mac/grid_kernels.h"

namespace spindrift::flip {

using neighbors::Leaf;

namespace {

/// Of the time in which something falls by half a cell. The surface stands still in a step, so waves as short as cells
/// would grow in longer ones and break thin layers up: with 0.46 they do, with 0.31 they do not.
constexpr double share_of_wave = 0.4;

}  // namespace

Solver::Solver(fluid::Method method, const FlipParams& params, std::vector<fluid::Liquid> liquids,
               fluid::Mixture mixture)
    : method_(method),
      params_(params),
      properties_(fluid::PropertyRule(std::move(liquids), params.viscosity_channel, mixture)),
      cell_(static_cast<float>(fluid::largest_support(properties_.rule().liquids()))),
      sorted_(neighbors::Resolutions{.h = {cell_}}),
      interior_(params.narrow_band),
      exchange_(std::move(mixture)) {}

fluid::StepReport Solver::step(ParticleStore& particles, const forces::ForceSet& forces, const collision::Walls& walls,
                               double dt, fluid::Coupling* coupling) {
    fluid::StepReport report;
    const auto step = static_cast<float>(dt);
    apply_forces(particles, forces, step);
    sort(particles, report);
    build_grid(particles, collision::as_before(walls));
    mix(particles, forces.gravity, dt);
    particles_to_grid(particles);
    find_surface(particles);
    find_inflow(collision::as_before(walls));
    plan_reseeding(particles);
    add_gravity(forces.gravity * step);
    solve_viscosity_and_project(particles, dt, coupling, report);
    extrapolate(dt);
    const collision::Walls& now = coupling ? coupling->place() : walls;
    plan_interior(particles, step);
    advect(particles, {forces, now, step}, coupling, report);
    reseed(particles, now);
    move_interior(particles, now, step);
    solved_.dt = dt;
    solved_.origin = particles.origin;
    solved_.measurable = true;
    return report;
}

/// Cells with particles, the leaves around them, what walls leave of both, and the interior.
void Solver::build_grid(ParticleStore& particles, const collision::Walls& walls) {
    sorted_.find_held(particles);
    {
        const auto scope = context_.timer.scope("cells");
        cells_.count(sorted_.grid(), particles.position().data(), params_.spray);
        grid_.make_leaves(sorted_.grid(), cells_, interior_.coords());
    }
    {
        const auto scope = context_.timer.scope("solids");
        solids_.place(grid_.leaves, walls, grid_.open);
    }
    if (!interior_.is_used()) return;
    const auto scope = context_.timer.scope("core");
    std::vector<Vec3f> held;
    for (const fluid::HeldParticles::Held& each : sorted_.held())
        held.push_back(each.x.xyz() / cell_);
    interior_.join(grid_, cells_, solids_, held);
}

/// What particles are mixed of goes from cell to cell, before they move on.
void Solver::mix(ParticleStore& particles, Vec3f gravity, double dt) {
    if (exchange_.mixture().empty()) return;
    const auto scope = context_.timer.scope("mix");
    exchange_.advance(particles, {.grid = grid_, .cells = cells_, .gravity = gravity, .cell = double{cell_}, .dt = dt});
}

void Solver::find_surface(const ParticleStore& particles) {
    const auto scope = context_.timer.scope("surface");
    surface_.find(grid_, cells_, solids_, sorted_.grid(), particles.position().data());
    refresh(grid_.leaves, grid_.phi);
}

/// What nozzles under water bring. Liquid without particles makes room for it by itself: with both, a third more than
/// what came is gained.
void Solver::find_inflow(const collision::Walls& walls) {
    solved_.inflow.clear();
    if (interior_.is_used()) return;
    for (const fluid::HeldParticles::Held& each : sorted_.held())
        mac::list_inflow(grid_, walls, {each.x.xyz() / cell_, each.v.xyz(), 1}, solved_.inflow);
}

void Solver::plan_reseeding(const ParticleStore& particles) {
    reseeding_.clear();
    if (!params_.reseed) return;
    const auto scope = context_.timer.scope("reseed");
    reseeding_.plan(grid_, cells_, surface_, solids_, sorted_.grid(), particles.position().data());
}

void Solver::reseed(ParticleStore& particles, const collision::Walls& walls) {
    if (!params_.reseed) return;
    const auto scope = context_.timer.scope("reseed");
    reseeding_.carry_out(particles, walls, cell_, exchange_.mixture());
}

void Solver::plan_interior(const ParticleStore& particles, float dt) {
    if (!interior_.is_used()) return;
    const auto scope = context_.timer.scope("core");
    interior_.plan(grid_, cells_, particles.position().data(), cell_, dt);
}

void Solver::move_interior(ParticleStore& particles, const collision::Walls& walls, float dt) {
    if (!interior_.is_used()) return;
    const auto scope = context_.timer.scope("core");
    interior_.carry_out(particles, grid_, cells_, walls, cell_);
    interior_.advance(grid_, cell_, dt);
}

std::vector<double> Solver::state() const {
    if (exchange_.mixture().empty()) return {};
    return {exchange_.due, exchange_.settling_due};
}

void Solver::set_state(std::span<const double> state) {
    // Far longer than any step.
    constexpr double most = 1e9;
    const bool sound = state.size() == Solver::state().size() &&
                       std::ranges::all_of(state, [](double x) { return x >= 0 && x <= most; });
    if (!sound) throw UsageError("the state is not of a solver on a grid");
    if (state.empty()) return;
    exchange_.due = state[0];
    exchange_.settling_due = state[1];
}

void Solver::declare_channels(ParticleStore& particles) const {
    if (method_ == fluid::Method::apic) particles.request_channel(affine_channel);
}

float* Solver::affine(ParticleStore& particles) const {
    if (method_ != fluid::Method::apic) return nullptr;
    ChannelArray* channel = particles.find_channel(affine_channel);
    SPINDRIFT_CHECK(channel != nullptr && channel->type() == affine_type);
    return reinterpret_cast<float*>(channel->data());
}

/// Gravity acts on the grid; fields that differ from place to place act on particles.
void Solver::apply_forces(ParticleStore& particles, const forces::ForceSet& forces, float dt) {
    if (forces.fields.empty()) return;
    const auto scope = context_.timer.scope("forces");
    constexpr std::size_t batch = 64;
    parallel_for(particles.size(), [&, x = particles.position(), v = particles.velocity()](Range range) {
        Float4 pushed[batch];
        for (std::size_t first = range.first; first < range.last; first += batch) {
            const std::size_t count = std::min(batch, range.last - first);
            std::copy_n(v.data() + first, count, pushed);
            forces.apply_fields(
                {.x = x.data() + first, .v = pushed, .count = count, .dt = dt, .particles = &particles});
            for (std::size_t k = 0; k < count; ++k) {
                if (!particles.is_held(first + k)) v[first + k] = pushed[k];
            }
        }
    });
}

void Solver::sort(ParticleStore& particles, fluid::StepReport& report) {
    const auto scope = context_.timer.scope("sort");
    sorted_.sort(particles, spare_, report);
    properties_.fill(particles, sorted_.owned(), sorted_.size(), fluid::LiquidOf(particles));
    properties_.refresh(sorted_);
}

void Solver::particles_to_grid(const ParticleStore& particles) {
    const auto scope = context_.timer.scope("scatter");
    scattered_.of_leaf.assign(grid_.leaves.size(), -1);
    scattered_.leaf_of.assign(cells_.leaves(), 0);
    scattered_.filled.clear();
    for (std::size_t l = 1; l < grid_.leaves.size(); ++l) {
        if (grid_.sorted[l] < 0) continue;
        scattered_.of_leaf[l] = static_cast<std::int32_t>(scattered_.filled.size());
        scattered_.leaf_of[static_cast<std::size_t>(grid_.sorted[l])] = static_cast<std::int32_t>(l);
        scattered_.filled.push_back(static_cast<std::size_t>(grid_.sorted[l]));
    }
    scattered_.values.renew(scattered_.filled.size() * scatter_floats);
    const ChannelArray* channel = method_ == fluid::Method::apic ? particles.find_channel(affine_channel) : nullptr;
    const float* affine = channel ? reinterpret_cast<const float*>(channel->data()) : nullptr;
    densities_.clear();
    if (const fluid::PerParticle density = properties_.density(); density.each) {
        scatter(particles, densities_.as_velocities(density, particles.size()), nullptr);
        densities_.take(grid_);
        affine = densities_.weighted_affine(particles, channel, density);
        scatter(particles, densities_.weighted(particles, density), affine);
        densities_.divide(grid_);
    } else {
        scatter(particles, particles.velocity().data(), affine);
    }
    interior_.put(grid_);
}

/// Means of what particles have, to the faces around them.
void Solver::scatter(const ParticleStore& particles, const Float4* v, const float* affine) {
    const TransferKernels kernels = transfer_kernels();
    parallel_for(scattered_.filled.size(), 4, [&](Range range) {
        for (std::size_t k : range) {
            const std::size_t l = scattered_.filled[k];
            float* const buffer = scattered_.values.data() + k * scatter_floats;
            std::fill(buffer, buffer + scatter_floats, 0.f);
            const ScatterPass pass{.x = particles.position().data(),
                                   .v = v,
                                   .affine = affine,
                                   .corner = vec_cast<float>(sorted_.leaves()[l].coord * grid::leaf_width),
                                   .per_cell = 1 / cell_,
                                   .buffer = buffer};
            cells_.for_each_run(l, cells_.wet(l),
                                [&](std::uint32_t first, std::uint32_t last) { kernels.scatter(pass, first, last); });
        }
    });
    CombinePass combine{};
    combine.buffers = scattered_.values.data();
    combine.buffer_of = scattered_.of_leaf.data();
    combine.leaves = &grid_.leaves;
    for (int axis = 0; axis < 3; ++axis) {
        combine.velocity[axis] = grid_.velocity[axis].leaf(std::size_t{0});
        combine.layer[axis] = grid_.layer[axis].leaf(std::size_t{0});
        combine.crowd[axis] = grid_.crowd[axis].leaf(std::size_t{0});
    }
    parallel_for(grid_.leaves.size() - 1, 8, [&](Range range) {
        for (std::size_t k : range)
            kernels.combine(combine, k + 1);
    });
    refresh(grid_.leaves, grid_.crowd);
}

/// Liquid cells at the surface may have faces that no particle reached.
void Solver::add_gravity(Vec3f change) {
    solved_.fastest_before = static_cast<double>(fastest_face());
    solved_.fallen = static_cast<double>(length(change));
    const auto scope = context_.timer.scope("extend");
    grid_.extrapolate_velocities(1);
    parallel_for(grid_.leaves.size() - 1, 16, [&](Range range) {
        for (std::size_t k : range) {
            for (int axis = 0; axis < 3; ++axis) {
                float* u = grid_.velocity[axis].leaf(k + 1);
                std::copy(u, u + grid::leaf_cells, grid_.before[axis].leaf(k + 1));
                for (int n = 0; n < grid::leaf_cells; ++n)
                    u[n] += change[axis];
            }
        }
    });
}

double Solver::least_density() const {
    const auto& kinds = properties_.rule().kinds();
    return std::ranges::min_element(kinds, {}, &fluid::Liquid::density)->density;
}

void Solver::project(double dt, double tension_share, fluid::Coupling* coupling, fluid::StepReport& report) {
    const double tension = liquid().surface_tension, cell = double{cell_};
    if (tension > 0) {
        const auto scope = context_.timer.scope("tension");
        // Steps that are too long have the tension that they are just short enough for.
        const double of_longest = dt / SurfaceTension::longest_step(tension, least_density(), cell);
        const double left = std::min(1.0, 1 / (of_longest * of_longest));
        tension_.find(grid_, solids_, tension_share * left * tension * dt / (density() * cell * cell));
        report.flags.assign(fluid::StepFlag::tension_limited, of_longest > 1.01);
    }
    const auto scope = context_.timer.scope("pressure");
    const grid::SolveReport solved = pressure_.project(grid_, {.cells = &cells_,
                                                               .solids = &solids_,
                                                               .surface = &surface_,
                                                               .cell = cell,
                                                               .dt = dt,
                                                               .density = density(),
                                                               .gravity = solved_.fallen / dt,
                                                               .tolerance = params_.tolerance,
                                                               .coupling = coupling,
                                                               .inflow = solved_.inflow,
                                                               .jump = tension > 0 ? &tension_.jump() : nullptr,
                                                               .lightness = densities_.lightness()});
    report.iterations = solved.iterations;
    report.particle_iterations = solved.iterations;
    report.flags.assign(fluid::StepFlag::not_converged, !solved.converged);
    find_most_gained(coupling);
    if (!coupling) return;
    coupling->press(bounded_impulses(*coupling));
    solids_.follow(*coupling, cell);
}

/// What meets something at rest or at its own speed leaves with twice that at most, and what is lifted gains a few g:
/// more is the pressure of gaps that cells do not resolve.
void Solver::find_most_gained(const fluid::Coupling* coupling) {
    constexpr double most_thrown = 2, most_lifted = 4;
    double fastest = std::max(solved_.fastest_before, double{pressure_.fastest_push()});
    for (std::size_t k = 0; coupling && k < coupling->size(); ++k)
        fastest = std::max(fastest, speed_of(coupling->body(k).velocity));
    solved_.most_gained = most_thrown * fastest + most_lifted * solved_.fallen;
}

double Solver::speed_of(const fluid::Twist& motion) const {
    constexpr double radius = 2;  // in cells; bodies that need this are as small
    return length(motion.linear) + radius * static_cast<double>(cell_) * length(motion.angular);
}

/// The impulses that pressure gives to bodies, of each no more than makes it as fast as anything can.
std::vector<fluid::Twist> Solver::bounded_impulses(const fluid::Coupling& coupling) const {
    std::vector<fluid::Twist> impulses = pressure_.impulses(), changes(impulses.size());
    coupling.respond(impulses, changes);
    for (std::size_t k = 0; k < impulses.size(); ++k) {
        const double gained = speed_of(changes[k]);
        if (gained <= solved_.most_gained) continue;
        impulses[k].linear *= solved_.most_gained / gained;
        impulses[k].angular *= solved_.most_gained / gained;
    }
    return impulses;
}

void Solver::extrapolate(double dt) {
    const auto scope = context_.timer.scope("extend");
    solids_.stop(grid_.leaves, grid_.velocity, grid_.layer);
    solids_.calm_slits(grid_.leaves, grid_.open, grid_.velocity, static_cast<float>(solved_.most_gained));
    pressure_.release(grid_);
    // As far as the way through the step sees: three quarters of it, and the corners of its last cell.
    const double way = static_cast<double>(fastest_face()) * dt / static_cast<double>(cell_);
    grid_.extrapolate_velocities(static_cast<int>(std::min<double>(extended_layers, std::ceil(0.75 * way) + 2)));
    solids_.constrain(grid_.leaves, grid_.velocity);
}

float Solver::fastest_face() const {
    const GridKernels kernels = grid_kernels();
    double fastest = parallel_reduce(
        grid_.leaves.size() - 1, 32, 0.f,
        [&](Range range) {
            float largest = 0;
            for (std::size_t k : range) {
                if (!any(grid_.wet[k + 1])) continue;
                for (int axis = 0; axis < 3; ++axis)
                    largest = std::max(
                        largest, kernels.fastest(grid_.velocity[axis].leaf(k + 1), grid_.layer[axis].leaf(k + 1)));
            }
            return largest;
        },
        [](float a, float b) { return std::max(a, b); });
    context_.ranks->most({&fastest, 1});
    return static_cast<float>(fastest);
}

double Solver::longest_step_at(double speed) const {
    return speed > 0 ? params_.cfl * static_cast<double>(cell_) / speed : 1e30;
}

double Solver::longest_step(const Motion& motion) const {
    const double cell = double{cell_}, way = params_.cfl * cell, v = motion.speed, a = motion.acceleration;
    // What falls gains speed within the step too.
    const double by_speed = a > 0 ? (std::sqrt(v * v + 4 * a * way) - v) / (2 * a) : longest_step_at(v);
    const double by_waves = a > 0 ? share_of_wave * std::sqrt(cell / a) : 1e30;
    return std::min(
        {by_speed, by_waves, SurfaceTension::longest_step(liquid().surface_tension, least_density(), cell)});
}

}  // namespace spindrift::flip
