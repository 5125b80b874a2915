#include "spindrift/pbf/mixing.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "spindrift/core/parallel.h"

namespace spindrift::pbf {

namespace {

/// Largest sum of the weights of a particle's pairs times the spacing squared, in liquid at rest (docs/decisions/0030).
constexpr double most_weight = 4.5;

/// A pass runs once particles would exchange this share; less rounds away.
constexpr double smallest_share = 0.15;

/// Largest share of a pass: rounding may double what flows, and no particle gives more than it has. Components that
/// spread unlike each other flow twice.
constexpr double largest_share = 0.48;
constexpr double planned_share = 0.42;

/// Beyond so many passes a super-step takes less time. Its stages may take this share of what would be unstable.
constexpr int most_passes = 3;
constexpr double stable_share = 0.9;

/// Whether particles may stand on both sides of some wall: not if there is only the box that holds them.
bool may_be_between(const collision::Walls& walls) {
    return !walls.planes.empty() || !walls.fields.empty() ||
           std::ranges::any_of(walls.boxes, [](const collision::WallBox& box) { return box.solid; });
}

}  // namespace

void Mixing::give_back_memory() {
    shares_.give_back_memory();
    inverse_share_.release();
    wall_.release();
    for (Buffer<Float4>& group : slip_)
        group.release();
    room_.release();
}

double Mixing::expected_share(const LiquidTables& tables, double seconds) const {
    const double finest = fluid::finest_spacing(tables.liquids());
    return most_weight * mixture_.largest_diffusivity() * seconds / (finest * finest);
}

void Mixing::advance(ParticleStore& particles, const Input& input) {
    if (mixture_.spreads()) due += input.dt;
    if (mixture_.settles()) settling_due += input.dt;
    double share = expected_share(input.tables, due) * (mixture_.diffusivities_differ() ? 2 : 1);
    const bool spreads = mixture_.spreads() && (share >= smallest_share || mixture_.eddies > 0);
    const bool settles = settling_is_due(input);
    if (!spreads && !settles) return;
    prepare(particles, input);
    if (settles) settle(particles, input);
    if (spreads) {
        if (share <= most_passes * planned_share) share = spread_in_passes(particles, input, share);
        if (share > 0) spread_in_super_step(particles, input, share);
        due = 0;
    }
    shares_.scatter(mixture_, particles);
}

void Mixing::prepare(ParticleStore& particles, const Input& input) {
    const std::size_t n = input.sorted.size();
    shares_.gather(mixture_, particles, n);
    inverse_share_.resize(n + ParticleStore::padding);
    std::fill_n(inverse_share_.data() + n, ParticleStore::padding, 0.f);
    input.loops.filled_shares({.lists = input.lists,
                               .fluid = input.fluid,
                               .x = particles.position().data(),
                               .inverse_share = inverse_share_.data()},
                              input.cluster_count);
    constexpr float closed = -1e30f;
    for (const fluid::HeldParticles::Held& held : input.sorted.held())
        inverse_share_[held.index] = closed;
    find_walls(particles, input);
    weights_.resize(input.cluster_count);
}

/// The nearest wall of each particle that is beside one.
void Mixing::find_walls(const ParticleStore& particles, const Input& input) {
    has_walls_ = may_be_between(input.walls);
    if (!has_walls_) return;
    const std::size_t n = input.sorted.size();
    wall_.resize(n + ParticleStore::padding);
    std::fill_n(wall_.data(), n + ParticleStore::padding, Float4{0, 0, 0, 0});
    parallel_for(input.cluster_count, neighbors::clusters_per_task, [&, x = particles.position()](Range range) {
        for (const std::size_t k : range) {
            const neighbors::Cluster& c = input.lists.clusters[k];
            if (!c.near_wall && !input.fluid.contacts.any(static_cast<std::uint32_t>(k))) continue;
            for (std::size_t i = c.first; i < c.first + c.count; ++i) {
                const collision::Walls::Nearest near = input.walls.nearest(x[i].xyz());
                if (near.distance > 1) continue;
                wall_[i] = {near.normal.x, near.normal.y, near.normal.z, near.distance};
            }
        }
    });
}

std::vector<float> Mixing::pair_geometry(const LiquidTables& tables, double factor) {
    const double poly6 = 315 / (64 * std::numbers::pi);
    const neighbors::Resolutions& classes = tables.resolutions();
    std::vector<float> geometry;
    for (std::size_t pair = 0; pair < tables.pairs().size(); ++pair) {
        const PairScale& scale = tables.pairs()[pair];
        const std::size_t other = pair % neighbors::most_resolutions;
        if (scale.h == 0 || other >= classes.h.size()) {
            geometry.push_back(0);
            continue;
        }
        const double volume = std::pow(static_cast<double>(classes.h[other]) / support_ratio, 3);
        // Half of 12 k6 V: a pair has the sum of what both see filled, in place of the mean.
        const double own = 6 * poly6 * volume / std::pow(static_cast<double>(scale.h), 9);
        geometry.push_back(static_cast<float>(own * factor));
    }
    return geometry;
}

double Mixing::run_stage(const ParticleStore& particles, const Input& input, const Stage& stage) {
    const bool unlike = mixture_.diffusivities_differ() || mixture_.eddies > 0;
    const double unit = input.tables.unit(), largest = mixture_.largest_diffusivity();
    std::vector<float> coefficient =
        pair_geometry(input.tables, stage.seconds * (unlike ? 1 : largest) / (unit * unit));
    std::array<float, fluid::most_components> diffusivity{};
    for (std::size_t k = 0; k < mixture_.components.size(); ++k)
        diffusivity[k] = static_cast<float>(mixture_.components[k].diffusivity);
    std::array<const Float4*, fluid::share_groups> now{};
    std::array<Float4*, fluid::share_groups> next{};
    for (std::size_t g = 0; g < shares_.groups(); ++g) {
        now[g] = shares_.group(g);
        next[g] = shares_.next(g);
    }
    constexpr double smagorinsky = 0.17 * 0.17 / 0.7;
    const MixingPass pass{.lists = input.lists,
                          .fluid = input.fluid,
                          .x = particles.position().data(),
                          .inverse_share = inverse_share_.data(),
                          .walls = has_walls_ ? wall_.data() : nullptr,
                          .v = mixture_.eddies > 0 ? particles.velocity().data() : nullptr,
                          .groups = now.data(),
                          .next = next.data(),
                          .nobody = static_cast<std::uint32_t>(shares_.size()),
                          .components = static_cast<int>(mixture_.components.size()),
                          .coefficient = coefficient.data(),
                          .unlike = unlike,
                          .diffusivity = diffusivity.data(),
                          .largest_diffusivity = static_cast<float>(largest),
                          .eddies = static_cast<float>(smagorinsky * mixture_.eddies * unit),
                          .exact = stage.exact,
                          .factor = stage.factor,
                          .momentum = stage.momentum,
                          .weights = weights_.data()};
    input.loops.exchange(pass, input.cluster_count);
    const double weight = weights_.empty() ? 0 : static_cast<double>(*std::ranges::max_element(weights_));
    return unlike ? 2 * weight : weight;
}

/// Passes of equal length. One in which a particle would give more than it has is taken back, and shorter ones follow.
double Mixing::spread_in_passes(const ParticleStore& particles, const Input& input, double expected) {
    double left = due;
    int passes = std::max(1, static_cast<int>(std::ceil(expected / planned_share)));
    while (passes > 0) {
        const double share = run_stage(particles, input, {.seconds = left / passes});
        if (share > largest_share) {
            if (left == due && passes * share > most_passes * planned_share) return passes * share;
            passes = std::max(passes + 1, static_cast<int>(std::ceil(passes * share / planned_share)));
            continue;
        }
        shares_.turn();
        left -= left / passes;
        passes -= 1;
    }
    return 0;
}

void Mixing::spread_in_super_step(const ParticleStore& particles, const Input& input, double share) {
    const fluid::SharesBefore before(shares_);
    const auto stages_for = [](double total) {
        return static_cast<int>(std::ceil(0.5 * (std::sqrt(1 + 8 * total / stable_share) - 1)));
    };
    int stages = stages_for(share);
    const auto part = [&] { return static_cast<float>(2.0 / (stages * stages + stages)); };
    // How much particles exchange is known after the first stage, which then is made anew if it was to be shorter.
    const double largest = run_stage(particles, input, {.seconds = due, .exact = false, .factor = part()});
    if (stages_for(largest) > stages) {
        stages = stages_for(largest);
        run_stage(particles, input, {.seconds = due, .exact = false, .factor = part()});
    }
    shares_.turn();
    for (int j = 2; j <= stages; ++j) {
        const auto order = static_cast<float>(j);
        run_stage(particles, input,
                  {.seconds = due,
                   .exact = false,
                   .factor = (2 * order - 1) / order * part(),
                   .momentum = (1 - order) / order});
        shares_.turn();
    }
    const bool alike = input.tables.resolutions().h.size() == 1;
    fluid::make_whole(shares_, mixture_.components.size(), alike ? &before : nullptr);
}

}  // namespace spindrift::pbf
