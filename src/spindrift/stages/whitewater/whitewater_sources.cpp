#include "spindrift/stages/whitewater/whitewater_sources.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/random.h"
#include "spindrift/core/text.h"
#include "spindrift/emitters/fill.h"
#include "spindrift/filling/emitter_surface.h"
#include "spindrift/geometry/pose.h"
#include "spindrift/stages/whitewater/birth_places.h"
#include "spindrift/whitewater/motion.h"

namespace spindrift::stages {

namespace {

using whitewater::Birth;
using whitewater::SourceParams;

void check_collider(const Scene& scene, const SourceParams& source) {
    std::vector<std::string> names;
    for (const collision::ColliderParams& collider : scene.collider) {
        if (collider.name == source.collider) return;
        names.push_back(collider.name);
    }
    throw UsageError(fmt::format("whitewater.source '{}': the scene has no collider '{}'{}", source.name,
                                 source.collider, suggestion(source.collider, names)));
}

emitters::EmitterParams surface_of(const SourceParams& source) {
    emitters::EmitterParams emitter;
    emitter.mesh = source.mesh;
    emitter.collider = source.collider;
    emitter.position = source.position;
    emitter.rotation_deg = source.rotation_deg;
    emitter.scale = source.scale;
    return emitter;
}

/// The part of the time from a frame to the next in which it gives: from 0 to 1 of it, or nothing.
std::array<double, 2> active_part(const SourceParams& p, double frame) {
    if (!p.active) return {0, 1};
    return {std::max(0.0, (*p.active)[0] - frame), std::min(1.0, (*p.active)[1] - frame)};
}

/// A place in the shape, by trying places in its box.
Vec3d place_in(const emitters::FillParams& shape, std::uint64_t own, std::uint64_t k) {
    const Box3d box = emitters::bounds(shape);
    Vec3d p = box.center();
    // A thin cylinder across its box may fill a hundredth of it.
    for (std::uint64_t attempt = 0; attempt < 2000; ++attempt) {
        for (int a = 0; a < 3; ++a) {
            const double u = uniform(hash_counter(own, k, 16 + 3 * attempt + static_cast<std::uint64_t>(a)));
            p[a] = box.lo[a] + u * box.size()[a];
        }
        if (emitters::contains(shape, p)) return p;
    }
    return p;
}

}  // namespace

WhitewaterSources::WhitewaterSources(const Scene& scene) {
    if (!scene.whitewater) return;
    const double spacing = finest_spacing(scene);
    std::uint64_t number = 0;
    for (const SourceParams& params : scene.whitewater->source) {
        Source source{.params = params};
        source.seed = hash_counter(static_cast<std::uint64_t>(scene.seed), 0x50c, ++number);
        if (!params.collider.empty()) check_collider(scene, params);
        if (params.is_surface()) source.skin = filling::make_surface(scene, surface_of(params), spacing, source.seed);
        sources_.push_back(std::move(source));
    }
}

double WhitewaterSources::count_of(const Source& source, const Time& time) {
    const auto [from, to] = active_part(source.params, time.frame);
    if (!(from < to)) return 0;
    const Animated<double>& rate = source.params.rate;
    return 0.5 * (rate.at(time.frame + from) + rate.at(time.frame + to)) * (to - from) * time.span;
}

double WhitewaterSources::expected(const Time& time) const {
    double sum = 0;
    for (const Source& source : sources_)
        sum += count_of(source, time);
    return sum;
}

Birth WhitewaterSources::birth(Source& source, const Time& time, std::uint64_t own, std::uint64_t k) {
    const SourceParams& p = source.params;
    const auto random = [&](std::uint64_t draw) { return uniform(hash_counter(own, k, draw)); };
    Birth born;
    const auto [from, to] = active_part(p, time.frame);
    born.share = static_cast<float>(from + (to - from) * static_cast<double>(random(0)));
    const double frame = time.frame + static_cast<double>(born.share);
    Vec3d place, velocity = p.velocity.at(frame);
    if (source.skin) {
        const std::vector<emitters::SurfacePoint>& points = source.skin->now().points;
        const auto n =
            std::min(static_cast<std::size_t>(random(1) * static_cast<float>(points.size())), points.size() - 1);
        const emitters::EmitterSkin::Place at = source.skin->place(points[n], frame);
        place = at.position;
        velocity = velocity + at.velocity + at.normal * p.speed;
    } else {
        const geometry::Pose pose = geometry::make_pose(p.position.at(frame), p.rotation_deg.at(frame));
        place = pose.to_world(place_in(p.shape(), own, k));
    }
    born.x = born.from = vec_cast<float>(place - time.origin);
    born.v = vec_cast<float>(velocity);
    born.cause = whitewater::cause::source;
    born.has_kind = p.kind.has_value();
    if (p.kind) born.kind = *p.kind;
    if (p.diameter_mm) {
        const auto [lo, hi] = *p.diameter_mm;
        born.diameter = static_cast<float>(1e-3 * (lo + (hi - lo) * random(3)));
    }
    return born;
}

void WhitewaterSources::emit(const Time& time, std::vector<Birth>& births) {
    for (Source& source : sources_) {
        const double wanted = count_of(source, time);
        if (!(wanted > 0)) continue;
        if (source.skin) source.skin->use(time.frame + 0.5);
        if (source.skin && source.skin->now().points.empty()) continue;
        const std::uint64_t own =
            hash_counter(source.seed, static_cast<std::uint64_t>(static_cast<std::int64_t>(time.frame)), 1);
        const auto count = static_cast<std::uint64_t>(wanted + static_cast<double>(uniform(own)));
        for (std::uint64_t k = 0; k < count; ++k)
            births.push_back(birth(source, time, own, k + 1));
    }
}

}  // namespace spindrift::stages
