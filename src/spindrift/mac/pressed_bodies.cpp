#include "spindrift/mac/pressed_bodies.h"

#include <algorithm>
#include <cmath>

#include "spindrift/fluid/body_sums.h"

namespace spindrift::mac {

namespace {

/// Sum of the open shares of a cell's faces below which it is a pocket.
constexpr float least_passage = 0.8f;

Vec3i cell_of(int cell) {
    return {cell & 7, cell >> 3 & 7, cell >> 6};
}

/// From the middle of the cell beside a face to the wall that closes it, along its axis, in cells; `below` is the cell
/// below the face. A slanted wall has parts on both sides of where the axis meets it.
float way_to_wall(const WallFace& face, bool below) {
    constexpr float steepest = 0.3f, shortest = -0.5f, farthest = 1.5f;
    const float out = below ? -face.normal[face.axis] : face.normal[face.axis];
    if (out < steepest) return 0;
    const float way = std::clamp(0.5f + face.distance / out, shortest, farthest);
    // The solid does not reach the face: a sliver is closed as a whole.
    if (face.distance > 0) return way;
    const float slant = (std::abs(face.normal.x) + std::abs(face.normal.y) + std::abs(face.normal.z)) / out - 1;
    return (1 - 0.5f * std::min(1.f, slant)) * way;
}

}  // namespace

std::pair<std::size_t, int> cell_below(const grid::LeafSet& leaves, std::size_t leaf, int cell, int axis) {
    Vec3i c = cell_of(cell);
    c[axis] -= 1;
    const std::int32_t other = leaves.neighbors(leaf)[grid::neighbor_index(c.x >> 3, c.y >> 3, c.z >> 3)];
    return {static_cast<std::size_t>(other), grid::cell_index(c.x & 7, c.y & 7, c.z & 7)};
}

bool gives_way(const MacGrid& grid, const grid::Stencil& stencil, std::size_t leaf, int cell) {
    if (leaf == 0 || stencil.diagonal.leaf(leaf)[cell] <= 0) return false;
    float passage = 0;
    for (int side = 0; side < 6; ++side) {
        Vec3i face = cell_of(cell);
        face[side / 2] += side % 2;
        passage += grid.open[side / 2].near(grid.leaves, leaf, face);
    }
    return passage > least_passage;
}

void PressedBodies::list(const MacGrid& grid, const Solids& solids, const grid::Stencil& stencil,
                         const Settings& settings) {
    settings_ = settings;
    cells_.clear();
    impulses_.assign(settings.coupling ? settings.coupling->size() : 0, {});
    answers_.assign(impulses_.size(), {});
    if (!settings.coupling) return;
    const double area = settings.cell * settings.cell;
    for (std::size_t l = 1; l < grid.leaves.size(); ++l) {
        for (const DisplacedFace& face : solids.displaced(l))
            add_displaced(grid, stencil, l, face);
        for (const WallFace& face : solids.faces(l)) {
            if (face.body < 0 || face.moved == 0) continue;
            const fluid::Coupling::Body body = settings.coupling->body(static_cast<std::size_t>(face.body));
            if (!body.answers) continue;
            Vec3d x =
                vec_cast<double>(grid.leaves.coord(l) * grid::leaf_width + cell_of(face.cell)) + Vec3d{0.5, 0.5, 0.5};
            x[face.axis] -= 0.5;
            Vec3d push{};
            push[face.axis] = static_cast<double>(face.moved) * area;
            const Vec3d turn = cross(x * settings.cell - body.center, push);
            // The body is pushed away from the cell: down its axis by the cell above the face, up by the one below.
            if (gives_way(grid, stencil, l, face.cell))
                add_cell(grid, stencil, face, {l, face.cell, face.body, -push, -turn});
            const auto [low_leaf, low] = cell_below(grid.leaves, l, face.cell, face.axis);
            if (gives_way(grid, stencil, low_leaf, low))
                add_cell(grid, stencil, face, {low_leaf, low, face.body, push, turn});
        }
    }
    // The cells of a leaf follow each other, whoever listed them: sums count by leaf.
    std::stable_sort(cells_.begin(), cells_.end(), [](const Cell& a, const Cell& b) { return a.leaf < b.leaf; });
}

/// A body is pushed by the slope of the pressure times its volume there: down its axis by the cell above the face, up
/// by the one below. It answers, so that even a cell that nothing else can leave has a pressure.
void PressedBodies::add_displaced(const MacGrid& grid, const grid::Stencil& stencil, std::size_t leaf,
                                  const DisplacedFace& face) {
    const fluid::Coupling::Body body = settings_.coupling->body(static_cast<std::size_t>(face.body));
    if (!body.answers) return;
    Vec3d push{};
    push[face.axis] = static_cast<double>(face.share) * settings_.cell * settings_.cell;
    const Vec3d turn = cross(vec_cast<double>(face.center) * settings_.cell - body.center, push);
    if (stencil.diagonal.leaf(leaf)[face.cell] > 0) cells_.push_back({leaf, face.cell, face.body, -push, -turn});
    const auto [low_leaf, low] = cell_below(grid.leaves, leaf, face.cell, face.axis);
    if (low_leaf > 0 && stencil.diagonal.leaf(low_leaf)[low] > 0)
        cells_.push_back({low_leaf, low, face.body, push, turn});
}

/// Pressure at a wall goes on from the middle of the cell as it came there from the cell behind: p + s (p - p_behind),
/// s the way from the middle to the wall. A body floats as deep as its walls stand, wherever they lie among the cells.
void PressedBodies::add_cell(const MacGrid& grid, const grid::Stencil& stencil, const WallFace& face, Cell cell) {
    const float s = settings_.at_walls ? way_to_wall(face, cell.push[face.axis] > 0) : 0.f;
    Vec3i c = cell_of(cell.cell);
    // Away from the body.
    c[face.axis] += cell.push[face.axis] > 0 ? -1 : 1;
    const std::int32_t other = grid.leaves.neighbors(cell.leaf)[grid::neighbor_index(c.x >> 3, c.y >> 3, c.z >> 3)];
    const auto leaf = static_cast<std::size_t>(other);
    const int behind = grid::cell_index(c.x & 7, c.y & 7, c.z & 7);
    if (s == 0 || leaf == 0 || stencil.diagonal.leaf(leaf)[behind] <= 0) return cells_.push_back(cell);
    const auto way = static_cast<double>(s);
    cells_.push_back({leaf, behind, cell.body, cell.push * -way, cell.turn * -way});
    cell.push *= 1 + way;
    cell.turn *= 1 + way;
    cells_.push_back(cell);
}

void PressedBodies::add_motion(grid::Field<float>& rhs) const {
    for (const Cell& each : cells_) {
        const fluid::Twist velocity = settings_.coupling->body(static_cast<std::size_t>(each.body)).velocity;
        const double flow = dot(each.push, velocity.linear) + dot(each.turn, velocity.angular);
        rhs.leaf(each.leaf)[each.cell] -= static_cast<float>(flow / (settings_.cell * settings_.cell));
    }
}

void PressedBodies::weigh(const grid::Field<float>& p) {
    std::fill(impulses_.begin(), impulses_.end(), fluid::Twist{});
    const double scale = settings_.density * settings_.cell;
    fluid::TwistSums sums(impulses_.size());
    for (const Cell& each : cells_) {
        const double strength = static_cast<double>(p.leaf(each.leaf)[each.cell]) * scale;
        sums.add(each.leaf, static_cast<std::size_t>(each.body), {each.push * strength, each.turn * strength});
    }
    sums.add_to(impulses_);
}

double PressedBodies::add(const grid::Field<float>& in, grid::Field<float>& out) {
    weigh(in);
    settings_.coupling->respond(impulses_, answers_);
    fluid::BodySums<1> sum(1);
    for (const Cell& each : cells_) {
        const fluid::Twist& answer = answers_[static_cast<std::size_t>(each.body)];
        // Volume that the body's motion makes, in faces of a cell.
        const double flow =
            (dot(each.push, answer.linear) + dot(each.turn, answer.angular)) / (settings_.cell * settings_.cell);
        out.leaf(each.leaf)[each.cell] += static_cast<float>(flow);
        sum.add(each.leaf, 0, {flow * static_cast<double>(in.leaf(each.leaf)[each.cell])});
    }
    return sum.total(0)[0];
}

}  // namespace spindrift::mac
