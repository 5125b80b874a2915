#include "spindrift/bodies/soft_pushes.h"

#include <limits>

namespace spindrift::bodies {

SoftPushes::SoftPushes(const SoftMesh& mesh, const SoftField& field, const geometry::Mesh& surface,
                       std::span<const pbf::BodyPush> pushes, Vec3d origin)
    : mesh_(&mesh), impulses_(mesh.points.size()), attached_(mesh.points.size()) {
    places_.reserve(pushes.size());
    for (const pbf::BodyPush& push : pushes) {
        const Vec3d at = vec_cast<double>(push.point) + origin;
        add(places_.emplace_back(find_place(field, surface, vec_cast<float>(at))), vec_cast<double>(push.impulse),
            static_cast<double>(push.mass));
    }
}

/// On the nearest triangle or, far from the surface, at its nearest point.
SoftPushes::Place SoftPushes::find_place(const SoftField& field, const geometry::Mesh& surface, Vec3f at) {
    Place place;
    if (const auto found = field.nearest(surface, at)) {
        const Vec3d shares = vec_cast<double>(found->weights);
        place.corners = surface.triangles[found->triangle];
        // Floats add up to almost one; momentum should be exact.
        place.shares = shares / (shares.x + shares.y + shares.z);
        return place;
    }
    float nearest = std::numeric_limits<float>::infinity();
    for (std::uint32_t i = 0; i < surface.points.size(); ++i) {
        const Vec3f apart = surface.points[i] - at;
        if (dot(apart, apart) >= nearest) continue;
        nearest = dot(apart, apart);
        place.corners = {i, i, i};
    }
    return place;
}

void SoftPushes::add(const Place& place, Vec3d impulse, double mass) {
    for (int k = 0; k < 3; ++k) {
        const Rider& rider = mesh_->riders[place.corners[static_cast<std::size_t>(k)]];
        for (std::size_t v = 0; v < 4; ++v) {
            const double share = place.shares[k] * rider.weights[v];
            impulses_[rider.points[v]] += impulse * share;
            attached_[rider.points[v]] += mass * share;
        }
    }
}

void SoftPushes::give_back(std::span<const Vec3d> changes, std::span<pbf::BodyPush> pushes) const {
    for (std::size_t i = 0; i < pushes.size(); ++i) {
        const Place& place = places_[i];
        Vec3d change{};
        for (int k = 0; k < 3; ++k)
            change += mesh_->riders[place.corners[static_cast<std::size_t>(k)]].at(changes) * place.shares[k];
        pushes[i].returned = vec_cast<float>(change);
    }
}

}  // namespace spindrift::bodies
