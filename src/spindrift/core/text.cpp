#include "spindrift/core/text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

namespace spindrift {

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substituted = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
        }
    }
    return row[b.size()];
}

}  // namespace

std::string nearest_word(std::string_view typed, const std::vector<std::string>& candidates) {
    // A third of the letters may be wrong: 'visc' should not suggest 'mass'.
    std::size_t best = typed.size() / 3 + 2;
    std::string nearest;
    for (const std::string& candidate : candidates) {
        const bool prefix = typed.size() >= 3 && candidate.starts_with(typed);
        const std::size_t distance = prefix ? 1 : edit_distance(typed, candidate);
        if (distance < best && distance < std::max(typed.size(), candidate.size())) {
            best = distance;
            nearest = candidate;
        }
    }
    return nearest;
}

std::string suggestion(std::string_view typed, const std::vector<std::string>& candidates) {
    const std::string nearest = nearest_word(typed, candidates);
    return nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
}

std::string format_bytes(double bytes) {
    // Limits are where rounding reaches the next unit.
    if (bytes < 999.5) return fmt::format("{:.0f} B", bytes);
    if (bytes < 999.95e3) return fmt::format("{:.1f} kB", bytes * 1e-3);
    if (bytes < 999.95e6) return fmt::format("{:.1f} MB", bytes * 1e-6);
    if (bytes < 999.95e9) return fmt::format("{:.1f} GB", bytes * 1e-9);
    return fmt::format("{:.3g} TB", bytes * 1e-12);
}

std::string format_duration(double seconds) {
    if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
    if (seconds < 59.5) return fmt::format("{:.0f} s", seconds);
    const auto whole = static_cast<long>(std::llround(std::min(seconds, 1e12)));
    if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string format_count(double count) {
    if (count < 999.5) return fmt::format("{:.0f}", count);
    if (count < 999.95e3) return fmt::format("{:.4g} k", count * 1e-3);
    if (count < 999.95e6) return fmt::format("{:.4g} M", count * 1e-6);
    return fmt::format("{:.4g} G", count * 1e-9);
}

std::string sparkline(std::span<const double> values, std::size_t width) {
    static constexpr const char* blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    if (values.empty() || width == 0) return "";
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (double value : values) {
        if (!std::isfinite(value)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    const std::size_t columns = std::min(width, values.size());
    std::string line;
    for (std::size_t c = 0; c < columns; ++c) {
        const double value = values[c * values.size() / columns];
        const double level = high > low && !std::isnan(value) ? (value - low) / (high - low) : 0;
        line += blocks[static_cast<std::size_t>(std::clamp(level * 8, 0.0, 7.0))];
    }
    return line;
}

}  // namespace spindrift
