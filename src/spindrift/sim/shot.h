#pragma once
// What all pictures of a shot have in common, and the picture of one frame.
//
//   Shot shot = plan_shot(scene, camera_name, paths_of_some_frames);
//   write_png(path, draw_frame(scene, shot, 42, read_npz(path_of_frame), "frame 42"));

#include <array>
#include <filesystem>
#include <span>
#include <string>

#include "spindrift/particles/channel_array.h"
#include "spindrift/preview/camera.h"
#include "spindrift/preview/image.h"
#include "spindrift/scene/scene.h"

namespace spindrift::sim {

struct Shot {
    preview::CameraParams camera;
    std::array<double, 2> range{};  ///< values at the ends of the colour map
};

/// Camera and colour range for a whole shot, from some of its frames, read one after the other. Throws UsageError for a
/// camera or a channel that does not exist.
Shot plan_shot(const Scene& scene, const std::string& camera_name, std::span<const std::filesystem::path> samples);

/// Seen by the camera as it is at the frame.
preview::Image draw_frame(const Scene& scene, const Shot& shot, int frame, const ChannelSet& particles,
                          const std::string& label);

/// Hash of everything but the particles that a picture depends on.
std::string look_hash(const Scene& scene, const Shot& shot);

}  // namespace spindrift::sim
