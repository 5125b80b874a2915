#include "spindrift/mac/solids.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "spindrift/core/parallel.h"
#include "spindrift/mac/solid_shares.h"

namespace spindrift::mac {

namespace {

using grid::leaf_width;

/// Walls this near to a leaf, in cells, may be met by its particles or by the velocities they see.
constexpr float reach = 4;
/// A cell with less room is solid: what moves there would come out of its slits as a jet. Where a wall at rest slants
/// only next to nothing counts so: a row of cells that are closed and open would be steps, and a film ran down them a
/// fifth too slowly.
constexpr float least_volume = 0.15f, least_beside_slant = 0.01f;
/// Open share of a cell's widest face from which the wall behind it stands across: all cells along it are as narrow.
constexpr float wide_open = 0.9f;
/// How deep in solids velocities are kept from going deeper.
constexpr float deepest = 3;
/// Distance from the middle of a face beyond which a wall that moves has no share of it: half its diagonal, and some
/// for what distances are uncertain by.
constexpr float farthest_mover = 1;
/// Sum of the open shares of a cell's faces below which it lies in a slit: beside one flat wall it has three at least.
/// And the share of a face that is as good as open there.
constexpr float narrow_passage = 1.5f, slit = 0.9f;
constexpr std::size_t most_kept = 40000;

Vec3i cell_of(int cell) {
    return {cell & 7, cell >> 3 & 7, cell >> 6};
}

/// Walls without the fields that are nowhere near a leaf.
collision::Walls beside(const collision::Walls& walls, Vec3i coord) {
    const Vec3f lo = vec_cast<float>(coord * leaf_width), hi = lo + Vec3f{8, 8, 8};
    collision::Walls near = walls;
    std::erase_if(near.fields, [&](const collision::WallField& field) { return !field.near(lo, hi, reach); });
    return near;
}

/// What is left of a face is nothing if it is next to nothing.
float without_rest(float left, float before) {
    constexpr float least = 0.02f;
    return left == before || left >= least ? left : 0.f;
}

Vec3f face_center(Vec3i coord, Vec3i cell, int axis) {
    Vec3f x = vec_cast<float>(coord * leaf_width + cell) + Vec3f{0.5f, 0.5f, 0.5f};
    x[axis] -= 0.5f;
    return x;
}

}  // namespace

/// Walls that a leaf meets, by what they leave of its cells and faces; `at_rest` are those of them that do not move, if
/// some do.
struct Solids::Openings {
    Corners phi;
    Shares volume;
    const Shares* at_rest;
    Parting parting;

    Openings(const collision::Walls& walls, const Place& place, Parting parting_cells, const Shares* still = nullptr)
        : phi(sample_corners(walls, place.coord, place.range)), volume(phi), at_rest(still), parting(parting_cells) {}

    bool is_sliver(Vec3i cell) const {
        const float share = volume(cell);
        if (share >= least_volume) return false;
        if (share < least_beside_slant || is_moved(cell)) return true;
        return is_cut_by_boxes_alone(cell) || widest_face(cell) > wide_open;
    }
    bool is_cut_by_boxes_alone(Vec3i cell) const {
        for (int k = 0; k < 8; ++k) {
            if (phi(cell.x + (k & 1), cell.y + (k >> 1 & 1), cell.z + (k >> 2)) <= 0) return false;
        }
        return true;
    }
    bool is_moved(Vec3i cell) const {
        constexpr float touched = 0.01f;
        return at_rest && (*at_rest)(cell)-volume(cell) > touched;
    }
    float widest_face(Vec3i cell) const {
        float widest = 0;
        for (int side = 0; side < 6; ++side) {
            Vec3i face = cell;
            face[side / 2] += side % 2;
            widest = std::max(widest, open_share(phi, face, side / 2));
        }
        return widest;
    }

    /// Open share of a cell's lower face on an axis: none beside slivers, and none across walls thinner than a cell.
    float operator()(Vec3i cell, int axis) const {
        Vec3i low = cell;
        low[axis] -= 1;
        if (is_sliver(cell) || is_sliver(low)) return 0;
        const float open = open_share(phi, cell, axis);
        return open > 0 && middle(phi, cell) < 1 && is_parted(phi, cell, axis, parting) ? 0 : open;
    }
};

/// Where walls that move meet others each has its own share of the face. A cell that both together make a sliver of may
/// have faces that no wall that moves is near to: they stand still.
void Solids::add_face(const Kinds& walls, Vec3i coord, WallFace face, float left_by_still, SolidLeaf& leaf) {
    const Vec3f x = face_center(coord, cell_of(face.cell), face.axis);
    collision::Walls::Nearest wall{};
    float moved = std::max(0.f, left_by_still - face.open);
    if (moved > 0) {
        wall = walls.moving.nearest(x);
        if (wall.distance > farthest_mover) moved = face.moved = 0;
    }
    if (moved <= 0.5f * (1 - face.open)) wall = walls.still.nearest(x);
    face.normal = wall.normal;
    face.velocity = wall.velocity;
    face.distance = wall.distance;
    face.friction = wall.surface.friction;
    face.sticky = wall.surface.stickiness > 0;
    face.body = static_cast<std::int16_t>(wall.body);
    leaf.add(face);
}

Solids::SolidLeaf Solids::SolidLeaf::free() {
    SolidLeaf leaf;
    for (auto& open : leaf.open)
        open.fill(1);
    leaf.room.fill(27);
    leaf.tent.fill(1);
    leaf.wide_tent.fill(1);
    leaf.share.fill(1);
    return leaf;
}

void Solids::SolidLeaf::add(const WallFace& face) {
    const float along = std::abs(face.normal[face.axis]);
    const auto index = static_cast<std::uint32_t>(faces.size());
    if (face.open == 0 && along > 0.99f) straight.push_back(index);
    if (face.open == 0 && along > 0.01f && along <= 0.99f) slanted.push_back(index);
    faces.push_back(face);
}

/// What walls at rest do to a leaf, but for some of its cells.
Solids::SolidLeaf Solids::without(const SolidLeaf& rest, const CellRange& range) {
    SolidLeaf leaf = rest;
    leaf.faces.clear();
    leaf.straight.clear();
    leaf.slanted.clear();
    for (const WallFace& face : rest.faces) {
        if (!range.has(cell_of(face.cell))) leaf.add(face);
    }
    LeafMask cleared{};
    for_each_cell(range, [&](Vec3i c) { set(cleared, grid::cell_index(c.x, c.y, c.z)); });
    for (LeafMask* mask : {&leaf.inside, &leaf.cut, &leaf.moved, &leaf.slivers})
        *mask = mac::without(*mask, cleared);
    return leaf;
}

void Solids::make(const Kinds& walls, const Place& place, std::span<const DisplacedFace> displaced,
                  SolidLeaf& leaf) const {
    std::optional<Openings> at_rest, closing;
    if (&walls.all != &walls.still) at_rest.emplace(walls.still, place, parting_);
    const Openings all(walls.all, place, parting_, at_rest ? &at_rest->volume : nullptr);
    const bool by_area = &walls.closing != &walls.all && &walls.closing != &walls.still;
    if (by_area) closing.emplace(walls.closing, place, parting_, &at_rest->volume);
    const Openings& closed = by_area ? *closing : &walls.closing == &walls.all ? all : *at_rest;
    const Tents tents(all.phi);
    std::array<std::array<float, grid::leaf_cells>, 3> taken{};
    for (const DisplacedFace& each : displaced)
        taken[each.axis][each.cell] += each.share;
    for_each_cell(place.range, [&](Vec3i cell) {
        const int n = grid::cell_index(cell.x, cell.y, cell.z);
        const auto at = static_cast<std::size_t>(n);
        leaf.share[at] = all.volume(cell);
        leaf.room[at] = all.volume.around(cell);
        leaf.tent[at] = tents.narrow[at];
        leaf.wide_tent[at] = tents.wide[at];
        if (all.volume.is_cut(cell)) set(leaf.cut, n);
        if (all.is_moved(cell)) set(leaf.moved, n);
        if (closed.is_sliver(cell)) set(leaf.slivers, n);
        const float depth = middle(all.phi, cell);
        if (depth < 0) set(leaf.inside, n);
        for (int axis = 0; axis < 3; ++axis) {
            const auto a = static_cast<std::size_t>(axis);
            const float left = closed(cell, axis), open = without_rest(left - taken[a][at], left);
            leaf.open[a][at] = open;
            if (open == 1 || depth < -deepest) continue;
            const float left_by_still = at_rest ? (*at_rest)(cell, axis) : left;
            add_face(walls, place.coord,
                     {.cell = static_cast<std::uint16_t>(n),
                      .axis = static_cast<std::uint8_t>(axis),
                      .open = open,
                      .moved = std::max(0.f, left_by_still - left)},
                     left_by_still, leaf);
        }
    });
}

/// Only cells beside walls that move differ from what walls at rest do to a leaf; `rest` is null if that is nothing.
std::unique_ptr<Solids::SolidLeaf> Solids::make_moving(const Kinds& walls, Vec3i coord,
                                                       std::span<const DisplacedFace> displaced,
                                                       const SolidLeaf* rest) const {
    const collision::Walls near = beside(walls.all, coord), still = beside(walls.still, coord),
                           closing = beside(walls.closing, coord), moving = beside(walls.moving, coord);
    const CellRange range = cells_near(moving.fields, coord);
    auto leaf = std::make_unique<SolidLeaf>(rest ? without(*rest, range) : SolidLeaf::free());
    const bool rest_closes = closing.fields.size() == still.fields.size(),
               all_close = closing.fields.size() == near.fields.size();
    make({near, rest_closes ? still : all_close ? near : closing, still, moving}, {coord, range}, displaced, *leaf);
    return leaf;
}

void Solids::place(const grid::LeafSet& leaves, const collision::Walls& walls, grid::AxisFields<float>& open) {
    const auto is_moving = [](const collision::WallField& field) { return field.moves() || field.body >= 0; };
    collision::Walls still = walls, closing = walls, moving;
    std::erase_if(still.fields, is_moving);
    displaced_.clear();
    if (std::erase_if(closing.fields, Displaced::counts) > 0) displaced_.find(leaves, walls);
    std::copy_if(walls.fields.begin(), walls.fields.end(), std::back_inserter(moving.fields), is_moving);
    const std::string state = still.state();
    if (state != state_ || still_.size() > most_kept) still_.clear();
    state_ = state;
    moves_ = !moving.fields.empty();
    moving_.clear();
    near_.assign(leaves.size(), nullptr);

    std::vector<std::size_t> fresh, beside_moving;
    for (std::size_t l = 1; l < leaves.size() && !walls.empty(); ++l) {
        const Vec3i coord = leaves.coord(l);
        if (moves_ && !cells_near(moving.fields, coord).empty()) beside_moving.push_back(l);
        const Vec3f lo = vec_cast<float>(coord * leaf_width), hi = lo + Vec3f{8, 8, 8};
        if (!still.near(lo, hi, reach)) continue;
        std::unique_ptr<SolidLeaf>& kept = still_[coord];
        if (!kept) {
            kept = std::make_unique<SolidLeaf>();
            fresh.push_back(l);
        }
        near_[l] = kept.get();
    }
    parallel_for(fresh.size(), 1, [&](Range range) {
        for (const std::size_t k : range) {
            const Vec3i coord = leaves.coord(fresh[k]);
            const collision::Walls near = beside(still, coord);
            make({near, near, near, near}, {coord, {}}, {}, *still_.at(coord));
        }
    });
    moving_.resize(beside_moving.size());
    parallel_for(beside_moving.size(), 1, [&](Range range) {
        for (const std::size_t k : range) {
            const std::size_t l = beside_moving[k];
            moving_[k] = {leaves.coord(l),
                          make_moving({walls, closing, still, moving}, leaves.coord(l), displaced_.faces(l), near_[l])};
        }
    });
    for (std::size_t k = 0; k < beside_moving.size(); ++k)
        near_[beside_moving[k]] = moving_[k].leaf.get();

    open.resize(leaves.size(), 1);
    parallel_for(leaves.size(), 32, [&](Range range) {
        for (std::size_t l : range) {
            for (int axis = 0; axis < 3; ++axis) {
                float* out = open[axis].leaf(l);
                if (l > 0 && near_[l]) {
                    const auto& from = near_[l]->open[static_cast<std::size_t>(axis)];
                    std::copy(from.begin(), from.end(), out);
                } else {
                    std::fill(out, out + grid::leaf_cells, 1.f);
                }
            }
        }
    });
}

void Solids::follow(const fluid::Coupling& bodies, double cell) {
    for (MovingLeaf& moving : moving_) {
        for (WallFace& face : moving.leaf->faces) {
            if (face.body < 0) continue;
            const fluid::Coupling::Body body = bodies.body(static_cast<std::size_t>(face.body));
            if (!body.answers) continue;
            const Vec3d x = vec_cast<double>(face_center(moving.coord, cell_of(face.cell), face.axis)) * cell;
            face.velocity = vec_cast<float>(body.velocity.linear + cross(body.velocity.angular, x - body.center));
        }
    }
}

void Solids::stop(const grid::LeafSet& leaves, grid::AxisFields<float>& velocity,
                  grid::AxisFields<float>& layer) const {
    parallel_for(leaves.size(), 16, [&](Range range) {
        for (std::size_t l : range) {
            if (!near_[l]) continue;
            for (const std::uint32_t k : near_[l]->straight) {
                const WallFace& face = near_[l]->faces[k];
                velocity[face.axis].leaf(l)[face.cell] = face.velocity[face.axis];
                layer[face.axis].leaf(l)[face.cell] = 0;
            }
        }
    });
}

void Solids::calm_slits(const grid::LeafSet& leaves, const grid::AxisFields<float>& open,
                        grid::AxisFields<float>& velocity, float most) const {
    const auto passage = [&](std::size_t l, Vec3i cell) {
        float sum = 0;
        for (int side = 0; side < 6; ++side) {
            Vec3i face = cell;
            face[side / 2] += side % 2;
            sum += open[side / 2].near(leaves, l, face);
        }
        return sum;
    };
    parallel_for(leaves.size(), 16, [&](Range range) {
        for (std::size_t l : range) {
            if (!near_[l]) continue;
            for (const WallFace& face : near_[l]->faces) {
                if (face.moved <= 0 || face.open <= 0) continue;
                float& u = velocity[face.axis].leaf(l)[face.cell];
                const float own = face.velocity[face.axis];
                Vec3i here = cell_of(face.cell), below = here;
                below[face.axis] -= 1;
                const bool narrow = std::min(passage(l, here), passage(l, below)) < narrow_passage;
                const float share = narrow ? std::min(1.f, face.open / slit) : 1.f;
                u = own + std::clamp((u - own) * share, -most, most);
            }
        }
    });
}

void Solids::constrain(const grid::LeafSet& leaves, grid::AxisFields<float>& velocity) const {
    struct Change {
        float* at;
        float value;
    };
    // Each face looks at faces of the other axes around it: all are read before any is written.
    std::vector<std::vector<Change>> changes(leaves.size());
    parallel_for(leaves.size(), 16, [&](Range range) {
        for (std::size_t l : range) {
            if (!near_[l]) continue;
            for (const std::uint32_t k : near_[l]->slanted) {
                const WallFace& face = near_[l]->faces[k];
                const Vec3i cell = cell_of(face.cell);
                Vec3f u{};
                for (int a = 0; a < 3; ++a) {
                    if (a == face.axis) {
                        u[a] = velocity[a].leaf(l)[face.cell];
                        continue;
                    }
                    // The four faces of this axis around the middle of the face.
                    for (int n = 0; n < 4; ++n) {
                        Vec3i other = cell;
                        other[face.axis] -= n & 1;
                        other[a] += n >> 1;
                        u[a] += 0.25f * velocity[a].near(leaves, l, other);
                    }
                }
                const float into = dot(u - face.velocity, face.normal);
                if (into >= 0) continue;
                changes[l].push_back(
                    {velocity[face.axis].leaf(l) + face.cell, u[face.axis] - into * face.normal[face.axis]});
            }
        }
    });
    parallel_for(leaves.size(), 64, [&](Range range) {
        for (std::size_t l : range) {
            for (const Change& change : changes[l])
                *change.at = change.value;
        }
    });
}

}  // namespace spindrift::mac
