#include "spindrift/whitewater/flow.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "spindrift/core/parallel.h"
#include "spindrift/whitewater/four.h"
#include "spindrift/whitewater/half_space.h"

namespace spindrift::whitewater {

namespace {

using grid::cell_index;
using grid::leaf_cells;
using grid::leaf_width;
/// Cells of a leaf with its seam along an axis.
constexpr int seamed = leaf_width + 1;
constexpr std::size_t seamed_cells = seamed * seamed * seamed;
using neighbors::floor_to_int;

/// Integral of the weight over the ball, in cells cubed.
constexpr float ball_weight = 0.63832f * Flow::reach * Flow::reach * Flow::reach;

/// Leaves with fewer particles are spray: it flies through the air, and needs no field.
constexpr std::uint32_t least_particles = 16;

float weight(float squared_distance) {
    const float q = 1 - squared_distance * (1 / (Flow::reach * Flow::reach));
    return q > 0 ? q * q * q : 0.f;
}

/// Depth of a place in units of the ball's radius, positive outside.
float depth_of(float share, float mean) {
    static const HalfSpaceTable by_share(half_space_share), by_mean(half_space_mean);
    // A sheet of one layer is a quarter of a ball's radius less deep than a half-space of the same share.
    constexpr float sheet = 0.25f;
    return std::max(by_mean(mean), by_share(share) - sheet);
}

/// Sums over particles for the cells of a leaf. Rows have room on both sides for four cells at once.
class LeafSums {
  public:
    LeafSums() : rows_(grid::leaf_rows) {}

    /// Adds a particle to the cells that it reaches; x is in cells from the leaf's corner.
    void add(Vec3f x, Float4 v, float volume) {
        const int left = floor_to_int(x.x - Flow::reach - 0.5f) + 1;
        if (left <= -room || left >= leaf_width) return;
        const int y0 = lowest(x.y), y1 = highest(x.y), z0 = lowest(x.z), z1 = highest(x.z);
        constexpr Four steps{0, 1, 2, 3};
        const Four dx = x.x - 0.5f - static_cast<float>(left) - steps;
        for (int z = z0; z <= z1; ++z) {
            const float dz = x.z - static_cast<float>(z) - 0.5f;
            for (int y = y0; y <= y1; ++y) {
                const float dy = x.y - static_cast<float>(y) - 0.5f, beside = dy * dy + dz * dz;
                if (beside >= Flow::reach * Flow::reach) continue;
                Four q = 1 - (dx * dx + beside) * (1 / (Flow::reach * Flow::reach));
                q = q > 0 ? q : Four{};
                const Four w = q * q * q * volume, squared = w * w;
                float* const at = rows_[static_cast<std::size_t>(z * leaf_width + y)].data() + room + left;
                const Four terms[] = {w, dx * w, dy * w, dz * w, squared, squared * v.x, squared * v.y, squared * v.z};
                for (int k = 0; k < quantities; ++k)
                    *reinterpret_cast<Loose*>(at + k * row_width) += terms[k];
            }
        }
    }

    struct Cell {
        float share;
        Vec3f offset, v;
    };
    Cell cell(int n) const {
        const float* at = rows_[static_cast<std::size_t>(n / leaf_width)].data() + room + n % leaf_width;
        const float per_weight = at[4 * row_width] > 0 ? 1 / at[4 * row_width] : 0.f;
        return {at[0],
                {at[row_width], at[2 * row_width], at[3 * row_width]},
                Vec3f{at[5 * row_width], at[6 * row_width], at[7 * row_width]} * per_weight};
    }

  private:
    static constexpr int quantities = 8, room = 4, row_width = leaf_width + 2 * room;
    /// Four floats that begin anywhere.
    using Loose [[gnu::vector_size(16), gnu::aligned(4), gnu::may_alias]] = float;

    static int lowest(float x) { return std::max(0, floor_to_int(x - Flow::reach - 0.5f) + 1); }
    static int highest(float x) { return std::min(leaf_width - 1, floor_to_int(x + Flow::reach - 0.5f)); }

    std::vector<std::array<float, quantities * row_width>> rows_;
};

/// Walls around a cell: what share of its ball they take, and where.
struct Closed {
    float share = 0;
    Vec3f offset{};
};

Closed closed_around(const grid::LeafSet& leaves, const grid::Field<float>& solid, std::size_t leaf, int n) {
    Closed closed;
    float sum = 0;
    Vec3i o;
    for (o.z = -1; o.z <= 1; ++o.z) {
        for (o.y = -1; o.y <= 1; ++o.y) {
            for (o.x = -1; o.x <= 1; ++o.x) {
                const float w = weight(static_cast<float>(dot(o, o)));
                const float share = w * solid.near(leaves, leaf, Vec3i{n % 8, n / 8 % 8, n / 64} + o);
                closed.share += share;
                closed.offset += vec_cast<float>(o) * share;
                sum += w;
            }
        }
    }
    return {closed.share / sum, closed.offset / sum};
}

}  // namespace

void Flow::make(const Setup& setup) {
    h_ = static_cast<float>(setup.cells->unit());
    per_h_ = 1 / h_;
    origin_ = setup.cells->origin();
    take_velocities(setup);
    choose_leaves(*setup.cells);
    find_solid_shares(setup.walls);
    flow_.renew(leaves_.size() * seamed_cells);
    std::fill(flow_.data(), flow_.data() + seamed_cells, Float4{0, 0, 0, far()});
    has_crests_ = setup.crest_length > 0;
    if (has_crests_) crests_.begin(leaves_.size());
    parallel_for(leaves_.size() - 1, 1, [&](Range range) {
        for (const std::size_t i : range)
            fill_leaf(*setup.cells, i + 1);
    });
    close_seams();
    if (has_crests_) crests_.make(leaves_, {.h = h_, .length = setup.crest_length, .had = reach * reach / 11});
}

void Flow::take_velocities(const Setup& setup) {
    const neighbors::ParticleCells& cells = *setup.cells;
    v_.renew(cells.size());
    parallel_for(cells.size(), [&](Range range) {
        for (const std::size_t i : range) {
            const Vec3f v = setup.v[cells.source(i)];
            v_[i] = {v.x, v.y, v.z, 0};
        }
    });
}

/// All leaves that a particle of a leaf which is not spray reaches into.
void Flow::choose_leaves(const neighbors::ParticleCells& cells) {
    std::vector<Vec3i> coords;
    for (const neighbors::Leaf& leaf : cells.grid().leaves()) {
        if (leaf.count < least_particles) continue;
        Vec3f lo = cells.x()[leaf.first].xyz(), hi = lo;
        for (std::size_t i = leaf.first; i < leaf.first + leaf.count; ++i) {
            lo = min(lo, cells.x()[i].xyz());
            hi = max(hi, cells.x()[i].xyz());
        }
        constexpr float margin = reach + 1;
        Vec3i from, to, at;
        for (int a = 0; a < 3; ++a) {
            from[a] = floor_to_int(lo[a] - margin) >> 3;
            to[a] = floor_to_int(hi[a] + margin) >> 3;
        }
        for (at.z = from.z; at.z <= to.z; ++at.z) {
            for (at.y = from.y; at.y <= to.y; ++at.y) {
                for (at.x = from.x; at.x <= to.x; ++at.x)
                    coords.push_back(at);
            }
        }
    }
    leaves_.assign(coords);
}

void Flow::find_solid_shares(const collision::Walls* walls) {
    solid_.resize(leaves_.size(), 0);
    has_solid_.assign(leaves_.size(), 0);
    parallel_for(leaves_.size() - 1, 1, [&](Range range) {
        for (const std::size_t i : range) {
            const std::size_t leaf = i + 1;
            float* const solid = solid_.leaf(leaf);
            std::fill(solid, solid + leaf_cells, 0.f);
            const Vec3f corner = vec_cast<float>(leaves_.coord(leaf) * leaf_width);
            if (!walls || !walls->near(corner, corner + Vec3f{8, 8, 8}, 0.5f)) continue;
            for (int n = 0; n < leaf_cells; ++n) {
                const Vec3f middle =
                    corner + vec_cast<float>(Vec3i{n % 8, n / 8 % 8, n / 64}) + Vec3f{0.5f, 0.5f, 0.5f};
                solid[n] = std::clamp(0.5f - walls->nearest(middle).distance, 0.f, 1.f);
                has_solid_[leaf] |= solid[n] > 0;
            }
        }
    });
}

void Flow::fill_leaf(const neighbors::ParticleCells& cells, std::size_t leaf) {
    const Vec3f corner = vec_cast<float>(leaves_.coord(leaf) * leaf_width);
    LeafSums sums;
    for (int of_class = 0; of_class < cells.classes(); ++of_class) {
        const float width = 0.5f * cells.cell(of_class), volume = width * width * width / ball_weight;
        cells.for_runs({corner, corner + Vec3f{8, 8, 8}}, reach, of_class, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i)
                sums.add(cells.x()[i].xyz() - corner, v_[i], volume);
        });
    }
    const std::int32_t* const around = leaves_.neighbors(leaf);
    const bool has_walls = std::any_of(around, around + 27,
                                       [&](std::int32_t other) { return has_solid_[static_cast<std::size_t>(other)]; });
    Float4* const flow = flow_.data() + leaf * seamed_cells;
    for (int n = 0; n < leaf_cells; ++n) {
        const LeafSums::Cell cell = sums.cell(n);
        // Walls around the cell count as being as full as the rest of the ball.
        const Closed closed = has_walls ? closed_around(leaves_, solid_, leaf, n) : Closed{};
        const float full = std::min(1.f, cell.share / std::max(0.05f, 1 - closed.share));
        const float share = std::min(1.f, cell.share + full * closed.share);
        const Vec3f offset = cell.offset + closed.offset * full;
        const float mean = share > 0 ? length(offset) / (share * reach) : 1;
        const float phi = share > 1e-4f ? depth_of(share, mean) * far() : far();
        flow[((n / 64) * seamed + n / 8 % 8) * seamed + n % 8] = {cell.v.x, cell.v.y, cell.v.z, phi};
        if (has_crests_) crests_.mean(leaf)[n] = {cell.v.x * share, cell.v.y * share, cell.v.z * share, share};
    }
}

/// Gives each leaf the first cells of those behind it, so that who is between the two needs to look at one only.
void Flow::close_seams() {
    parallel_for(leaves_.size() - 1, 16, [&](Range range) {
        for (const std::size_t i : range) {
            const std::size_t leaf = i + 1;
            Float4* const own = flow_.data() + leaf * seamed_cells;
            for (int z = 0; z < seamed; ++z) {
                for (int y = 0; y < seamed; ++y) {
                    const bool is_seam = z == leaf_width || y == leaf_width;
                    for (int x = is_seam ? 0 : leaf_width; x < seamed; ++x) {
                        const int beyond = grid::neighbor_index(x >> 3, y >> 3, z >> 3);
                        const auto other = static_cast<std::size_t>(leaves_.neighbors(leaf)[beyond]);
                        own[(z * seamed + y) * seamed + x] =
                            flow_[other * seamed_cells +
                                  static_cast<std::size_t>(((z & 7) * seamed + (y & 7)) * seamed + (x & 7))];
                    }
                }
            }
        }
    });
}

}  // namespace spindrift::whitewater
