#pragma once
// Removes the divergence that is smooth over several spacings from the particles' velocities, before the density solve.
//
// Local iterations carry pressure a few particles per step, so a deep tank would sag under its weight. Here one coarse
// potential phi takes the part that is smooth: v <- v - grad phi / rho, phi from the normal equations of the
// projection,
//   sum_j A_ij phi_j = sum_p V grad N_i(x_p) . v_p,   A_ij = sum_cells (fill_c / rho_c) int grad N_i . grad N_j,
// with trilinear hats N on nodes 2 h apart. Walls are natural boundaries of this form, nodes that hold next to nothing
// behind them take phi of a neighbour (coarse_slivers.cpp), free surfaces have phi = 0 on nodes that are not filled.
// Particles are no perfect quadrature: what sum_p V grad N_i has beside the walls' share is noise, which must not see
// the velocity of the whole; only gravity, which A meets with the same noise, is left to it.
// Each particle answers with its own density, so that light ones rise through heavy ones. Without walls the mean of the
// change is taken out, so a liquid in free flight keeps its momentum. Bodies answer within the solve: A gets the term
// K M^-1 K^T, K_i the push of node i on a body and M its mass (coarse_bodies.cpp), so that one much lighter than the
// liquid it moves is as stable as any. Source: our own, after the variational pressure
// solve of Batty et al. 2007; measurements in docs/decisions/0004. Symbols: lengths in support radii, a block is the 4
// x 4 x 4 nodes of a leaf.
//
//   CoarseProjection coarse;
//   coarse.project(grid, walls, {liquid, scales}, gravity * dt, x, v, dt / h);      // moves x along with v

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/core/buffer.h"
#include "spindrift/fluid/coupling.h"
#include "spindrift/neighbors/leaf_grid.h"
#include "spindrift/pbf/kernels.h"

namespace spindrift::pbf {

using fluid::Coupling;
using fluid::Twist;

class CoarseProjection {
  public:
    static constexpr float node_spacing = 2;  ///< in support radii

    struct Liquids {
        const std::uint8_t* of;  ///< of each particle, nullptr if there is one
        const std::vector<LiquidScale>& scales;
    };

    /// Bodies among the walls, and what the projection's units are.
    struct Bodies {
        Coupling* coupling = nullptr;
        double unit = 1;     ///< m
        double density = 1;  ///< that liquids' densities are relative to, kg/m^3
    };

    /// What walls do to a node, for a support of unit volume.
    struct WallsAtNode {
        float available = 1;          ///< share of its hat that they leave free
        Vec3f gradient{};             ///< integral of the hat's gradient over that share
        float flow = 0;               ///< what moving walls push into it
        std::uint8_t near_field = 0;  ///< how a field looks from it; 0 if none is near
    };

    /// What a body adds to WallsAtNode::gradient of a node.
    struct BodyTerm {
        int node, body;
        Vec3f gradient, moment, pivot;  ///< the moment is about the pivot
    };

    /// Projects the velocities (m/s) of sorted particles and moves their positions by the change times `dt_per_h`, at
    /// most neighbors::largest_move; the grid's leaves learn how far. `gravity` is the velocity it gave in this step.
    void project(neighbors::LeafGrid& grid, const collision::Walls& walls, const Liquids& liquids, Vec3f gravity,
                 Float4* x, Float4* v, float dt_per_h, const Bodies& bodies);
    void project(neighbors::LeafGrid& grid, const collision::Walls& walls, const Liquids& liquids, Vec3f gravity,
                 Float4* x, Float4* v, float dt_per_h) {
        project(grid, walls, liquids, gravity, x, v, dt_per_h, Bodies{});
    }

  private:
    static constexpr int nodes = 64;  ///< per block, and cells
    /// A leaf's particles lie in at most this many cells along an axis, and reach one layer of nodes more.
    static constexpr int leaf_cells = 5, leaf_nodes = leaf_cells + 1;

    /// Where a leaf lies among the nodes, whatever its class.
    struct Place {
        Vec3i origin;         ///< first node
        int cells;            ///< along an axis
        float mass;           ///< of its particles
        std::int32_t middle;  ///< block from whose neighbours all its nodes can be reached; -1 if it takes no part
    };
    /// Sums over the particles around a node.
    struct NodeSums {
        float rhs;       ///< of V grad N . v
        float fill;      ///< of V N
        Vec3f gradient;  ///< of V grad N
        Vec3f velocity;  ///< of V N v
    };
    /// A node that presses on a body.
    struct BodyNode {
        std::size_t index;
        int body;
        Vec3f push;  ///< K of the node
        Vec3d turn;  ///< the same for turning the body about its centre, times metres
    };
    /// A sliver, and the node whose phi it takes.
    struct Binding {
        std::size_t node, to;
    };
    /// What the change of a leaf's velocities does to its momentum, and what it takes to turn the leaf.
    struct LeafChange {
        Vec3d momentum{}, angular{}, weighted{};
        double mass = 0;
        double products[6] = {};  ///< of coordinates: xx yy zz xy yz zx
    };
    struct Block {
        Vec3i coord;
        std::int32_t neighbors[27];  ///< block indices, -1 where none
    };

    /// Place among the 27 neighbours of a block.
    static int neighbor_index(int dx, int dy, int dz) { return (dz + 1) * 9 + (dy + 1) * 3 + dx + 1; }

    void make_blocks(const neighbors::LeafGrid& grid);
    void list_leaves();
    void scatter(const neighbors::LeafGrid& grid, const Liquids& liquids, const Float4* x, const Float4* v);
    void scatter_leaf(std::size_t l, const neighbors::Leaf& leaf, const Liquids& liquids, const Float4* x,
                      const Float4* v);
    void find_walls(const collision::Walls& walls);
    void gather_nodes(const collision::Walls& walls, Vec3f gravity);
    void gather_block(std::size_t b, NodeSums* sums);
    void note_bodies(const collision::Walls& walls, const collision::WallField* hiding,
                     std::pair<std::size_t, int> node, Vec3f liquid, WallsAtNode& at,
                     std::vector<BodyNode>& found) const;
    void keep_active_body_nodes(const Bodies& bodies, std::vector<std::vector<BodyNode>>& found);
    void weigh_pushes(const Buffer<float>& phi);
    double apply_bodies(const Buffer<float>& in, Buffer<float>& out);
    void press_bodies();
    void keep_momentum(const neighbors::LeafGrid& grid, const Float4* x, Float4* v);
    template <class Decide>
    void activate_where(const Decide& decide);
    void activate_floor_nodes(Vec3f gravity);
    void activate_wall_nodes(const collision::Walls& walls, Vec3f gravity);
    void activate_field_nodes(const collision::Walls& walls);
    void bind_slivers(const collision::Walls& walls);
    std::size_t fuller_neighbor(const collision::Walls& walls, std::size_t block, int node) const;
    float liquid_at(std::size_t i) const;
    bool are_joined(const collision::Walls& walls, std::size_t block, int node, Vec3i other) const;
    void spread(Buffer<float>& values) const;
    void fold(Buffer<float>& values) const;
    void assemble();
    void balance_closed_liquid();
    void solve();
    double apply(const Buffer<float>& in, Buffer<float>& out);
    void correct(neighbors::LeafGrid& grid, const collision::Walls& walls, const Liquids& liquids, Vec3f balance,
                 Float4* x, Float4* v, float dt_per_h);
    Vec3f mean_change() const;
    bool follows_neighbors(std::size_t block, int node) const;
    bool is_surrounded(std::size_t block, int node) const;
    Vec3f position_of(std::size_t block, int node) const;
    Vec3f position_near(std::size_t block, Vec3i at) const;
    Vec3f liquid_of(const collision::Walls& walls, std::size_t block, int node) const;
    bool follows_liquid(const collision::Walls& walls, std::size_t block, int node) const;
    /// A node or cell near a block, by its place relative to the block's first; one block farther at most.
    std::size_t index_near(std::size_t block, Vec3i at) const;

    static bool takes_part(const neighbors::Leaf& leaf);

    struct CoordHash {
        std::size_t operator()(const Vec3i& c) const {
            return static_cast<std::size_t>(c.x) * 73856093u ^ static_cast<std::size_t>(c.y) * 19349663u ^
                   static_cast<std::size_t>(c.z) * 83492791u;
        }
    };
    struct WallBlock {
        std::array<WallsAtNode, nodes> at{};
        std::vector<BodyTerm> terms{};
    };

    bool beside_walls_ = false;
    bool floating_ = false;  ///< there are bodies and nothing else: what one side loses the other gains
    Bodies bodies_;
    std::vector<BodyNode> body_nodes_;
    std::vector<Binding> bindings_;
    std::vector<Twist> impulses_, answers_;  ///< of all bodies
    std::vector<LeafChange> leaf_changes_;
    std::string walls_state_;  ///< of the walls that the blocks below saw
    std::unordered_map<Vec3i, WallBlock, CoordHash> walls_at_blocks_;
    std::vector<const WallBlock*> wall_blocks_;  ///< of each block; nullptr away from walls
    std::vector<Block> blocks_;
    std::vector<std::size_t> active_blocks_;                  ///< those with liquid nodes
    std::vector<Place> places_;                               ///< of the leaves
    std::vector<std::uint32_t> block_starts_, block_leaves_;  ///< leaves that reach each block
    Buffer<NodeSums> leaf_sums_{"coarse projection"};
    Buffer<float> cell_sums_{"coarse projection"};      ///< of V / rho, for each leaf
    Buffer<float> mobility_{"coarse projection"};       ///< sum of V / rho in each cell, relative to its volume
    Buffer<float> coefficients_{"coarse projection"};   ///< 27 planes of 64 for each active block
    Buffer<float> available_{"coarse projection"};      ///< share of a node's hat that walls leave free
    Buffer<float> active_{"coarse projection"};         ///< 1 where phi is free, 0 where it vanishes
    Buffer<std::uint8_t> behind_{"coarse projection"};  ///< whether a thin wall hides a node from its liquid
    Buffer<std::uint8_t> near_field_{
        "coarse projection"};                            ///< how a field looks that cuts a node's hat; 0 if none does
    Buffer<std::uint8_t> follows_{"coarse projection"};  ///< whether such a node belongs to the liquid
    Buffer<float> fill_{"coarse projection"};            ///< sum of V N
    Buffer<std::size_t> bound_to_{"coarse projection"};  ///< of each node, itself if it is no sliver
    Buffer<Vec3f> gradient_{"coarse projection"};        ///< sum of V grad N
    Buffer<float> rhs_{"coarse projection"}, phi_{"coarse projection"}, residual_{"coarse projection"};
    Buffer<float> direction_{"coarse projection"}, product_{"coarse projection"};
};

}  // namespace spindrift::pbf
