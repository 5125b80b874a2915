#pragma once
// What files of a scene's things are called: their own names as far as file systems take them, all different.
//
//   std::vector<std::string> names = collider_file_names(scene);       // rock, old_pier, collider_2

#include <string>
#include <vector>

#include "spindrift/scene/scene.h"

namespace spindrift {

/// Names that are good parts of file names and all different; `what` and its number stands for one that is empty.
std::vector<std::string> safe_file_names(std::vector<std::string> names, const char* what);

std::vector<std::string> collider_file_names(const Scene& scene);
std::vector<std::string> body_file_names(const Scene& scene);
std::vector<std::string> liquid_file_names(const Scene& scene);

}  // namespace spindrift
