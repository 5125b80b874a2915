#include "spindrift/whitewater/crests.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "spindrift/core/parallel.h"
#include "spindrift/whitewater/four.h"

namespace spindrift::whitewater {

namespace {

using grid::cell_index;
using grid::leaf_cells;
using grid::leaf_width;

/// How far a leaf and the one on each side know enough.
constexpr int most_at_once = leaf_width;

/// Passes of smoothing that look so many cells aside. Each adds half of the square to the variance.
struct Passes {
    int count, apart;
};

/// What takes least work for so much variance, and looks at most half as far aside as the values are smooth already.
Passes next_passes(double variance, double had) {
    int apart = 1;
    while (apart < most_at_once / 2 && had >= 2 * apart * 2 * apart && variance > 2 * apart * 2 * apart)
        apart *= 2;
    const double each = 0.5 * apart * apart, until = 4.0 * apart * apart;
    const bool may_grow = apart < most_at_once / 2 && had < until && variance > until;
    const double wanted = may_grow ? std::ceil((until - had) / each) : std::round(variance / each);
    return {std::clamp(static_cast<int>(wanted), 1, most_at_once / apart), apart};
}

/// Where the share of liquid hardly changes there is no surface to be bent.
constexpr float flat = 0.01f;

/// Smooths the middle eight of three leaves' values by (1, 2, 1) / 4, so many times.
void smooth_line(Four* line, Passes passes) {
    const int apart = passes.apart;
    Four from[3 * leaf_width];
    for (int left = apart; passes.count > 0; --passes.count, left += apart) {
        std::copy(line, line + 3 * leaf_width, from);
        for (int i = left; i < 3 * leaf_width - left; ++i)
            line[i] = (from[i - apart] + from[i + apart]) * 0.25f + from[i] * 0.5f;
    }
}

/// The shares of a leaf and of two cells around it.
struct Block {
    static constexpr int width = leaf_width + 4;
    std::array<float, width * width * width> share{};

    Block(const grid::LeafSet& leaves, const grid::Field<Float4>& mean, std::size_t leaf) {
        float* out = share.data();
        for (int z = -2; z < leaf_width + 2; ++z) {
            for (int y = -2; y < leaf_width + 2; ++y) {
                const std::int32_t* const row = leaves.neighbors(leaf) + grid::neighbor_index(-1, y >> 3, z >> 3);
                const int first = cell_index(0, y & 7, z & 7);
                for (int x = -2; x < leaf_width + 2; ++x)
                    *out++ = mean.leaf(row[(x >> 3) + 1])[first + (x & 7)].w;
            }
        }
    }
    /// Coordinates from -1 to 8.
    Vec3f slope(int x, int y, int z) const {
        const float* at = share.data() + ((z + 2) * width + y + 2) * width + x + 2;
        return {0.5f * (at[1] - at[-1]), 0.5f * (at[width] - at[-width]),
                0.5f * (at[width * width] - at[-width * width])};
    }
};

}  // namespace

void Crests::begin(std::size_t leaves) {
    mean_.resize(leaves, {0, 0, 0, 0});
}

void Crests::make(const grid::LeafSet& leaves, const Smoothing& smoothing) {
    const double cells = smoothing.length / static_cast<double>(smoothing.h), wanted = 0.25 * cells * cells;
    double had = smoothing.had;
    do {
        const Passes passes = next_passes(wanted - had, had);
        for (int axis = 0; axis < 3; ++axis)
            smooth(leaves, axis, passes.count, passes.apart);
        had += 0.5 * passes.count * passes.apart * passes.apart;
    } while (wanted - had >= 0.25);
    crest_.resize(leaves.size(), {0, 0, 0, 0});
    parallel_for(leaves.size() - 1, 1, [&](Range range) {
        for (const std::size_t i : range)
            bend(leaves, i + 1, smoothing.h);
    });
}

void Crests::smooth(const grid::LeafSet& leaves, int axis, int passes, int aside) {
    other_.resize(leaves.size(), {0, 0, 0, 0});
    constexpr std::array<int, 3> strides{1, leaf_width, leaf_width * leaf_width}, apart{1, 3, 9};
    const auto a = static_cast<std::size_t>(axis);
    parallel_for(leaves.size() - 1, 1, [&](Range range) {
        for (const std::size_t i : range) {
            const std::size_t leaf = i + 1;
            const std::int32_t* const around = leaves.neighbors(leaf) + 13;
            for (int line = 0; line < grid::leaf_rows; ++line) {
                const int first = line % leaf_width * strides[(a + 1) % 3] + line / leaf_width * strides[(a + 2) % 3];
                Four values[3 * leaf_width];
                for (int k = 0; k < 3 * leaf_width; ++k) {
                    const Float4* const from = mean_.leaf(around[(k / leaf_width - 1) * apart[a]]);
                    values[k] = load(from[first + k % leaf_width * strides[a]]);
                }
                smooth_line(values, {passes, aside});
                for (int k = 0; k < leaf_width; ++k)
                    store(other_.leaf(leaf)[first + k * strides[a]], values[leaf_width + k]);
            }
        }
    });
    mean_.swap(other_);
}

/// Normals and curvatures of a leaf.
void Crests::bend(const grid::LeafSet& leaves, std::size_t leaf, float h) {
    const Block block(leaves, mean_, leaf);
    constexpr int width = leaf_width + 2;
    std::array<Float4, width * width * width> normals;
    Float4* out = normals.data();
    for (int z = -1; z <= leaf_width; ++z) {
        for (int y = -1; y <= leaf_width; ++y) {
            for (int x = -1; x <= leaf_width; ++x) {
                const Vec3f g = block.slope(x, y, z);
                const float squared = dot(g, g);
                if (squared > flat * flat) {
                    const float size = std::sqrt(squared);
                    *out++ = {-g.x / size, -g.y / size, -g.z / size, size};
                } else {
                    *out++ = {0, 0, 0, 0};
                }
            }
        }
    }
    for (int n = 0; n < leaf_cells; ++n) {
        const Float4* at = normals.data() + ((n / 64 + 1) * width + n / 8 % 8 + 1) * width + n % 8 + 1;
        constexpr int up = width, on = width * width;
        const bool known = at[0].w > 0 && at[1].w > 0 && at[-1].w > 0 && at[up].w > 0 && at[-up].w > 0 &&
                           at[on].w > 0 && at[-on].w > 0;
        const float divergence = 0.5f * (at[1].x - at[-1].x + at[up].y - at[-up].y + at[on].z - at[-on].z);
        crest_.leaf(leaf)[n] = {at[0].x, at[0].y, at[0].z, known ? divergence / h : 0.f};
    }
}

Crests::Crest Crests::at(std::size_t leaf, int cell) const {
    const Float4 crest = crest_.leaf(leaf)[cell], mean = mean_.leaf(leaf)[cell];
    return {crest.w, crest.xyz(), mean.w > 0 ? mean.xyz() / mean.w : Vec3f{}, mean.w};
}

}  // namespace spindrift::whitewater
