#include "spindrift/pbf/coarse/coarse_walls.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "spindrift/core/parallel.h"
#include "spindrift/pbf/coarse/body_share.h"
#include "spindrift/pbf/coarse/coarse_hats.h"

namespace spindrift::pbf {

namespace {

constexpr float node_spacing = CoarseBlocks::node_spacing;

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

}  // namespace

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

namespace {

/// Slope of hat_integral.
float hat(float t) {
    return std::max(0.f, 1 - std::abs(t));
}

/// Moving the node by a little shows what boxes and planes cut off the gradient's integral.
CoarseWalls::AtNode plain_walls_at(const collision::Walls& walls, Vec3f node) {
    CoarseWalls::AtNode at;
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

/// Whether what a field looks like from a node is not what it looks like from the liquid in the node's hat.
bool is_behind(const collision::WallField& field, const collision::FieldSample& here, Vec3f node, Vec3f liquid) {
    const Vec3f way = liquid - node;
    if (here.distance < 0) return dot(here.gradient, way) < 0;
    return dot(way, way) > here.distance * here.distance && !field.sees(liquid, node);
}

/// Fields act as half-spaces at their distance. Bodies' parts are added to `terms` as those of the node `n`.
CoarseWalls::AtNode walls_at(const collision::Walls& walls, std::span<const BodyHats> hats, Vec3i number, int n,
                             std::vector<CoarseWalls::BodyTerm>& terms) {
    const Vec3f node = vec_cast<float>(number) * node_spacing;
    CoarseWalls::AtNode at = plain_walls_at(walls, node);
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

}  // namespace

const collision::WallField* find_hiding(const collision::Walls& walls, Vec3f node, Vec3f liquid) {
    for (const collision::WallField& field : walls.fields) {
        if (!field.may_reach(node, node, node_spacing)) continue;
        const collision::FieldSample here = field.distance(node);
        if (here.distance < node_spacing && is_behind(field, here, node, liquid)) return &field;
    }
    return nullptr;
}

void CoarseWalls::find(const CoarseBlocks& blocks, const collision::Walls& walls) {
    const std::string state = walls.state();
    constexpr std::size_t most_blocks = 20000;
    if (state.empty() || state != state_ || kept_.size() > most_blocks) kept_.clear();
    state_ = state;
    blocks_.assign(blocks.size(), nullptr);
    std::vector<std::pair<Vec3i, Block*>> fresh;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        const Vec3f corner = vec_cast<float>(blocks.blocks[b].coord) * float{neighbors::leaf_width};
        if (!walls.near(corner - Vec3f{2, 2, 2}, corner + Vec3f{8, 8, 8}, 0)) continue;
        const auto [at, is_new] = kept_.try_emplace(blocks.blocks[b].coord);
        blocks_[b] = &at->second;
        if (is_new) fresh.push_back({blocks.blocks[b].coord, &at->second});
    }
    const std::vector<BodyHats> hats = hats_of(walls);
    parallel_for(fresh.size(), 4, [&](Range range) {
        for (std::size_t k : range) {
            for (int n = 0; n < CoarseBlocks::nodes; ++n) {
                const Vec3i node = fresh[k].first * 4 + Vec3i{n % 4, n / 4 % 4, n / 16};
                fresh[k].second->at[static_cast<std::size_t>(n)] =
                    walls_at(walls, hats, node, n, fresh[k].second->terms);
            }
        }
    });
}

}  // namespace spindrift::pbf
