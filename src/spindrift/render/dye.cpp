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
}

std::size_t Dye::index(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * static_cast<std::size_t>(grid_.size.y) + static_cast<std::size_t>(y)) *
               static_cast<std::size_t>(grid_.size.x) +
           static_cast<std::size_t>(x);
}

void Dye::add(Vec3f place, Vec3f absorption) {
    if (!is_finite(place) || !is_finite(absorption)) return;
    for_corners(grid_, corner_of(grid_, place), [&](Vec3i p, float share) {
        absorption_[index(p.x, p.y, p.z)] += absorption * share;
        weight_[index(p.x, p.y, p.z)] += share;
    });
}

void Dye::finish(Vec3f elsewhere) {
    for (std::size_t i = 0; i < absorption_.size(); ++i)
        absorption_[i] = weight_[i] > 0.01f ? absorption_[i] / weight_[i] : elsewhere;
}

Vec3f Dye::at(Vec3f place) const {
    Vec3f sum;
    for_corners(grid_, corner_of(grid_, place),
                [&](Vec3i p, float share) { sum += absorption_[index(p.x, p.y, p.z)] * share; });
    return sum;
}

Vec3f Dye::depth(Vec3f from, Vec3f to) const {
    const Vec3f way = to - from;
    const float distance = length(way);
    if (!(distance > 0) || !std::isfinite(distance)) return {};
    constexpr int most_steps = 200;
    const int steps = std::clamp(static_cast<int>(std::ceil(distance / grid_.cell)), 1, most_steps);
    Vec3f sum;
    for (int i = 0; i < steps; ++i)
        sum += at(from + way * ((static_cast<float>(i) + 0.5f) / static_cast<float>(steps)));
    return sum * (distance / static_cast<float>(steps));
}

}  // namespace spindrift::render
