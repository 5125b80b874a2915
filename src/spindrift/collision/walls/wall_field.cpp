#include "spindrift/collision/walls/wall_field.h"

#include <cmath>

namespace spindrift::collision {

namespace {

/// The march towards a surface: a share of the distance, but no less than a quarter of a cell, which the thinnest shell
/// still stops. docs/decisions/0010.
constexpr float march_share = 0.9f, shortest_march = 0.25f;
constexpr int most_samples = 96;
/// Each slide along a concave wall turns the way by the glancing angle or more: together by 70 degrees at least.
constexpr int most_slides = 12;

/// Where a march has come to a surface, in cells.
constexpr float touching = 0.02f;

/// Sine of the angle below which a way goes along a surface and not into it. Rounding of distances and places must not
/// stop what slides; what a march of such a way enters, it leaves at its next sample.
constexpr float glancing = 0.1f;

/// What is left of a way when it has ended, in cells.
constexpr float shortest_way = 1e-4f;

Vec3f unit_or_zero(Vec3f a) {
    const float size = length(a);
    return size > 1e-6f ? a / size : Vec3f{};
}

/// Positions to cells: R^T (x h + origin - position) / cell - first.
Affine to_cells(const Field& field, const geometry::Pose& pose, const StepUnits& units) {
    const Vec3d axes[3] = {pose.x, pose.y, pose.z};
    const Vec3d at_origin = field.to_nodes(pose.to_local(units.origin));
    Affine map{};
    for (int row = 0; row < 3; ++row) {
        for (int a = 0; a < 3; ++a)
            map.m[row][a] = static_cast<float>(axes[row][a] * units.h / field.cell);
        map.b[row] = static_cast<float>(at_origin[row]);
    }
    return map;
}

Affine from_cells(const Field& field, const geometry::Pose& pose, const StepUnits& units) {
    const Vec3d axes[3] = {pose.x, pose.y, pose.z};
    const Vec3d corner = (pose.to_world(vec_cast<double>(field.first) * field.cell) - units.origin) / units.h;
    Affine map{};
    for (int row = 0; row < 3; ++row) {
        for (int a = 0; a < 3; ++a)
            map.m[row][a] = static_cast<float>(axes[a][row] * field.cell / units.h);
        map.b[row] = static_cast<float>(corner[row]);
    }
    return map;
}

void grow(Box3f& box, Vec3f p) {
    box.lo = min(box.lo, p);
    box.hi = max(box.hi, p);
}

/// Around the table's corners at both poses; everything if what is beyond the table is solid.
Box3f bounds_of(const Field& field, const Placement& placement, const StepUnits& units) {
    if (field.beyond == solid_block) return {{-1e30f, -1e30f, -1e30f}, {1e30f, 1e30f, 1e30f}};
    Box3f box{{1e30f, 1e30f, 1e30f}, {-1e30f, -1e30f, -1e30f}};
    for (const geometry::Pose& pose : {placement.before, placement.now}) {
        const Affine back = from_cells(field, pose, units);
        for (int k = 0; k < 8; ++k) {
            const Vec3i corner{k & 1 ? field.bricks.x : 0, k & 2 ? field.bricks.y : 0, k & 4 ? field.bricks.z : 0};
            grow(box, back(vec_cast<float>(corner * brick_cells)));
        }
    }
    return box;
}

/// The turn from one pose to the other as a vector along its axis, in radians.
Vec3d turn_between(const geometry::Pose& a, const geometry::Pose& b) {
    // The antisymmetric part of B A^T is the axis times the sine.
    const Vec3d axis = (cross(a.x, b.x) + cross(a.y, b.y) + cross(a.z, b.z)) * 0.5;
    const double sine = length(axis), cosine = (dot(a.x, b.x) + dot(a.y, b.y) + dot(a.z, b.z) - 1) * 0.5;
    return sine < 1e-12 ? Vec3d{} : axis * (std::atan2(sine, cosine) / sine);
}

}  // namespace

Box3f WallField::known() const {
    Box3f box{{1e30f, 1e30f, 1e30f}, {-1e30f, -1e30f, -1e30f}};
    for (int k = 0; k < 8; ++k) {
        const Vec3i corner{k & 1 ? field.bricks[0] : 0, k & 2 ? field.bricks[1] : 0, k & 4 ? field.bricks[2] : 0};
        grow(box, back(vec_cast<float>(corner * brick_cells)));
    }
    return box;
}

WallField place_field(const Field& field, const Placement& placement, const StepUnits& units) {
    WallField wall;
    wall.field = field.view();
    wall.before = to_cells(field, placement.before, units);
    wall.now = to_cells(field, placement.now, units);
    wall.back = from_cells(field, placement.now, units);
    wall.cell = static_cast<float>(field.cell / units.h);
    wall.bounds = bounds_of(field, placement, units);
    if (units.dt > 0 && !(placement.before == placement.now)) {
        const Vec3d spin = turn_between(placement.before, placement.now) / units.dt;
        const Vec3d moved = (placement.now.position - placement.before.position) / units.dt;
        wall.velocity = vec_cast<float>(moved + cross(spin, units.origin - placement.now.position));
        wall.velocity_before = vec_cast<float>(moved + cross(spin, units.origin - placement.before.position));
        wall.spin = vec_cast<float>(spin * units.h);
        // Of the farthest corner of the table.
        for (int k = 0; k < 8; ++k) {
            const Vec3i corner{k & 1 ? field.bricks.x : 0, k & 2 ? field.bricks.y : 0, k & 4 ? field.bricks.z : 0};
            const Vec3f x = wall.back(vec_cast<float>(corner * brick_cells));
            wall.fastest = std::max(wall.fastest, length(wall.velocity + cross(wall.spin, x)));
        }
    }
    return wall;
}

WallField in_units_of(const WallField& wall, float h) {
    WallField scaled = wall;
    for (Affine* map : {&scaled.before, &scaled.now}) {
        for (auto& row : map->m) {
            for (float& value : row)
                value *= h;
        }
    }
    for (int row = 0; row < 3; ++row) {
        for (float& value : scaled.back.m[row])
            value /= h;
        scaled.back.b[row] /= h;
    }
    scaled.cell /= h;
    scaled.thickness /= h;
    scaled.bounds = {scaled.bounds.lo / h, scaled.bounds.hi / h};
    scaled.spin *= h;
    return scaled;
}

WallField as_before(const WallField& wall) {
    WallField earlier = wall;
    earlier.measured = Start::before_step;
    earlier.velocity = wall.velocity_before;
    // The map to cells turns and scales: its inverse is its transpose times the square of a cell.
    for (int row = 0; row < 3; ++row) {
        for (int a = 0; a < 3; ++a)
            earlier.back.m[row][a] = wall.before.m[a][row] * wall.cell * wall.cell;
        earlier.back.b[row] = 0;
    }
    const Vec3f corner = earlier.back.turn({wall.before.b[0], wall.before.b[1], wall.before.b[2]});
    for (int row = 0; row < 3; ++row)
        earlier.back.b[row] = -corner[row];
    return earlier;
}

FieldSample WallField::distance(Vec3f x) const {
    const FieldSample here = sample(field, in_cells(x, measured));
    // The columns of `back` are the body's axes, a cell long.
    return {here.distance * cell, unit_or_zero(back.turn(here.gradient))};
}

float WallField::distance_only(Vec3f x) const {
    return sample_distance(field, in_cells(x, measured)) * cell;
}

Vec3f WallField::velocity_at(Vec3f x) const {
    if (!moves()) return {};
    Vec3f v = velocity + cross(spin, x);
    if (deformation) {
        const FieldPlace place = find_place(field, in_cells(x, measured));
        if (place.brick >= 0) v += back.turn(interpolate(deformation, place)) / cell;
    }
    return v;
}

WallFinish WallField::surface_at(Vec3f x) const {
    WallFinish at = surface;
    if (!friction && !bounce && !stickiness) return at;
    const FieldPlace place = find_place(field, in_cells(x, measured));
    if (place.brick < 0) return at;
    if (friction) at.friction *= interpolate(friction, place);
    if (bounce) at.bounce *= interpolate(bounce, place);
    if (stickiness) at.stickiness *= interpolate(stickiness, place);
    return at;
}

Vec3f WallField::in_cells(Vec3f x, Start moment) const {
    if (moment == Start::now) return now(x);
    Vec3f at = before(x);
    if (deformation) {
        // What the nearest part of the surface moved by in this step moves the start along.
        const FieldPlace place = find_place(field, at);
        if (place.brick >= 0) at += interpolate(deformation, place) * shift;
    }
    return at;
}

bool WallField::is_clear(Vec3f from, Vec3f to, Start start) const {
    if (!reaches(min(from, to), max(from, to))) return true;
    const Vec3f a = in_cells(from, start), way = now(to) - a;
    const float room = sample_distance(field, a) - contact_gap / cell;
    return room > 0 && room * room > dot(way, way);
}

void WallField::trace(Vec3f from, Vec3f& to, Start start, WallHit& hit) const {
    Vec3f at = in_cells(from, start), goal = now(to), normal{}, known = at;
    const float gap = contact_gap / cell;
    bool met = false;
    for (int samples = 0, slides = 0; samples < most_samples; ++samples) {
        const FieldSample here = sample(field, at);
        if (here.gradient == Vec3f{} && here.distance < 0) return;  // deep inside: no way out is known
        const float room = here.distance - gap;
        const Vec3f n = unit_or_zero(here.gradient);
        if (room < 0) {
            at -= n * room;
            normal = n;
            met = true;
        }
        known = at;
        Vec3f way = goal - at;
        const float into = dot(way, n);
        if (room < touching && into < -glancing * length(way)) {
            normal = n;
            met = true;
            slides += 1;
            if (slides > most_slides) break;
            // The rest of the way goes along the surface.
            goal -= n * into;
            way = goal - at;
        }
        const float left = length(way);
        if (left < shortest_way) break;
        at += way * std::min(1.f, std::max(march_share * room, shortest_march) / left);
    }
    if (!met) {
        if (known != at) to = back(known);  // farther than it has been looked
        return;
    }
    to = back(known);
    const Vec3f n = unit_or_zero(back.turn(normal));
    hit = {true, n, surface_at(to), velocity_at(to), body};
}

bool WallField::is_entered(Vec3f x) const {
    return reaches(x, x) && sample_distance(field, in_cells(x, Start::before_step)) * cell < -contact_gap;
}

bool WallField::sees(Vec3f a, Vec3f b) const {
    if (!reaches(min(a, b), max(a, b))) return true;
    Vec3f at = in_cells(a, measured);
    const Vec3f way = in_cells(b, measured) - at;
    const float size = length(way);
    float gone = 0;
    for (int samples = 0; samples < most_samples && gone < size; ++samples) {
        const float room = sample_distance(field, at);
        if (room < 0) return false;
        const float step = std::min(size - gone, std::max(march_share * room, 2 * shortest_march));
        at += way * (step / size);
        gone += step;
    }
    return true;
}

bool WallField::near(Vec3f lo, Vec3f hi, float reach) const {
    const Vec3f margin{reach, reach, reach};
    if (!reaches(lo - margin, hi + margin)) return false;
    const Vec3f center = (lo + hi) * 0.5f;
    return distance_only(center) < reach + length(hi - lo) * 0.5f;
}

}  // namespace spindrift::collision
