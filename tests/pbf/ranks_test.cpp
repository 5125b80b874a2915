// Ranks that own parts of a liquid, here as threads: together they have the bits of one that owns it all.

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <vector>

#include <gtest/gtest.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/random.h"
#include "spindrift/neighbors/leaf_key.h"
#include "spindrift/pbf/step.h"
#include "spindrift/ranks/threads.h"

namespace spindrift::pbf {
namespace {

constexpr double spacing = 0.02, dt = 1.0 / 240;
constexpr int steps = 12, side = 30;
constexpr std::size_t born_per_step = 40;
const Liquid water{
    .spacing = spacing, .density = 1000, .viscosity = 1e-3, .attraction = 0.2, .tensile = 0.1, .tension_time = 0.05};
const Liquid oil{.spacing = spacing, .density = 800, .viscosity = 0.05};

/// A particle before it is anybody's.
struct Seed {
    Vec3f x, v;
    std::uint16_t liquid;
};

/// A jittered block of two liquids that flies apart, over more than a hundred leaves.
std::vector<Seed> block() {
    std::vector<Seed> seeds;
    for (int n = 0; n < side * side * side; ++n) {
        const auto k = static_cast<std::uint64_t>(n);
        const Vec3f jitter{uniform(hash_counter(1, k, 0)), uniform(hash_counter(1, k, 1)),
                           uniform(hash_counter(1, k, 2))};
        const Vec3f at = (vec_cast<float>(Vec3i{n % side, n / side % side, n / (side * side)}) + jitter * 0.2f) *
                         static_cast<float>(0.97 * spacing);
        const Vec3f v{2 * at.x, 0.5f, -3 * at.z};
        seeds.push_back({at, v, static_cast<std::uint16_t>(n % side > side / 2)});
    }
    return seeds;
}

/// A fast stream that crosses several ranks.
std::vector<Seed> births(int step) {
    std::vector<Seed> seeds;
    for (std::size_t n = 0; n < born_per_step; ++n) {
        const std::uint64_t k = static_cast<std::uint64_t>(step) * born_per_step + n;
        const Vec3f place{uniform(hash_counter(2, k, 0)), uniform(hash_counter(2, k, 1)),
                          uniform(hash_counter(2, k, 2))};
        seeds.push_back({place * 0.55f, {8, 0, 6}, 0});
    }
    return seeds;
}

/// Adds those of the seeds that belong to this rank; ids count all of them.
template <class IsOwn>
void add(ParticleStore& particles, const std::vector<Seed>& seeds, const IsOwn& is_own) {
    for (const Seed& seed : seeds) {
        if (!is_own(seed.x)) {
            particles.next_id += 1;
            continue;
        }
        const std::size_t i = particles.append(1).first;
        particles.position()[i] = {seed.x.x, seed.x.y, seed.x.z, 0};
        particles.velocity()[i] = {seed.v.x, seed.v.y, seed.v.z, particles.velocity()[i].w};
        particles.find_channel(phase_channel)->as<std::uint16_t>()[particles.slot(i)] = seed.liquid;
        particles.find_channel("thickness")->as<float>()[particles.slot(i)] = seed.liquid ? 0.02f * seed.x.y : 1e-3f;
        if (ChannelArray* const level = particles.find_channel(level_channel))
            level->as<std::uint8_t>()[particles.slot(i)] = seed.x.x > 0.3f ? 2 : 4;
    }
}

struct State {
    Vec3f x, v;
    bool operator==(const State&) const = default;
};

struct Result {
    std::map<std::int64_t, State> particles;
    std::vector<double> numbers;  ///< of reports
};

collision::Walls room() {
    collision::DomainParams domain;
    domain.box = {{-0.1, 0, -0.1}, {0.9, 0.8, 0.7}};
    return collision::make_walls(domain, {}, {}, water.support_radius());
}

struct Setting {
    int ranks = 1;
    bool levels = false;
    double tolerance = 0;
};

std::uint64_t key_of(Vec3f x) {
    const auto leaf = static_cast<float>(1 / (8 * water.support_radius()));
    return neighbors::leaf_key({static_cast<int>(std::floor(x.x * leaf)), static_cast<int>(std::floor(x.y * leaf)),
                                static_cast<int>(std::floor(x.z * leaf))});
}

/// Borders at quantiles of the block that are far from even.
ranks::Cuts make_cuts(int count) {
    std::vector<std::uint64_t> keys;
    for (const Seed& seed : block())
        keys.push_back(key_of(seed.x));
    std::sort(keys.begin(), keys.end());
    ranks::Cuts cuts{{0}};
    for (int k = 1; k < count; ++k)
        cuts.first_keys.push_back(
            keys[keys.size() * static_cast<std::size_t>(k * k) / static_cast<std::size_t>(count * count)]);
    return cuts;
}

void note(const StepReport& report, std::vector<double>& numbers) {
    for (const double number :
         {report.kinetic_energy, report.max_speed, report.relative_speed, report.mean_density_error,
          report.particle_iterations, static_cast<double>(report.iterations), static_cast<double>(report.escaped),
          static_cast<double>(report.flags.bits())})
        numbers.push_back(number);
}

void run_rank(ranks::Ranks& ranks, const Setting& setting, std::mutex& mutex, Result& result) {
    SolverParams params;
    params.coarse = false;
    params.tolerance = setting.tolerance;
    params.viscosity_channel = "thickness";
    Solver solver(params, {water, oil});
    const ranks::Cuts cuts = make_cuts(ranks.size());
    solver.share(ranks, cuts);
    ParticleStore particles;
    particles.request_channel(phase_channel);
    if (setting.levels) particles.add_channel(level_channel, level_type);
    particles.add_channel("thickness", {ScalarType::f32, 1});
    const auto is_own = [&](Vec3f x) { return cuts.owner(key_of(x)) == ranks.rank(); };
    forces::ForceSet gravity;
    gravity.gravity = {0, -9.81f, 0};
    std::vector<double> numbers;
    add(particles, block(), is_own);
    for (int step = 0; step < steps; ++step) {
        note(solver.step(particles, gravity, room(), dt), numbers);
        add(particles, births(step), is_own);
        // Somebody goes, too.
        for (std::size_t i = 0; i < particles.size(); ++i) {
            if (particles.channels().front().as<std::int64_t>()[particles.slot(i)] % 997 == step) particles.kill(i);
        }
        if (step == steps / 2) particles.settle();
    }
    note(solver.step(particles, gravity, room(), dt), numbers);
    std::vector<float> density;
    const DensityReport measured = solver.measure_density(particles, density);
    numbers.insert(numbers.end(), {measured.mean_error, measured.max_error, measured.neighbors});
    std::vector<Vec3f> curls(particles.size());
    solver.measure_vorticity(particles, {curls.data(), curls.size()});
    const std::lock_guard lock(mutex);
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const std::int64_t id = particles.channels().front().as<std::int64_t>()[particles.slot(i)];
        result.particles[2 * id] = {particles.position()[i].xyz(), particles.velocity()[i].xyz()};
        result.particles[2 * id + 1] = {curls[i], {density[i], 0, 0}};
    }
    if (ranks.rank() == 0) result.numbers = numbers;
}

Result run(const Setting& setting) {
    std::mutex mutex;
    Result result;
    ranks::run_as_threads(setting.ranks, [&](ranks::Ranks& ranks) { run_rank(ranks, setting, mutex, result); });
    return result;
}

void expect_same_bits(const Setting& setting) {
    Setting alone = setting;
    alone.ranks = 1;
    const Result one = run(alone);
    ASSERT_GT(one.particles.size(), std::size_t{2 * side * side * side});
    for (const int count : {2, 3, 5}) {
        Setting shared = setting;
        shared.ranks = count;
        const Result several = run(shared);
        EXPECT_EQ(several.numbers, one.numbers) << count;
        ASSERT_EQ(several.particles.size(), one.particles.size()) << count;
        EXPECT_TRUE(several.particles == one.particles) << count << " ranks have other bits";
    }
}

TEST(SharedLiquid, has_the_bits_of_one_rank) {
    expect_same_bits({});
}

TEST(SharedLiquid, has_the_bits_of_one_rank_with_levels_of_detail_and_a_tolerance) {
    expect_same_bits({.levels = true, .tolerance = 0.004});
}

TEST(SharedLiquid, says_what_one_rank_alone_can) {
    const auto step_with = [](const SolverParams& params, const std::vector<Liquid>& liquids) {
        ranks::run_as_threads(2, [&](ranks::Ranks& ranks) {
            Solver solver(params, liquids);
            solver.share(ranks, make_cuts(2));
            ParticleStore particles;
            particles.request_channel(phase_channel);
            solver.step(particles, {}, {}, dt);
        });
    };
    SolverParams without_coarse;
    without_coarse.coarse = false;
    const Liquid fine{.spacing = spacing / 2, .density = 1000};
    EXPECT_THROW(step_with(SolverParams{}, {water}), UsageError);
    EXPECT_THROW(step_with(without_coarse, {water, fine}), UsageError);
    EXPECT_NO_THROW(step_with(without_coarse, {water})) << "a liquid without particles is one, too";
}

}  // namespace
}  // namespace spindrift::pbf
