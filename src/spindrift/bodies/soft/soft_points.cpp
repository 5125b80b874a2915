#include "spindrift/bodies/soft/soft_points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "spindrift/constraints/bend.h"
#include "spindrift/constraints/elastic.h"
#include "spindrift/constraints/stretch.h"

namespace spindrift::bodies {

namespace {

/// Bounds of the passes in a step.
constexpr int least_passes = 8, most_passes = 40;

/// Pairs of triangles at an edge, in the order of the edges.
std::vector<constraints::Hinge> find_hinges(const std::vector<std::array<std::int64_t, 3>>& triangles) {
    struct Side {
        std::int64_t low, high;
        std::size_t triangle;
        std::int64_t first, second, across;  ///< along the triangle
    };
    std::vector<Side> sides;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        for (std::size_t e = 0; e < 3; ++e) {
            const std::int64_t a = triangles[t][e], b = triangles[t][(e + 1) % 3], c = triangles[t][(e + 2) % 3];
            sides.push_back({std::min(a, b), std::max(a, b), t, a, b, c});
        }
    }
    std::stable_sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
        return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
    });
    std::vector<constraints::Hinge> hinges;
    for (std::size_t i = 1; i < sides.size(); ++i) {
        const Side &a = sides[i - 1], &b = sides[i];
        if (a.low != b.low || a.high != b.high || a.across == b.across) continue;
        hinges.push_back({{a.first, a.second, a.across, b.across}});
    }
    return hinges;
}

template <class Kind>
void keep(std::vector<std::shared_ptr<constraints::Constraint>>& own, double& rate, std::shared_ptr<Kind> one,
          std::span<const double> inverse_masses) {
    rate = std::max(rate, one->rate(inverse_masses));
    own.push_back(std::move(one));
}

}  // namespace

Vec3d Whole::spin_of(Vec3d momentum) const {
    // A little on the diagonal: a row of points has no inertia about itself.
    const double trace = inertia[0][0] + inertia[1][1] + inertia[2][2], little = 1e-9 * trace;
    if (!(trace > 0)) return {};
    return constraints::invert({inertia[0][0] + little, inertia[0][1], inertia[0][2], inertia[1][1] + little,
                                inertia[1][2], inertia[2][2] + little}) *
           momentum;
}

Whole measure_whole(std::span<const Vec3d> points, std::span<const Vec3d> velocities, std::span<const double> masses) {
    Whole whole;
    for (std::size_t i = 0; i < points.size(); ++i) {
        whole.mass += masses[i];
        whole.center += points[i] * masses[i];
        whole.velocity.linear += velocities[i] * masses[i];
    }
    if (!(whole.mass > 0)) return {};
    whole.center = whole.center / whole.mass;
    whole.velocity.linear = whole.velocity.linear / whole.mass;
    Vec3d momentum{};
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3d r = points[i] - whole.center;
        momentum += cross(r, velocities[i] - whole.velocity.linear) * masses[i];
        for (int a = 0; a < 3; ++a) {
            for (int b = 0; b < 3; ++b)
                whole.inertia[a][b] += masses[i] * ((a == b ? dot(r, r) : 0) - r[a] * r[b]);
        }
    }
    whole.velocity.angular = whole.spin_of(momentum);
    return whole;
}

SoftPoints::SoftPoints(const SoftMesh& mesh, const BodyParams& params)
    : pinned(mesh.points.size()),
      damping_(params.kind == Kind::cloth ? params.cloth.damping : params.soft.damping),
      grip_(params.grip),
      restitution_(params.restitution),
      masses_(mesh.masses),
      riders_(mesh.riders) {
    std::vector<double> inverse;
    for (const double mass : masses_)
        inverse.push_back(mass > 0 ? 1 / mass : 0);
    if (params.kind == Kind::cloth) {
        keep(own_, rate_,
             std::make_shared<constraints::StretchConstraint>(mesh.triangles, mesh.points, params.cloth.stretch),
             inverse);
        if (params.cloth.bend > 0) {
            keep(own_, rate_,
                 std::make_shared<constraints::BendConstraint>(find_hinges(mesh.triangles), mesh.points,
                                                               params.cloth.bend),
                 inverse);
        }
        return;
    }
    const double young = params.soft.young, poisson = params.soft.poisson;
    const double shear = young / (2 * (1 + poisson)), bulk = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
    keep(own_, rate_, std::make_shared<constraints::TetrahedronConstraint>(mesh.tetrahedra, mesh.points, shear),
         inverse);
    if (bulk > 0)
        keep(own_, rate_, std::make_shared<constraints::VolumeConstraint>(mesh.cells, mesh.points, bulk), inverse);
}

int SoftPoints::passes(double dt) const {
    const double needed = std::ceil(dt * rate_);
    return static_cast<int>(std::clamp<double>(needed, least_passes, most_passes));
}

void SoftPoints::begin(BodyState& state, const Run& run) {
    const std::size_t n = masses_.size();
    mobility_.assign(n, {});
    pin_velocity_.assign(n, {});
    for (std::size_t i = 0; i < n; ++i) {
        if (pinned[i]) {
            if (!run.goals.empty()) pin_velocity_[i] = (run.goals[i] - state.points[i]) / run.dt;
            continue;
        }
        constraints::Symmetric3 total = constraints::diagonal(masses_[i]);
        if (!run.attached.empty()) total += run.attached[i];
        if (!(total.trace() > 0)) continue;
        mobility_[i] = invert(total);
        if (!run.impulses.empty())
            state.velocities[i] = mobility_[i] * (state.velocities[i] * masses_[i] + run.impulses[i]);
    }
}

Vec3d SoftPoints::run(BodyState& state, const Run& run) {
    begin(state, run);
    const int count = std::max(run.passes, passes(run.dt));
    const double h = run.dt / count;
    Vec3d given{};
    for (int k = 0; k < count; ++k) {
        fly(state, run, h);
        pull(state, h);
        given += meet(state, run);
        constraints.end_step();
    }
    for (std::size_t i = 0; i < pinned.size(); ++i) {
        if (pinned[i] && !run.goals.empty()) state.points[i] = run.goals[i];
    }
    return given;
}

/// Liquid that is attached has felt gravity already.
void SoftPoints::fly(BodyState& state, const Run& run, double h) {
    start_ = state.points;
    for (std::size_t i = 0; i < start_.size(); ++i) {
        if (pinned[i]) {
            state.velocities[i] = pin_velocity_[i];
        } else {
            state.velocities[i] += mobility_[i] * (run.gravity * (h * masses_[i]));
        }
        state.points[i] += state.velocities[i] * h;
    }
}

void SoftPoints::pull(BodyState& state, double h) {
    constraints.begin_step(
        constraints::ConstraintList::PointStep{state.points, state.velocities, start_, mobility_, h});
    for (const auto& one : own_)
        one->begin_step(constraints.context());
    for (const constraints::ConstraintList::Entry& entry : constraints.entries()) {
        if (entry.constraint) {
            constraints.project(*entry.constraint);
            continue;
        }
        for (const auto& one : own_)
            constraints.project(*one);
    }
    for (std::size_t i = 0; i < start_.size(); ++i) {
        if (!pinned[i]) state.velocities[i] = (state.points[i] - start_[i]) / h;
    }
}

Vec3d SoftPoints::meet(BodyState& state, const Run& run) const {
    Vec3d given{};
    if (!run.obstacles || run.obstacles->empty()) return given;
    for (const Rider& rider : riders_)
        given += meet_one(state, run, rider);
    return given;
}

/// A point of the surface that has entered something is put out of it, and its velocity answers to the wall's: the way
/// out is no motion.
Vec3d SoftPoints::meet_one(BodyState& state, const Run& run, const Rider& rider) const {
    const auto to_units = [&](Vec3d x) { return vec_cast<float>((x - run.origin) / run.unit); };
    const Vec3f from = to_units(rider.at(start_)), wanted = to_units(rider.at(state.points));
    if (run.obstacles->is_clear(from, wanted, collision::Start::now)) return {};
    constraints::Symmetric3 gives{};
    double squares = 0;
    for (std::size_t v = 0; v < 4; ++v) {
        gives += mobility_[rider.points[v]] * (rider.weights[v] * rider.weights[v]);
        if (!pinned[rider.points[v]]) squares += rider.weights[v] * rider.weights[v];
    }
    if (!(gives.trace() > 0)) return {};
    Vec3f to = wanted;
    const collision::WallHit hit = run.obstacles->trace(from, to, collision::Start::now);
    if (!hit.hit) return {};
    const Vec3d out = vec_cast<double>(to - wanted) * run.unit;
    const Vec3d impulse = answer(hit, rider.at(state.velocities), gives);
    for (std::size_t v = 0; v < 4; ++v) {
        const std::size_t i = rider.points[v];
        if (!pinned[i]) state.points[i] += out * (rider.weights[v] / squares);
        state.velocities[i] += mobility_[i] * impulse * rider.weights[v];
    }
    return impulse;
}

/// The impulse on a point that hits something, whose velocity changes as `gives` says.
Vec3d SoftPoints::answer(const collision::WallHit& hit, Vec3d velocity, const constraints::Symmetric3& gives) const {
    // Slower than this things rest: they would hop for ever.
    constexpr double bounces_from = 0.2;
    const Vec3d n = vec_cast<double>(hit.normal), relative = velocity - vec_cast<double>(hit.velocity);
    const double into = -dot(relative, n);
    if (!(into > 0)) return {};
    const double push = into * (1 + (into > bounces_from ? restitution_ : 0)) / dot(n, gives * n);
    const Vec3d slide = relative + n * into;
    const double speed = length(slide);
    if (!(speed > 0)) return n * push;
    const Vec3d along = slide / speed;
    return n * push - along * std::min(grip_ * into / dot(n, gives * n), speed / dot(along, gives * along));
}

void SoftPoints::damp(BodyState& state, double dt) const {
    if (damping_ == 0) return;
    const Whole whole = measure_whole(state.points, state.velocities, masses_);
    const double left = std::exp(-damping_ * dt);
    for (std::size_t i = 0; i < state.points.size(); ++i) {
        if (pinned[i]) continue;
        const Vec3d rigid = whole.velocity_at(state.points[i]);
        state.velocities[i] = rigid + (state.velocities[i] - rigid) * left;
    }
}

}  // namespace spindrift::bodies
