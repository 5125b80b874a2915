#include "spindrift/collision/wet/wet_map.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "spindrift/collision/fields/carry_field.h"
#include "spindrift/collision/wet/contact_grid.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/hash.h"
#include "spindrift/core/parallel.h"

namespace spindrift::collision {

namespace {

/// How far a particle wets, in spacings: more than half the diagonal of a square of particles.
constexpr double wet_reach = 0.75;

/// Side of the cubes that places are grouped by, and how many may be in a group so that threads share the work.
constexpr double groups_in_spacings = 2;
constexpr std::size_t most_in_group = 1024;

/// The ball in which a particle wets the surface; empty if it does not touch it.
std::optional<Contact> contact_of(const Colliders::Surface& surface, const WettingParticles& particles, std::size_t i) {
    const Vec3d world = particles.origin + vec_cast<double>(particles.position[i].xyz());
    const Vec3d local = surface.pose.to_local(world);
    const Field& field = *surface.field;
    const double distance =
        field.cell * static_cast<double>(sample(field.view(), vec_cast<float>(field.to_nodes(local))).distance);
    if (std::abs(distance) > wet_reach * particles.largest_spacing) return {};
    const double reach = wet_reach * particles.spacing_of(i);
    if (reach == 0 || std::abs(distance) > reach) return {};
    const Vec3f at = vec_cast<float>(local);
    const std::optional<SurfacePoint> nearest = closest_point(field, *surface.mesh, at);
    if (!nearest) return {};
    // The skin of a shell and an offset lie between: what counts across is the way along the surface.
    const Vec3f away = nearest->position - at;
    return Contact{at, dot(away, away) + static_cast<float>(reach * reach)};
}

std::vector<Contact> find_contacts(const Colliders::Surface& surface, const WettingParticles& particles) {
    std::vector<std::vector<Contact>> parts(chunk_count(particles.position.size(), default_chunk));
    parallel_for(particles.position.size(), [&](Range range) {
        std::vector<Contact>& part = parts[range.first / default_chunk];
        for (const std::size_t i : range) {
            if (const auto contact = contact_of(surface, particles, i)) part.push_back(*contact);
        }
    });
    std::vector<Contact> all;
    for (const std::vector<Contact>& part : parts)
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

std::uint64_t layout_hash(const geometry::Mesh& mesh) {
    return Hash64().add(std::span(mesh.triangles)).add(std::span(mesh.uv)).value();
}

}  // namespace

WetMap::WetMap(const WetMapParams& params, std::filesystem::path file)
    : params_(params),
      file_(std::move(file)),
      values_(static_cast<std::size_t>(params.resolution) * static_cast<std::size_t>(params.resolution)),
      wet_(values_.size()) {}

void WetMap::set_values(std::vector<float> values) {
    SPINDRIFT_CHECK(values.size() == values_.size());
    values_ = std::move(values);
}

void WetMap::update(const Colliders::Surface& surface, const WettingParticles& particles, double dt) {
    follow(surface, particles.largest_spacing);
    const ContactGrid grid(find_contacts(surface, particles));
    parallel_for(groups_.size(), 64, [&](Range range) {
        std::vector<Contact> near;
        for (const std::size_t g : range) {
            grid.find(groups_[g].box, near);
            for (std::size_t i = groups_[g].first; i < groups_[g].last; ++i)
                touched_[i] = ContactGrid::touches(near, positions_[i]);
        }
    });
    std::fill(wet_.begin(), wet_.end(), std::uint8_t{0});
    for (std::size_t i = 0; i < places_.size(); ++i)
        wet_[places_[i].texel] |= touched_[i];
    change(dt);
}

void WetMap::follow(const Colliders::Surface& surface, double spacing) {
    const geometry::Mesh& mesh = *surface.mesh;
    bool moved = surface.deforms;
    if (version_ != surface.version) {
        const std::uint64_t layout = layout_hash(mesh);
        if (!version_ || layout != layout_) {
            places_ = find_wet_texels(mesh, params_.resolution, file_);
            make_groups(mesh, static_cast<float>(groups_in_spacings * spacing));
            moved = true;
        }
        layout_ = layout;
        version_ = surface.version;
    }
    if (!moved) return;
    parallel_for(groups_.size(), 64, [&](Range range) {
        for (const std::size_t g : range) {
            Group& group = groups_[g];
            group.box.lo = group.box.hi = places_[group.first].on(mesh);
            for (std::size_t i = group.first; i < group.last; ++i) {
                positions_[i] = places_[i].on(mesh);
                group.box = {min(group.box.lo, positions_[i]), max(group.box.hi, positions_[i])};
            }
        }
    });
}

/// Sorts the places into cubes. A mesh that deforms keeps its groups: neighbours stay neighbours.
void WetMap::make_groups(const geometry::Mesh& mesh, float size) {
    struct Placed {
        Vec3i cube;
        WetTexel place;
    };
    std::vector<Placed> sorted;
    sorted.reserve(places_.size());
    const Vec3d low = bounds(mesh).lo;
    for (const WetTexel& place : places_) {
        const Vec3d p = (vec_cast<double>(place.on(mesh)) - low) / static_cast<double>(size);
        sorted.push_back({vec_cast<std::int32_t>(p), place});
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const Placed& a, const Placed& b) {
        return std::tie(a.cube.z, a.cube.y, a.cube.x) < std::tie(b.cube.z, b.cube.y, b.cube.x);
    });
    groups_.clear();
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        places_[i] = sorted[i].place;
        const bool goes_on =
            i > 0 && sorted[i - 1].cube == sorted[i].cube && groups_.back().last - groups_.back().first < most_in_group;
        if (!goes_on) groups_.push_back({i, i, {}});
        groups_.back().last = i + 1;
    }
    positions_.resize(places_.size());
    touched_.resize(places_.size());
}

void WetMap::change(double dt) {
    const auto wetter = static_cast<float>(params_.wetting > 0 ? std::min(1.0, dt / params_.wetting) : 1);
    const auto drier = static_cast<float>(params_.drying > 0 ? std::min(1.0, dt / params_.drying) : 0);
    for (std::size_t i = 0; i < values_.size(); ++i)
        values_[i] = std::clamp(values_[i] + (wet_[i] ? wetter : -drier), 0.f, 1.f);
}

}  // namespace spindrift::collision
