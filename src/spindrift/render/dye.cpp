#include "spindrift/render/dye.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace spindrift::render {

namespace {

/// The eight cells around a place and their shares.
struct Corner {
    Vec3i low{};
    Vec3f share{};
};

Corner corner_of(const DyeGrid& grid, Vec3f place) {
    Corner corner;
    for (int c = 0; c < 3; ++c) {
        const float most = static_cast<float>(std::max(0, grid.size[c] - 2));
        const float at = (place[c] - grid.lo[c]) / grid.cell - 0.5f;
        const float low = std::clamp(std::floor(at), 0.f, most);
        corner.low[c] = static_cast<int>(low);
        corner.share[c] = std::clamp(at - low, 0.f, 1.f);
    }
    return corner;
}

template <class Each>
void for_corners(const DyeGrid& grid, const Corner& corner, const Each& each) {
    for (int i = 0; i < 8; ++i) {
        const std::array<int, 3> step{i & 1, i >> 1 & 1, i >> 2};
        Vec3i p;
        float share = 1;
        for (int c = 0; c < 3; ++c) {
            const int s = step[static_cast<std::size_t>(c)];
            p[c] = std::min(corner.low[c] + s, grid.size[c] - 1);
            share *= s ? corner.share[c] : 1 - corner.share[c];
        }
        each(p, share);
    }
}

/// How often a way is looked at.
int steps_between(Vec3f from, Vec3f to, float cell) {
    constexpr int most_steps = 200;
    const float distance = length(to - from);
    if (!(distance > 0) || !std::isfinite(distance)) return 0;
    return std::clamp(static_cast<int>(std::ceil(distance / cell)), 1, most_steps);
}

float middle_of(int step, int steps) {
    return (static_cast<float>(step) + 0.5f) / static_cast<float>(steps);
}

}  // namespace

DyeGrid dye_grid(const Box3f& box, float cell) {
    constexpr double most_cells = 4e6;
    const Vec3f side = box.hi - box.lo;
    DyeGrid grid{box.lo, cell, {1, 1, 1}};
    const auto count = [&](float width) {
        double cells = 1;
        for (int c = 0; c < 3; ++c)
            cells *= std::max(1.0, std::ceil(static_cast<double>(side[c]) / width));
        return cells;
    };
    while (count(grid.cell) > most_cells)
        grid.cell *= 1.25f;
    for (int c = 0; c < 3; ++c)
        grid.size[c] = std::max(1, static_cast<int>(std::ceil(side[c] / grid.cell)));
    return grid;
}

Dye::Dye(const DyeGrid& grid) : grid_(grid) {
    const std::size_t count = static_cast<std::size_t>(grid.size.x) * static_cast<std::size_t>(grid.size.y) *
                              static_cast<std::size_t>(grid.size.z);
    absorption_.resize(count);
    weight_.resize(count);
    scattering_.resize(count);
}

std::size_t Dye::index(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * static_cast<std::size_t>(grid_.size.y) + static_cast<std::size_t>(y)) *
               static_cast<std::size_t>(grid_.size.x) +
           static_cast<std::size_t>(x);
}

void Dye::add(Vec3f place, Vec3f absorption, float scattering) {
    if (!is_finite(place) || !is_finite(absorption) || !std::isfinite(scattering)) return;
    cloudy_ |= scattering > 0;
    for_corners(grid_, corner_of(grid_, place), [&](Vec3i p, float share) {
        absorption_[index(p.x, p.y, p.z)] += absorption * share;
        scattering_[index(p.x, p.y, p.z)] += scattering * share;
        weight_[index(p.x, p.y, p.z)] += share;
    });
}

void Dye::finish(Vec3f elsewhere) {
    for (std::size_t i = 0; i < absorption_.size(); ++i) {
        const bool empty = weight_[i] <= 0.01f;
        absorption_[i] = empty ? elsewhere : absorption_[i] / weight_[i];
        scattering_[i] = empty ? 0 : scattering_[i] / weight_[i];
    }
}

Dye::Haze Dye::haze_at(Vec3f place) const {
    Haze sum;
    for_corners(grid_, corner_of(grid_, place), [&](Vec3i p, float share) {
        const std::size_t i = index(p.x, p.y, p.z);
        sum.absorbed += absorption_[i] * share;
        sum.scattered += scattering_[i] * share;
    });
    return sum;
}

Vec3f Dye::at(Vec3f place) const {
    Vec3f sum;
    for_corners(grid_, corner_of(grid_, place),
                [&](Vec3i p, float share) { sum += absorption_[index(p.x, p.y, p.z)] * share; });
    return sum;
}

Vec3f Dye::depth(Vec3f from, Vec3f to) const {
    const int steps = steps_between(from, to, grid_.cell);
    Vec3f sum;
    for (int i = 0; i < steps; ++i)
        sum += at(from + (to - from) * middle_of(i, steps));
    return steps == 0 ? Vec3f{} : sum * (length(to - from) / static_cast<float>(steps));
}

Dye::Haze Dye::haze(Vec3f from, Vec3f to) const {
    const int steps = steps_between(from, to, grid_.cell);
    Haze sum;
    for (int i = 0; i < steps; ++i) {
        const Haze here = haze_at(from + (to - from) * middle_of(i, steps));
        sum.absorbed += here.absorbed;
        sum.scattered += here.scattered;
    }
    if (steps == 0) return {};
    const float each = length(to - from) / static_cast<float>(steps);
    return {sum.absorbed * each, sum.scattered * each};
}

Vec3f deep_color(Vec3f absorption, float scattering) {
    Vec3f color;
    for (int c = 0; c < 3; ++c) {
        const float ratio = absorption[c] / std::max(scattering, 1e-6f);
        color[c] = std::max(0.f, 1 + ratio - std::sqrt(ratio * (ratio + 2)));
    }
    return color;
}

Vec3f paint_absorption(Vec3f color) {
    Vec3f absorption;
    for (int c = 0; c < 3; ++c) {
        const float r = std::clamp(color[c], 0.002f, 1.f);
        absorption[c] = (1 - r) * (1 - r) / (2 * r);
    }
    return absorption;
}

}  // namespace spindrift::render
