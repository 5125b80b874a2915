#pragma once
// A parameter that may change over time: one value, or keys at frames with a curve through them.
//
//   Animated<double> rate = 2.5;                                                  // always 2.5
//   Animated<double> tap({{1, 0.0}, {24, 2.5}}, Interpolation::smooth);           // opens within a second
//   double now = tap.at(12.5);                                                    // frames may be fractions

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "spindrift/core/vec.h"

namespace spindrift {

/// Constant keeps a key's value up to the next one: the curve jumps there.
enum class Interpolation { linear, smooth, constant };

constexpr std::array<std::string_view, 3> enum_words(Interpolation) {
    return {"linear", "smooth", "constant"};
}

namespace params_detail {

inline int component_count(double) {
    return 1;
}
inline int component_count(const Vec3d&) {
    return 3;
}
inline double& component(double& value, int) {
    return value;
}
inline double& component(Vec3d& value, int axis) {
    return value[axis];
}

}  // namespace params_detail

template <class T>
struct Animated {
    struct Key {
        double frame = 0;
        T value{};

        friend bool operator==(const Key&, const Key&) = default;
    };

    T constant{};             ///< if there are no keys
    std::vector<Key> keys{};  ///< frames ascend
    Interpolation interpolation = Interpolation::linear;

    Animated() = default;
    Animated(T value) : constant(value) {}  // implicit: a plain value is an animation that stands still
    Animated(double x, double y, double z) requires std::same_as<T, Vec3d> : constant{x, y, z} {}
    explicit Animated(std::vector<Key> curve, Interpolation between = Interpolation::linear)
        : keys(std::move(curve)), interpolation(between) {}

    bool moves() const { return keys.size() > 1; }
    /// Whether it goes from key to key without a way between them.
    bool jumps() const { return moves() && interpolation == Interpolation::constant; }

    /// Those that the curve goes through: of the keys, or the constant.
    std::vector<T> values() const {
        if (keys.empty()) return {constant};
        std::vector<T> all;
        for (const Key& key : keys)
            all.push_back(key.value);
        return all;
    }

    /// The value at a frame; before the first key and after the last, theirs.
    T at(double frame) const {
        if (keys.empty()) return constant;
        if (frame <= keys.front().frame) return keys.front().value;
        if (frame >= keys.back().frame) return keys.back().value;
        const auto above =
            std::upper_bound(keys.begin(), keys.end(), frame, [](double f, const Key& key) { return f < key.frame; });
        return between(static_cast<std::size_t>(above - keys.begin()) - 1, frame);
    }

    /// Change per frame, from the curve's values a thousandth of a frame apart.
    T rate(double frame) const {
        constexpr double step = 5e-4;
        if (interpolation == Interpolation::constant) return {};
        return (at(frame + step) - at(frame - step)) * (1 / (2 * step));
    }

    friend bool operator==(const Animated&, const Animated&) = default;

  private:
    double key_component(std::size_t k, int c) const {
        T value = keys[k].value;
        return params_detail::component(value, c);
    }
    double slope(std::size_t k, int c) const {
        return (key_component(k + 1, c) - key_component(k, c)) / (keys[k + 1].frame - keys[k].frame);
    }
    /// Tangent of the smooth curve at a key: flat at the ends and at turning points, so that the curve never leaves the
    /// range of its keys (harmonic mean, Fritsch and Butland 1984).
    double tangent(std::size_t k, int c) const {
        if (k == 0 || k + 1 == keys.size()) return 0;
        const double before = slope(k - 1, c), after = slope(k, c);
        return before * after <= 0 ? 0 : 2 * before * after / (before + after);
    }

    T between(std::size_t k, double frame) const {
        if (interpolation == Interpolation::constant) return keys[k].value;
        const double width = keys[k + 1].frame - keys[k].frame, t = (frame - keys[k].frame) / width;
        T result{};
        for (int c = 0; c < params_detail::component_count(result); ++c) {
            const double a = key_component(k, c), b = key_component(k + 1, c);
            double value = a + (b - a) * t;
            if (interpolation == Interpolation::smooth) {
                const double u = 1 - t;
                value = u * u * (1 + 2 * t) * a + t * t * (3 - 2 * t) * b + t * u * u * width * tangent(k, c) -
                        t * t * u * width * tangent(k + 1, c);
            }
            params_detail::component(result, c) = value;
        }
        return result;
    }
};

template <class T>
inline constexpr bool is_animated = false;
template <class T>
inline constexpr bool is_animated<Animated<T>> = true;

}  // namespace spindrift
