#pragma once
// Particles that stand still: what pairs exchange alone, beside theory.
//
//   Still still(settled_column({10, 40, 10}), mixture);
//   still.begin([](Vec3d x, std::size_t) { return std::vector<double>{x.y < 0.2 ? 1.0 : 0, x.y < 0.2 ? 0.0 : 1}; });
//   still.run(2.0, 100);

#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <vector>

#include "spindrift/core/hash.h"
#include "spindrift/core/random.h"
#include "spindrift/pbf/contacts.h"
#include "spindrift/pbf/mixing.h"
#include "spindrift/pbf/step.h"
#include "spindrift/pbf/wall_classes.h"

namespace spindrift::pbf {

inline constexpr double d = 0.01;  ///< spacing, m
inline constexpr Liquid water{.spacing = d, .density = 1000, .viscosity = 1e-6};

inline std::vector<Vec3d> lattice(Vec3i size, double jitter = 0, double spacing = d) {
    std::vector<Vec3d> points;
    for (int z = 0; z < size.z; ++z) {
        for (int y = 0; y < size.y; ++y) {
            for (int x = 0; x < size.x; ++x) {
                const auto moved = [&](int at, std::uint64_t axis) {
                    const double random = uniform(hash_counter(7, points.size(), axis));
                    return (at + 0.5 + jitter * (2 * random - 1)) * spacing;
                };
                points.push_back({moved(x, 0), moved(y, 1), moved(z, 2)});
            }
        }
    }
    return points;
}

/// Liquid as a tank of our own has it after it fell together.
inline std::vector<Vec3d> settled_column(Vec3i size) {
    ParticleStore particles;
    const std::vector<Vec3d> start = lattice(size, 0.1);
    particles.append(start.size());
    for (std::size_t i = 0; i < start.size(); ++i) {
        const Vec3f x = vec_cast<float>(start[i]);
        particles.position()[i] = {x.x, 1.15f * x.y, x.z, 0};
    }
    collision::DomainParams domain;
    domain.box = {{0, 0, 0}, {size.x * d, 2 * size.y * d, size.z * d}};
    const collision::Walls walls = collision::make_walls(domain, {}, {}, water.support_radius());
    forces::ForceSet gravity;
    gravity.gravity = {0, -9.81f, 0};
    Solver solver({}, {water});
    for (int step = 0; step < 150; ++step)
        solver.step(particles, gravity, walls, 0.003);
    std::vector<Vec3d> points;
    for (const Float4& x : particles.position())
        points.push_back(vec_cast<double>(x.xyz()));
    return points;
}

/// Particles that stand still, sorted and with neighbours, as Solver::mix has them.
class Still {
  public:
    Still(const std::vector<Vec3d>& points, fluid::Mixture mixture, std::vector<Liquid> liquids = {water},
          const collision::Walls& walls = {}, const std::vector<std::uint16_t>& phase = {})
        : tables_(std::move(liquids)), sorted_(tables_.resolutions()), walls_(walls), mixing_(std::move(mixture)) {
        for (const fluid::Component& component : mixing_.mixture().components)
            particles.add_channel(component.channel, {ScalarType::f32, 1});
        particles.append(points.size());
        for (std::size_t i = 0; i < points.size(); ++i) {
            const Vec3f x = vec_cast<float>(points[i] / tables_.unit());
            const std::uint32_t liquid = phase.empty() ? 0 : phase[i];
            particles.position()[i] = {x.x, x.y, x.z, std::bit_cast<float>(liquid)};
        }
        fluid::StepReport report;
        sorted_.sort(particles, spare_, report);
        const std::size_t n = sorted_.size();
        particles.position_buffer()[n] = {3e7f, 0, 0, 0};
        particles.velocity_buffer()[n] = {0, 0, 0, 0};
        for (std::size_t i = 0; i < n; ++i) {
            liquid_.push_back(static_cast<std::uint8_t>(std::bit_cast<std::uint32_t>(particles.position()[i].w)));
            particles.position()[i].w = 0;
        }
        liquid_.resize(n + ParticleStore::padding);
        lists_.build(sorted_.grid(), particles.position().data(), n);
        classes_.set(walls_, tables_.resolutions().h);
        contacts_.find({.clusters = lists_.clusters().data(),
                        .x = particles.position().data(),
                        .scales = tables_.scales().data(),
                        .liquid = tables_.single() ? nullptr : liquid_.data(),
                        .walls = &walls_},
                       lists_.clusters().size());
    }

    Vec3d place(std::size_t i) const { return vec_cast<double>(particles.position()[i].xyz()) * tables_.unit(); }
    std::size_t liquid(std::size_t i) const { return liquid_[i]; }
    std::size_t components() const { return mixing_.mixture().components.size(); }
    float share(std::size_t i, std::size_t k) const {
        return particles.find_channel(mixing_.mixture().components[k].channel)->as<float>()[particles.slot(i)];
    }
    /// Shares of all components by place.
    template <class SharesAt>
    void begin(const SharesAt& shares_at) {
        for (std::size_t i = 0; i < sorted_.size(); ++i) {
            const std::vector<double> parts = shares_at(place(i), i);
            const fluid::Shares whole = fluid::whole_shares(parts);
            for (std::size_t k = 0; k < parts.size(); ++k)
                particles.find_channel(mixing_.mixture().components[k].channel)->as<float>()[particles.slot(i)] =
                    whole[k];
        }
    }
    void run(double seconds, int steps) {
        for (int k = 0; k < steps; ++k) {
            mixing_.advance(particles, {.loops = *loops_,
                                        .lists = lists_.view(),
                                        .cluster_count = lists_.clusters().size(),
                                        .sorted = sorted_,
                                        .fluid = view(),
                                        .tables = tables_,
                                        .walls = walls_,
                                        .gravity = gravity,
                                        .dt = seconds / steps});
        }
    }
    /// Of one component, in quanta: whole numbers, exact.
    std::int64_t total(std::size_t k) const {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < sorted_.size(); ++i)
            sum += static_cast<std::int64_t>(static_cast<double>(share(i, k)) * 16777216);
        return sum;
    }
    /// Whether all shares are multiples of the quantum from 0 to 1 that add up to 1.
    bool is_whole() const {
        for (std::size_t i = 0; i < sorted_.size(); ++i) {
            fluid::Shares shares{};
            for (std::size_t k = 0; k < components(); ++k)
                shares[k] = share(i, k);
            if (!fluid::are_whole({shares.data(), components()})) return false;
        }
        return true;
    }
    /// How much of the slowest cosine along an axis of this length there is.
    double mode(int axis, double length, std::size_t k = 0) const {
        double sum = 0;
        for (std::size_t i = 0; i < sorted_.size(); ++i)
            sum += static_cast<double>(share(i, k)) * std::cos(std::numbers::pi * place(i)[axis] / length);
        return sum;
    }
    std::size_t size() const { return sorted_.size(); }

    ParticleStore particles;
    Vec3f gravity{0, -9.81f, 0};

  private:
    FluidView view() {
        return {.liquid = tables_.single() ? nullptr : liquid_.data(),
                .scales = tables_.scales().data(),
                .pairs = tables_.pairs().data(),
                .shares = tables_.shares().data(),
                .density = nullptr,
                .inverse_density = nullptr,
                .walls = classes_.views(),
                .contacts = contacts_.view()};
    }

    LiquidTables tables_;
    fluid::SortedParticles sorted_;
    fluid::SpareArrays spare_;
    std::vector<std::uint8_t> liquid_;
    neighbors::ClusterLists lists_;
    collision::Walls walls_;
    WallClasses classes_;
    Contacts contacts_;
    std::unique_ptr<PairLoops> loops_ = make_host_loops(Bits::native);
    Mixing mixing_;
};

}  // namespace spindrift::pbf
