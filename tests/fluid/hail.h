#pragma once
// The smallest method there can be, as a pattern for others: particles fall, meet walls and bounce, and do not feel
// each other. It shows what a solver takes from fluid and what it must give (docs/extending.md).

#include <array>
#include <utility>
#include <vector>

#include "spindrift/core/parallel.h"
#include "spindrift/fluid/liquid_of.h"
#include "spindrift/fluid/properties.h"
#include "spindrift/fluid/solver.h"
#include "spindrift/fluid/sorted_particles.h"

namespace spindrift::hail {

class Solver final : public fluid::Solver {
  public:
    explicit Solver(std::vector<fluid::Liquid> liquids)
        : properties_(fluid::PropertyRule(std::move(liquids), "")),
          h_(static_cast<float>(fluid::largest_support(properties_.rule().liquids()))),
          sorted_(neighbors::Resolutions{.h = {h_}}) {}

    fluid::StepReport step(ParticleStore& particles, const forces::ForceSet& forces, const collision::Walls& walls,
                           double dt, fluid::Coupling*) override {
        fluid::StepReport report;
        observe_into(particles, report);
        apply_forces(particles, forces, static_cast<float>(dt));
        move(particles, walls, static_cast<float>(dt));
        measure(particles, report);
        return report;
    }
    fluid::StepReport observe(ParticleStore& particles, const collision::Walls&) override {
        fluid::StepReport report;
        observe_into(particles, report);
        return report;
    }
    double longest_step(const Motion& motion) const override { return longest_step_at(motion.speed); }
    double longest_step_at(double speed) const override { return speed > 0 ? static_cast<double>(h_) / speed : 1e30; }
    bool can_measure() const override { return true; }
    fluid::DensityReport measure_density(ParticleStore& particles, std::vector<float>& relative) override {
        relative.assign(particles.size(), 1);
        return {};
    }
    void measure_vorticity(const ParticleStore&, Channel<Vec3f>) override {}
    std::vector<double> state() const override { return {}; }
    void set_state(std::span<const double>) override {}

  private:
    void observe_into(ParticleStore& particles, fluid::StepReport& report) {
        sorted_.sort(particles, spare_, report);
        properties_.fill(particles, sorted_.owned(), sorted_.size(), fluid::LiquidOf(particles));
        sorted_.find_held(particles);
    }
    void apply_forces(ParticleStore& particles, const forces::ForceSet& forces, float dt) {
        forces.apply({.x = particles.position().data(),
                      .v = particles.velocity().data(),
                      .count = particles.size(),
                      .dt = dt,
                      .particles = &particles});
    }
    void move(ParticleStore& particles, const collision::Walls& walls, float dt) const {
        parallel_for(particles.size(), [&, x = particles.position(), v = particles.velocity()](Range range) {
            for (const std::size_t i : range) {
                Vec3f to = (x[i].xyz() + v[i].xyz() * dt) / h_;
                const collision::WallHit hit = walls.trace(x[i].xyz() / h_, to);
                const Vec3f after = hit.hit ? respond(v[i].xyz(), hit) : v[i].xyz();
                x[i] = {to.x * h_, to.y * h_, to.z * h_, x[i].w};
                v[i] = {after.x, after.y, after.z, v[i].w};
            }
        });
    }
    void measure(const ParticleStore& particles, fluid::StepReport& report) const {
        report.kinetic_energy = sorted_.sums<1>([&](std::size_t, Range own) {
            double sum = 0;
            for (const std::size_t i : own) {
                const Vec3f v = particles.velocity()[i].xyz();
                sum += 0.5 * properties_.mass_in_kg(i) * static_cast<double>(dot(v, v));
            }
            return std::array{sum};
        })[0];
        for (const Float4& v : particles.velocity())
            report.max_speed = std::max(report.max_speed, static_cast<double>(length(v.xyz())));
        report.relative_speed = report.max_speed;
    }

    fluid::Properties properties_;
    float h_;  ///< m
    fluid::SortedParticles sorted_;
    fluid::SpareArrays spare_;
};

}  // namespace spindrift::hail
