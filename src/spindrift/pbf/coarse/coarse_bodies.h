#pragma once
// Bodies in the coarse projection: each node's pressure pushes them, and they answer within the solve.
// Source: Batty, Bertails and Bridson 2007, section 5.
//
//   CoarseBodies bodies;
//   bodies.begin({.coupling = coupling, .unit = 0.02, .density = 998});
//   bodies.note(around, node, at, found); bodies.keep_active(found, active);
//   curvature += bodies.apply(direction, product);
//   bodies.press(phi);

#include <vector>

#include "spindrift/core/buffer.h"
#include "spindrift/fluid/coupling.h"
#include "spindrift/pbf/coarse/coarse_liquid.h"
#include "spindrift/pbf/coarse/free_momentum.h"

namespace spindrift::pbf {

using fluid::Coupling;
using fluid::Twist;

class CoarseBodies {
  public:
    /// Bodies among the walls, and what the projection's units are.
    struct Settings {
        Coupling* coupling = nullptr;
        double unit = 1;     ///< m
        double density = 1;  ///< that liquids' densities are relative to, kg/m^3
    };
    /// A node that presses on a body.
    struct Node {
        std::size_t index;
        int body;
        Vec3f push;  ///< K of the node
        Vec3d turn;  ///< the same for turning the body about its centre, times metres
    };
    /// What the liquid of a node is, and the field that hides the node from it, nullptr if none does.
    struct Seen {
        std::size_t block;
        int node;
        Vec3f liquid;
        const collision::WallField* hiding;
    };
    void begin(const Settings& settings) { settings_ = settings; }
    bool any() const { return settings_.coupling != nullptr; }
    /// Adds the bodies at a node to `found`; what `at` says of thin ones is put right.
    void note(const CoarseSurroundings& around, const Seen& node, CoarseWalls::AtNode& at,
              std::vector<Node>& found) const;
    void keep_active(const std::vector<std::vector<Node>>& found, const Buffer<float>& active);
    /// Adds K M^-1 K^T `in` to `out`; returns the product with `in`.
    double apply(const Buffer<float>& in, Buffer<float>& out);
    void press(const Buffer<float>& phi);
    /// Particles are no perfect quadrature: where bodies float in liquid and nothing else is there, what the liquid
    /// lost is not quite what they got. The liquid as a whole takes the rest, as a push and a turn.
    void keep_momentum(const std::vector<LeafChange>& changes, const CoarseBlocks& blocks,
                       const neighbors::LeafGrid& grid, const Float4* x, Float4* v) const;

  private:
    void weigh_pushes(const Buffer<float>& phi);

    Settings settings_;
    std::vector<Node> nodes_;
    std::vector<Twist> impulses_, answers_;  ///< of all bodies
};

}  // namespace spindrift::pbf
