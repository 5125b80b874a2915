#include "spindrift/render/annotate/ticks.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace spindrift::render {

namespace {

/// Room for rounding where a tick falls on the end of a range.
constexpr double slack = 1e-9;

constexpr std::array<const char*, 10> raised_digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};

std::string raised(char c) {
    return c == '-' ? "⁻" : raised_digits[static_cast<std::size_t>(c - '0')];
}

std::string raised_number(int number) {
    std::string text;
    for (const char c : std::to_string(number))
        text += raised(c);
    return text;
}

/// Of a value above zero.
double power_of_ten(double value) {
    return std::pow(10, std::floor(std::log10(value) + slack));
}

/// The first digit of 1, 2 or 5 times a power of ten.
int first_digit(double step) {
    return static_cast<int>(std::lround(step / power_of_ten(step)));
}

/// The next of 1, 2, 5, 10, 20 ...
double next_step(double step) {
    const int digit = first_digit(step);
    return (digit < 2 ? 2 : digit < 5 ? 5 : 10) * power_of_ten(step);
}

struct Multiples {
    double first, last;
    double count() const { return last - first + 1; }
};

Multiples multiples_within(const std::array<double, 2>& range, double step) {
    return {std::ceil(range[0] / step - slack), std::floor(range[1] / step + slack)};
}

struct Step {
    double size;
    int digits;
};

/// The least of 1, 2 and 5 times a power of ten with few enough multiples, or 2.5 where 5 leaves less than three.
Step choose_step(const std::array<double, 2>& range, int most) {
    double step = round_below((range[1] - range[0]) / most);
    while (multiples_within(range, step).count() > most)
        step = next_step(step);
    constexpr int fewest = 3;
    const bool too_few = first_digit(step) == 5 && multiples_within(range, step).count() < fewest;
    if (too_few && multiples_within(range, 0.5 * step).count() <= most) return {0.5 * step, 2};
    return {step, 1};
}

/// Power of ten by which large and small numbers are divided; 0 for those that are easily read.
int common_exponent(const std::array<double, 2>& range) {
    const double largest = std::max(std::abs(range[0]), std::abs(range[1]));
    if (largest == 0 || (largest < 1e5 && largest >= 0.01)) return 0;
    // Powers in threes have names: milli, micro, mega.
    return 3 * static_cast<int>(std::floor((std::log10(largest) + slack) / 3));
}

std::string format_number(double value, int decimals) {
    const std::string digits = fmt::format("{:.{}f}", std::abs(value), decimals);
    const bool is_zero = digits.find_first_not_of("0.") == std::string::npos;
    return value < 0 && !is_zero ? "−" + digits : digits;
}

Ticks single_tick(double value) {
    std::string text = fmt::format("{:.4g}", std::abs(value));
    return {{value}, {value < 0 ? "−" + text : text}, {}};
}

}  // namespace

double round_below(double value) {
    const double power = power_of_ten(value), digit = value / power * (1 + slack);
    return (digit < 2 ? 1 : digit < 5 ? 2 : 5) * power;
}

Ticks round_ticks(const std::array<double, 2>& range, int most) {
    const double width = range[1] - range[0];
    if (!std::isfinite(width) || width < 0) return {};
    const double largest = std::max(std::abs(range[0]), std::abs(range[1]));
    // Narrower ranges have no digits left to tell their values apart.
    if (width <= 1e-6 * largest || width < 1e-300) return single_tick(range[0]);

    const auto [step, digits] = choose_step(range, most);
    const int exponent = common_exponent(range);
    const double unit = std::pow(10, exponent);
    const int decimals = std::max(0, digits - 1 - static_cast<int>(std::floor(std::log10(step / unit) + slack)));
    Ticks ticks;
    if (exponent != 0) ticks.factor = "×10" + raised_number(exponent);
    const auto [first, last] = multiples_within(range, step);
    for (double i = first; i <= last; ++i) {
        ticks.values.push_back(std::clamp(i * step, range[0], range[1]));
        ticks.labels.push_back(format_number(i * step / unit, decimals));
    }
    return ticks;
}

RoundLength round_length(double longest) {
    struct Unit {
        double metres;
        const char* name;
    };
    static constexpr Unit units[] = {{1e3, "km"}, {1, "m"}, {1e-2, "cm"}, {1e-3, "mm"}, {1e-6, "µm"}};
    const double metres = round_below(longest);
    const auto* unit = std::find_if(std::begin(units), std::end(units) - 1,
                                    [&](const Unit& each) { return metres >= each.metres * (1 - slack); });
    return {metres, fmt::format("{:.6g} {}", metres / unit->metres, unit->name)};
}

std::string raise_powers(const std::string& unit) {
    std::string text;
    const auto is_digit = [&](std::size_t i) {
        return i < unit.size() && std::isdigit(static_cast<unsigned char>(unit[i]));
    };
    for (std::size_t i = 0; i < unit.size(); ++i) {
        const bool has_sign = i + 1 < unit.size() && unit[i + 1] == '-';
        if (unit[i] != '^' || !is_digit(i + (has_sign ? 2 : 1))) {
            text += unit[i];
            continue;
        }
        if (has_sign) text += raised(unit[++i]);
        while (is_digit(i + 1))
            text += raised(unit[++i]);
    }
    return text;
}

}  // namespace spindrift::render
