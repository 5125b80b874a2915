#include "spindrift/sim/grid_files.h"

#include <algorithm>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/hash.h"
#include "spindrift/grid/vdb_file.h"
#include "spindrift/io/frames.h"

namespace spindrift::sim {

namespace {

namespace fs = std::filesystem;

/// Those the scene asks for, each once, in the order of the words.
std::vector<grid::Volume> wanted_volumes(const Scene& scene, Simulation& simulation) {
    std::vector<grid::Volume> wanted;
    std::vector<grid::Volume> all = simulation.volumes();
    for (std::size_t i = 0; i < enum_words(OutputGrid{}).size(); ++i) {
        const auto kind = static_cast<OutputGrid>(i);
        if (std::ranges::find(scene.output.grids, kind) == scene.output.grids.end()) continue;
        const auto volume = std::ranges::find(all, word(kind), &grid::Volume::name);
        SPINDRIFT_CHECK(volume != all.end());
        wanted.push_back(std::move(*volume));
    }
    return wanted;
}

}  // namespace

void write_grids(const Scene& scene, const fs::path& folder, io::Manifest& manifest, Simulation& simulation) {
    if (scene.output.grids.empty()) return;
    const int frame = simulation.frame();
    const std::string content =
        grid::vdb_content(wanted_volumes(scene, simulation), {.frame = frame,
                                                              .time = simulation.time(),
                                                              .fps = scene.fps,
                                                              .solver = std::string(word(scene.solver.method))});
    const fs::path path = io::frame_path(folder, grid_stage, scene.output.name, frame, "vdb");
    io::create_folder(path.parent_path());
    write_file(path, content);
    io::set_frame(manifest.stages[grid_stage], {.frame = frame,
                                                .file = fs::relative(path, folder).generic_string(),
                                                .bytes = content.size(),
                                                .hash = Hash64().add(content).hex(),
                                                .time = simulation.time(),
                                                .state = {}});
}

void check_grids(const Scene& scene, const fs::path& folder, const io::Manifest& manifest, int frame) {
    const io::FrameEntry* entry = io::find_frame(manifest, grid_stage, frame);
    if (scene.output.grids.empty() || !entry) return;
    const fs::path path = folder / entry->file;
    if (Hash64().add(read_file(path)).hex() != entry->hash)
        throw IoError(IoError::Kind::corrupt, path, "these grids are not what was written");
}

}  // namespace spindrift::sim
