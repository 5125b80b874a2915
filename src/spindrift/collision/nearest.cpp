#include "spindrift/collision/nearest.h"

#include <limits>

#include "spindrift/collision/triangle_distance.h"

namespace spindrift::collision {

namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();
/// Of 3 x 3 x 3 nodes, from the middle to a corner, and a little for rounding.
constexpr float group_radius = 1.7325f;
constexpr int group_side = 3;

}  // namespace

void NearestTriangles::Balls::clear() {
    for (std::vector<float>* values : {&x, &y, &z, &radius})
        values->clear();
    triangle.clear();
}

void NearestTriangles::Balls::add(const Ball& ball, std::uint32_t t) {
    x.push_back(ball.center.x);
    y.push_back(ball.center.y);
    z.push_back(ball.center.z);
    radius.push_back(ball.radius);
    triangle.push_back(t);
}

NearestTriangles::NearestTriangles(const CellMesh& mesh, const TriangleBins& bins, float reach)
    : mesh_(mesh), bins_(bins), reach_(reach), seen_(mesh.balls.size(), 0) {}

void NearestTriangles::gather_from(std::size_t block, Vec3f center) {
    for (const std::uint32_t t : bins_.in(block)) {
        if (seen_[t] == gathering_) continue;
        seen_[t] = gathering_;
        const Ball& ball = mesh_.balls[t];
        const float limit = reach_ + block_radius + ball.radius;
        const Vec3f offset = ball.center - center;
        if (dot(offset, offset) <= limit * limit) near_.add(ball, t);
    }
}

float NearestTriangles::gather(Vec3i block) {
    block_ = block;
    ++gathering_;
    near_.clear();
    const Vec3f center = (vec_cast<float>(block) + Vec3f{0.5f, 0.5f, 0.5f}) * static_cast<float>(brick_cells);
    const int ring = static_cast<int>(reach_ / brick_cells) + 1;
    const Vec3i lo = max(Vec3i{}, block - Vec3i{ring, ring, ring});
    const Vec3i hi = min(bins_.bricks - Vec3i{1, 1, 1}, block + Vec3i{ring, ring, ring});
    for (int z = lo.z; z <= hi.z; ++z) {
        for (int y = lo.y; y <= hi.y; ++y) {
            for (int x = lo.x; x <= hi.x; ++x)
                gather_from(bins_.index({x, y, z}), center);
        }
    }
    return nearest(near_, center, {infinite, 0, infinite}).distance;
}

void NearestTriangles::bound(const Balls& balls, Vec3f p) {
    const std::size_t n = balls.size();
    lower_.resize(std::max(lower_.size(), n));
    const float *x = balls.x.data(), *y = balls.y.data(), *z = balls.z.data(), *r = balls.radius.data();
    float* lower = lower_.data();
    for (std::size_t i = 0; i < n; ++i) {
        const float dx = x[i] - p.x, dy = y[i] - p.y, dz = z[i] - p.z;
        lower[i] = std::sqrt(dx * dx + dy * dy + dz * dz) - r[i];
    }
}

NearestTriangles::Found NearestTriangles::measure_one(Vec3f p, std::uint32_t t) const {
    const double squared = squared_distance(p, mesh_.corner(t, 0), mesh_.corner(t, 1), mesh_.corner(t, 2));
    return {squared, t, static_cast<float>(std::sqrt(squared))};
}

NearestTriangles::Found NearestTriangles::nearest(const Balls& balls, Vec3f p, Found found) {
    bound(balls, p);
    if (found.distance == infinite) {
        // The most promising one first: it rules most others out.
        std::size_t best = balls.size();
        float least = infinite;
        for (std::size_t i = 0; i < balls.size(); ++i) {
            if (lower_[i] + balls.radius[i] < least) {
                least = lower_[i] + balls.radius[i];
                best = i;
            }
        }
        if (best == balls.size()) return found;
        found = measure_one(p, balls.triangle[best]);
    }
    for (std::size_t i = 0; i < balls.size(); ++i) {
        if (!(lower_[i] <= found.distance)) continue;
        const Found other = measure_one(p, balls.triangle[i]);
        // Of equals the first triangle, so that bricks that share a node agree.
        if (other.squared < found.squared || (other.squared == found.squared && other.triangle < found.triangle))
            found = other;
    }
    return found;
}

/// `low` is the first node of the group, whose results are the rest of a brick's from there.
void NearestTriangles::measure_group(Vec3f low, float* distance, std::int32_t* triangle) {
    const Found middle = nearest(near_, low + Vec3f{1, 1, 1}, {infinite, 0, infinite});
    if (middle.distance > reach_ + group_radius) return;
    group_.clear();
    for (std::size_t i = 0; i < near_.size(); ++i) {
        const std::uint32_t t = near_.triangle[i];
        if (lower_[i] <= middle.distance + 2 * group_radius) group_.add(mesh_.balls[t], t);
    }
    for (int z = 0; z < group_side; ++z) {
        for (int y = 0; y < group_side; ++y) {
            for (int x = 0; x < group_side; ++x) {
                const Vec3f p = low + Vec3f{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
                const bool is_middle = x == 1 && y == 1 && z == 1;
                const Found found = is_middle ? middle : nearest(group_, p, measure_one(p, middle.triangle));
                if (found.distance > reach_) continue;
                const int node = (z * brick_side + y) * brick_side + x;
                distance[node] = found.distance;
                triangle[node] = static_cast<std::int32_t>(found.triangle);
            }
        }
    }
}

void NearestTriangles::measure(float* distance, std::int32_t* triangle) {
    std::fill_n(distance, brick_nodes, reach_);
    std::fill_n(triangle, brick_nodes, -1);
    if (near_.size() == 0) return;
    const Vec3f low = vec_cast<float>(block_) * static_cast<float>(brick_cells);
    for (int z = 0; z < brick_side; z += group_side) {
        for (int y = 0; y < brick_side; y += group_side) {
            for (int x = 0; x < brick_side; x += group_side) {
                const Vec3f at{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
                const int node = (z * brick_side + y) * brick_side + x;
                measure_group(low + at, distance + node, triangle + node);
            }
        }
    }
}

}  // namespace spindrift::collision
