#pragma once
// The benchmarks of the program. Each has a struct with what the command line says and a function that does it.
//
//   bench_flip({.resolution = 64}, terminal);

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/terminal.h"

namespace spindrift::cli {

/// What benchmarks of steps have in common.
struct StepsCommand {
    int iterations = 4, warmup = 100, steps = 20, threads = 0;
    bool json = false;
};

struct DamBreakCommand : StepsCommand {
    std::size_t particles = 500'000;
};
void bench_dam_break(const DamBreakCommand& command, Terminal& terminal);

struct FluidsCommand : StepsCommand {
    std::size_t particles = 500'000;
    std::vector<std::string> rows{};  ///< all if empty
    bool phases = false;
};
void bench_fluids(const FluidsCommand& command, Terminal& terminal);

struct CollisionsCommand : StepsCommand {
    std::size_t particles = 500'000;
    bool phases = false;
};
void bench_collisions(const CollisionsCommand& command, Terminal& terminal);

struct BodiesCommand : StepsCommand {
    std::size_t particles = 500'000;
    int bodies = 50;
    bool phases = false;
};
void bench_bodies(const BodiesCommand& command, Terminal& terminal);

struct AdaptiveCommand {
    std::vector<std::filesystem::path> scenes{};  ///< those of examples/adaptive if empty
    int frames = 100;
    std::optional<int> fewest{};  ///< in place of the scenes'
    int threads = 0;
    bool json = false;
};
void bench_adaptive(const AdaptiveCommand& command, Terminal& terminal);

struct FlipCommand {
    int resolution = 64;
    std::string solver = "flip";
    std::optional<int> frames{};  ///< 24, or 5 above a resolution of 64
    int threads = 0;
    bool json = false;
};
void bench_flip(const FlipCommand& command, Terminal& terminal);

struct FiguresCommand : StepsCommand {
    std::optional<std::size_t> particles{};  ///< in place of the paper's numbers
};
void bench_figures(const FiguresCommand& command, Terminal& terminal);

struct SurfaceCommand {
    std::size_t particles = 500'000;
    int warmup = 250, repeats = 5, threads = 0;
    bool json = false;
};
void bench_surface(const SurfaceCommand& command, Terminal& terminal);

struct RenderBenchCommand {
    std::size_t triangles = 500'000, particles = 1'000'000;
    int width = 960, repeats = 3, threads = 0;
    bool json = false;
};
void bench_render(const RenderBenchCommand& command, Terminal& terminal);

struct WhitewaterBenchCommand {
    std::size_t particles = 1'000'000, whitewater = 2'000'000;
    int repeats = 5, threads = 0;
    bool json = false;
};
void bench_whitewater(const WhitewaterBenchCommand& command, Terminal& terminal);

struct CubeReleaseCommand {
    std::size_t particles = 104'000;
    double error = 0.01;           ///< tolerance as a share
    std::optional<double> span{};  ///< simulated seconds
    int iterations = 30, threads = 0;
    bool json = false;
};
void bench_cube_release(const CubeReleaseCommand& command, Terminal& terminal);

struct NeighborsCommand {
    std::size_t particles = 120'000;
    bool json = false;
};
void bench_neighbors(const NeighborsCommand& command, Terminal& terminal);

}  // namespace spindrift::cli
