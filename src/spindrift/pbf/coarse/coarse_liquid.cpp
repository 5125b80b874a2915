#include "spindrift/pbf/coarse/coarse_liquid.h"

#include <algorithm>

#include "spindrift/core/parallel.h"
#include "spindrift/pbf/coarse/body_share.h"
#include "spindrift/pbf/coarse/coarse_hats.h"

namespace spindrift::pbf {

namespace {

constexpr float node_spacing = CoarseBlocks::node_spacing, cell_volume = CoarseBlocks::cell_volume;
constexpr int nodes = CoarseBlocks::nodes;

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

/// Decides about nodes beside walls, whose own particles do not tell.
class Judgement {
  public:
    Judgement(const CoarseSurroundings& around, CoarseLiquid& liquid)
        : blocks_(around.blocks), around_(around), walls_(around.walls), liquid_(liquid) {}

    void decide(Vec3f gravity) {
        activate_floor_nodes(gravity);
        activate_hidden_nodes();
        if (!walls_.fields.empty()) activate_field_nodes();
    }

  private:
    template <class Decide>
    void activate_where(const Decide& decide);
    void activate_floor_nodes(Vec3f gravity);
    void activate_hidden_nodes();
    void activate_field_nodes();
    bool follows_neighbors(std::size_t block, int node) const;
    bool is_surrounded(std::size_t block, int node) const;
    bool follows_liquid(std::size_t block, int node) const;

    const CoarseBlocks& blocks_;
    const CoarseSurroundings& around_;
    const collision::Walls& walls_;
    CoarseLiquid& liquid_;
};

/// Makes nodes liquid that hold some and for which decide(block, node, index) says so. All have looked before any
/// changes.
template <class Decide>
void Judgement::activate_where(const Decide& decide) {
    liquid_.follows.resize(blocks_.node_count());
    parallel_for(blocks_.size(), 4, [&](Range range) {
        for (std::size_t b : range) {
            for (int n = 0; n < nodes; ++n) {
                const std::size_t i = b * nodes + static_cast<std::size_t>(n);
                liquid_.follows[i] = liquid_.active[i] == 0 && liquid_.fill[i] > 0 && decide(b, n, i);
            }
        }
    });
    for (std::size_t i = 0; i < blocks_.node_count(); ++i) {
        if (liquid_.follows[i]) liquid_.active[i] = 1;
    }
}

/// Nodes in a floor that are in doubt are liquid where all of the neighbours off walls are: else a few particles that
/// stray let pressure vanish at the bottom of a tank for a step. A gap at another wall is one that liquid has to fill.
void Judgement::activate_floor_nodes(Vec3f gravity) {
    if (dot(gravity, gravity) == 0) return;
    activate_where([&](std::size_t b, int n, std::size_t i) {
        const float share = liquid_.available[i];
        if (liquid_.near_field[i] || share < judging_share || share >= uncut_share) return false;
        if (liquid_.fill[i] < doubtful_share * cell_volume * share) return false;
        const Vec3f outwards = around_.at_walls.beside(b)->at[static_cast<std::size_t>(n)].gradient;
        const bool floor = dot(outwards, gravity) >= 0.95f * length(outwards) * length(gravity);
        return floor && is_surrounded(b, n);
    });
}

/// Nodes that walls leave too little of follow their neighbours.
void Judgement::activate_hidden_nodes() {
    parallel_for(blocks_.size(), 16, [&](Range range) {
        for (std::size_t b : range) {
            for (int n = 0; n < nodes; ++n) {
                const std::size_t i = b * nodes + static_cast<std::size_t>(n);
                if (!liquid_.near_field[i] && liquid_.available[i] < judging_share && liquid_.available[i] > 0)
                    liquid_.active[i] = follows_neighbors(b, n) ? 1.f : 0.f;
            }
        }
    });
}

/// Whether most of the node's neighbours that can judge are filled.
bool Judgement::follows_neighbors(std::size_t block, int node) const {
    int judges = 0, filled = 0;
    for (int k = 0; k < 27; ++k) {
        const Vec3i at{node % 4 + k % 3 - 1, node / 4 % 4 + k / 3 % 3 - 1, node / 16 + k / 9 - 1};
        if (!blocks_.has(block, at)) continue;
        const std::size_t i = blocks_.index_near(block, at);
        if (liquid_.available[i] < judging_share) continue;
        judges += 1;
        filled += liquid_.active[i] > 0;
    }
    return 2 * filled > judges;
}

/// Whether all of the node's neighbours that no wall cuts are filled; not if there is none.
bool Judgement::is_surrounded(std::size_t block, int node) const {
    bool any = false;
    for (int k = 0; k < 27; ++k) {
        const Vec3i at{node % 4 + k % 3 - 1, node / 4 % 4 + k / 3 % 3 - 1, node / 16 + k / 9 - 1};
        if (!blocks_.has(block, at)) continue;
        const std::size_t i = blocks_.index_near(block, at);
        if (liquid_.available[i] < uncut_share) continue;
        if (liquid_.active[i] == 0) return false;
        any = true;
    }
    return any;
}

/// Nodes beside fields: first those judge again that may have seen too much, what is behind a thin wall, then those in
/// or behind walls follow.
void Judgement::activate_field_nodes() {
    activate_where([&](std::size_t b, int n, std::size_t i) {
        if (!liquid_.near_field[i] || liquid_.available[i] < judging_share || liquid_.behind[i]) return false;
        // Along a plane there is nothing behind; what is nearly empty has nothing to say.
        const float least = liquid_.near_field[i] == flat_field ? filled_share * judging_share : 0.02f;
        if (liquid_.fill[i] < least * cell_volume) return false;
        const Vec3f at = blocks_.position_of(b, n);
        liquid_.available[i] =
            visible_share(walls_, at, out_of_fields(walls_, middle_of(liquid_.gradient[i], liquid_.fill[i], at)));
        return liquid_.available[i] >= judging_share &&
               liquid_.fill[i] >= filled_share * liquid_.available[i] * cell_volume;
    });
    activate_where([&](std::size_t b, int n, std::size_t i) {
        return liquid_.near_field[i] && (liquid_.available[i] < judging_share || liquid_.behind[i]) &&
               follows_liquid(b, n);
    });
}

/// Whether most of the nodes around that this node's liquid can see are filled. What is behind a thin wall says nothing
/// about the liquid in front of it.
bool Judgement::follows_liquid(std::size_t block, int node) const {
    const Vec3f liquid = liquid_.middle(around_, block, node);
    int judges = 0, filled = 0;
    for (int k = 0; k < 27; ++k) {
        const Vec3i at{node % 4 + k % 3 - 1, node / 4 % 4 + k / 3 % 3 - 1, node / 16 + k / 9 - 1};
        if (!blocks_.has(block, at)) continue;
        const std::size_t i = blocks_.index_near(block, at);
        if (liquid_.available[i] < judging_share || liquid_.behind[i]) continue;
        if (!sees(walls_, liquid, blocks_.position_near(block, at))) continue;
        judges += 1;
        filled += liquid_.active[i] > 0;
    }
    return 2 * filled > judges;
}

}  // namespace

void CoarseLiquid::resize(std::size_t node_count) {
    for (Buffer<float>* buffer : {&active, &available, &fill, &mobility})
        buffer->resize(node_count);
    for (Buffer<std::uint8_t>* buffer : {&near_field, &behind})
        buffer->resize(node_count);
    gradient.resize(node_count);
}

void CoarseLiquid::follow_walls(const CoarseSurroundings& around, Vec3f gravity) {
    Judgement(around, *this).decide(gravity);
    active_blocks.clear();
    for (std::size_t b = 0; b < around.blocks.size(); ++b) {
        const float* first = &active[b * nodes];
        if (std::any_of(first, first + nodes, [](float a) { return a > 0; })) active_blocks.push_back(b);
    }
}

Vec3f CoarseLiquid::middle(const CoarseSurroundings& around, std::size_t block, int node) const {
    const std::size_t own = block * nodes + static_cast<std::size_t>(node);
    return out_of_fields(around.walls, middle_of(gradient[own], fill[own], around.blocks.position_of(block, node)));
}

float CoarseLiquid::volume(std::size_t i) const {
    return std::min(fill[i], available[i] * cell_volume);
}

}  // namespace spindrift::pbf
