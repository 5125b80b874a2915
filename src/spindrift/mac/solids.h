#pragma once
// Solids as the grid meets them: how much of each face they leave open, and how velocities go on inside of them.
//
// Source: Batty, Bertails and Bridson 2007 (shares of faces), after distances at the corners of cells.
// Leaves beside walls that stand still are kept between steps. A wall thinner than a cell closes the faces between
// cells whose middles do not see each other.
//
//   Solids solids;
//   solids.place(leaves, walls, open);                    // open: shares of faces, 1 away from walls
//   solids.constrain(leaves, velocity, layer);            // after the pressure: faces that solids close

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/fluid/coupling.h"
#include "spindrift/grid/field.h"
#include "spindrift/grid/leaf_set.h"
#include "spindrift/mac/displaced.h"
#include "spindrift/mac/masks.h"
#include "spindrift/mac/solid_shares.h"

namespace spindrift::mac {

/// A face that a solid closes, wholly or in part.
struct WallFace {
    std::uint16_t cell;  ///< in its leaf
    std::uint8_t axis;
    float open;
    float moved;                 ///< share that walls that move close, but what bodies displace
    Vec3f normal{}, velocity{};  ///< of the solid there; m/s
    float distance = 0;          ///< of the middle of the face from the solid, in cells; negative inside
    float friction = 0;
    bool sticky = false;
    std::int16_t body = -1;
};

class Solids {
  public:
    explicit Solids(Parting parting = Parting::all) : parting_(parting) {}

    /// Sets the open shares of all faces of the leaves. Walls are in cells from the origin.
    void place(const grid::LeafSet& leaves, const collision::Walls& walls, grid::AxisFields<float>& open);

    /// Cells whose middle is inside of a solid.
    const LeafMask& inside(std::size_t leaf) const { return near_[leaf] ? near_[leaf]->inside : no_cells; }
    /// Volume that solids leave in the 27 cells around each cell; nullptr away from walls, where it is 27.
    const float* room(std::size_t leaf) const { return near_[leaf] ? near_[leaf]->room.data() : nullptr; }
    /// The same under a tent of two cells' width around the middle of each cell, where it is 1 away from walls.
    const float* tent(std::size_t leaf) const { return near_[leaf] ? near_[leaf]->tent.data() : nullptr; }
    /// The same under the mean of the six such tents around the middles of each cell's faces.
    const float* wide_tent(std::size_t leaf) const { return near_[leaf] ? near_[leaf]->wide_tent.data() : nullptr; }
    /// Volume that solids leave in each cell; nullptr away from walls, where it is 1.
    const float* share(std::size_t leaf) const { return near_[leaf] ? near_[leaf]->share.data() : nullptr; }
    /// Cells that walls cut, and those beside them.
    const LeafMask& cut(std::size_t leaf) const { return near_[leaf] ? near_[leaf]->cut : no_cells; }
    /// Cells that walls which move have a part of.
    const LeafMask& moved(std::size_t leaf) const { return near_[leaf] ? near_[leaf]->moved : no_cells; }
    /// Cells that solids leave so little of that nothing flows through them.
    const LeafMask& slivers(std::size_t leaf) const { return near_[leaf] ? near_[leaf]->slivers : no_cells; }
    /// What bodies displace around its faces.
    std::span<const DisplacedFace> displaced(std::size_t leaf) const { return displaced_.faces(leaf); }
    /// Faces that are not quite open.
    std::span<const WallFace> faces(std::size_t leaf) const {
        return near_[leaf] ? std::span<const WallFace>(near_[leaf]->faces) : std::span<const WallFace>();
    }
    bool moves() const { return moves_; }
    bool displaces() const { return !displaced_.empty(); }

    /// Gives faces of bodies the velocities that bodies have by now. `cell` in m.
    void follow(const fluid::Coupling& bodies, double cell);
    /// Velocities of faces across a wall become the wall's, before velocities are extended: layer 0.
    void stop(const grid::LeafSet& leaves, grid::AxisFields<float>& velocity, grid::AxisFields<float>& layer) const;
    /// What comes out of slits between walls that move goes along with them: pressure weighs a face by the share that
    /// is open, a particle there counts as a whole. Nothing is faster against such walls than `most`.
    void calm_slits(const grid::LeafSet& leaves, const grid::AxisFields<float>& open, grid::AxisFields<float>& velocity,
                    float most) const;
    /// Extended velocities inside of solids lose what goes deeper into them.
    void constrain(const grid::LeafSet& leaves, grid::AxisFields<float>& velocity) const;

  private:
    struct SolidLeaf {
        LeafMask inside{}, cut{}, moved{}, slivers{};
        std::vector<WallFace> faces{};
        std::vector<std::uint32_t> straight{}, slanted{};  ///< closed ones among them: across a wall, and askew to it
        std::array<std::array<float, grid::leaf_cells>, 3> open{};
        std::array<float, grid::leaf_cells> room{}, tent{}, wide_tent{}, share{};

        static SolidLeaf free();
        void add(const WallFace& face);
    };
    /// Cells of a leaf.
    struct Place {
        Vec3i coord;
        CellRange range;
    };
    struct Openings;
    struct CoordHash {
        std::size_t operator()(const Vec3i& c) const {
            return static_cast<std::size_t>(c.x) * 73856093u ^ static_cast<std::size_t>(c.y) * 19349663u ^
                   static_cast<std::size_t>(c.z) * 83492791u;
        }
    };
    /// Walls beside a leaf: all of them, those that close faces by their area, and the two kinds that there are.
    struct Kinds {
        const collision::Walls &all, &closing, &still, &moving;
    };
    void make(const Kinds& walls, const Place& place, std::span<const DisplacedFace> displaced, SolidLeaf& leaf) const;
    std::unique_ptr<SolidLeaf> make_moving(const Kinds& walls, Vec3i coord, std::span<const DisplacedFace> displaced,
                                           const SolidLeaf* rest) const;
    static SolidLeaf without(const SolidLeaf& rest, const CellRange& range);
    static void add_face(const Kinds& walls, Vec3i coord, WallFace face, float left_by_still, SolidLeaf& leaf);

    Parting parting_;
    bool moves_ = false;
    Displaced displaced_;
    std::string state_;  ///< of the walls that do not move
    std::unordered_map<Vec3i, std::unique_ptr<SolidLeaf>, CoordHash> still_;
    struct MovingLeaf {
        Vec3i coord;
        std::unique_ptr<SolidLeaf> leaf;
    };
    std::vector<MovingLeaf> moving_;      ///< of this step alone
    std::vector<const SolidLeaf*> near_;  ///< by leaf; nullptr away from walls
};

}  // namespace spindrift::mac
