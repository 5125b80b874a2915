// A dam that breaks in a box of one metre, on a grid: frames beside the goals, as other programs are measured.

#include <algorithm>
#include <ctime>

#include "bench/bench.h"
#include "bench/bench_scenes.h"
#include "bench/commands.h"
#include "cli/machine.h"
#include <fmt/format.h>

#include "spindrift/core/buffer.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/isa.h"
#include "spindrift/core/parallel.h"
#include "spindrift/core/text.h"
#include "spindrift/scene/json.h"

namespace spindrift::cli {

namespace {

/// What is to be reached on two cores; a step is worth comparing from `many` particles on.
constexpr double goal_ns = 60, goal_bytes = 150, many = 3e6;
constexpr int goal_iterations = 9;

/// Seconds per frame, for the resolutions that have a goal; 0 for others.
double goal_seconds(int resolution) {
    return resolution == 64 ? 0.11 : resolution == 128 ? 0.9 : 0;
}

/// A quarter of a second of water that falls, or a whole one where that is soon done.
int frames_of(const FlipCommand& command) {
    return command.frames.value_or(command.resolution > 64 ? 5 : 24);
}

fluid::Method method_of(const std::string& name) {
    for (const fluid::Method method : {fluid::Method::flip, fluid::Method::apic, fluid::Method::pic}) {
        if (name == word(method)) return method;
    }
    throw UsageError(
        fmt::format("--solver {}: expected flip, apic or pic{}", name, suggestion(name, {"flip", "apic", "pic"})));
}

/// Iterations of each substep, told by the simulation when it asks whether to go on.
class Watch : public Progress {
  public:
    Watch(const Terminal& terminal, const sim::Simulation& simulation) : terminal_(terminal), simulation_(simulation) {}

    void report(std::size_t, std::size_t, const std::string&) override {}
    bool interrupted() const override {
        if (begun_) note();
        begun_ = true;
        return terminal_.interrupted();
    }
    void note() const { iterations_.push_back(simulation_.last_step().iterations); }
    const std::vector<int>& iterations() const { return iterations_; }

  private:
    const Terminal& terminal_;
    const sim::Simulation& simulation_;
    mutable bool begun_ = false;
    mutable std::vector<int> iterations_{};
};

struct FlipFigures {
    std::size_t particles = 0;
    std::vector<double> frame_seconds{};
    double processor_seconds = 0;   ///< of all threads, in all frames
    std::vector<int> iterations{};  ///< of each substep
    double bytes = 0, peak_bytes = 0;
    std::vector<std::pair<std::string, double>> phases{};  ///< seconds
    std::vector<std::string> events{};
    std::string hash{};

    double seconds() const {
        double sum = 0;
        for (const double each : frame_seconds)
            sum += each;
        return sum;
    }
    double frames() const { return static_cast<double>(frame_seconds.size()); }
    double substeps() const { return static_cast<double>(iterations.size()); }
    double mean_iterations() const {
        double sum = 0;
        for (const int each : iterations)
            sum += each;
        return sum / substeps();
    }
    int most_iterations() const { return *std::max_element(iterations.begin(), iterations.end()); }
    double per_frame(double seconds) const { return seconds / frames(); }
    double ns(double seconds) const { return seconds * 1e9 / (static_cast<double>(particles) * substeps()); }
    double bytes_per_particle() const { return bytes / static_cast<double>(particles); }
    double peak_bytes_per_particle() const { return peak_bytes / static_cast<double>(particles); }
};

void add_phases(FlipFigures& figures, const PhaseTimer& timer) {
    timer.visit([&](std::string_view path, double seconds, long) {
        const auto is_path = [&](const auto& phase) { return phase.first == path; };
        auto found = std::find_if(figures.phases.begin(), figures.phases.end(), is_path);
        if (found == figures.phases.end()) found = figures.phases.insert(found, {std::string(path), 0});
        found->second += seconds;
    });
}

void measure_frame(sim::Simulation& simulation, const Terminal& terminal, FlipFigures& figures) {
    const Watch watch(terminal, simulation);
    bool reached = false;
    const std::clock_t start = std::clock();
    figures.frame_seconds.push_back(wall_seconds([&] { reached = simulation.advance_frame(watch); }));
    figures.processor_seconds += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (!reached) throw InterruptedError("stopped; a benchmark cannot go on later");
    watch.note();
    figures.iterations.insert(figures.iterations.end(), watch.iterations().begin(), watch.iterations().end());
    add_phases(figures, simulation.solver().timer());
    // A run writes a frame here, which brings the particles in order.
    for (std::string& event : simulation.statistics().events) {
        if (std::find(figures.events.begin(), figures.events.end(), event) == figures.events.end())
            figures.events.push_back(std::move(event));
    }
}

FlipFigures measure(const FlipCommand& command, Terminal& terminal) {
    FlipFigures figures;
    const std::size_t before = memory_in_use();
    sim::Simulation simulation(unit_box_scene(command.resolution, method_of(command.solver)));
    simulation.fill();
    const int frames = frames_of(command);
    for (int frame = 0; frame < frames; ++frame) {
        measure_frame(simulation, terminal, figures);
        if (!command.json)
            terminal.report(static_cast<std::size_t>(frame) + 1, static_cast<std::size_t>(frames), "measuring");
    }
    figures.particles = simulation.particle_count();
    figures.bytes = static_cast<double>(memory_in_use() - before);
    figures.peak_bytes = static_cast<double>(peak_resident_bytes());
    figures.hash = state_hash(simulation.snapshot());
    return figures;
}

Value to_json(const FlipFigures& f, const FlipCommand& command) {
    Value phases = Value::table();
    for (const auto& [name, seconds] : f.phases)
        phases.set(name, Value(f.ns(seconds)));
    Value::Array frame_seconds, events;
    for (const double seconds : f.frame_seconds)
        frame_seconds.emplace_back(seconds);
    for (const std::string& event : f.events)
        events.emplace_back(event);
    Value goals = json_table({{"iterations", Value(std::int64_t{goal_iterations})},
                              {"bytes_per_particle", Value(goal_bytes)},
                              {"ns_per_particle_step", Value(goal_ns)},
                              {"ns_from_particles", Value(many)}});
    if (goal_seconds(command.resolution) > 0) goals.set("seconds_per_frame", Value(goal_seconds(command.resolution)));
    return json_table({{"benchmark", Value("flip")},
                       {"threads", Value(std::int64_t{thread_count()})},
                       {"machine", machine_json()},
                       {"resolution", Value(std::int64_t{command.resolution})},
                       {"solver", Value(command.solver)},
                       {"frames", Value(static_cast<std::int64_t>(f.frame_seconds.size()))},
                       {"particles", json_count(f.particles)},
                       {"seconds_per_frame", Value(f.per_frame(f.seconds()))},
                       {"frame_seconds", Value(std::move(frame_seconds))},
                       {"processor_seconds_per_frame", Value(f.per_frame(f.processor_seconds))},
                       {"substeps", Value(f.per_frame(f.substeps()))},
                       {"ns_per_particle_step", Value(f.ns(f.seconds()))},
                       {"phases", std::move(phases)},
                       {"mean_iterations", Value(f.mean_iterations())},
                       {"most_iterations", Value(std::int64_t{f.most_iterations()})},
                       {"bytes_per_particle", Value(f.bytes_per_particle())},
                       {"peak_resident_bytes_per_particle", Value(f.peak_bytes_per_particle())},
                       {"events", Value(std::move(events))},
                       {"goals", std::move(goals)},
                       {"hash", Value(f.hash)}});
}

std::string phases_table(const FlipFigures& f) {
    std::string text = fmt::format("\n{:<12} {:>10} {:>12}\n", "", "ms/frame", "ns/particle");
    for (const auto& [name, seconds] : f.phases)
        text += fmt::format("{:<12} {:>10.2f} {:>12.2f}\n", name, 1e3 * f.per_frame(seconds), f.ns(seconds));
    return text;
}

std::string to_text(const FlipFigures& f, const FlipCommand& command) {
    const double goal = goal_seconds(command.resolution);
    const auto or_nothing = [](bool has, const std::string& text) { return has ? text : std::string(); };
    std::string text = fmt::format(
        "flip         {}, resolution {}, {} particles, frames 1-{}, {} threads, {} ({})\n"
        "goals        are for two cores\n\n"
        "frame        {:.4f} s{}; {:.4f} s of processors\n"
        "substeps     {:.2f} per frame\n"
        "step         {:.1f} ns/particle{}\n"
        "iterations   {:.2f} in the mean, {} at most; goal {}\n"
        "memory       {:.1f} bytes/particle; goal {:.0f}{}; {:.1f} resident at the largest\n",
        command.solver, command.resolution, f.particles, f.frame_seconds.size(), thread_count(), cpu_name(),
        isa_name(active_isa()), f.per_frame(f.seconds()), or_nothing(goal > 0, fmt::format("; goal {}", goal)),
        f.per_frame(f.processor_seconds), f.per_frame(f.substeps()), f.ns(f.seconds()),
        or_nothing(static_cast<double>(f.particles) >= many, fmt::format("; goal {:.0f}", goal_ns)),
        f.mean_iterations(), f.most_iterations(), goal_iterations, f.bytes_per_particle(), goal_bytes,
        or_nothing(static_cast<double>(f.particles) < many, " with many"), f.peak_bytes_per_particle());
    for (const std::string& event : f.events)
        text += fmt::format("event        {}\n", event);
    return text + fmt::format("hash         {}\n", f.hash) + phases_table(f);
}

}  // namespace

void bench_flip(const FlipCommand& command, Terminal& terminal) {
    const ThreadLimit threads(command.threads);
    const FlipFigures figures = measure(command, terminal);
    terminal.print(command.json ? json_text(to_json(figures, command)) : to_text(figures, command));
}

}  // namespace spindrift::cli
