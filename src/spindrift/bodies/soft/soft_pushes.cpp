#include "spindrift/bodies/soft/soft_pushes.h"

#include <algorithm>
#include <limits>

namespace spindrift::bodies {

SoftPushes::SoftPushes(const Body& body, std::span<const fluid::BodyPush> pushes)
    : mesh_(&body.mesh), impulses_(body.mesh.points.size()), attached_(body.mesh.points.size()) {
    places_.reserve(pushes.size());
    for (const fluid::BodyPush& push : pushes) {
        Place& place =
            places_.emplace_back(find_place(body, vec_cast<float>(vec_cast<double>(push.point) + body.origin)));
        place.velocity = at(place, body.predicted);
        place.given = length(vec_cast<double>(push.impulse)) / static_cast<double>(push.mass);
    }
    const std::vector<double> means = mean_pressure(pushes);
    for (std::size_t i = 0; i < pushes.size(); ++i) {
        double mean = 0;
        visit_points(places_[i], [&](std::size_t point, double share) { mean += means[point] * share; });
        attach(places_[i], pushes[i], mean);
        add(places_[i], pushes[i]);
    }
}

/// On the nearest triangle or, far from the surface, at its nearest point.
SoftPushes::Place SoftPushes::find_place(const Body& body, Vec3f at) {
    Place place;
    if (const auto found = body.field.nearest(body.surface, at)) {
        const Vec3d shares = vec_cast<double>(found->weights);
        place.corners = body.surface.triangles[found->triangle];
        // Floats add up to almost one; momentum should be exact.
        place.shares = shares / (shares.x + shares.y + shares.z);
        return place;
    }
    float nearest = std::numeric_limits<float>::infinity();
    for (std::uint32_t i = 0; i < body.surface.points.size(); ++i) {
        const Vec3f apart = body.surface.points[i] - at;
        if (dot(apart, apart) >= nearest) continue;
        nearest = dot(apart, apart);
        place.corners = {i, i, i};
    }
    return place;
}

Vec3d SoftPushes::at(const Place& place, std::span<const Vec3d> values) const {
    Vec3d value{};
    visit_points(place, [&](std::size_t point, double share) { value += values[point] * share; });
    return value;
}

/// The speed that the particles at each point were given, in the mean.
std::vector<double> SoftPushes::mean_pressure(std::span<const fluid::BodyPush> pushes) const {
    std::vector<double> given(impulses_.size()), mass(impulses_.size());
    for (std::size_t i = 0; i < pushes.size(); ++i) {
        visit_points(places_[i], [&](std::size_t point, double share) {
            const double part = share * static_cast<double>(pushes[i].mass);
            given[point] += part * places_[i].given;
            mass[point] += part;
        });
    }
    for (std::size_t k = 0; k < given.size(); ++k)
        given[k] = mass[k] > 0 ? given[k] / mass[k] : 0;
    return given;
}

/// A particle that presses as hard as the others is attached as a whole, one that is merely grazed hardly at all.
void SoftPushes::attach(Place& place, const fluid::BodyPush& push, double mean) {
    const Vec3d impulse = vec_cast<double>(push.impulse);
    const double size = length(impulse);
    if (size > 0 && mean > 0) place.attached = constraints::along(impulse / size, std::min(1.0, place.given / mean));
}

void SoftPushes::add(const Place& place, const fluid::BodyPush& push) {
    const double mass = static_cast<double>(push.mass);
    const Vec3d impulse = vec_cast<double>(push.impulse) + place.attached * place.velocity * mass;
    visit_points(place, [&](std::size_t point, double share) {
        impulses_[point] += impulse * share;
        attached_[point] += place.attached * (mass * share);
    });
}

void SoftPushes::give_back(std::span<const Vec3d> velocities, std::span<const Vec3d> moved,
                           std::span<fluid::BodyPush> pushes) const {
    for (std::size_t i = 0; i < pushes.size(); ++i) {
        const Place& place = places_[i];
        pushes[i].returned = vec_cast<float>(place.attached * (at(place, velocities) - place.velocity));
        pushes[i].shift = vec_cast<float>(place.attached * at(place, moved));
    }
}

}  // namespace spindrift::bodies
