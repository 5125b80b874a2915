#pragma once
// Caches as looks show them: opened once, seen by cameras and coloured by ranges that views have in common.
//
//   std::vector<LookView> views{{open_look_cache(scene, folder), scene}};
//   plan_views(views);
//   render::Picture picture = draw_view(views[0], views[0].frame(42));

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "spindrift/cache/cache.h"
#include "spindrift/io/manifest.h"
#include "spindrift/render/layers.h"
#include "spindrift/scene/scene.h"
#include "spindrift/stages/pictures/shot.h"

namespace spindrift::stages {

struct LookCache {
    Scene scene;  ///< as it was simulated, with the look it is to have
    cache::Cache cache;

    const std::vector<io::FrameEntry>& particles() const { return cache.frames(cache::series::particles); }
    /// Of its scene's file.
    std::string scene_name() const;
};

/// Throws IoError if there is none, or no frame in it.
std::shared_ptr<const LookCache> open_look_cache(const Scene& scene, const std::filesystem::path& folder);

/// The simulated scene with cameras, pictures, meshes and colours of another.
Scene with_look(Scene simulated, const Scene& wanted);

struct LookView {
    std::shared_ptr<const LookCache> cache;
    Scene scene;                              ///< the cache's, with the look of this view
    std::string camera{};                     ///< by name; the first of the scene, or an automatic one, if empty
    Shot shot{};                              ///< see plan_views()
    std::shared_ptr<FrameSampler> sampler{};  ///< made when it is first needed, kept from picture to picture

    /// Throws UsageError if there is no such frame.
    const io::FrameEntry& frame(int number) const;
};

/// Gives each view its shot. Views without a camera share an automatic one that sees everything in all of them, and
/// those coloured by the same channel share its range: what looks different is different. Throws UsageError for a
/// camera or a channel that does not exist.
void plan_views(std::span<LookView> views);

render::Picture draw_view(const LookView& view, const io::FrameEntry& frame, const render::RenderHooks& hooks = {});

/// A thing that draw_view() reads of the cache, and its hash; empty if there is none.
struct ViewInput {
    const char* name;
    std::string hash;
};
/// All of them, the particles first. Something new that is drawn is one entry more.
std::vector<ViewInput> view_inputs(const LookView& view, const io::FrameEntry& frame);

}  // namespace spindrift::stages
