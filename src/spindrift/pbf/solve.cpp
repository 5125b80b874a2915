// Positions at rest density: stiffness where liquids meet, surface tension, and the iterations over constraints.

#include <algorithm>
#include <cmath>

#include "spindrift/core/parallel.h"
#include "spindrift/pbf/step.h"

namespace spindrift::pbf {

namespace {

/// Gain of the boundary density: 1 keeps the volume of a lattice that starts half a spacing off the walls;
/// docs/decisions/0005.
constexpr float wall_gain = 1;

/// Strength of the term that keeps particles from sticking to walls, in each iteration; docs/decisions/0005. The one
/// that keeps them from pairing up, in the first, is as strong as particles are dense.
constexpr float wall_separation = 1;

/// Largest move of one iteration beside walls, in support radii: a quarter of the spacing.
constexpr float largest_wall_move = static_cast<float>(0.25 / support_ratio);

/// Attraction per unit of f between particles 0.7 support radii apart is that of a density error of f; measured so that
/// kappa = 1 makes beads a few particles wide, docs/decisions/0008.
constexpr double attraction_scale = 12;

/// Spectral radius assumed by the Chebyshev iteration, and the fewest iterations it is worth; docs/decisions/0004.
constexpr double chebyshev_radius = 0.8;
constexpr int fewest_accelerated = 3;

/// Particles of a mixture whose densities and viscosities differ by less are of one kind to their neighbours.
constexpr float alike_within = 0.01f;

}  // namespace

/// Finds the clusters where liquids meet and makes particles there softer, so that light ones are not thrown about by
/// heavy ones: k_i = 1 / max(S / m_i, sum_j |V_j grad W_ij|^2 / m_j).
void Solver::weigh_stiffness(const ParticleStore& particles) {
    const fluid::PerParticle viscosity = properties_.viscosity(), density = properties_.density();
    if (!strengths_.stiffness() && !viscosity.each) return;
    const auto scope = context_.timer.scope("stiffness");
    // What a particle is mixed of differs from one to the next: only what the loops would feel counts.
    const fluid::PropertyRule& rule = properties_.rule();
    const float tolerance = rule.kinds_per_liquid() > 1 ? alike_within : 0;
    const std::span<neighbors::Cluster> clusters = lists_.clusters();
    // Liquids that answer alike share a kind.
    std::vector<std::uint8_t> kind(tables_.size());
    for (std::size_t l = 0; l < tables_.size(); ++l) {
        for (std::size_t m = 0; m <= l; ++m) {
            if (!tables_.alike(l, m)) continue;
            kind[l] = static_cast<std::uint8_t>(m);
            break;
        }
    }
    const neighbors::ListView lists = lists_.view();
    parallel_for(clusters.size(), neighbors::clusters_per_task, [&](Range range) {
        for (std::size_t n : range) {
            neighbors::Cluster& c = clusters[n];
            const std::uint8_t own = kind[properties_.liquid(c.first)];
            const float thick = viscosity[c.first], dense = density[c.first];
            const auto differs = [&](std::uint32_t j) {
                if (j >= sorted_.size()) return false;
                return kind[properties_.liquid(j)] != own || std::abs(viscosity[j] - thick) > tolerance * thick ||
                       (rule.densities_blend() && std::abs(density[j] - dense) > tolerance * dense);
            };
            const std::uint32_t* list = lists.list(c);
            c.mixed = c.crosses || rule.tensions_blend() || std::any_of(list, list + c.list_size, differs);
        }
    });
    if (!strengths_.stiffness()) return;
    loops_->stiffness(
        {.lists = lists, .fluid = fluid(), .x = particles.position().data(), .stiffness = strengths_.stiffness()},
        clusters.size());
}

/// Surface tension, once per step and before the iterations: inside an accelerated iteration attraction explodes.
Iterate Solver::apply_tension(ParticleStore& particles, double dt, StepReport& report) {
    iterates_.begin();
    const Iterate predicted = iterates_.predicted(particles);
    const std::vector<Liquid>& kinds = properties_.rule().kinds();
    if (std::none_of(kinds.begin(), kinds.end(), [](const Liquid& l) { return l.has_tension(); })) return predicted;
    const auto scope = context_.timer.scope("tension");
    std::vector<float> attraction, tensile;
    for (std::size_t n = 0; n < kinds.size(); ++n) {
        const double wanted = std::pow(dt / kinds[n].tension_time, 2);
        const double share = std::min(wanted, largest_tension_step * largest_tension_step);
        report.flags.set(fluid::StepFlag::tension_limited, kinds[n].has_tension() && wanted > 1.01 * share);
        const double density = kinds[n].density / properties_.rule().reference_density();
        const LiquidScale& scale = tables_.scales()[n / properties_.rule().kinds_per_liquid()];
        const double unit = share * static_cast<double>(scale.multiplier) * density;
        attraction.push_back(static_cast<float>(unit * attraction_scale * kinds[n].attraction));
        tensile.push_back(static_cast<float>(unit * kinds[n].tensile));
    }
    correct_positions({.omega = 1,
                       .term = PairTerm::tension,
                       .term_strength = strengths_.tensile(tensile, properties_, particles),
                       .attraction = strengths_.attraction(attraction, properties_, particles)},
                      predicted, predicted, iterates_.next(), all_clusters());
    iterates_.turn();
    return iterates_.last();
}

/// Density and the constraints that others added: every iteration projects them in ascending importance.
Iterate Solver::solve_constraints(ParticleStore& particles, const Iterate& start, const collision::Walls& walls,
                                  double dt, StepReport& report) {
    Iteration iteration = first_iteration(start, report);
    if (!constraints_.only_density()) begin_constraints(particles, walls, dt, iteration);
    for (; iteration.number <= params_.iterations && !iteration.enough; ++iteration.number) {
        for (const constraints::ConstraintList::Entry& entry : constraints_.entries()) {
            if (!entry.constraint) {
                project_density(iteration, report);
            } else {
                const auto scope = context_.timer.scope("constraints");
                constraints_.project(entry, iteration.number, iteration.now.x, iteration.before.x);
            }
        }
    }
    report.mean_density_error = mean_density_error(iteration);
    if (!constraints_.only_density()) constraints_.keep_out_of_walls(particles.position().data(), iteration.now.x);
    return iteration.now;
}

Solver::Iteration Solver::first_iteration(const Iterate& start, StepReport& report) {
    const bool accelerated = params_.acceleration != Acceleration::none && params_.iterations >= fewest_accelerated &&
                             guarded_steps_left_ == 0;
    report.flags.assign(fluid::StepFlag::guarded, guarded_steps_left_ > 0);
    guarded_steps_left_ = std::max(0, guarded_steps_left_ - 1);
    Iteration first;
    first.radius = accelerated ? chebyshev_radius : 0;
    first.now = first.before = start;
    return first;
}

/// Constraints move iterates in place, so the first one is a copy: the velocity update needs the predicted positions.
void Solver::begin_constraints(ParticleStore& particles, const collision::Walls& walls, double dt,
                               Iteration& iteration) {
    const auto scope = context_.timer.scope("constraints");
    if (!iterates_.any()) {
        iterates_.copy_predicted(particles);
        iteration.now = iteration.before = iterates_.last();
    }
    const constraints::ConstraintList::Step step{.particles = &particles,
                                                 .walls = &walls,
                                                 .liquids = &tables_.liquids(),
                                                 .liquid = properties_.liquids(),
                                                 .unit = static_cast<double>(h_),
                                                 .dt = dt,
                                                 .iterations = params_.iterations};
    constraints_.begin_step(step, iteration.now.x);
}

/// One correction of density; with a tolerance that is met it leaves the positions and the iterations end.
void Solver::project_density(Iteration& iteration, StepReport& report) {
    const int k = iteration.number;
    if (!levels_.advance_to(k) && k > 1) {
        iteration.enough = constraints_.only_density();
        return;
    }
    compute_multipliers(iteration.now.x, nullptr, levels_.constrained);
    iteration.evaluated = levels_.particles();
    if (params_.tolerance > 0) {
        const bool converged = mean_density_error(iteration) < params_.tolerance;
        report.flags.assign(fluid::StepFlag::not_converged, !converged);
        iteration.enough = converged && k > 1;
        if (iteration.enough) return;
    }

    const double radius2 = iteration.radius * iteration.radius;
    // Steps that go farther than the correction make those of a pair differ once one of the two stays behind: when
    // somebody is finished the acceleration begins anew.
    iteration.accelerated = levels_.somebody_finished() ? 1 : iteration.accelerated + 1;
    const int s = iteration.accelerated;
    iteration.omega = s == 1 ? 1 : s == 2 ? 2 / (2 - radius2) : 4 / (4 - radius2 * iteration.omega);
    // The predicted positions stay for the velocity update; iterates alternate between two arrays.
    const Iterate next = iterates_.next();
    correct_positions({.omega = static_cast<float>(iteration.omega),
                       .knows_fields = levels_.moving.size() == levels_.constrained.size(),
                       .term = k == 1 ? PairTerm::separation : PairTerm::none,
                       .term_strength = properties_.density(),
                       .wall_separation = wall_separation},
                      iteration.now, iteration.before, next, levels_.moving);
    iterates_.turn();
    report.iterations = k;
    report.particle_iterations += static_cast<double>(iteration.evaluated) /
                                  static_cast<double>(std::max<std::uint64_t>(1, sorted_.global_size()));
    iteration.before = iteration.now;
    iteration.now = next;
}

/// Of max(C, 0), over the particles whose density was evaluated last.
double Solver::mean_density_error(const Iteration& iteration) const {
    return levels_.total_error() / static_cast<double>(std::max<std::uint64_t>(1, iteration.evaluated));
}

void Solver::compute_multipliers(Float4* x, float* constraint, const ActiveClusters& active) {
    const auto scope = context_.timer.scope("density");
    const DensityPass pass{.lists = lists_.view(),
                           .fluid = fluid(),
                           .x = x,
                           .stiffness = strengths_.stiffness(),
                           .wall_gain = wall_gain,
                           .constraint = constraint,
                           .errors = levels_.errors.data(),
                           .active = active.indices()};
    loops_->density(pass, active.size());
    sorted_.refresh(x, &Float4::w);
}

void Solver::correct_positions(CorrectionPass pass, const Iterate& now, const Iterate& before, const Iterate& next,
                               const ActiveClusters& active) {
    const auto scope = context_.timer.scope("correction");
    pass.lists = lists_.view();
    pass.fluid = fluid();
    pass.wall_multiplier = static_cast<float>(wall_gain / prototype().gradient_scale);
    pass.largest_move = largest_wall_move;
    pass.body_move = body_move_;
    pass.x = now.x, pass.pushes = now.pushes;
    pass.x_before = before.x, pass.pushes_before = before.pushes;
    pass.x_next = next.x, pass.pushes_next = next.pushes;
    pass.active = active.indices();
    // Constraints of others move particles that are finished, too.
    keep_finished(pass, constraints_.only_density() ? active.just_finished() : active.finished());
    loops_->correct(pass, active.size());
    for (const fluid::HeldParticles::Held& held : sorted_.held())
        pass.x_next[held.index] = {held.x.x, held.x.y, held.x.z, 0};
    sorted_.refresh(pass.x_next);
}

/// Iterates alternate between two arrays: what is finished must be in both, with a multiplier of zero.
void Solver::keep_finished(const CorrectionPass& pass, std::span<const std::uint32_t> finished) const {
    parallel_for(finished.size(), [&](Range range) {
        for (std::size_t each : range) {
            const std::uint32_t n = finished[each];
            const neighbors::Cluster& c = lists_.clusters()[n];
            for (std::size_t i : Range{c.first, c.first + c.count})
                pass.x_next[i] = {pass.x[i].x, pass.x[i].y, pass.x[i].z, 0};
            if (!pass.pushes) continue;
            contacts_.for_each_push(n, [&](std::size_t, std::size_t push) {
                const std::size_t at = push_floats * push;
                std::copy(pass.pushes + at, pass.pushes + at + push_floats, pass.pushes_next + at);
            });
        }
    });
}

}  // namespace spindrift::pbf
