#include "spindrift/stages/frame/frame_wet.h"

#include <vector>

#include <fmt/format.h>

#include "spindrift/core/hash.h"
#include "spindrift/image/exr_file.h"
#include "spindrift/scene/file_names.h"

namespace spindrift::stages {

namespace {

/// Calls visit(index, entry) for the colliders that have a wet map at a frame.
template <class Visit>
void visit_wet(const Scene& scene, const cache::Cache& cache, int frame, const Visit& visit) {
    const std::vector<std::string> names = collider_file_names(scene);
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!scene.collider[i].wet_map) continue;
        const io::FrameEntry* entry = cache.find(fmt::format("{}/{}", cache::series::wet, names[i]), frame);
        if (entry) visit(i, *entry);
    }
}

}  // namespace

WetImages read_wet_images(const Scene& scene, const cache::Cache& cache, int frame) {
    WetImages images;
    visit_wet(scene, cache, frame,
              [&](std::size_t i, const io::FrameEntry& entry) { images[i] = image::read_exr(cache.path(entry)); });
    return images;
}

std::string wet_hash(const Scene& scene, const cache::Cache& cache, int frame) {
    std::string all;
    visit_wet(scene, cache, frame, [&](std::size_t, const io::FrameEntry& entry) { all += entry.hash; });
    return all.empty() ? all : Hash64().add(all).hex();
}

}  // namespace spindrift::stages
