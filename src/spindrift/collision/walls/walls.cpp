#include "spindrift/collision/walls/walls.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spindrift/core/hash.h"

namespace spindrift::collision {

namespace {

Vec3f axis_normal(int axis, float sign) {
    Vec3f n{};
    n[axis] = sign;
    return n;
}

void keep_hit(WallHit& hit, Vec3f normal, const WallFinish& surface) {
    hit = {true, normal, surface, {}};
}

bool is_rough(const WallFinish& surface) {
    return surface.friction > 0 || surface.stickiness > 0;
}

void trace_domain(const WallBox& box, Vec3f& to, WallHit& hit) {
    for (int a = 0; a < 3; ++a) {
        const float lo = box.lo[a] + contact_gap, hi = box.hi[a] - contact_gap;
        if (to[a] < lo) keep_hit(hit, axis_normal(a, 1), box.surface);
        if (to[a] > hi) keep_hit(hit, axis_normal(a, -1), box.surface);
        to[a] = std::min(std::max(to[a], lo), hi);
    }
}

/// The face of the grown box through which the segment enters it, as axis and side; axis -1 if it does not.
struct Entry {
    int axis = -1;
    bool high = false;
};

Entry find_entry(const WallBox& box, Vec3f from, Vec3f to) {
    float enter = -std::numeric_limits<float>::infinity(), leave = 1;
    Entry entry;
    bool start_inside = true;
    for (int a = 0; a < 3; ++a) {
        const float lo = box.lo[a] - contact_gap, hi = box.hi[a] + contact_gap;
        const float move = to[a] - from[a];
        start_inside = start_inside && from[a] > lo && from[a] < hi;
        if (move == 0) {
            if (from[a] <= lo || from[a] >= hi) return {};
            continue;
        }
        const float t0 = ((move > 0 ? lo : hi) - from[a]) / move, t1 = ((move > 0 ? hi : lo) - from[a]) / move;
        if (t0 > enter) {
            enter = t0;
            entry = {a, move < 0};
        }
        leave = std::min(leave, t1);
    }
    if (!start_inside) return enter >= 0 && enter < leave ? entry : Entry{};

    // Started inside, as after a bad fill: the nearest face.
    float nearest = std::numeric_limits<float>::infinity();
    for (int a = 0; a < 3; ++a) {
        const float below = from[a] - box.lo[a], above = box.hi[a] - from[a];
        if (std::min(below, above) < nearest) {
            nearest = std::min(below, above);
            entry = {a, above < below};
        }
    }
    return entry;
}

void trace_solid(const WallBox& box, Vec3f from, Vec3f& to, WallHit& hit) {
    const Entry entry = find_entry(box, from, to);
    if (entry.axis < 0) return;
    const auto a = entry.axis;
    const float face = entry.high ? box.hi[a] + contact_gap : box.lo[a] - contact_gap;
    if (entry.high ? to[a] >= face : to[a] <= face) return;
    to[a] = face;
    keep_hit(hit, axis_normal(a, entry.high ? 1.f : -1.f), box.surface);
}

Vec3f normal_of(const WallPlane& plane) {
    return {plane.normal[0], plane.normal[1], plane.normal[2]};
}

void trace_plane(const WallPlane& plane, Vec3f& to, WallHit& hit) {
    const Vec3f n = normal_of(plane);
    const float depth = contact_gap - (dot(n, to) - plane.offset);
    if (depth <= 0) return;
    to += n * depth;
    keep_hit(hit, n, plane.surface);
}

/// Signed distance to a box's surface (negative inside) and the direction in which it grows.
std::pair<float, Vec3f> box_distance(const WallBox& box, Vec3f x) {
    Vec3f outside{};
    float inside = -std::numeric_limits<float>::infinity();
    Vec3f face{};
    for (int a = 0; a < 3; ++a) {
        const float below = box.lo[a] - x[a], above = x[a] - box.hi[a];
        if (std::max(below, above) > inside) {
            inside = std::max(below, above);
            face = axis_normal(a, above > below ? 1.f : -1.f);
        }
        outside[a] = above > 0 ? above : below > 0 ? -below : 0;
    }
    if (inside <= 0) return {inside, face};
    const float distance = length(outside);
    return {distance, outside / distance};
}

/// Distance of a point from the wall, positive where liquid is, and the wall's normal there.
std::pair<float, Vec3f> distance_to(const WallBox& box, Vec3f x) {
    const auto [phi, n] = box_distance(box, x);
    return box.solid ? std::pair{phi, n} : std::pair{-phi, -n};
}

WallBox make_box(const Box3d& box, Vec3d origin, double h, const WallFinish& surface, bool solid) {
    WallBox wall{};
    for (int a = 0; a < 3; ++a) {
        wall.lo[a] = static_cast<float>((box.lo[a] - origin[a]) / h);
        wall.hi[a] = static_cast<float>((box.hi[a] - origin[a]) / h);
    }
    wall.surface = surface;
    wall.solid = solid;
    return wall;
}

}  // namespace

bool Walls::rough() const {
    const auto any = [](const auto& walls) {
        return std::any_of(walls.begin(), walls.end(), [](const auto& wall) { return is_rough(wall.surface); });
    };
    return any(boxes) || any(planes) || any(fields);
}

bool Walls::sticky() const {
    const auto any = [](const auto& walls) {
        return std::any_of(walls.begin(), walls.end(), [](const auto& wall) { return wall.surface.stickiness > 0; });
    };
    return any(boxes) || any(planes) || any(fields);
}

WallHit Walls::trace(Vec3f from, Vec3f& to, Start start) const {
    // One wall may push the way into another: a corner of three walls needs three passes.
    WallHit hit;
    for (int pass = 0; pass < 3; ++pass) {
        const Vec3f before = to;
        for (const WallPlane& plane : planes)
            trace_plane(plane, to, hit);
        for (const WallBox& box : boxes) {
            if (box.solid) trace_solid(box, from, to, hit);
        }
        for (const WallField& field : fields) {
            if (!field.is_clear(from, to, start)) field.trace(from, to, start, hit);
        }
        for (const WallBox& box : boxes) {
            if (!box.solid) trace_domain(box, to, hit);
        }
        if (to == before) break;
    }
    return hit;
}

bool Walls::near_plain(Vec3f lo, Vec3f hi, float reach) const {
    for (const WallBox& box : boxes) {
        bool inside = true, apart = false;
        for (int a = 0; a < 3; ++a) {
            inside = inside && lo[a] > box.lo[a] + reach && hi[a] < box.hi[a] - reach;
            apart = apart || hi[a] < box.lo[a] - reach || lo[a] > box.hi[a] + reach;
        }
        if (box.solid ? !apart : !inside) return true;
    }
    for (const WallPlane& plane : planes) {
        const Vec3f center = (lo + hi) * 0.5f, half = (hi - lo) * 0.5f;
        const Vec3f n = normal_of(plane);
        const float radius = std::abs(n.x) * half.x + std::abs(n.y) * half.y + std::abs(n.z) * half.z;
        if (dot(n, center) - plane.offset - radius < reach) return true;
    }
    return false;
}

bool Walls::near_field(Vec3f lo, Vec3f hi, float reach) const {
    return std::any_of(fields.begin(), fields.end(), [&](const WallField& f) { return f.near(lo, hi, reach); });
}

WallHit Walls::contact(Vec3f x, float reach) const {
    WallHit hit;
    for (const WallBox& box : boxes) {
        const auto [distance, n] = distance_to(box, x);
        if (distance < reach && is_rough(box.surface)) {
            reach = distance;
            keep_hit(hit, n, box.surface);
        }
    }
    for (const WallPlane& plane : planes) {
        const float distance = dot(normal_of(plane), x) - plane.offset;
        if (distance < reach && is_rough(plane.surface)) {
            reach = distance;
            keep_hit(hit, normal_of(plane), plane.surface);
        }
    }
    for (const WallField& field : fields) {
        if (!is_rough(field.surface)) continue;
        const FieldSample here = field.distance(x);
        if (here.distance >= reach) continue;
        reach = here.distance;
        hit = {true, here.gradient, field.surface_at(x), field.velocity_at(x), field.body};
    }
    return hit;
}

std::string Walls::state() const {
    Hash64 hash;
    for (const WallBox& box : boxes)
        hash.add(std::span<const float>(box.lo)).add(std::span<const float>(box.hi));
    for (const WallPlane& plane : planes)
        hash.add(std::span<const float>(plane.normal)).add(&plane.offset, sizeof plane.offset);
    for (const WallField& field : fields) {
        if (field.moves()) return {};
        hash.add(&field.now, sizeof field.now).add(&field.field.distance, sizeof field.field.distance);
    }
    return hash.hex();
}

float Walls::distance_to_plain(Vec3f x) const {
    float nearest = far_away;
    for (const WallBox& box : boxes)
        nearest = std::min(nearest, distance_to(box, x).first);
    for (const WallPlane& plane : planes)
        nearest = std::min(nearest, dot(normal_of(plane), x) - plane.offset);
    return nearest;
}

Walls::Nearest Walls::nearest(Vec3f x) const {
    Nearest found{.distance = far_away};
    for (const WallBox& box : boxes) {
        const auto [distance, n] = distance_to(box, x);
        if (distance < found.distance) found = {distance, n, {}, box.surface, -1};
    }
    for (const WallPlane& plane : planes) {
        const float distance = dot(normal_of(plane), x) - plane.offset;
        if (distance < found.distance) found = {distance, normal_of(plane), {}, plane.surface, -1};
    }
    for (const WallField& field : fields) {
        const FieldSample here = field.distance(x);
        if (here.distance < found.distance)
            found = {here.distance, here.gradient, field.velocity_at(x), field.surface_at(x), field.body};
    }
    return found;
}

bool Walls::are_entered(Vec3f x) const {
    return std::any_of(boxes.begin(), boxes.end(), [&](const WallBox& box) { return distance_to(box, x).first < 0; }) ||
           std::any_of(planes.begin(), planes.end(),
                       [&](const WallPlane& plane) { return dot(normal_of(plane), x) < plane.offset; }) ||
           std::any_of(fields.begin(), fields.end(),
                       [&](const WallField& field) { return field.body < 0 && field.is_entered(x); });
}

bool Walls::is_free(Vec3f x, float gap) const {
    for (const WallBox& box : boxes) {
        if (distance_to(box, x).first < gap) return false;
    }
    for (const WallPlane& plane : planes) {
        if (dot(normal_of(plane), x) - plane.offset < gap) return false;
    }
    return std::all_of(fields.begin(), fields.end(), [&](const WallField& f) { return f.distance(x).distance >= gap; });
}

Walls make_walls(const std::optional<DomainParams>& domain, std::span<const ColliderParams> colliders, Vec3d origin,
                 double h) {
    Walls walls;
    const auto surface_of = [](const auto& params, double stickiness) {
        return WallFinish{static_cast<float>(params.friction), static_cast<float>(params.bounce),
                          static_cast<float>(stickiness)};
    };
    for (const ColliderParams& collider : colliders) {
        if (!collider.is_analytic()) continue;
        const WallFinish surface = surface_of(collider, collider.stickiness);
        if (collider.box) {
            walls.boxes.push_back(make_box(*collider.box, origin, h, surface, true));
        } else {
            const Vec3d n = normalize(collider.plane->normal);
            walls.planes.push_back({{static_cast<float>(n.x), static_cast<float>(n.y), static_cast<float>(n.z)},
                                    static_cast<float>(dot(n, collider.plane->point - origin) / h),
                                    surface});
        }
    }
    if (domain) {
        WallBox box = make_box(domain->box, origin, h, surface_of(*domain, 0), false);
        for (Side side : domain->open) {
            const int index = static_cast<int>(side), a = index / 2;
            (index % 2 == 0 ? box.lo[a] : box.hi[a]) = index % 2 == 0 ? -far_away : far_away;
        }
        // What lies outside is solid already and must not count twice.
        std::erase_if(walls.boxes, [&](const WallBox& solid) {
            constexpr float rounding = 1e-4f;
            bool apart = false;
            for (int a = 0; a < 3; ++a)
                apart = apart || solid.hi[a] < box.lo[a] + rounding || solid.lo[a] > box.hi[a] - rounding;
            return apart;
        });
        walls.boxes.push_back(box);
    }
    return walls;
}

Walls in_units_of(const Walls& walls, float h) {
    Walls scaled = walls;
    for (WallBox& box : scaled.boxes) {
        for (int a = 0; a < 3; ++a) {
            box.lo[a] /= h;
            box.hi[a] /= h;
        }
    }
    for (WallPlane& plane : scaled.planes)
        plane.offset /= h;
    for (WallField& field : scaled.fields)
        field = in_units_of(field, h);
    return scaled;
}

Walls as_before(const Walls& walls) {
    Walls earlier = walls;
    for (WallField& field : earlier.fields) {
        if (field.body < 0) field = as_before(field);
    }
    return earlier;
}

Vec3f respond(Vec3f v, const WallHit& hit) {
    const Vec3f relative = v - hit.velocity;
    const float normal_speed = dot(relative, hit.normal);
    if (normal_speed >= 0) return v;
    const Vec3f tangential = relative - hit.normal * normal_speed;
    return hit.velocity + apply_friction(tangential, hit.normal, hit.surface.friction, -normal_speed) -
           hit.normal * (hit.surface.bounce * normal_speed);
}

Vec3f cling(Vec3f v, const WallHit& hit, float dt) {
    const float away = dot(v - hit.velocity, hit.normal), stickiness = hit.surface.stickiness;
    if (!hit.hit || stickiness <= 0 || away <= 0) return v;
    // As fast as 200 per second and unit of -ln(1 - stickiness): at a half, water under a ceiling creeps off at a few
    // centimetres per second.
    constexpr float rate = 200;
    const float left = stickiness >= 1 ? 0 : std::pow(1 - stickiness, rate * dt);
    return v - hit.normal * (away * (1 - left));
}

Vec3f apply_friction(Vec3f v, Vec3f normal, float friction, float push) {
    const float normal_speed = dot(v, normal);
    const Vec3f tangential = v - normal * normal_speed;
    const float speed = length(tangential);
    if (speed == 0 || push <= 0) return v;
    return normal * normal_speed + tangential * std::max(0.f, 1 - friction * push / speed);
}

}  // namespace spindrift::collision
