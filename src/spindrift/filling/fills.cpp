#include "spindrift/filling/fills.h"

#include <algorithm>

#include <fmt/format.h>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/core/errors.h"
#include "spindrift/emitters/fill.h"
#include "spindrift/fluid/liquid.h"
#include "spindrift/params/value.h"
#include "spindrift/scene/validate.h"

namespace spindrift::filling {

namespace {

/// Distance to walls in spacings: half of what a lattice keeps from the walls it was cut for.
constexpr double wall_gap = 0.25;

/// 0 to 1 across the box along each axis.
Vec3f place_in(const Box3d& box, Vec3d p) {
    const Vec3d from_low = p - box.lo, size = box.size();
    return vec_cast<float>(Vec3d{from_low.x / size.x, from_low.y / size.y, from_low.z / size.z});
}

/// The walls of the first frame in support radii of one liquid.
collision::Walls walls_at_start(const Scene& scene, collision::Colliders& colliders, Vec3d origin, double h) {
    collision::Walls walls = collision::make_walls(scene.domain, scene.collider, origin, h);
    const double first = scene.frames[0];
    colliders.place({first, first}, {origin, h}, walls);
    return walls;
}

/// Around the domain, boxes, and the fields of all other colliders; planes have no end.
Box3d box_around(const Scene& scene, const collision::Walls& walls, Vec3d origin, double h) {
    std::vector<Box3d> boxes;
    if (scene.domain) boxes.push_back(scene.domain->box);
    for (const collision::ColliderParams& collider : scene.collider) {
        if (collider.is_analytic() && collider.box) boxes.push_back(*collider.box);
    }
    for (const collision::WallField& field : walls.fields) {
        const Box3f known = field.known();
        boxes.push_back({origin + vec_cast<double>(known.lo) * h, origin + vec_cast<double>(known.hi) * h});
    }
    SPINDRIFT_CHECK(!boxes.empty());
    Box3d all = boxes[0];
    for (const Box3d& box : boxes)
        all = {min(all.lo, box.lo), max(all.hi, box.hi)};
    return all;
}

}  // namespace

Box3d Fills::Region::bounds() const {
    if (flood) return flood->bounds();
    return mesh ? mesh->bounds() : emitters::bounds(*params);
}

bool Fills::Region::contains(Vec3d p) const {
    if (flood) return flood->contains(p);
    return mesh ? mesh->contains(p) && emitters::is_below_level(*params, p) : emitters::contains(*params, p);
}

std::vector<Vec3d> Fills::Region::sample(double spacing, std::uint64_t seed,
                                         const std::function<bool(Vec3d)>& is_free) const {
    const emitters::RegionSampling how{*params, spacing, seed};
    std::vector<Vec3d> positions;
    if (flood) {
        for (const FloodFill::Site& site : flood->sites()) {
            const bool moves = params->sampling == emitters::Sampling::jittered;
            const Vec3d moved = moves ? emitters::jittered(site.position, site.number, how) : site.position;
            positions.push_back(contains(moved) && is_free(moved) ? moved : site.position);
        }
    } else {
        for (const Vec3d p : emitters::sample_region(
                 bounds(), [&](Vec3d q) { return contains(q); }, how)) {
            if (is_free(p)) positions.push_back(p);
        }
    }
    return positions;
}

Fills::Fills(const Scene& scene, collision::Colliders& colliders) : scene_(scene), colliders_(colliders) {
    for (std::size_t liquid = 0; liquid < scene.liquid.size(); ++liquid) {
        for (const emitters::FillParams& fill : scene.liquid[liquid].fill)
            regions_.push_back(make_region(fill, liquid));
    }
}

Fills::Region Fills::make_region(const emitters::FillParams& fill, std::size_t liquid) const {
    Region region{&fill, liquid};
    const double spacing = scene_.liquid[liquid].spacing;
    if (!fill.mesh.empty())
        region.mesh.emplace(fill, MeshFill::Setup{scene_.file.parent_path(), scene_.frames[0], spacing});
    if (fill.flood) region.flood.emplace(make_flood(fill, liquid));
    return region;
}

FloodFill Fills::make_flood(const emitters::FillParams& fill, std::size_t liquid) const {
    const LiquidParams& params = scene_.liquid[liquid];
    const double h = fluid::support_ratio * params.spacing;
    const Vec3d origin = fill.flood->from;
    const collision::Walls walls = walls_at_start(scene_, colliders_, origin, h);
    const Box3d around = box_around(scene_, walls, origin, h);
    try {
        return FloodFill(*fill.flood, {.walls = &walls,
                                       .origin = origin,
                                       .h = h,
                                       .around = around,
                                       .spacing = params.spacing,
                                       .gap = wall_gap * params.spacing,
                                       .most = most_particles()});
    } catch (const UsageError& error) {
        SceneProblem problem;
        problem.where.file = scene_.file.string();
        problem.text = fmt::format("flood of liquid {}: {}", in_quotes(params.name), error.what());
        throw SceneError({problem});
    }
}

void Fills::Particles::append(const Particles& others) {
    positions.insert(positions.end(), others.positions.begin(), others.positions.end());
    velocities.insert(velocities.end(), others.velocities.begin(), others.velocities.end());
    uv.insert(uv.end(), others.uv.begin(), others.uv.end());
    fill.insert(fill.end(), others.fill.begin(), others.fill.end());
}

void Fills::Particles::keep_if(const std::function<bool(Vec3d)>& is_wanted) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < positions.size(); ++k) {
        if (!is_wanted(positions[k])) continue;
        positions[kept] = positions[k];
        velocities[kept] = velocities[k];
        uv[kept] = uv[k];
        fill[kept++] = fill[k];
    }
    positions.resize(kept);
    velocities.resize(kept);
    uv.resize(kept);
    fill.resize(kept);
}

Fills::Particles Fills::sample(std::size_t liquid) const {
    Particles particles;
    const LiquidParams& params = scene_.liquid[liquid];
    if (params.fill.empty()) return particles;
    const auto is_ours = [&](const Region& region) { return region.liquid == liquid; };
    const auto first = std::find_if(regions_.begin(), regions_.end(), is_ours);
    const auto last = first + static_cast<std::ptrdiff_t>(params.fill.size());
    const double h = fluid::support_ratio * params.spacing;
    const Vec3d reference = first->bounds().center();
    const collision::Walls walls = walls_at_start(scene_, colliders_, reference, h);
    const auto is_free = [&](Vec3d p) {
        return walls.is_free(vec_cast<float>((p - reference) / h), static_cast<float>(wall_gap / fluid::support_ratio));
    };
    for (auto region = first; region != last; ++region) {
        const auto seed = static_cast<std::uint64_t>(scene_.seed + (region - first));
        const Box3d box = region->bounds();
        for (const Vec3d p : region->sample(params.spacing, seed, is_free)) {
            const auto covers = [&](const Region& other) { return other.contains(p); };
            if (std::any_of(first, region, covers) || std::any_of(last, regions_.end(), covers)) continue;
            particles.positions.push_back(p);
            particles.velocities.push_back(region->params->velocity);
            particles.uv.push_back(place_in(box, p));
            particles.fill.push_back(static_cast<std::uint32_t>(region - first));
        }
    }
    return particles;
}

}  // namespace spindrift::filling
