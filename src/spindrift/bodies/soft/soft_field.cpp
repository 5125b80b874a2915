#include "spindrift/bodies/soft/soft_field.h"

#include <algorithm>

namespace spindrift::bodies {

namespace {

float farthest(std::span<const Vec3f> a, std::span<const Vec3f> b) {
    float most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const Vec3f apart = a[i] - b[i];
        most = std::max(most, dot(apart, apart));
    }
    return std::sqrt(most);
}

}  // namespace

void SoftField::follow(const geometry::Mesh& surface, bool anew) {
    // Farther than this the nearest triangle of a node may be another one.
    constexpr double far_cells = 0.5;
    if (made_of_.points.size() == surface.points.size()) {
        const auto moved = static_cast<double>(farthest(surface.points, made_of_.points));
        if (moved == 0 || (!anew && moved <= far_cells * settings_.cell)) return;
    }
    made_of_ = surface;
    // A cell more on both sides: nodes look back by half a cell, and by what a step adds.
    collision::FieldSettings wider = settings_;
    wider.band += settings_.cell;
    wider.depth += settings_.cell;
    field_ = collision::make_field(surface, wider);
    placed_ = field_;
    if (!is_shell()) inside_ = collision::sample_volume(field_);
}

collision::WallField SoftField::place(const geometry::Mesh& surface, std::span<const Vec3f> velocities,
                                      const collision::StepUnits& units) {
    const auto dt = static_cast<float>(units.dt);
    std::vector<Vec3f> moved(surface.points.size());
    float fastest = 0;
    for (std::size_t i = 0; i < moved.size(); ++i) {
        moved[i] = surface.points[i] + velocities[i] * dt - made_of_.points[i];
        fastest = std::max(fastest, length(velocities[i]));
    }
    collision::trace_back(field_, collision::carry_vectors(field_, made_of_, moved), 1, placed_.distance);
    velocity_ = collision::carry_vectors(field_, made_of_, velocities);
    collision::WallField wall = collision::place_field(placed_, {}, units);
    if (is_shell()) {
        const double thickness = std::max(settings_.thickness, 2.0 * collision::least_half_thickness * field_.cell);
        wall.thickness = static_cast<float>(thickness / units.h);
    }
    wall.inside = inside_.points.data();
    wall.inside_count = inside_.points.size();
    if (fastest > 0) {
        wall.deformation = velocity_.data();
        wall.shift = static_cast<float>(units.dt / field_.cell);
        wall.most_shift = fastest * wall.shift;
        wall.fastest = fastest;
    }
    return wall;
}

std::optional<collision::SurfacePoint> SoftField::nearest(const geometry::Mesh& surface, Vec3f at) const {
    if (field_.table.empty()) return {};
    return collision::closest_point(field_, surface, at);
}

}  // namespace spindrift::bodies
