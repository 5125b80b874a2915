#include "spindrift/forces/force_set.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "spindrift/forces/force_kinds.h"
#include "spindrift/forces/selected_force.h"

namespace spindrift::forces {

namespace {

bool is_active(const ForceParams& params, double frame) {
    return !params.active || (frame >= (*params.active)[0] && frame <= (*params.active)[1]);
}

/// Makes the kinds of a scene's forces at one moment.
class Maker {
  public:
    Maker(const ForceParams& params, Vec3d origin, Moment now) : p_(params), origin_(origin), now_(now) {}

    std::shared_ptr<const Force> make() const {
        switch (p_.type) {
            case ForceType::constant:
                return force(Constant{vec_cast<float>(p_.acceleration.at(now_.frame))});
            case ForceType::point:
                return force(Point{position(), strength()});
            case ForceType::line:
                return force(Line{axis(), strength()});
            case ForceType::vortex:
                return force(Vortex{axis(), strength()});
            case ForceType::drag:
                return force(Drag{vec_cast<float>(p_.wind.at(now_.frame)), at(p_.rate), region()});
            case ForceType::noise:
                return force(noise());
        }
        return nullptr;
    }

  private:
    template <class Kind>
    static std::shared_ptr<const Force> force(Kind kind) {
        return std::make_shared<FieldForce<Kind>>(std::move(kind));
    }
    float at(const Animated<double>& value) const { return static_cast<float>(value.at(now_.frame)); }
    Vec3f position() const { return vec_cast<float>(p_.position.at(now_.frame) - origin_); }
    Fade fade(float radius_if_not_given) const {
        return {p_.radius ? at(*p_.radius) : radius_if_not_given, static_cast<float>(p_.falloff)};
    }
    Region region() const { return {position(), fade(std::numeric_limits<float>::infinity())}; }
    CentralStrength strength() const {
        const bool has_axis = p_.type == ForceType::line || p_.type == ForceType::vortex;
        // Zero for a moment if the axis is on its way between opposite keys.
        const bool has_none = has_axis && p_.axis.at(now_.frame) == Vec3d{};
        return {has_none ? 0.f : at(p_.strength), fade(1)};
    }
    Axis axis() const {
        const Vec3d a = p_.axis.at(now_.frame);
        return {position(), length(a) > 0 ? vec_cast<float>(normalize(a)) : Vec3f{}};
    }
    Noise noise() const {
        Noise made{.noise = CurlNoise(static_cast<std::uint64_t>(p_.seed), p_.speed * now_.seconds),
                   .per_scale = static_cast<float>(1 / p_.scale),
                   .offset = {},
                   .strength = at(p_.strength),
                   .region = region()};
        for (int a = 0; a < 3; ++a) {
            const double cells = origin_[a] / p_.scale, whole = std::floor(cells);
            made.noise.base[static_cast<std::size_t>(a)] = static_cast<std::uint32_t>(static_cast<std::int64_t>(whole));
            made.offset[a] = static_cast<float>(cells - whole);
        }
        return made;
    }

    const ForceParams& p_;
    Vec3d origin_;
    Moment now_;
};

std::shared_ptr<const Force> select(std::shared_ptr<const Force> force, const ForceParams& params,
                                    std::span<const std::string> liquids) {
    if (params.liquid.empty() && params.mask.empty()) return force;
    SelectedForce::Selection selection{.liquid = {}, .mask = params.mask};
    if (!params.liquid.empty())
        selection.liquid =
            static_cast<std::size_t>(std::find(liquids.begin(), liquids.end(), params.liquid) - liquids.begin());
    return std::make_shared<SelectedForce>(std::move(force), std::move(selection));
}

/// Visits parameters and looks for one that changes over time.
struct KeyFinder {
    bool found = false;

    template <class T>
    void operator()(std::string_view, const T&, const ParamInfo&) {}
    template <class T>
    void operator()(std::string_view, const Animated<T>& value, const ParamInfo&) {
        found |= value.moves();
    }
    template <class T>
    void operator()(std::string_view, const std::optional<Animated<T>>& value, const ParamInfo&) {
        found |= value && value->moves();
    }
};

bool changes(const ForceParams& p) {
    KeyFinder keys;
    ForceParams::describe(p, keys);
    return keys.found || p.active || (p.type == ForceType::noise && p.speed != 0);
}

}  // namespace

void ForceSet::apply(const Pushed& on) const {
    const Vec3f fall = gravity * on.dt;
    for (std::size_t k = 0; k < on.count; ++k)
        on.v[k] = {on.v[k].x + fall.x, on.v[k].y + fall.y, on.v[k].z + fall.z, on.v[k].w};
    apply_fields(on);
}

void ForceSet::apply_fields(const Pushed& on) const {
    for (const auto& field : fields)
        field->apply(on);
}

Vec3f ForceSet::accelerate(Vec3f x, Vec3f v, float dt) const {
    const Float4 place{x.x, x.y, x.z, 0};
    Float4 velocity{v.x, v.y, v.z, 0};
    apply({.x = &place, .v = &velocity, .count = 1, .dt = dt});
    return velocity.xyz();
}

float ForceSet::largest_acceleration() const {
    float sum = length(gravity);
    for (const auto& field : fields)
        sum += field->largest_acceleration();
    return sum;
}

ForceSet make_forces(const Animated<Vec3d>& gravity, std::span<const ForceParams> fields, Vec3d origin, Moment now,
                     std::span<const std::string> liquids) {
    ForceSet set;
    set.gravity = vec_cast<float>(gravity.at(now.frame));
    for (const ForceParams& params : fields) {
        if (is_active(params, now.frame))
            set.fields.push_back(select(Maker(params, origin, now).make(), params, liquids));
    }
    return set;
}

bool forces_change(const Animated<Vec3d>& gravity, std::span<const ForceParams> fields) {
    return gravity.moves() || std::any_of(fields.begin(), fields.end(), changes);
}

}  // namespace spindrift::forces
