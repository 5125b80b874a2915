// A picture of a scene that is not simulated yet: its first frame is made in a folder that goes afterwards.

#include <cerrno>
#include <cstdlib>

#include "cli/commands.h"
#include "cli/inputs.h"
#include <fmt/format.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/interruption.h"
#include "spindrift/core/parallel.h"
#include "spindrift/stages/pictures/render_stage.h"
#include "spindrift/stages/pictures/setup_look.h"
#include "spindrift/stages/run/run.h"

namespace spindrift::cli {

namespace {

namespace fs = std::filesystem;

class ScratchFolder {
  public:
    ScratchFolder() : path_((fs::temp_directory_path() / "spindrift.XXXXXX").string()) {
        if (!mkdtemp(path_.data())) throw write_error(path_, errno);
    }
    ~ScratchFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    fs::path path() const { return path_; }

  private:
    std::string path_;
};

/// One frame is no news: what is asked for is whether to stop.
class OneFrame : public Progress {
  public:
    explicit OneFrame(const Progress& outer) : outer_(outer) {}
    void report(std::size_t, std::size_t, const std::string&) override {}
    bool interrupted() const override { return outer_.interrupted(); }

  private:
    const Progress& outer_;
};

/// Pictures of frames have modules, movies and files of their own: this is one picture and one file.
Scene as_one_picture(Scene scene) {
    scene.render.module.clear();
    scene.render.formats = {render::PictureFormat::png};
    if (scene.render.show == render::Show::mesh) scene.render.show = render::Show::particles;
    return scene;
}

fs::path setup_file(const RenderCommand& command, const Scene& scene) {
    if (command.output.empty()) return scene.file.parent_path() / (scene.file.stem().string() + "_setup.png");
    return command.output.extension() == ".png" ? command.output : command.output / "setup.png";
}

}  // namespace

void render_setup(const RenderCommand& command, Terminal& terminal) {
    const Interruptible work(terminal, "stopped before the picture was complete; none written");
    if (is_cache(command.source.path))
        throw UsageError("--setup draws a scene before it is simulated; give the scene file");
    Source source = command.source;
    source.first = source.last = {};
    Scene scene = load_source(source);
    scene.frames[1] = scene.frames[0];
    const fs::path file = setup_file(command, scene);
    const ScratchFolder scratch;
    OneFrame progress(terminal);
    stages::RunOptions options;
    options.folder = scratch.path() / "frame";
    stages::run_scene(scene, options, progress);
    const Scene shown = stages::with_emitters_shown(as_one_picture(scene), scratch.path());
    const stages::RenderReport report = stages::render_cache(
        shown, {.folder = scratch.path() / "frame", .camera = command.camera, .sheet_frames = 0, .movie = false},
        progress);
    if (!file.parent_path().empty()) fs::create_directories(file.parent_path());
    write_file(file, read_file(report.last_picture));
    if (!terminal.style().quiet) terminal.print(fmt::format("picture of the set-up -> {}\n", file.string()));
}

}  // namespace spindrift::cli
