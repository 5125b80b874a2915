#pragma once
// The verbs of the program. Each has a struct with what the command line says and a function that does it.
//
//   run({.source = {.path = "dam.toml", .overrides = {"solver.iterations=8"}}}, terminal);

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/terminal.h"

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
    std::string words{};  ///< as typed
};
void run(const RunCommand& command, Terminal& terminal);

struct ResumeCommand {
    std::filesystem::path path;
    std::optional<int> last{}, from{};
    int threads = 0;
    std::string words{};  ///< as typed
};
void resume(const ResumeCommand& command, Terminal& terminal);

struct RenderCommand {
    Source source;
    std::filesystem::path output{};  ///< folder; that of the pictures in the cache if empty
    std::string camera{};
    std::string only{};  ///< name of the one encode to run
    int sheet = 9;
    int turntable = 0;  ///< sides that a frame is seen from; 0 for none
    bool no_movie = false, progressive = false;
    bool setup = false;  ///< the scene before it is simulated, in one picture
    int threads = 0;
};
void render(const RenderCommand& command, Terminal& terminal);
void render_setup(const RenderCommand& command, Terminal& terminal);

struct MeshCommand {
    Source source;
    std::filesystem::path output{};  ///< folder; that of the meshes in the cache if empty
    int threads = 0;
};
void mesh(const MeshCommand& command, Terminal& terminal);

struct WhitewaterCommand {
    Source source;
    std::filesystem::path output{};  ///< folder; that of whitewater in the cache if empty, of a preview none
    bool emission = false;           ///< only tell where it would be born
    int threads = 0;
};
void whitewater(const WhitewaterCommand& command, Terminal& terminal);

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
    bool remove = false;  ///< damaged files of a cache
};
void check(const CheckCommand& command, Terminal& terminal);
/// The same of a cache: whether all its files are what was written.
void check_cache(const CheckCommand& command, Terminal& terminal);

struct SchemaCommand {
    bool docs = false;
    std::filesystem::path output{};
};
void schema(const SchemaCommand& command, Terminal& terminal);

struct DoctorCommand {};
void doctor(const DoctorCommand& command, Terminal& terminal);

}  // namespace spindrift::cli
