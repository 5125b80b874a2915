#pragma once
// The layers of a picture as one OpenEXR file, for compositing.
//
//   write_layers("dam.0042.exr", layers, {{body_id::floor, "floor"}, {body_id::first_liquid, "water"}});
//
// R, G, B and A are halfs, as compositors expect them: premultiplied, so that RGB is the light the camera saw, all of
// it, and A is the share of the pixel that something covers. N.X, N.Y, N.Z and albedo.R, albedo.G, albedo.B are halfs
// too; Z is a float in metres, infinite where there is only sky; id is a 32-bit integer. The header's attribute "ids"
// tells what they mean: "0 sky, 1 floor, 1000 water".

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "spindrift/core/atomic_file.h"
#include "spindrift/render/layers.h"

namespace spindrift::render {

/// Written aside and renamed; the same layers give the same bytes. Throws IoError.
WrittenFile write_layers(const std::filesystem::path& path, const Layers& layers,
                         const std::vector<std::pair<std::uint32_t, std::string>>& names);

}  // namespace spindrift::render
