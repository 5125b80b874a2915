#include "spindrift/render/fog.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace spindrift::render {

namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();

/// Weights of the eight cells around a place, x fastest.
std::array<float, 8> weights(Vec3f t) {
    std::array<float, 8> w;
    for (std::size_t k = 0; k < 8; ++k)
        w[k] = (k & 1 ? t.x : 1 - t.x) * (k & 2 ? t.y : 1 - t.y) * (k & 4 ? t.z : 1 - t.z);
    return w;
}

Vec3i corner(std::size_t k) {
    return {static_cast<int>(k & 1), static_cast<int>(k >> 1 & 1), static_cast<int>(k >> 2)};
}

}  // namespace

Fog::Fog(std::span<const Vec3f> positions, std::span<const float> cross_sections, float cell) : cell_(cell) {
    choose_cells(positions);
    if (size_.x == 0) return;
    extinction_.assign(
        static_cast<std::size_t>(size_.x) * static_cast<std::size_t>(size_.y) * static_cast<std::size_t>(size_.z), 0);
    const float per_volume = 1 / (cell_ * cell_ * cell_);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (!is_finite(positions[i])) continue;
        Vec3f t;
        const Vec3i low = corner_of(positions[i], t);
        const std::array<float, 8> w = weights(t);
        for (std::size_t k = 0; k < 8; ++k)
            extinction_[place_of(low + corner(k))] += w[k] * cross_sections[i] * per_volume;
    }
}

/// All drops, with a cell around them.
void Fog::choose_cells(std::span<const Vec3f> positions) {
    Vec3f lo{infinite, infinite, infinite}, hi = -lo;
    for (const Vec3f& x : positions) {
        if (!is_finite(x)) continue;
        lo = min(lo, x);
        hi = max(hi, x);
    }
    if (!(lo.x <= hi.x)) return;
    constexpr float most = 4e6f;
    const auto cells = [&] {
        const Vec3f n = (hi - lo) / cell_ + Vec3f{4, 4, 4};
        return n.x * n.y * n.z;
    };
    while (cells() > most)
        cell_ *= 1.25f;
    corner_ = lo - Vec3f{1.5f, 1.5f, 1.5f} * cell_;
    for (int a = 0; a < 3; ++a)
        size_[a] = static_cast<int>((hi[a] - lo[a]) / cell_) + 4;
}

Vec3i Fog::corner_of(Vec3f x, Vec3f& t) const {
    const Vec3f p = (x - corner_) / cell_ - Vec3f{0.5f, 0.5f, 0.5f};
    Vec3i low;
    for (int a = 0; a < 3; ++a) {
        low[a] = std::clamp(static_cast<int>(std::floor(p[a])), 0, size_[a] - 2);
        t[a] = std::clamp(p[a] - static_cast<float>(low[a]), 0.f, 1.f);
    }
    return low;
}

float Fog::extinction(Vec3f x) const {
    if (extinction_.empty()) return 0;
    Vec3f t;
    const Vec3i low = corner_of(x, t);
    const std::array<float, 8> w = weights(t);
    float sum = 0;
    for (std::size_t k = 0; k < 8; ++k)
        sum += w[k] * extinction_[place_of(low + corner(k))];
    return sum;
}

Fog::Veil Fog::along(Vec3f from, Vec3f direction, float distance, float jitter) const {
    if (extinction_.empty()) return {};
    // Only the way through the box of cells counts.
    float start = 0, end = distance;
    for (int a = 0; a < 3; ++a) {
        const float lo = corner_[a] + 0.5f * cell_, hi = corner_[a] + (static_cast<float>(size_[a]) - 0.5f) * cell_;
        if (direction[a] == 0) {
            if (from[a] < lo || from[a] > hi) return {};
            continue;
        }
        const float one = (lo - from[a]) / direction[a], other = (hi - from[a]) / direction[a];
        start = std::max(start, std::min(one, other));
        end = std::min(end, std::max(one, other));
    }
    if (!(start < end)) return {};
    const int steps = std::clamp(static_cast<int>((end - start) / cell_), 1, 256);
    const float step = (end - start) / static_cast<float>(steps);
    Veil veil;
    float scattered = 0;
    for (int k = 0; k < steps && veil.left > 0.001f; ++k) {
        const float at = start + (static_cast<float>(k) + jitter) * step;
        const float passes = std::exp(-extinction(from + direction * at) * step), share = veil.left * (1 - passes);
        scattered += share;
        veil.distance += share * at;
        veil.left *= passes;
    }
    if (scattered > 0) veil.distance /= scattered;
    return veil;
}

}  // namespace spindrift::render
