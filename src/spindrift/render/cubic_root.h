#pragma once
// Where a cubic over [0, 1] first changes its sign.
//
//   Cubic f{-1, 0, 1, 2};                       // weights of the Bernstein polynomials: -1 at 0 and 2 at 1
//   std::optional<double> s = first_root(f);    // 1/3
//
// The weights bound the curve: without a change of sign among them there is no root, and with a single one exactly one.
// Other curves are halved until that can be said.

#include <array>
#include <optional>

namespace spindrift::render {

using Cubic = std::array<double, 4>;

inline double value_at(const Cubic& f, double s) {
    const double r = 1 - s;
    return r * r * (r * f[0] + 3 * s * f[1]) + s * s * (3 * r * f[2] + s * f[3]);
}

namespace detail {

inline int sign_changes(const Cubic& f) {
    int changes = 0;
    for (std::size_t k = 0; k < 3; ++k)
        changes += (f[k] < 0) != (f[k + 1] < 0);
    return changes;
}

/// The only root: false position that halves the weight of an end that stays (Illinois), and each third step halves the
/// interval, for an end that is nearly 0 as well.
inline double only_root(const Cubic& f) {
    double a = 0, b = 1, at_a = f[0], at_b = f[3], s = 0.5;
    int stayed = 0;  // below 0 if a did in the step before, above 0 if b did
    for (int step = 1; step < 100 && b - a > 1e-9; ++step) {
        s = (a * at_b - b * at_a) / (at_b - at_a);
        if (step % 3 == 0 || !(s >= a && s <= b)) s = 0.5 * (a + b);
        const double value = value_at(f, s);
        if (value == 0) break;
        if ((value < 0) == (at_b < 0)) {
            b = s, at_b = value;
            if (stayed < 0) at_a *= 0.5;
            stayed = -1;
        } else {
            a = s, at_a = value;
            if (stayed > 0) at_b *= 0.5;
            stayed = 1;
        }
    }
    return s;
}

inline std::array<Cubic, 2> halves(const Cubic& f) {
    const double a = 0.5 * (f[0] + f[1]), b = 0.5 * (f[1] + f[2]), c = 0.5 * (f[2] + f[3]);
    const double ab = 0.5 * (a + b), bc = 0.5 * (b + c), middle = 0.5 * (ab + bc);
    return {{{f[0], a, ab, middle}, {middle, bc, c, f[3]}}};
}

}  // namespace detail

/// Values below 0 are of one sign, all others of the other. Where the curve touches 0 closer than halving tells, it has
/// no root.
inline std::optional<double> first_root(const Cubic& f, int halvings = 24) {
    const int changes = detail::sign_changes(f);
    if (changes == 0) return {};
    if (changes == 1) return detail::only_root(f);
    if (halvings == 0) return {};
    const auto [left, right] = detail::halves(f);
    if (const auto s = first_root(left, halvings - 1)) return 0.5 * *s;
    const auto s = first_root(right, halvings - 1);
    return s ? std::optional(0.5 + 0.5 * *s) : std::nullopt;
}

}  // namespace spindrift::render
