#include "spindrift/stages/whitewater/birth_places.h"

#include <algorithm>
#include <vector>

#include "spindrift/emitters/fill.h"

namespace spindrift::stages {

double finest_spacing(const Scene& scene) {
    double finest = scene.liquid.front().spacing;
    for (const LiquidParams& liquid : scene.liquid)
        finest = std::min(finest, liquid.spacing);
    return finest;
}

double whitewater_volume(const Scene& scene) {
    const whitewater::WhitewaterParams params = scene.whitewater.value_or(whitewater::WhitewaterParams{});
    const double edge = params.spacing * finest_spacing(scene);
    return edge * edge * edge;
}

std::function<bool(Vec3f x)> allowed_places(const Scene& scene, Vec3d origin) {
    const whitewater::WhitewaterParams params = scene.whitewater.value_or(whitewater::WhitewaterParams{});
    const bool has_margin = params.margin > 0 && scene.domain && !scene.domain->open.empty();
    if (!has_margin && !params.inside) return {};
    std::vector<collision::Side> open;
    Box3d box{};
    if (has_margin) {
        open.assign(scene.domain->open.begin(), scene.domain->open.end());
        box = scene.domain->box;
    }
    const emitters::FillParams shape = params.inside ? params.inside->shape() : emitters::FillParams{};
    return [=, margin = params.margin, shaped = params.inside.has_value()](Vec3f x) {
        const Vec3d p = origin + vec_cast<double>(x);
        if (shaped && !emitters::contains(shape, p)) return false;
        return std::all_of(open.begin(), open.end(), [&](collision::Side side) {
            const int index = static_cast<int>(side), a = index / 2;
            return index % 2 == 0 ? p[a] > box.lo[a] + margin : p[a] < box.hi[a] - margin;
        });
    };
}

std::function<bool(Vec3f x)> killed_places(const Scene& scene, int frame, Vec3d origin) {
    struct Place {
        emitters::FillParams shape;
        bool inside;
    };
    std::vector<Place> places;
    for (const emitters::KillerParams& killer : scene.killer) {
        const bool asks_more = killer.age || killer.speed || killer.slower || killer.isolated || killer.most ||
                               !killer.liquid.empty() || (killer.inside && killer.outside);
        if (asks_more || !killer.is_active(frame)) continue;
        if (killer.inside) places.push_back({killer.inside->shape(), true});
        if (killer.outside) places.push_back({killer.outside->shape(), false});
    }
    if (places.empty()) return {};
    return [=](Vec3f x) {
        const Vec3d p = origin + vec_cast<double>(x);
        return std::any_of(places.begin(), places.end(),
                           [&](const Place& place) { return emitters::contains(place.shape, p) == place.inside; });
    };
}

Box3f bounds_of_flight(const Scene& scene, const Box3f& liquid, Vec3d origin) {
    Vec3f lo = liquid.lo, hi = liquid.hi;
    if (scene.domain) {
        lo = min(lo, vec_cast<float>(scene.domain->box.lo - origin));
        hi = max(hi, vec_cast<float>(scene.domain->box.hi - origin));
    }
    const Vec3f size = hi - lo;
    const float out = 2 * std::max({size.x, size.y, size.z}) + 1;
    return {lo - Vec3f{out, out, out}, hi + Vec3f{out, out, out}};
}

}  // namespace spindrift::stages
