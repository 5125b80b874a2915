// The part of Emitter that keeps volumes full.

#include <algorithm>
#include <cmath>

#include "spindrift/core/parallel.h"
#include "spindrift/core/random.h"
#include "spindrift/emitters/emitter.h"

namespace spindrift::emitters {

namespace {

/// Distance in spacings that keeps a site of the volume empty: the noise of liquid at rest must not open sites.
constexpr double clearance = 0.95;

/// Gap to walls in spacings: half of what a lattice keeps from the walls it was cut for.
constexpr double wall_gap = 0.25;

/// Positions of the living particles within a box of the pose's coordinates, in the order of the particles.
std::vector<Vec3d> particles_near(const ParticleStore& particles, const Pose& pose, const Box3d& box) {
    const std::size_t n = particles.size();
    std::vector<std::vector<Vec3d>> parts(chunk_count(n, default_chunk));
    parallel_chunks(parts.size(), [&](std::size_t part) {
        for (std::size_t i : chunk_range(part, n, default_chunk)) {
            const Vec3d x = particles.origin + vec_cast<double>(particles.position()[i].xyz());
            const Vec3d local = pose.to_local(x);
            if (box.contains(local) && particles.is_alive(i)) parts[part].push_back(local);
        }
    });
    std::vector<Vec3d> all;
    for (const std::vector<Vec3d>& part : parts)
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

}  // namespace

void Emitter::move_lattice(const Pose& pose, const Emission& step) {
    const Vec3d v = params_.velocity.at(step.frame);
    const Vec3d along{dot(v, pose.x), dot(v, pose.y), dot(v, pose.z)};
    state.drift += along * step.dt;
    for (int a = 0; a < 3; ++a)
        state.drift[a] -= std::floor(state.drift[a] / spacing_) * spacing_;
    lattice_.first = first_site_ + state.drift;
}

std::vector<bool> Emitter::occupied_sites(const Pose& pose, const ParticleStore& particles) const {
    std::vector<bool> occupied(lattice_.site_count());
    const Vec3<long> n = lattice_.layers;
    const Vec3d margin{spacing_, spacing_, spacing_};
    for (const Vec3d p : particles_near(particles, pose, {bounds_.lo - margin, bounds_.hi + margin})) {
        Vec3<long> lo, hi;
        for (int a = 0; a < 3; ++a) {
            const double at = (p[a] - lattice_.first[a]) / spacing_;
            lo[a] = std::max(0L, static_cast<long>(std::ceil(at - clearance)));
            hi[a] = std::min(n[a] - 1, static_cast<long>(std::floor(at + clearance)));
        }
        for (long z = lo.z; z <= hi.z; ++z) {
            for (long y = lo.y; y <= hi.y; ++y) {
                for (long x = lo.x; x <= hi.x; ++x) {
                    if (length(lattice_.site(x, y, z) - p) < clearance * spacing_)
                        occupied[static_cast<std::size_t>((z * n.y + y) * n.x + x)] = true;
                }
            }
        }
    }
    return occupied;
}

std::vector<Emitter::Site> Emitter::free_sites(const Pose& pose, const Emission& step) const {
    const std::vector<bool> occupied =
        step.particles ? occupied_sites(pose, *step.particles) : std::vector<bool>(lattice_.site_count());
    std::vector<Site> open;
    const Vec3<long> n = lattice_.layers;
    std::size_t index = 0;
    for (long z = 0; z < n.z; ++z) {
        for (long y = 0; y < n.y; ++y) {
            for (long x = 0; x < n.x; ++x, ++index) {
                const Vec3d p = lattice_.site(x, y, z);
                if (occupied[index] || !contains(shape_, p)) continue;
                if (!step.is_free || step.is_free(pose.to_world(p), wall_gap * spacing_)) open.push_back({index, p});
            }
        }
    }
    return open;
}

/// Free sites, no more of them than the rate allows.
std::vector<Emitter::Site> Emitter::due_sites(const Pose& pose, const Emission& step) {
    if (!params_.rate) return free_sites(pose, step);
    const double particle_volume = spacing_ * spacing_ * spacing_;
    state.carried += params_.rate->at(step.frame) * step.dt;
    const auto due = static_cast<std::size_t>(state.carried / particle_volume + 1e-9);
    if (due == 0) return {};

    // Any order would do but the lattice's own, which would fill the volume row by row.
    std::vector<Site> open = free_sites(pose, step);
    const auto item = static_cast<std::uint64_t>(state.emitted);
    const auto order = [&](const Site& site) { return hash_counter(seed_ + 1, item, site.index); };
    std::sort(open.begin(), open.end(), [&](const Site& a, const Site& b) { return order(a) < order(b); });
    open.resize(std::min(open.size(), due));
    // What found no room is lost, or it would come in a burst.
    const double left = state.carried - static_cast<double>(open.size()) * particle_volume;
    state.carried = std::clamp(left, 0.0, particle_volume);
    return open;
}

void Emitter::emit_volume(const Emission& step, std::vector<Birth>& births) {
    if (!params_.is_active(step.frame) || exhausted()) return;
    const Pose pose = pose_at(params_, step.frame);
    move_lattice(pose, step);
    for (const Site& site : due_sites(pose, step)) {
        if (exhausted()) break;
        Birth born;
        const Vec3d own = point_velocity(params_, site.local, step.frame, step.fps);
        born.velocity = spread(params_.velocity.at(step.frame)) + own * params_.inherit;
        born.left = pose.to_world(site.local);
        born.position = born.left + jitter();
        for (int a = 0; a < 3; ++a)
            born.uv[a] = static_cast<float>((site.local[a] - bounds_.lo[a]) / bounds_.size()[a]);
        births.push_back(born);
        state.emitted += 1;
    }
}

}  // namespace spindrift::emitters
