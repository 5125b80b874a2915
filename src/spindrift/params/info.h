#pragma once
// What is known about a parameter besides its type and default. Declared once, next to the struct:
//
//   struct SolverParams {
//       int iterations = 4;
//
//       template <class Self, class Visitor>
//       static void describe(Self& self, Visitor& v) {
//           v("iterations", self.iterations, {.text = "Solver iterations per substep", .limits = between(1, 100)});
//       }
//   };
//
// Everything else (scene reader and writer, --set, schema, reference) is a visitor of describe(). A struct may also
// have `void check(const Checker&) const` for rules between its members (params/checker.h).
//
// Members may be bool, int, std::int64_t, double, std::string, Vec3d, Box3d, std::array<int or double, 2>, an enum with
// enum_words(), Animated<double or Vec3d> (params/animated.h: it may change over time), Numbers, NumberTable and
// AnimatedTable (params/number_table.h: names that the user chooses), a described struct, and std::optional and
// std::vector of those.

#include <array>
#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace spindrift {

/// Allowed values of a number; of every component of a vector.
struct Limits {
    double lo = -std::numeric_limits<double>::infinity();
    double hi = std::numeric_limits<double>::infinity();
    bool above_lo = false;  ///< `lo` itself is not allowed

    constexpr bool contains(double value) const { return (above_lo ? value > lo : value >= lo) && value <= hi; }
    constexpr bool has_lo() const { return lo != -std::numeric_limits<double>::infinity(); }
    constexpr bool has_hi() const { return hi != std::numeric_limits<double>::infinity(); }
};

constexpr Limits at_least(double lo) {
    return {.lo = lo};
}
constexpr Limits between(double lo, double hi) {
    return {.lo = lo, .hi = hi};
}
constexpr Limits above(double lo, double hi = std::numeric_limits<double>::infinity()) {
    return {.lo = lo, .hi = hi, .above_lo = true};
}

/// Positions and lengths: far beyond any shot, well inside single precision.
inline constexpr Limits coordinate_limits = between(-1e6, 1e6);
inline constexpr Limits length_limits = above(0, 1e6);

/// "1 to 100", "more than 0", empty if anything goes; with the unit after the numbers.
std::string describe_limits(const Limits& limits, std::string_view unit);

/// Which results a parameter changes; several of them joined with |.
enum class Affects : unsigned {
    unsaid = 0,       ///< what the table says that it is in
    simulation = 1,   ///< where particles go, and what frames hold
    surface = 2,      ///< the meshes that are made of the same particles
    look = 4,         ///< the pictures of the same particles and meshes
    output = 8,       ///< which files there are and what they are called
    whitewater = 16,  ///< the spray, foam, bubbles and mist that are born of the same particles
};

constexpr Affects operator|(Affects a, Affects b) {
    return static_cast<Affects>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool intersects(Affects a, Affects b) {
    return (static_cast<unsigned>(a) & static_cast<unsigned>(b)) != 0;
}

/// "simulation", "surface", "look", "output", "whitewater", as far as they are in it.
std::vector<std::string> affects_words(Affects affects);

struct ParamInfo {
    std::string_view text = {};  ///< one sentence without full stop
    std::string_view unit = {};
    Limits limits = {};
    bool required = false;
    bool one_for_both = false;           ///< a single number may stand for both of a pair
    std::string_view shorthand = {};     ///< member of a table that a single word may stand for: solver = "flip"
    std::string_view when_missing = {};  ///< what to do when a required parameter is missing
    std::string_view reference = {};     ///< equation and key of the bibliography
    Affects affects = Affects::unsaid;   ///< see params/affects.h
};

/// Enums are written as words: `constexpr std::array<std::string_view, 2> enum_words(Sampling)` beside the enum, in the
/// order of its values, which count from 0.
template <class E>
concept Worded = std::is_enum_v<E> && requires {
    enum_words(E{});
};

template <Worded E>
constexpr std::string_view word(E value) {
    return enum_words(value)[static_cast<std::size_t>(value)];
}

template <Worded E>
std::vector<std::string> all_words() {
    constexpr auto words = enum_words(E{});
    return {words.begin(), words.end()};
}

/// Visits and does nothing; asks only whether a struct is described.
struct NullVisitor {
    template <class T>
    void operator()(std::string_view, T&, const ParamInfo&) {}
};

template <class T>
concept Described = requires(T& self, NullVisitor& visitor) {
    T::describe(self, visitor);
};

/// A described struct, an optional one or a list of them.
template <class T>
inline constexpr bool holds_struct = Described<T>;
template <class T>
inline constexpr bool holds_struct<std::optional<T>> = Described<T>;
template <class T>
inline constexpr bool holds_struct<std::vector<T>> = Described<T>;

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;

template <class T>
inline constexpr bool is_pair = false;
template <class T>
inline constexpr bool is_pair<std::array<T, 2>> = std::is_arithmetic_v<T>;

template <class T>
concept WholeNumber = std::integral<T> && !std::same_as<T, bool>;

}  // namespace spindrift
