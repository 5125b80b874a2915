#pragma once
// Round numbers for colour bars and scale bars, and how they are written.
//
//   Ticks ticks = round_ticks({0, 3.7}, 6);      // values 0, 1, 2, 3
//   RoundLength bar = round_length(0.27);        // 0.2 m, "20 cm"

#include <array>
#include <string>
#include <vector>

namespace spindrift::render {

struct Ticks {
    std::vector<double> values;       ///< ascending, within the range
    std::vector<std::string> labels;  ///< one for each value, with a minus sign of its own, divided by the factor
    std::string factor;               ///< such as "×10⁻⁶"; empty for 1
};

/// Up to `most` multiples of 1, 2, 5 or, rarely, 2.5 times a power of ten; at least three if six are allowed. A range
/// that is empty has its one value, one that is not finite none.
Ticks round_ticks(const std::array<double, 2>& range, int most);

/// A length, and how it is written with the unit that suits it.
struct RoundLength {
    double metres;
    std::string text;
};

/// The longest of 1, 2 or 5 times a power of ten metres that is not above `longest`, which is above zero.
RoundLength round_length(double longest);

/// The largest of 1, 2 or 5 times a power of ten that is not above the value, which is above zero.
double round_below(double value);

/// "^2" and "^-1" as raised digits: m² for m^2.
std::string raise_powers(const std::string& unit);

}  // namespace spindrift::render
