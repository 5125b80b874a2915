#include "bench/bench.h"

#include <algorithm>
#include <numeric>

#include "cli/machine.h"
#include <fmt/format.h>

#include "spindrift/core/buffer.h"
#include "spindrift/core/hash.h"
#include "spindrift/core/isa.h"
#include "spindrift/core/parallel.h"

namespace spindrift::cli {

namespace {

/// Lets advance_frame() do one substep, the clock and all, and no more.
class OneSubstep : public Progress {
  public:
    void report(std::size_t, std::size_t, const std::string&) override {}
    bool interrupted() const override { return std::exchange(done_, true); }

  private:
    mutable bool done_ = false;
};

/// Adds to an account what a call reserved, or takes off what it gave back.
template <class Body>
void account_for(std::ptrdiff_t& bytes, const Body& body) {
    const auto before = static_cast<std::ptrdiff_t>(memory_in_use());
    body();
    bytes += static_cast<std::ptrdiff_t>(memory_in_use()) - before;
}

}  // namespace

std::string state_hash(const sim::Snapshot& snapshot) {
    Hash64 hash;
    for (const char* name : {"P", "v"}) {
        const ChannelArray* channel = snapshot.channels.find(name);
        hash.add(channel->data(), channel->size_bytes());
    }
    return hash.hex();
}

Spread spread_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return {values.front(), 0.5 * (values[(n - 1) / 2] + values[n / 2]),
            std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(n)};
}

BenchRun::BenchRun(const Scene& scene) : fps_(scene.fps) {
    account_for(bytes_, [&] {
        simulation_ = std::make_unique<sim::Simulation>(scene);
        simulation_->fill();
    });
}

BenchRun::BenchRun(const Scene& scene, const sim::Snapshot& snapshot) : fps_(scene.fps) {
    account_for(bytes_, [&] {
        simulation_ = std::make_unique<sim::Simulation>(scene);
        simulation_->restore(snapshot, "benchmark");
    });
}

std::size_t BenchRun::count_alive() const {
    const ParticleStore& particles = simulation_->particles();
    return parallel_sum<std::size_t>(particles.size(), [&](Range range) {
        std::size_t alive = 0;
        for (std::size_t i : range)
            alive += particles.is_alive(i) ? 1 : 0;
        return alive;
    });
}

double BenchRun::substep(const Terminal& terminal) {
    if (terminal.interrupted()) throw InterruptedError("stopped; a benchmark cannot go on later");
    double seconds = 0;
    account_for(bytes_, [&] {
        const OneSubstep one;
        bool reached = false;
        seconds = wall_seconds([&] { reached = simulation_->advance_frame(one); });
        // A run writes a frame here, which brings the particles in order and gives back the rows of the dead.
        if (reached) simulation_->statistics();
    });
    return seconds;
}

void BenchRun::warm_up(const Terminal& terminal) {
    substep(terminal);
}

void BenchRun::measure(const Terminal& terminal) {
    const auto particles = static_cast<double>(count_alive());
    const double start = simulation_->time();
    const std::int64_t first_id = simulation_->particles().next_id;
    simulation_->solver().timer().reset();
    figures_.step_ns.push_back(substep(terminal) * 1e9 / particles);
    add_phases(particles);
    figures_.coarse_iterations += simulation_->last_step().coarse_iterations;
    figures_.births += static_cast<double>(simulation_->particles().next_id - first_id) / particles;
    figures_.substeps = 1 / (fps_ * (simulation_->time() - start));
    std::vector<float> densities;
    const fluid::DensityReport density = simulation_->solver().measure_density(simulation_->particles(), densities);
    figures_.mean_density_error += density.mean_error;
    figures_.neighbors = density.neighbors;
}

void BenchRun::add_phases(double particles) {
    simulation_->solver().timer().visit([&](std::string_view path, double seconds, long) {
        if (path.starts_with("measure")) return;
        const auto is_path = [&](const auto& phase) { return phase.first == path; };
        auto found = std::find_if(figures_.phases.begin(), figures_.phases.end(), is_path);
        if (found == figures_.phases.end()) found = figures_.phases.insert(found, {std::string(path), 0});
        found->second += seconds * 1e9 / particles;
    });
}

BenchFigures BenchRun::figures() {
    BenchFigures result = std::move(figures_);
    figures_ = {};
    const auto steps = static_cast<double>(result.step_ns.size());
    for (auto& [name, ns] : result.phases)
        ns /= steps;
    result.births /= steps;
    result.mean_density_error /= steps;
    result.coarse_iterations /= steps;
    result.particles = count_alive();
    result.bytes = bytes();
    result.hash = state_hash(snapshot());
    return result;
}

sim::Snapshot BenchRun::snapshot() {
    // Statistics bring the particles in order; the copy made of them then is no part of the run's own memory.
    account_for(bytes_, [&] { simulation_->statistics(); });
    return simulation_->snapshot();
}

void measure_in_turn(std::vector<BenchRow>& rows, const StepsCommand& command, Terminal& terminal) {
    for (BenchRow& row : rows)
        row.run = std::make_unique<BenchRun>(row.scene);
    const int rounds = command.warmup + command.steps;
    for (int round = 0; round < rounds; ++round) {
        for (BenchRow& row : rows)
            round < command.warmup ? row.run->warm_up(terminal) : row.run->measure(terminal);
        if (!command.json) {
            terminal.report(static_cast<std::size_t>(round) + 1, static_cast<std::size_t>(rounds),
                            round < command.warmup ? "warming up" : "measuring");
        }
    }
    for (BenchRow& row : rows) {
        row.figures = row.run->figures();
        std::vector<double> ratios;
        for (std::size_t k = 0; k < row.figures.step_ns.size(); ++k)
            ratios.push_back(row.figures.step_ns[k] / rows[0].figures.step_ns[k]);
        row.ratio = spread_of(ratios).median;
    }
}

Value bench_json(const char* benchmark, const StepsCommand& command) {
    return json_table({{"benchmark", Value(benchmark)},
                       {"threads", Value(std::int64_t{thread_count()})},
                       {"iterations", Value(std::int64_t{command.iterations})},
                       {"warmup", Value(std::int64_t{command.warmup})},
                       {"steps", Value(std::int64_t{command.steps})},
                       {"machine", machine_json()}});
}

void add_figures(Value& table, const BenchFigures& f) {
    const Spread ns = spread_of(f.step_ns);
    Value phases = Value::table();
    for (const auto& [name, phase_ns] : f.phases)
        phases.set(name, Value(phase_ns));
    table.set("particles", json_count(f.particles));
    table.set("ns_per_particle_step", Value(ns.median));
    table.set("ns_best", Value(ns.best));
    table.set("ns_mean", Value(ns.mean));
    table.set("phases", std::move(phases));
    table.set("bytes_per_particle", Value(f.bytes_per_particle()));
    table.set("neighbors", Value(f.neighbors));
    table.set("mean_density_error", Value(f.mean_density_error));
    table.set("coarse_iterations", Value(f.coarse_iterations));
    table.set("substeps", Value(f.substeps));
    table.set("hash", Value(f.hash));
}

std::string conditions_text(const StepsCommand& command) {
    return fmt::format("{} iterations, {} threads, {} ({})", command.iterations, thread_count(), cpu_name(),
                       isa_name(active_isa()));
}

std::string phases_text(const BenchFigures& f) {
    std::string text;
    for (const auto& [name, ns] : f.phases)
        text += fmt::format("  {:<10} {:6.1f}\n", name, ns);
    return text;
}

}  // namespace spindrift::cli
