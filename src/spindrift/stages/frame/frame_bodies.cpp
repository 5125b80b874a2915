#include "spindrift/stages/frame/frame_bodies.h"

#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/io/npz.h"

namespace spindrift::stages {

sim::BodyFrame read_bodies(const Scene& scene, const cache::Cache& cache, int frame) {
    if (scene.body.empty()) return {};
    const io::FrameEntry* entry = cache.find(cache::series::bodies, frame);
    if (!entry)
        throw UsageError(
            fmt::format("{}: frame {} has no bodies, and the scene has {}; simulate from the first frame with "
                        "`spindrift run --overwrite`",
                        cache.folder().string(), frame, scene.body.size()));
    const std::filesystem::path path = cache.path(*entry);
    return sim::body_frame(scene, io::read_npz(path, io::Lengths::any), path);
}

std::string body_hash(const Scene& scene, const cache::Cache& cache, int frame) {
    if (scene.body.empty()) return "";
    const io::FrameEntry* entry = cache.find(cache::series::bodies, frame);
    return entry ? entry->hash : "";
}

}  // namespace spindrift::stages
