#pragma once
// Which particles are at the surface, kept with each frame: surface_flags/name.0042.npz with the channels `id`,
// `surface_flag` (0 inside, 1 at the surface, 2 in a sheet) and `since` (the time in s at which a particle became what
// it is; -1 if it was not looked at, deep inside), in the order of the frame's particles.
//
//   write_npz(path, flag_channels(frame.find("id"), reconstruction.flag, reconstruction.state));
//   surface::SurfaceState before = read_flags(path);              // the same bits as the state that was written

#include <cstdint>
#include <filesystem>
#include <span>

#include "spindrift/particles/channel_array.h"
#include "spindrift/surface/surface_particles.h"

namespace spindrift::stages {

/// Without ids, which tell the state's particles, flags of frames are on their own.
ChannelSet flag_channels(const ChannelArray* id, std::span<const std::uint8_t> flags,
                         const surface::SurfaceState& state);

/// Throws IoError if the file is missing or not one of these.
surface::SurfaceState read_flags(const std::filesystem::path& path);

}  // namespace spindrift::stages
