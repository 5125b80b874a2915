#include "spindrift/collision/fields/nearest.h"

#include <algorithm>
#include <limits>

#include "spindrift/collision/fields/triangle_distance.h"

namespace spindrift::collision {

namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();
/// Of 3 x 3 x 3 nodes, from the middle to a corner, and a little for rounding.
constexpr float group_radius = 1.7325f;
constexpr int group_side = 3;
/// Of more triangles, thinning them out for each group takes longer than to search the tree for each node.
constexpr std::size_t most_gathered = 400;

/// The neighbours on the high sides that a node is shared with.
int high_sides(Vec3i at) {
    return (at.x == brick_cells) | (at.y == brick_cells) << 1 | (at.z == brick_cells) << 2;
}

std::size_t node_index(Vec3i at) {
    return static_cast<std::size_t>((at.z * brick_side + at.y) * brick_side + at.x);
}

}  // namespace

void NearestTriangles::Discs::clear() {
    for (std::vector<float>* values : {&x, &y, &z, &radius, &nx, &ny, &nz})
        values->clear();
    item.clear();
}

void NearestTriangles::Discs::add(const Disc& disc, std::uint32_t what) {
    x.push_back(disc.center.x);
    y.push_back(disc.center.y);
    z.push_back(disc.center.z);
    radius.push_back(disc.radius);
    nx.push_back(disc.normal.x);
    ny.push_back(disc.normal.y);
    nz.push_back(disc.normal.z);
    item.push_back(what);
}

NearestTriangles::NearestTriangles(const CellMesh& mesh, const TriangleTree& tree, float reach)
    : mesh_(mesh), tree_(tree), reach_(reach), slack_(0.01f + 1e-6f * mesh.largest) {}

float NearestTriangles::gather(Vec3i block) {
    block_ = block;
    near_.clear();
    corners_.clear();
    const Vec3f center = (vec_cast<float>(block) + Vec3f{0.5f, 0.5f, 0.5f}) * static_cast<float>(brick_cells);
    const float farthest = reach_ + block_radius + slack_;
    to_center_ = tree_.nearest(center, farthest).distance();
    if (to_center_ == infinite) return infinite;
    tree_.visit_within(center, std::min(to_center_ + 2 * block_radius + slack_, farthest), [&](std::uint32_t t) {
        if (near_.size() > most_gathered) return;
        near_.add(mesh_.discs[t], t);
        corners_.push_back({mesh_.corner(t, 0), mesh_.corner(t, 1), mesh_.corner(t, 2)});
    });
    return to_center_;
}

void NearestTriangles::search(unsigned shared, float* distance, std::int32_t* triangle) const {
    const Vec3i brick = block_ * brick_cells;
    // What is near one node is at most a cell farther from the next: the search begins with little to look at.
    const float anywhere = to_center_ + block_radius;
    float known = anywhere;
    for (int i = 0; i < brick_nodes; ++i) {
        const Vec3i at{i % brick_side, i / brick_side % brick_side, i / brick_side / brick_side};
        if (at.x == 0) known = anywhere;
        if (shared >> high_sides(at) & 1) {
            known = anywhere;
            continue;
        }
        const float farthest = std::min(reach_, known + 1) + slack_;
        const TriangleTree::Found found = tree_.nearest(vec_cast<float>(brick + at), farthest);
        known = found.distance();
        if (!(known <= reach_)) continue;
        distance[node_index(at)] = known;
        triangle[node_index(at)] = static_cast<std::int32_t>(found.triangle);
    }
}

void NearestTriangles::bound(const Discs& discs, std::size_t count, Vec3f p) {
    lower_.resize(std::max(lower_.size(), count));
    const float *x = discs.x.data(), *y = discs.y.data(), *z = discs.z.data(), *radius = discs.radius.data();
    const float *nx = discs.nx.data(), *ny = discs.ny.data(), *nz = discs.nz.data();
    float* lower = lower_.data();
    const float slack = slack_;
    for (std::size_t i = 0; i < count; ++i) {
        const float dx = x[i] - p.x, dy = y[i] - p.y, dz = z[i] - p.z;
        const float above = dx * nx[i] + dy * ny[i] + dz * nz[i];
        // Rounding may make the difference negative, and then away from zero by less than the slack.
        const float aside = std::sqrt(std::abs(dx * dx + dy * dy + dz * dz - above * above)) - radius[i];
        const float beyond = (aside + std::abs(aside)) * 0.5f;  // zero if negative, without a branch
        lower[i] = std::sqrt(above * above + beyond * beyond) - slack;
    }
}

NearestTriangles::Found NearestTriangles::measure_one(Vec3f p, std::size_t near) const {
    const auto& [a, b, c] = corners_[near];
    const double squared = squared_distance(p, a, b, c);
    return {squared, static_cast<std::uint32_t>(near), static_cast<float>(std::sqrt(squared))};
}

/// Of equals the first triangle, so that bricks that share a node agree.
NearestTriangles::Found NearestTriangles::nearer(const Found& a, const Found& b) const {
    if (a.squared != b.squared) return b.squared < a.squared ? b : a;
    return near_.item[b.near] < near_.item[a.near] ? b : a;
}

NearestTriangles::Found NearestTriangles::nearest(Vec3f p) {
    if (near_.size() == 0) return {infinite, 0, infinite};
    bound(near_, near_.size(), p);
    // The most promising one first: it rules most others out.
    const auto first = static_cast<std::size_t>(
        std::min_element(lower_.begin(), lower_.begin() + static_cast<std::ptrdiff_t>(near_.size())) - lower_.begin());
    Found found = measure_one(p, first);
    for (std::size_t i = 0; i < near_.size(); ++i) {
        if (!(lower_[i] <= found.distance) || i == first) continue;
        found = nearer(found, measure_one(p, i));
    }
    return found;
}

/// Sorts what may be nearest to a node of the group around a middle, for which lower_ still stands.
void NearestTriangles::gather_group(const Found& middle) {
    order_.clear();
    for (std::uint32_t i = 0; i < near_.size(); ++i) {
        if (lower_[i] <= middle.distance + 2 * group_radius) order_.emplace_back(lower_[i], i);
    }
    std::sort(order_.begin(), order_.end());
    group_.clear();
    from_middle_.clear();
    for (const auto& [lower, i] : order_) {
        group_.add(mesh_.discs[near_.item[i]], i);
        from_middle_.push_back(lower);
    }
}

NearestTriangles::Found NearestTriangles::measure_node(Vec3f p, const Found& middle, float from_middle) {
    Found found = measure_one(p, middle.near);
    const auto end = std::upper_bound(from_middle_.begin(), from_middle_.end(), found.distance + from_middle);
    const auto count = static_cast<std::size_t>(end - from_middle_.begin());
    bound(group_, count, p);
    for (std::size_t i = 0; i < count; ++i) {
        if (!(lower_[i] <= found.distance)) continue;
        found = nearer(found, measure_one(p, group_.item[i]));
    }
    return found;
}

/// `low` is the group's first node in the brick.
void NearestTriangles::measure_group(Vec3i low, unsigned shared, float* distance, std::int32_t* triangle) {
    const Vec3i brick = block_ * brick_cells;
    const Found middle = nearest(vec_cast<float>(brick + low + Vec3i{1, 1, 1}));
    if (middle.distance > reach_ + group_radius) return;
    gather_group(middle);
    for (int i = 0; i < group_side * group_side * group_side; ++i) {
        const Vec3i step{i % group_side, i / group_side % group_side, i / group_side / group_side};
        const Vec3i at = low + step;
        if (shared >> high_sides(at) & 1) continue;
        const float from_middle = length(vec_cast<float>(step - Vec3i{1, 1, 1}));
        if (middle.distance - from_middle > reach_) continue;
        const Found found = from_middle == 0 ? middle : measure_node(vec_cast<float>(brick + at), middle, from_middle);
        if (found.distance > reach_) continue;
        distance[node_index(at)] = found.distance;
        triangle[node_index(at)] = static_cast<std::int32_t>(near_.item[found.near]);
    }
}

void NearestTriangles::measure(unsigned shared, float* distance, std::int32_t* triangle) {
    std::fill_n(distance, brick_nodes, reach_);
    std::fill_n(triangle, brick_nodes, -1);
    if (near_.size() == 0) return;
    if (near_.size() > most_gathered) return search(shared, distance, triangle);
    for (int z = 0; z < brick_side; z += group_side) {
        for (int y = 0; y < brick_side; y += group_side) {
            for (int x = 0; x < brick_side; x += group_side)
                measure_group({x, y, z}, shared, distance, triangle);
        }
    }
}

}  // namespace spindrift::collision
