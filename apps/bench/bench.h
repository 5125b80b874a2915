#pragma once
// What the benchmarks have in common: a run whose steps are timed one by one, and how its figures are told.
//
//   BenchRun run(dam_break_scene(500'000, 4));
//   run.warm_up(terminal);                                // a step that does not count
//   run.measure(terminal);                                // one that does
//   double ns = spread_of(run.figures().step_ns).median;  // per particle

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/commands.h"
#include "cli/json.h"

#include "spindrift/scene/scene.h"
#include "spindrift/sim/simulation.h"

namespace spindrift::cli {

struct Spread {
    double best = 0, median = 0, mean = 0;
};
Spread spread_of(std::vector<double> values);

/// Of where particles are and how they move.
std::string state_hash(const sim::Snapshot& snapshot);

template <class Body>
double wall_seconds(const Body& body) {
    const auto start = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// What the measured steps gave.
struct BenchFigures {
    std::size_t particles = 0;                           ///< alive at the end
    std::vector<double> step_ns;                         ///< per particle, of every step
    std::vector<std::pair<std::string, double>> phases;  ///< ns per particle and step
    double bytes = 0;                                    ///< of this run alone
    double births = 0;                                   ///< new particles per step, as a share
    double neighbors = 0, mean_density_error = 0, substeps = 0;
    double coarse_iterations = 0;  ///< of the coarse projection, per step
    std::string hash;

    double bytes_per_particle() const { return bytes / static_cast<double>(particles); }
};

/// A simulation that counts its own time and memory, so that several can take turns in one process.
class BenchRun {
  public:
    explicit BenchRun(const Scene& scene);
    /// Goes on from what another run came to.
    BenchRun(const Scene& scene, const sim::Snapshot& snapshot);

    /// One substep; throws InterruptedError if the user wants no more.
    void warm_up(const Terminal& terminal);
    void measure(const Terminal& terminal);

    /// Ends the measurement.
    BenchFigures figures();
    /// Settles the particles, as a run does where it writes a frame.
    sim::Snapshot snapshot();
    double bytes() const { return static_cast<double>(bytes_); }
    std::size_t count_alive() const;

  private:
    double substep(const Terminal& terminal);
    void add_phases(double particles);

    double fps_;
    std::ptrdiff_t bytes_ = 0;
    std::unique_ptr<sim::Simulation> simulation_;
    BenchFigures figures_;  ///< sums until figures()
};

/// One of several scenes that are compared step by step.
struct BenchRow {
    std::string name;
    Scene scene;
    std::unique_ptr<BenchRun> run{};
    BenchFigures figures{};
    double ratio = 1;  ///< to the first row, median of the steps
};

/// Steps of all rows in turn, so that a machine that slows down slows all of them.
void measure_in_turn(std::vector<BenchRow>& rows, const StepsCommand& command, Terminal& terminal);

/// The keys that every benchmark of steps has: how it was measured, and what was.
Value bench_json(const char* benchmark, const StepsCommand& command);
void add_figures(Value& table, const BenchFigures& figures);

/// Iterations, threads and processor.
std::string conditions_text(const StepsCommand& command);
std::string phases_text(const BenchFigures& figures);

}  // namespace spindrift::cli
