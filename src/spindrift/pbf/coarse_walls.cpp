// Walls in the coarse projection: what they leave free of each node's support, how fast they push, and which nodes
// behind them belong to the liquid.

#include <algorithm>
#include <cmath>
#include <span>

#include "spindrift/core/parallel.h"
#include "spindrift/pbf/body_share.h"
#include "spindrift/pbf/coarse_projection.h"

namespace spindrift::pbf {

namespace {

constexpr float node_spacing = CoarseProjection::node_spacing;
constexpr float cell_volume = node_spacing * node_spacing * node_spacing;

/// A node belongs to the liquid when this share of what walls leave of its support is filled: phi must vanish on the
/// free surface, or the surface moves as if under a lid. docs/decisions/0004.
constexpr float filled_share = 0.92f;

/// A node behind a wall, with less of its support free than this, sees too few particles to judge; its neighbours do.
constexpr float judging_share = 0.45f;

/// Integral of the unit hat 1 - |u| from -1 to t.
float hat_integral(float t) {
    t = std::clamp(t, -1.f, 1.f);
    return t < 0 ? 0.5f * (1 + t) * (1 + t) : 1 - 0.5f * (1 - t) * (1 - t);
}

/// Share of a node's hat inside a box: exact, since hat and box are products over the axes.
float share_inside(const collision::WallBox& box, Vec3f node) {
    float share = 1;
    for (int a = 0; a < 3; ++a) {
        share *=
            hat_integral((box.hi[a] - node[a]) / node_spacing) - hat_integral((box.lo[a] - node[a]) / node_spacing);
    }
    return share;
}

/// Share of a node's hat that boxes and planes leave free; close for oblique planes and where walls overlap.
float available_share(const collision::Walls& walls, Vec3f node) {
    float share = 1;
    for (const collision::WallBox& box : walls.boxes) {
        share *= box.solid ? 1 - share_inside(box, node) : share_inside(box, node);
    }
    for (const collision::WallPlane& plane : walls.planes) {
        const Vec3f n{plane.normal[0], plane.normal[1], plane.normal[2]};
        share *= hat_integral((dot(n, node) - plane.offset) / node_spacing);
    }
    return share;
}

/// Slope of hat_integral.
float hat(float t) {
    return std::max(0.f, 1 - std::abs(t));
}

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

/// How a field looks from a node that it is near.
constexpr std::uint8_t flat_field = 1, curved_field = 2;

using WallsAtNode = CoarseProjection::WallsAtNode;

/// Moving the node by a little shows what boxes and planes cut off the gradient's integral.
WallsAtNode plain_walls_at(const collision::Walls& walls, Vec3f node) {
    WallsAtNode at;
    at.available = available_share(walls, node);
    for (int a = 0; a < 3; ++a) {
        constexpr float step = 0.05f;
        Vec3f low = node, high = node;
        low[a] -= step;
        high[a] += step;
        at.gradient[a] = (available_share(walls, low) - available_share(walls, high)) / (2 * step);
    }
    return at;
}

/// Two points of Gauss quadrature for the weight 1 - u on either side along each axis: body(point, weight) for 64.
template <class Body>
void for_each_point(Vec3f node, const Body& body) {
    constexpr float point[4] = {-0.6449490f, -0.1550510f, 0.1550510f, 0.6449490f};
    constexpr float weight[4] = {0.1819586f, 0.3180414f, 0.3180414f, 0.1819586f};
    for (int k = 0; k < 64; ++k) {
        const int i = k & 3, j = k >> 2 & 3, m = k >> 4;
        body(node + Vec3f{point[i], point[j], point[m]} * node_spacing, weight[i] * weight[j] * weight[m]);
    }
}

/// Whether a field is a plane as far as a node's hat reaches.
bool is_plane(const collision::WallField& field, const collision::FieldSample& here, Vec3f node) {
    constexpr float reach = 0.65f * node_spacing, tolerance = 0.12f * node_spacing;
    for (int k = 0; k < 6; ++k) {
        Vec3f step{};
        step[k / 2] = k % 2 ? reach : -reach;
        const float plane = here.distance + dot(here.gradient, step);
        if (std::abs(field.distance_only(node + step) - plane) > tolerance) return false;
    }
    return true;
}

/// Share of a node's hat that a field leaves free.
float available_share(const collision::WallField& field, Vec3f node) {
    float share = 0;
    for_each_point(node, [&](Vec3f at, float weight) { share += weight * softly_free(field, at); });
    return share;
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

/// The middle of the particles in a node's hat, from their sums: along each axis, sum V N over sum V |dN/dx| is the
/// mean hat if they are all on one side; if they are on both, the node itself is as good.
Vec3f middle_of(Vec3f gradient, float fill, Vec3f node) {
    for (int a = 0; a < 3; ++a) {
        const float slope = std::abs(gradient[a]) * node_spacing;
        const float off = slope > fill ? 1 - fill / slope : 0;
        node[a] -= std::copysign(off * node_spacing, gradient[a]);
    }
    return node;
}

/// Whether what a field looks like from a node is not what it looks like from the liquid in the node's hat.
bool is_behind(const collision::WallField& field, const collision::FieldSample& here, Vec3f node, Vec3f liquid) {
    const Vec3f way = liquid - node;
    if (here.distance < 0) return dot(here.gradient, way) < 0;
    return dot(way, way) > here.distance * here.distance && !field.sees(liquid, node);
}

/// Fields act as half-spaces at their distance. Bodies' parts are added to `terms` as those of the node `n`.
WallsAtNode walls_at(const collision::Walls& walls, std::span<const BodyHats> hats, Vec3i number, int n,
                     std::vector<CoarseProjection::BodyTerm>& terms) {
    const Vec3f node = vec_cast<float>(number) * node_spacing;
    WallsAtNode at = plain_walls_at(walls, node);
    for (std::size_t k = 0; k < walls.fields.size(); ++k) {
        const collision::WallField& field = walls.fields[k];
        const Vec3f reach{node_spacing, node_spacing, node_spacing};
        if (!field.may_reach(node - reach, node + reach, 0)) continue;
        if (field.body >= 0) {
            // Bodies and walls do not overlap: what each takes adds up.
            const BodyShare body = hats[k].at(number);
            if (body.share == 1) continue;
            // What a thick body takes is known; only behind a thin one something else may be.
            if (field.thin) at.near_field = std::max(at.near_field, curved_field);
            at.flow += flow_of(field, body, hats[k].pivot(), node);
            at.gradient += body.gradient;
            at.available = std::max(0.f, at.available - (1 - body.share));
            terms.push_back({n, field.body, body.gradient, body.moment, hats[k].pivot()});
            continue;
        }
        const collision::FieldSample here = field.distance(node);
        if (here.distance >= node_spacing) continue;
        const bool flat = is_plane(field, here, node);
        at.near_field = std::max(at.near_field, flat ? flat_field : curved_field);
        const float share = flat ? hat_integral(here.distance / node_spacing) : available_share(field, node);
        const Vec3f gradient = here.gradient * (-hat(here.distance / node_spacing) / node_spacing);
        at.flow = at.flow * share + at.available * dot(gradient, field.velocity_at(node));
        at.gradient = at.gradient * share + gradient * at.available;
        at.available *= share;
    }
    return at;
}

/// Of the bodies among the fields; empty ones for others.
std::vector<BodyHats> hats_of(const collision::Walls& walls) {
    std::vector<BodyHats> hats(walls.fields.size());
    parallel_for(walls.fields.size(), 1, [&](Range range) {
        for (std::size_t k : range) {
            if (walls.fields[k].body >= 0) hats[k] = BodyHats(walls.fields[k]);
        }
    });
    return hats;
}

/// The field that hides a node from its liquid; nullptr if none does.
const collision::WallField* find_hiding(const collision::Walls& walls, Vec3f node, Vec3f liquid) {
    for (const collision::WallField& field : walls.fields) {
        if (!field.may_reach(node, node, node_spacing)) continue;
        const collision::FieldSample here = field.distance(node);
        if (here.distance < node_spacing && is_behind(field, here, node, liquid)) return &field;
    }
    return nullptr;
}

}  // namespace

/// What walls do to the nodes of each block beside them; kept as long as nothing of the walls moves.
void CoarseProjection::find_walls(const collision::Walls& walls) {
    const std::string state = walls.state();
    constexpr std::size_t most_blocks = 20000;
    if (state.empty() || state != walls_state_ || walls_at_blocks_.size() > most_blocks) walls_at_blocks_.clear();
    walls_state_ = state;
    wall_blocks_.assign(blocks_.size(), nullptr);
    std::vector<std::pair<Vec3i, WallBlock*>> fresh;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        const Vec3f corner = vec_cast<float>(blocks_[b].coord) * float{neighbors::leaf_width};
        if (!walls.near(corner - Vec3f{2, 2, 2}, corner + Vec3f{8, 8, 8}, 0)) continue;
        const auto [at, is_new] = walls_at_blocks_.try_emplace(blocks_[b].coord);
        wall_blocks_[b] = &at->second;
        if (is_new) fresh.push_back({blocks_[b].coord, &at->second});
    }
    const std::vector<BodyHats> hats = hats_of(walls);
    parallel_for(fresh.size(), 4, [&](Range range) {
        for (std::size_t k : range) {
            for (int n = 0; n < nodes; ++n) {
                const Vec3i node = fresh[k].first * 4 + Vec3i{n % 4, n / 4 % 4, n / 16};
                fresh[k].second->at[static_cast<std::size_t>(n)] =
                    walls_at(walls, hats, node, n, fresh[k].second->terms);
            }
        }
    });
}

void CoarseProjection::gather_nodes(const collision::Walls& walls, Vec3f gravity) {
    const std::size_t total = blocks_.size() * nodes;
    for (Buffer<float>* buffer :
         {&rhs_, &phi_, &residual_, &direction_, &product_, &active_, &available_, &fill_, &mobility_}) {
        buffer->resize(total);
    }
    gradient_.resize(total);
    near_field_.resize(total);
    behind_.resize(total);
    find_walls(walls);
    // Beside walls gravity is what pressure has to carry and must meet the same quadrature as the matrix.
    const Vec3f carried = walls.empty() ? Vec3f{} : gravity;
    constexpr std::size_t chunk = 16;
    std::vector<std::vector<BodyNode>> body_nodes(bodies_.coupling ? (blocks_.size() + chunk - 1) / chunk : 0);
    parallel_for(blocks_.size(), chunk, [&](Range range) {
        for (std::size_t b : range) {
            const Vec3f corner = vec_cast<float>(blocks_[b].coord) * float{neighbors::leaf_width};
            NodeSums block_sums[nodes];
            gather_block(b, block_sums);
            for (int n = 0; n < nodes; ++n) {
                const int at[3] = {n % 4, n / 4 % 4, n / 16};
                const NodeSums& sums = block_sums[n];
                constexpr float support = cell_volume;
                WallsAtNode at_walls =
                    wall_blocks_[b] ? wall_blocks_[b]->at[static_cast<std::size_t>(n)] : WallsAtNode{};
                const Vec3f node = corner + Vec3f{float(at[0]), float(at[1]), float(at[2])} * node_spacing;
                const collision::WallField* hiding =
                    at_walls.near_field && sums.fill > 0
                        ? find_hiding(walls, node, middle_of(sums.gradient, sums.fill, node))
                        : nullptr;
                const float available = at_walls.available;
                const std::size_t i = b * nodes + static_cast<std::size_t>(n);
                available_[i] = available;
                near_field_[i] = at_walls.near_field;
                behind_[i] = hiding != nullptr;
                active_[i] = available >= judging_share && sums.fill >= filled_share * available * support ? 1.f : 0.f;
                fill_[i] = sums.fill;
                gradient_[i] = sums.gradient;
                const Vec3f mean = sums.fill > 0 ? sums.velocity / sums.fill - carried : Vec3f{};
                const bool behind_body = hiding && hiding->body >= 0;
                if (wall_blocks_[b] && !wall_blocks_[b]->terms.empty() && bodies_.coupling) {
                    note_bodies(walls, behind_body ? hiding : nullptr, {b, n},
                                middle_of(sums.gradient, sums.fill, node), at_walls, body_nodes[range.first / chunk]);
                }
                // Behind a thin wall the particles' own gradient is all that is known of the wall.
                rhs_[i] = hiding && !behind_body ? sums.rhs - dot(sums.gradient, hiding->velocity_at(node))
                                                 : sums.rhs - dot(sums.gradient - at_walls.gradient * support, mean) -
                                                       at_walls.flow * support;
            }
        }
    });
    activate_wall_nodes(walls);
    keep_active_body_nodes(bodies_, body_nodes);
}

void CoarseProjection::activate_wall_nodes(const collision::Walls& walls) {
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

/// Nodes beside fields: first those judge again that may have seen too much, what is behind a thin wall, then those in
/// or behind walls follow.
void CoarseProjection::activate_field_nodes(const collision::Walls& walls) {
    follows_.resize(blocks_.size() * nodes);
    const auto look = [&](const auto& decide) {
        parallel_for(blocks_.size(), 4, [&](Range range) {
            for (std::size_t b : range) {
                for (int n = 0; n < nodes; ++n) {
                    const std::size_t i = b * nodes + static_cast<std::size_t>(n);
                    follows_[i] = near_field_[i] && active_[i] == 0 && fill_[i] > 0 && decide(b, n, i);
                }
            }
        });
        // All have looked before any changes.
        for (std::size_t i = 0; i < blocks_.size() * nodes; ++i) {
            if (follows_[i]) active_[i] = 1;
        }
    };
    look([&](std::size_t b, int n, std::size_t i) {
        if (available_[i] < judging_share || behind_[i]) return false;
        // Along a plane there is nothing behind; what is nearly empty has nothing to say.
        const float least = near_field_[i] == flat_field ? filled_share * judging_share : 0.02f;
        if (fill_[i] < least * cell_volume) return false;
        const Vec3f at = position_of(b, n);
        available_[i] = visible_share(walls, at, out_of_fields(walls, middle_of(gradient_[i], fill_[i], at)));
        return available_[i] >= judging_share && fill_[i] >= filled_share * available_[i] * cell_volume;
    });
    look([&](std::size_t b, int n, std::size_t i) {
        return (available_[i] < judging_share || behind_[i]) && follows_liquid(walls, b, n);
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
