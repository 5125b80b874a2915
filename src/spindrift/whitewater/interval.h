#pragma once
// The time between two frames of liquid, as whitewater goes through it.

#include <functional>
#include <vector>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/forces/force_set.h"
#include "spindrift/whitewater/emission.h"
#include "spindrift/whitewater/flow.h"

namespace spindrift::whitewater {

/// What is between two frames. Lengths are metres from the origin of the flow.
struct Interval {
    FlowBetween flow;
    int frame = 0;    ///< that it ends with
    double time = 0;  ///< of that frame, s
    std::vector<Birth> births{};
    float volume = 0;  ///< that a particle stands for, m^3: no drop or bubble is larger; 0: any size
    /// Walls in units of the flow's cells, as they move between two shares of the interval; none if empty.
    std::function<const collision::Walls&(double from, double to)> walls{};
    std::function<forces::ForceSet(double share)> forces{};   ///< none if empty
    Box3f bounds{{-1e9f, -1e9f, -1e9f}, {1e9f, 1e9f, 1e9f}};  ///< beyond which drops are gone
    std::function<bool(Vec3f x)> is_killed{};                 ///< nobody is if empty
};

}  // namespace spindrift::whitewater
