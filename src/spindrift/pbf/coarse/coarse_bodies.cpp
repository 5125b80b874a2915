#include "spindrift/pbf/coarse/coarse_bodies.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "spindrift/core/exact_sum.h"
#include "spindrift/core/parallel.h"
#include "spindrift/fluid/body_sums.h"
#include "spindrift/pbf/coarse/body_share.h"

namespace spindrift::pbf {

namespace {

constexpr float cell_volume = CoarseBlocks::cell_volume;

}  // namespace

/// Of a body between a node and the liquid in its hat only the side counts that the liquid sees.
void CoarseBodies::note(const CoarseSurroundings& around, const Seen& node, CoarseWalls::AtNode& at,
                        std::vector<Node>& found) const {
    const collision::WallField* const hiding = node.hiding;
    const std::size_t index = node.block * CoarseBlocks::nodes + static_cast<std::size_t>(node.node);
    for (const CoarseWalls::BodyTerm& term : around.at_walls.beside(node.block)->terms) {
        if (term.node != node.node) continue;
        BodyShare share{0, term.gradient, term.moment};
        Vec3f pivot = term.pivot;
        if (hiding && hiding->thin && hiding->body == term.body) {
            const Vec3f x = around.blocks.position_of(node.block, node.node);
            at.gradient -= share.gradient;
            at.flow -= flow_of(*hiding, share, pivot, x);
            share = body_share(*hiding, {.beside = &around.walls, .from = &node.liquid}, x);
            pivot = x;
            at.gradient += share.gradient;
            at.flow += flow_of(*hiding, share, pivot, x);
        }
        const Vec3d center = settings_.coupling->body(static_cast<std::size_t>(term.body)).center;
        const Vec3d push = vec_cast<double>(share.gradient), arm = vec_cast<double>(pivot) * settings_.unit - center;
        const Vec3d turn = vec_cast<double>(share.moment) * settings_.unit + cross(arm, push);
        found.push_back({index, term.body, share.gradient * cell_volume, turn * static_cast<double>(cell_volume)});
    }
}

void CoarseBodies::keep_active(const std::vector<std::vector<Node>>& found, const Buffer<float>& active) {
    nodes_.clear();
    if (!any()) return;
    impulses_.assign(settings_.coupling->size(), {});
    answers_.assign(settings_.coupling->size(), {});
    for (const std::vector<Node>& part : found) {
        for (const Node& node : part) {
            if (active[node.index] != 0) nodes_.push_back(node);
        }
    }
}

/// Impulses on bodies, N s, of a pressure.
void CoarseBodies::weigh_pushes(const Buffer<float>& phi) {
    std::fill(impulses_.begin(), impulses_.end(), Twist{});
    const double scale = settings_.density * std::pow(settings_.unit, 3);
    fluid::TwistSums sums(impulses_.size());
    for (const Node& node : nodes_) {
        const double strength = static_cast<double>(phi[node.index]) * scale;
        sums.add(node.index / CoarseBlocks::nodes, static_cast<std::size_t>(node.body),
                 {vec_cast<double>(node.push) * strength, node.turn * strength});
    }
    sums.add_to(impulses_);
}

double CoarseBodies::apply(const Buffer<float>& in, Buffer<float>& out) {
    if (nodes_.empty()) return 0;
    weigh_pushes(in);
    settings_.coupling->respond(impulses_, answers_);
    fluid::BodySums<1> sum(1);
    for (const Node& node : nodes_) {
        const Twist& answer = answers_[static_cast<std::size_t>(node.body)];
        const double flow = dot(vec_cast<double>(node.push), answer.linear) + dot(node.turn, answer.angular);
        out[node.index] += static_cast<float>(flow);
        sum.add(node.index / CoarseBlocks::nodes, 0, {flow * static_cast<double>(in[node.index])});
    }
    return sum.total(0)[0];
}

void CoarseBodies::press(const Buffer<float>& phi) {
    weigh_pushes(phi);
    settings_.coupling->press(impulses_);
}

void CoarseBodies::keep_momentum(const std::vector<LeafChange>& changes, const CoarseBlocks& blocks,
                                 const neighbors::LeafGrid& grid, const Float4* x, Float4* v) const {
    Momenta of_bodies;
    const double scale = 1 / (settings_.density * std::pow(settings_.unit, 3));
    for (std::size_t k = 0; k < impulses_.size(); ++k) {
        const Vec3d center = settings_.coupling->body(k).center / settings_.unit;
        of_bodies.linear += impulses_[k].linear * scale;
        of_bodies.angular +=
            impulses_[k].angular * (scale / settings_.unit) + cross(center, impulses_[k].linear * scale);
    }
    const RigidMotion rest = rigid_motion(changes, of_bodies);
    const std::span<const neighbors::Leaf> leaves = grid.leaves();
    parallel_for(leaves.size(), 4, [&](Range range) {
        for (std::size_t l : range) {
            if (blocks.places[l].middle < 0) continue;
            for (std::uint32_t p = leaves[l].first; p < leaves[l].first + leaves[l].count; ++p) {
                const Vec3f change = rest.at(x[p].xyz());
                v[p] = {v[p].x - change.x, v[p].y - change.y, v[p].z - change.z, v[p].w};
            }
        }
    });
}

}  // namespace spindrift::pbf
