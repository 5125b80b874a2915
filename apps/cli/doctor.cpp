#include <chrono>
#include <filesystem>

#include "bench/bench.h"
#include "bench/bench_scenes.h"
#include "cli/commands.h"
#include "cli/machine.h"
#include <fmt/format.h>

#include "spindrift/core/isa.h"
#include "spindrift/core/text.h"

namespace spindrift::cli {

namespace {

/// One line: what there is, and what to do if it is not as it should be.
struct Finding {
    std::string name, state;
    std::string advice{};  ///< empty if all is well
};

Finding check_cores() {
    const int cores = thread_count();
    return {"cores", fmt::format("{} ({})", cores, cpu_name()),
            cores > 1 ? "" : "one core only: runs take twice as long as on two"};
}

Finding check_isa() {
    return {"instructions", isa_name(active_isa()),
            active_isa() == Isa::sse42 ? "no AVX2: runs take about twice as long as on a newer processor" : ""};
}

Finding check_memory() {
    constexpr double little = 2e9, bytes_per_particle = 165;
    const double available = memory_bytes("MemAvailable");
    return {"memory",
            fmt::format("{} free of {}: room for about {} particles", format_bytes(available),
                        format_bytes(memory_bytes("MemTotal")), format_count(available / bytes_per_particle)),
            available >= little ? "" : "close other programs or keep scenes small (a larger spacing)"};
}

Finding check_huge_pages() {
    const std::string mode = huge_page_mode();
    const bool good = mode == "always" || mode == "madvise";
    return {"huge pages", mode.empty() ? "unknown" : mode,
            good ? "" : "15 % slower without; as root: echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"};
}

Finding check_disk() {
    constexpr double little = 5e9;
    std::error_code unknown;
    const auto space = std::filesystem::space(std::filesystem::current_path(unknown), unknown);
    if (unknown) return {"disk", "unknown", "the current folder cannot be read: " + unknown.message()};
    const auto available = static_cast<double>(space.available);
    return {
        "disk", fmt::format("{} free in the current folder", format_bytes(available)),
        available >= little ? "" : "frames take about 40 bytes per particle; send the cache elsewhere with -o FOLDER"};
}

Finding check_ffmpeg() {
    const bool found = has_program("ffmpeg");
    return {"ffmpeg", found ? "found" : "not found",
            found ? "" : "pictures work without; for movies install it (apt install ffmpeg)"};
}

/// A tank of water at rest for about a second.
Finding check_solver() {
    using Clock = std::chrono::steady_clock;
    sim::Simulation simulation(bench_scene({{0, 0, 0}, {0.4, 0.5, 0.4}}, {{0, 0, 0}, {0.4, 0.3, 0.4}}, 0.0125));
    simulation.fill();
    const std::size_t count = simulation.particle_count();
    const auto start = Clock::now();
    int steps = 0;
    double seconds = 0;
    for (; seconds < 1; ++steps) {
        simulation.advance(simulation.choose_dt());
        seconds = std::chrono::duration<double>(Clock::now() - start).count();
    }
    constexpr double largest_error = 0.05;
    const double error = simulation.statistics().mean_density_error;
    const bool sound = simulation.particle_count() == count && error < largest_error;
    return {"self test",
            fmt::format("{} steps of {} particles, {:.0f} ns per particle and step, density error {:.2f} %", steps,
                        count, seconds * 1e9 / (static_cast<double>(count) * steps), 100 * error),
            sound ? "" : "the result is wrong: try SPINDRIFT_ISA=sse42 spindrift doctor, and report this"};
}

}  // namespace

void doctor(const DoctorCommand&, Terminal& terminal) {
    int warnings = 0;
    for (const auto find :
         {check_cores, check_isa, check_memory, check_huge_pages, check_disk, check_ffmpeg, check_solver}) {
        const Finding finding = find();
        const bool good = finding.advice.empty();
        warnings += good ? 0 : 1;
        terminal.print(fmt::format("{:<5} {:<13} {}{}\n", good ? "ok" : "warn", finding.name, finding.state,
                                   good ? "" : "; " + finding.advice));
    }
    terminal.print(warnings == 0 ? "everything is in order\n" : fmt::format("{} to look at\n", warnings));
}

}  // namespace spindrift::cli
