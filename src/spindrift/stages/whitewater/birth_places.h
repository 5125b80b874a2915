#pragma once
// Where whitewater may be, by what a scene says of places.

#include <functional>

#include "spindrift/core/vec.h"
#include "spindrift/scene/scene.h"

namespace spindrift::stages {

/// Of the finest liquid, m.
double finest_spacing(const Scene& scene);

/// Volume that a whitewater particle stands for, m^3.
double whitewater_volume(const Scene& scene);

/// Whether anything may be born at a place, in metres from the origin; empty if it may anywhere.
std::function<bool(Vec3f x)> allowed_places(const Scene& scene, Vec3d origin);

/// Whether a killer of the scene takes what is at a place at a frame; empty if none does. Killers that ask for more
/// than a place have no say.
std::function<bool(Vec3f x)> killed_places(const Scene& scene, int frame, Vec3d origin);

/// The box beyond which drops are gone: far from liquid and domain.
Box3f bounds_of_flight(const Scene& scene, const Box3f& liquid, Vec3d origin);

}  // namespace spindrift::stages
