#pragma once
// The verbs of the program. Each has a struct with what the command line says and a function that does it.
//
//   run({.source = {.path = "dam.toml", .overrides = {"solver.iterations=8"}}}, terminal);

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "terminal.h"

namespace spindrift::cli {

/// A scene file with changes, or a cache where a verb takes one.
struct Source {
    std::filesystem::path path;
    std::vector<std::string> overrides{};  ///< path=value, as load_scene() takes them
    std::optional<int> first{}, last{};    ///< frames
    std::optional<double> spacing{};       ///< of the first liquid; those of the others follow in proportion
};

struct RunCommand {
    Source source;
    std::filesystem::path output{};  ///< cache folder; the scene's own if empty
    std::optional<int> from{};
    bool overwrite = false;
    int threads = 0;
};
void run(const RunCommand& command, Terminal& terminal);

struct ResumeCommand {
    std::filesystem::path path;
    std::optional<int> last{}, from{};
    int threads = 0;
};
void resume(const ResumeCommand& command, Terminal& terminal);

struct RenderCommand {
    Source source;
    std::string camera{};
    std::string only{};  ///< name of the one encode to run
    int sheet = 9;
    int turntable = 0;  ///< sides that a frame is seen from; 0 for none
    bool no_movie = false, progressive = false;
    int threads = 0;
};
void render(const RenderCommand& command, Terminal& terminal);

struct MeshCommand {
    Source source;
    int threads = 0;
};
void mesh(const MeshCommand& command, Terminal& terminal);

struct PanelsCommand {
    std::vector<std::filesystem::path> paths{};
    Source look{};  ///< its changes count for all
    std::filesystem::path output{};
    std::optional<int> frame{};
    std::vector<int> frames{};
    std::optional<int> columns{};
    std::vector<std::string> labels{};
    std::string camera{};
    int width = 480, threads = 0;
    bool movie = false;
};
void panels(const PanelsCommand& command, Terminal& terminal);

struct ExportCommand {
    Source source;
    std::string stage{};
    std::filesystem::path output{};  ///< folder; that of the stage in the cache if empty
    int threads = 0;
};
void export_stage(const ExportCommand& command, Terminal& terminal);

struct InfoCommand {
    Source source;
    bool json = false;
};
void info(const InfoCommand& command, Terminal& terminal);

struct CheckCommand {
    Source source;
};
void check(const CheckCommand& command, Terminal& terminal);

struct SchemaCommand {
    bool docs = false;
    std::filesystem::path output{};
};
void schema(const SchemaCommand& command, Terminal& terminal);

struct DoctorCommand {};
void doctor(const DoctorCommand& command, Terminal& terminal);

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
