// Which nodes of the coarse projection are liquid: those that particles fill, and beside and behind walls those whose
// neighbours are.

#include <algorithm>

#include "spindrift/core/parallel.h"
#include "spindrift/pbf/body_share.h"
#include "spindrift/pbf/coarse_hats.h"
#include "spindrift/pbf/coarse_projection.h"

namespace spindrift::pbf {

namespace {

constexpr float node_spacing = CoarseProjection::node_spacing;
constexpr float cell_volume = node_spacing * node_spacing * node_spacing;

/// A node in a floor judges by half a hat or less, where particles lie in layers: from this share to the one above it
/// is in doubt.
constexpr float doubtful_share = 0.7f;

/// Share of a node's support from which it has nothing of a wall to be in doubt about.
constexpr float uncut_share = 0.99f;

/// A point out of fields that it is in, at the nearest place: liquid all around a post has its middle in the post.
Vec3f out_of_fields(const collision::Walls& walls, Vec3f at) {
    constexpr float clear = 0.2f;
    for (const collision::WallField& field : walls.fields) {
        if (!field.may_reach(at, at, 0)) continue;
        const collision::FieldSample here = field.distance(at);
        if (here.distance < 0) at += here.gradient * (clear - here.distance);
    }
    return at;
}

bool sees(const collision::Walls& walls, Vec3f from, Vec3f at) {
    return std::all_of(walls.fields.begin(), walls.fields.end(),
                       [&](const collision::WallField& field) { return field.sees(from, at); });
}

/// Share of a node's hat that walls leave free and that can be seen from a point: not what is behind a thin wall.
float visible_share(const collision::Walls& walls, Vec3f node, Vec3f from) {
    float share = 0, room = 1e30f;
    std::vector<const collision::WallField*> near;
    for (const collision::WallField& field : walls.fields) {
        if (field.may_reach(min(from, node), max(from, node), node_spacing)) near.push_back(&field);
    }
    for (const collision::WallField* field : near)
        room = std::min(room, field->distance_only(from));
    for_each_point(node, [&](Vec3f at, float weight) {
        for (const collision::WallField* field : near)
            weight *= softly_free(*field, at);
        if (weight == 0) return;
        if (dot(at - from, at - from) < room * std::abs(room) || sees(walls, from, at)) share += weight;
    });
    return share * available_share(walls, node);
}

}  // namespace

/// Makes nodes liquid that hold some and for which decide(block, node, index) says so. All have looked before any
/// changes.
template <class Decide>
void CoarseProjection::activate_where(const Decide& decide) {
    follows_.resize(blocks_.size() * nodes);
    parallel_for(blocks_.size(), 4, [&](Range range) {
        for (std::size_t b : range) {
            for (int n = 0; n < nodes; ++n) {
                const std::size_t i = b * nodes + static_cast<std::size_t>(n);
                follows_[i] = active_[i] == 0 && fill_[i] > 0 && decide(b, n, i);
            }
        }
    });
    for (std::size_t i = 0; i < blocks_.size() * nodes; ++i) {
        if (follows_[i]) active_[i] = 1;
    }
}

/// Nodes in a floor that are in doubt are liquid where all of the neighbours off walls are: else a few particles that
/// stray let pressure vanish at the bottom of a tank for a step. A gap at another wall is one that liquid has to fill.
void CoarseProjection::activate_floor_nodes(Vec3f gravity) {
    if (dot(gravity, gravity) == 0) return;
    activate_where([&](std::size_t b, int n, std::size_t i) {
        const float share = available_[i];
        if (near_field_[i] || share < judging_share || share >= uncut_share) return false;
        if (fill_[i] < doubtful_share * cell_volume * share) return false;
        const Vec3f outwards = wall_blocks_[b]->at[static_cast<std::size_t>(n)].gradient;
        const bool floor = dot(outwards, gravity) >= 0.95f * length(outwards) * length(gravity);
        return floor && is_surrounded(b, n);
    });
}

void CoarseProjection::activate_wall_nodes(const collision::Walls& walls, Vec3f gravity) {
    activate_floor_nodes(gravity);
    parallel_for(blocks_.size(), 16, [&](Range range) {
        for (std::size_t b : range) {
            for (int n = 0; n < nodes; ++n) {
                const std::size_t i = b * nodes + static_cast<std::size_t>(n);
                if (!near_field_[i] && available_[i] < judging_share && available_[i] > 0)
                    active_[i] = follows_neighbors(b, n) ? 1.f : 0.f;
            }
        }
    });
    if (!walls.fields.empty()) activate_field_nodes(walls);
    active_blocks_.clear();
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        const float* active = &active_[b * nodes];
        if (std::any_of(active, active + nodes, [](float a) { return a > 0; })) active_blocks_.push_back(b);
        for (std::size_t i = b * nodes; i < (b + 1) * nodes; ++i) {
            rhs_[i] *= active_[i];
            phi_[i] = direction_[i] = 0;
        }
    }
}

/// Whether most of the node's neighbours that can judge are filled.
bool CoarseProjection::follows_neighbors(std::size_t block, int node) const {
    int judges = 0, filled = 0;
    for (int k = 0; k < 27; ++k) {
        const int x = node % 4 + k % 3 - 1, y = node / 4 % 4 + k / 3 % 3 - 1, z = node / 16 + k / 9 - 1;
        const std::int32_t other = blocks_[block].neighbors[neighbor_index(x >> 2, y >> 2, z >> 2)];
        if (other < 0) continue;
        const std::size_t i =
            static_cast<std::size_t>(other) * nodes + static_cast<std::size_t>(((z & 3) * 4 + (y & 3)) * 4 + (x & 3));
        if (available_[i] < judging_share) continue;
        judges += 1;
        filled += active_[i] > 0;
    }
    return 2 * filled > judges;
}

/// Whether all of the node's neighbours that no wall cuts are filled; not if there is none.
bool CoarseProjection::is_surrounded(std::size_t block, int node) const {
    bool any = false;
    for (int k = 0; k < 27; ++k) {
        const Vec3i at{node % 4 + k % 3 - 1, node / 4 % 4 + k / 3 % 3 - 1, node / 16 + k / 9 - 1};
        if (blocks_[block].neighbors[neighbor_index(at.x >> 2, at.y >> 2, at.z >> 2)] < 0) continue;
        const std::size_t i = index_near(block, at);
        if (available_[i] < uncut_share) continue;
        if (active_[i] == 0) return false;
        any = true;
    }
    return any;
}

/// Nodes beside fields: first those judge again that may have seen too much, what is behind a thin wall, then those in
/// or behind walls follow.
void CoarseProjection::activate_field_nodes(const collision::Walls& walls) {
    activate_where([&](std::size_t b, int n, std::size_t i) {
        if (!near_field_[i] || available_[i] < judging_share || behind_[i]) return false;
        // Along a plane there is nothing behind; what is nearly empty has nothing to say.
        const float least = near_field_[i] == flat_field ? filled_share * judging_share : 0.02f;
        if (fill_[i] < least * cell_volume) return false;
        const Vec3f at = position_of(b, n);
        available_[i] = visible_share(walls, at, out_of_fields(walls, middle_of(gradient_[i], fill_[i], at)));
        return available_[i] >= judging_share && fill_[i] >= filled_share * available_[i] * cell_volume;
    });
    activate_where([&](std::size_t b, int n, std::size_t i) {
        return near_field_[i] && (available_[i] < judging_share || behind_[i]) && follows_liquid(walls, b, n);
    });
}

Vec3f CoarseProjection::position_near(std::size_t block, Vec3i at) const {
    return vec_cast<float>(blocks_[block].coord * 4 + at) * node_spacing;
}

Vec3f CoarseProjection::position_of(std::size_t block, int node) const {
    return position_near(block, {node % 4, node / 4 % 4, node / 16});
}

/// Where the liquid in a node's hat is.
Vec3f CoarseProjection::liquid_of(const collision::Walls& walls, std::size_t block, int node) const {
    const std::size_t own = block * nodes + static_cast<std::size_t>(node);
    return out_of_fields(walls, middle_of(gradient_[own], fill_[own], position_of(block, node)));
}

/// Whether most of the nodes around that this node's liquid can see are filled. What is behind a thin wall says nothing
/// about the liquid in front of it.
bool CoarseProjection::follows_liquid(const collision::Walls& walls, std::size_t block, int node) const {
    const Vec3f liquid = liquid_of(walls, block, node);
    int judges = 0, filled = 0;
    for (int k = 0; k < 27; ++k) {
        const Vec3i at{node % 4 + k % 3 - 1, node / 4 % 4 + k / 3 % 3 - 1, node / 16 + k / 9 - 1};
        if (blocks_[block].neighbors[neighbor_index(at.x >> 2, at.y >> 2, at.z >> 2)] < 0) continue;
        const std::size_t i = index_near(block, at);
        if (available_[i] < judging_share || behind_[i]) continue;
        if (!sees(walls, liquid, position_near(block, at))) continue;
        judges += 1;
        filled += active_[i] > 0;
    }
    return 2 * filled > judges;
}

}  // namespace spindrift::pbf
