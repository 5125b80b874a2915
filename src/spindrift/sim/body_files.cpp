#include "spindrift/sim/body_files.h"

#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/io/frames.h"
#include "spindrift/io/npz.h"

namespace spindrift::sim {

namespace {

namespace fs = std::filesystem;

fs::path beside(const fs::path& checkpoint) {
    return checkpoint.parent_path() / fmt::format("{}.{}.npz", checkpoint.stem().string(), body_stage);
}

BodyFrame read(const Scene& scene, const fs::path& path) {
    return body_frame(scene, io::read_npz(path, io::Lengths::any), path);
}

}  // namespace

void write_bodies(const Scene& scene, const fs::path& folder, io::Manifest& manifest, const FrameTime& at,
                  const BodyFrame& bodies) {
    if (bodies.empty()) return;
    const fs::path path = io::frame_path(folder, body_stage, scene.output.name, at.frame, "npz");
    io::create_folder(path.parent_path());
    const auto entries = io::write_npz(path, body_arrays(scene, bodies), io::Lengths::any);
    io::set_frame(manifest.stages[body_stage], {.frame = at.frame,
                                                .file = fs::relative(path, folder).generic_string(),
                                                .bytes = fs::file_size(path),
                                                .hash = io::content_hash(entries),
                                                .time = at.time,
                                                .state = {}});
}

BodyFrame read_bodies(const Scene& scene, const fs::path& folder, const io::Manifest& manifest, int frame) {
    if (scene.body.empty()) return {};
    const io::FrameEntry* entry = io::find_frame(manifest, body_stage, frame);
    if (!entry)
        throw UsageError(
            fmt::format("{}: frame {} has no bodies, and the scene has {}; simulate from the first frame with "
                        "`spindrift run --overwrite`",
                        folder.string(), frame, scene.body.size()));
    return read(scene, folder / entry->file);
}

void write_checkpoint_bodies(const Scene& scene, const fs::path& checkpoint, const BodyFrame& bodies) {
    if (!bodies.empty()) io::write_npz(beside(checkpoint), body_arrays(scene, bodies), io::Lengths::any);
}

BodyFrame read_checkpoint_bodies(const Scene& scene, const fs::path& checkpoint) {
    return scene.body.empty() ? BodyFrame{} : read(scene, beside(checkpoint));
}

std::string body_hash(const Scene& scene, const io::Manifest& manifest, int frame) {
    if (scene.body.empty()) return "";
    const io::FrameEntry* entry = io::find_frame(manifest, body_stage, frame);
    return entry ? entry->hash : "";
}

}  // namespace spindrift::sim
