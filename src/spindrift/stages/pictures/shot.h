#pragma once
// What all pictures of a shot have in common, and the picture of one frame.
//
//   Shot shot = plan_shot(scene, camera_name, measure_shot(scene, paths_of_some_frames));
//   write_png(path, draw_frame(scene, shot, {.frame = 42, .particles = read_npz(path_of_frame)}).image);

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "spindrift/cache/cache.h"
#include "spindrift/geometry/camera.h"
#include "spindrift/image/image.h"
#include "spindrift/io/manifest.h"
#include "spindrift/particles/channel_array.h"
#include "spindrift/render/layers.h"
#include "spindrift/render/render.h"
#include "spindrift/scene/scene.h"
#include "spindrift/stages/pictures/body_meshes.h"
#include "spindrift/stages/pictures/collider_meshes.h"
#include "spindrift/stages/pictures/mesh_look.h"
#include "spindrift/stages/pictures/whitewater_look.h"

namespace spindrift::stages {

/// What frames have in common: the box around all that is in them, and the values of what colours them.
struct Extent {
    std::optional<Box3d> box{};
    std::optional<std::array<double, 2>> range{};  ///< nothing if colours are not those of a colour map
};

struct Shot {
    geometry::CameraParams camera;
    std::array<double, 2> range{};  ///< values at the ends of the colour map
    double size = 1;                ///< longest side of what is in the frames, m: liquid is as clear in any size
    std::shared_ptr<ColliderMeshes> colliders = std::make_shared<ColliderMeshes>();  ///< read so far
    std::shared_ptr<const image::Image> floor{};                                     ///< image on it, if any
    std::shared_ptr<BodyMeshes> bodies = std::make_shared<BodyMeshes>();             ///< read so far
};

/// Indices of `count` of `n` items, evenly spread, with the first and the last.
std::vector<std::size_t> spread(std::size_t n, std::size_t count);

/// The frames that speak for a whole shot, and their files.
std::vector<int> planning_numbers(const std::vector<io::FrameEntry>& particles);
std::vector<std::filesystem::path> planning_frames(const cache::Cache& cache);

/// Number and time of a frame, as its picture tells them.
std::string frame_label(const io::FrameEntry& frame);

/// From some of a shot's frames, read one after the other, and the boxes around bodies on them. Throws UsageError for a
/// channel that does not exist.
Extent measure_shot(const Scene& scene, std::span<const std::filesystem::path> samples,
                    std::span<const Box3d> bodies = {});

/// Camera and colour range for all pictures of a shot. Throws UsageError for a camera that does not exist.
Shot plan_shot(const Scene& scene, const std::string& camera_name, const Extent& extent);

/// What a picture shows of a frame.
struct FrameContent {
    int frame = 0;
    std::string label{};
    ChannelSet particles{};          ///< none if a mesh stands in their place
    std::optional<MeshLook> mesh{};  ///< stands in place of the particles unless render.show says both
    WetImages wet{};                 ///< how wet colliders are
    sim::BodyFrame bodies{};
    std::shared_ptr<WhitewaterLook> whitewater{};  ///< none if the cache has none to draw
};

/// Whether a picture needs particles although there is a mesh.
bool needs_particles(const Scene& scene, bool has_mesh);

/// Seen by the camera as it is at the frame.
render::Picture draw_frame(const Scene& scene, const Shot& shot, const FrameContent& content,
                           const render::RenderHooks& hooks = {});

/// What the numbers in the layer `id` of pictures stand for.
std::vector<std::pair<std::uint32_t, std::string>> layer_names(const Scene& scene);

/// Hash of everything but the particles that a picture depends on.
std::string look_hash(const Scene& scene, const Shot& shot);

}  // namespace spindrift::stages
