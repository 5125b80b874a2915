// The end of a step: velocities from moves, friction at walls, positions in metres and speeds for the next step's
// length.

#include "spindrift/pbf/motion_kernels.h"

#include <algorithm>
#include <cmath>

namespace spindrift::pbf {

KineticSums update_velocities(const VelocityPass& pass, Range range) {
    KineticSums sums;
    for (const std::size_t i : range) {
        Float4& v = pass.v[i];
        const Vec3f before = v.xyz();
        const Vec3f after = before + ((pass.x_new[i].xyz() - pass.x[i].xyz()) * pass.scale - pass.rest);
        v = {after.x, after.y, after.z, v.w};
        const float mass = pass.mass[i];
        sums.before += static_cast<double>(mass * dot(before, before));
        sums.after += static_cast<double>(mass * dot(after, after));
        sums.mass += static_cast<double>(mass);
    }
    return sums;
}

std::array<double, 4> momentum_of_moves(const VelocityPass& pass, Range range) {
    Vec3d moved{};
    double mass = 0;
    for (const std::size_t i : range) {
        moved += vec_cast<double>(pass.x_new[i].xyz() - pass.x[i].xyz()) * static_cast<double>(pass.mass[i]);
        mass += static_cast<double>(pass.mass[i]);
    }
    return {moved.x, moved.y, moved.z, mass};
}

namespace {

/// Velocity of a particle that the step moved from x to x_new after the wall it touches slowed it.
Vec3f rub(const FrictionPass& pass, Vec3f x, Vec3f x_new, Vec3f v) {
    // What pushed a particle off the wall in this step is the normal load.
    const collision::WallHit hit = pass.walls->contact(x_new, wall_contact);
    if (!hit.hit || hit.body >= 0) return v;
    const float push = dot(x_new - x, hit.normal) * pass.scale;
    const Vec3f rubbed = collision::apply_friction(v - hit.velocity, hit.normal, hit.surface.friction, push);
    return cling(hit.velocity + rubbed, hit, pass.dt);
}

}  // namespace

void rub_at_walls(const FrictionPass& pass, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t n = first; n < last; ++n) {
        const neighbors::Cluster& c = pass.clusters[n];
        if (!c.near_wall && !pass.contacts.any(n)) continue;
        for (std::size_t i : Range{c.first, c.first + c.count}) {
            Float4& v = pass.v[i];
            const Vec3f after = rub(pass, pass.x[i].xyz(), pass.x_new[i].xyz(), v.xyz());
            v = {after.x, after.y, after.z, v.w};
        }
    }
}

double finish_leaf(const FinishPass& pass, std::size_t leaf, Range particles) {
    Vec3f total{};
    double energy = 0;
    float speed2 = 0;
    for (const std::size_t i : particles) {
        const Float4 x = pass.x_new[i];
        pass.x[i] = {x.x * pass.h, x.y * pass.h, x.z * pass.h, 0};
        const Vec3f v = pass.v[i].xyz();
        total += v;
        const float own = dot(v, v);
        speed2 = std::max(speed2, own);
        energy += static_cast<double>(0.5f * pass.mass[i] * own);
    }
    pass.mean_velocity[leaf] = total / static_cast<float>(particles.size());
    pass.fastest2[leaf] = speed2;
    return energy;
}

namespace {

/// Squares of the largest speed of a leaf's particles, and of the largest against their mean.
struct LeafSpeeds {
    float speed2 = 0, deviation2 = 0;
};

LeafSpeeds speeds_of(const SpeedPass& pass, const neighbors::Leaf& leaf, Vec3f mean) {
    LeafSpeeds speeds;
    for (const std::size_t i : leaf.particles()) {
        const Vec3f v = pass.v[i].xyz(), from_mean = v - mean;
        speeds.deviation2 = std::max(speeds.deviation2, dot(from_mean, from_mean));
        speeds.speed2 = std::max(speeds.speed2, dot(v, v));
    }
    return speeds;
}

/// Largest speed against walls that are some steps ahead; negative if there are none.
float speed_against_walls(const SpeedPass& pass, const neighbors::Leaf& leaf, Vec3f mean, const LeafSpeeds& speeds) {
    const float width = neighbors::leaf_width * pass.grid.h[leaf.resolution];
    const Vec3f corner = vec_cast<float>(leaf.coord) * width, far_corner = corner + Vec3f{width, width, width};
    const float ahead = width + 4 * std::sqrt(speeds.speed2) * pass.dt / pass.h;
    if (pass.walls->near_plain(corner, far_corner, ahead)) return std::sqrt(speeds.speed2);
    float largest = -1;
    for (const collision::WallField& field : pass.walls->fields) {
        if (!field.near(corner, far_corner, ahead + 4 * field.fastest * pass.dt / pass.h)) continue;
        const Vec3f wall = field.velocity_at((corner + far_corner) * 0.5f);
        const float speed =
            field.moves() ? length(mean - wall) + std::sqrt(speeds.deviation2) : std::sqrt(speeds.speed2);
        largest = std::max(largest, speed);
    }
    return largest;
}

}  // namespace

float relative_speed(const SpeedPass& pass, std::size_t index) {
    const neighbors::Leaf& leaf = pass.grid.leaves[index];
    const Vec3f mean = pass.mean_velocity[index];
    const LeafSpeeds speeds = speeds_of(pass, leaf, mean);
    if (const float speed = speed_against_walls(pass, leaf, mean, speeds); speed >= 0) return speed;
    float deviation2 = speeds.deviation2;
    const auto compare = [&](std::size_t other) {
        const Vec3f jump = pass.mean_velocity[other] - mean;
        deviation2 = std::max(deviation2, dot(jump, jump));
    };
    for (const std::int32_t* other = pass.grid.neighbors + 27 * index; other < pass.grid.neighbors + 27 * (index + 1);
         ++other) {
        if (*other >= 0) compare(static_cast<std::size_t>(*other));
    }
    if (pass.grid.cross_starts) {
        for (std::uint32_t k = pass.grid.cross_starts[index]; k < pass.grid.cross_starts[index + 1]; ++k)
            compare(pass.grid.cross_leaves[k]);
    }
    return std::sqrt(deviation2);
}

}  // namespace spindrift::pbf
