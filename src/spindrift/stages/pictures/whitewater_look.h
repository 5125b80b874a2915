#pragma once
// Whitewater of a frame as pictures take it: spray and bubbles as small spheres, foam as a layer on the surface, mist
// as fog.
//
//   std::optional<WhitewaterLook> look = read_whitewater_look(scene, cache, entry);
//   if (look) look->add_to(picture, scene, origin);

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "spindrift/cache/cache.h"
#include "spindrift/io/manifest.h"
#include "spindrift/render/foam.h"
#include "spindrift/render/fog.h"
#include "spindrift/render/render_scene.h"
#include "spindrift/scene/scene.h"
#include "spindrift/whitewater/kinds.h"

namespace spindrift::stages {

/// Particles of a kind.
struct WhitewaterCloud {
    whitewater::Kind kind{};
    std::vector<Vec3d> places{};
    std::vector<Vec3f> positions{}, velocities{};  ///< positions are those of the picture, once it was added to one
    std::vector<float> radii{};
    std::vector<std::int64_t> ids{};
};

struct WhitewaterLook {
    std::vector<WhitewaterCloud> clouds{};
    std::unique_ptr<render::Foam> foam{};
    std::unique_ptr<render::Fog> fog{};

    /// The picture, whose liquids are there already, names this look's memory.
    void add_to(render::RenderScene& picture, const Scene& scene, Vec3d origin);
};

/// Hash of the files that read_whitewater_look() reads; empty if there are none of these particles, or they are not to
/// be drawn.
std::string whitewater_hash(const Scene& scene, const cache::Cache& cache, const io::FrameEntry& particles);

/// Nothing if there is nothing to draw. Throws IoError if a file cannot be read.
std::optional<WhitewaterLook> read_whitewater_look(const Scene& scene, const cache::Cache& cache,
                                                   const io::FrameEntry& particles);

}  // namespace spindrift::stages
