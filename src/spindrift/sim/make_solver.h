#pragma once
// The liquids of a scene, and the solver that moves them.
//
//   const std::vector<fluid::Liquid> liquids = make_liquids(scene);
//   std::unique_ptr<fluid::Solver> solver = make_solver(scene, liquids);

#include <memory>
#include <vector>

#include "spindrift/fluid/property_rule.h"
#include "spindrift/fluid/solver.h"
#include "spindrift/scene/scene.h"

namespace spindrift::sim {

std::vector<fluid::Liquid> make_liquids(const Scene& scene);

/// What liquids and channels make of particles.
fluid::PropertyRule make_property_rule(const Scene& scene);

std::unique_ptr<fluid::Solver> make_solver(const Scene& scene, const std::vector<fluid::Liquid>& liquids);

}  // namespace spindrift::sim
