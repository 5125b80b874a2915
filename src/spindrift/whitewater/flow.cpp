#include "spindrift/whitewater/flow.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "spindrift/core/parallel.h"
#include "spindrift/whitewater/half_space.h"

namespace spindrift::whitewater {

namespace {

using grid::cell_index;
using grid::leaf_cells;
using grid::leaf_width;
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

struct LeafSums {
    std::array<float, leaf_cells> share{}, speed_weight{};
    std::array<Vec3f, leaf_cells> offset{}, v{};
};

/// Adds a particle to the cells of a leaf that it reaches; x is in cells from the leaf's corner.
void add_particle(LeafSums& sums, Vec3f x, Vec3f v, float volume) {
    Vec3i lo, hi;
    for (int a = 0; a < 3; ++a) {
        lo[a] = std::max(0, floor_to_int(x[a] - Flow::reach - 0.5f) + 1);
        hi[a] = std::min(leaf_width - 1, floor_to_int(x[a] + Flow::reach - 0.5f));
    }
    for (int z = lo.z; z <= hi.z; ++z) {
        for (int y = lo.y; y <= hi.y; ++y) {
            const float dy = x.y - static_cast<float>(y) - 0.5f, dz = x.z - static_cast<float>(z) - 0.5f;
            for (int c = lo.x; c <= hi.x; ++c) {
                const float dx = x.x - static_cast<float>(c) - 0.5f;
                const float w = weight(dx * dx + dy * dy + dz * dz) * volume;
                if (!(w > 0)) continue;
                const auto n = static_cast<std::size_t>(cell_index(c, y, z));
                sums.share[n] += w;
                sums.offset[n] += Vec3f{dx, dy, dz} * w;
                sums.speed_weight[n] += w * w;
                sums.v[n] += v * (w * w);
            }
        }
    }
}

}  // namespace

void Flow::make(const Setup& setup) {
    h_ = static_cast<float>(setup.cells->unit());
    origin_ = setup.cells->origin();
    choose_leaves(*setup.cells);
    find_solid_shares(setup.walls);
    flow_.resize(leaves_.size(), {0, 0, 0, far()});
    has_crests_ = setup.crest_length > 0;
    if (has_crests_) mean_.resize(leaves_.size(), {0, 0, 0, 0});
    parallel_for(leaves_.size() - 1, 1, [&](Range range) {
        for (const std::size_t i : range)
            fill_leaf(setup, i + 1);
    });
    if (has_crests_) find_crests(setup.crest_length);
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
            }
        }
    });
}

void Flow::fill_leaf(const Setup& setup, std::size_t leaf) {
    const neighbors::ParticleCells& cells = *setup.cells;
    const Vec3f corner = vec_cast<float>(leaves_.coord(leaf) * leaf_width);
    LeafSums sums;
    for (int of_class = 0; of_class < cells.classes(); ++of_class) {
        const float width = 0.5f * cells.cell(of_class), volume = width * width * width / ball_weight;
        cells.for_runs({corner, corner + Vec3f{8, 8, 8}}, reach, of_class, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i)
                add_particle(sums, cells.x()[i].xyz() - corner, setup.v[cells.source(i)], volume);
        });
    }
    Float4* const flow = flow_.leaf(leaf);
    for (int n = 0; n < leaf_cells; ++n) {
        const auto k = static_cast<std::size_t>(n);
        // Walls around the cell count as being as full as the rest of the ball.
        float closed = 0, sum = 0;
        Vec3f closed_offset;
        Vec3i o;
        for (o.z = -1; o.z <= 1; ++o.z) {
            for (o.y = -1; o.y <= 1; ++o.y) {
                for (o.x = -1; o.x <= 1; ++o.x) {
                    const float w = weight(static_cast<float>(dot(o, o)));
                    const float solid = w * solid_.near(leaves_, leaf, Vec3i{n % 8, n / 8 % 8, n / 64} + o);
                    closed += solid;
                    closed_offset += vec_cast<float>(o) * solid;
                    sum += w;
                }
            }
        }
        closed /= sum;
        const float full = std::min(1.f, sums.share[k] / std::max(0.05f, 1 - closed));
        const float share = std::min(1.f, sums.share[k] + full * closed);
        const Vec3f offset = sums.offset[k] + closed_offset * (full / sum);
        const float mean = share > 0 ? length(offset) / (share * reach) : 1;
        const float phi = share > 1e-4f ? depth_of(share, mean) * far() : far();
        const Vec3f v = sums.speed_weight[k] > 0 ? sums.v[k] / sums.speed_weight[k] : Vec3f{};
        flow[n] = {v.x, v.y, v.z, phi};
        if (has_crests_) mean_.leaf(leaf)[n] = {v.x * share, v.y * share, v.z * share, share};
    }
}

void Flow::smooth(int axis) {
    other_.resize(leaves_.size(), {0, 0, 0, 0});
    Vec3i step{};
    step[axis] = 1;
    parallel_for(leaves_.size() - 1, 1, [&](Range range) {
        for (const std::size_t i : range) {
            const std::size_t leaf = i + 1;
            for (int n = 0; n < leaf_cells; ++n) {
                const Vec3i cell{n % 8, n / 8 % 8, n / 64};
                const Float4 a = mean_.near(leaves_, leaf, cell - step), b = mean_.leaf(leaf)[n],
                             c = mean_.near(leaves_, leaf, cell + step);
                const auto blend = [](float l, float m, float r) { return 0.25f * (l + r) + 0.5f * m; };
                other_.leaf(leaf)[n] = {blend(a.x, b.x, c.x), blend(a.y, b.y, c.y), blend(a.z, b.z, c.z),
                                        blend(a.w, b.w, c.w)};
            }
        }
    });
    mean_.swap(other_);
}

/// Smooths the share of liquid to a standard deviation of half the length, and takes its curvature.
void Flow::find_crests(double length_m) {
    const double wanted = 0.25 * length_m * length_m / (static_cast<double>(h_) * h_), kernel = reach * reach / 11;
    constexpr int most_passes = 64;
    const int passes = std::clamp(static_cast<int>(std::lround(2 * (wanted - kernel))), 1, most_passes);
    for (int pass = 0; pass < passes; ++pass) {
        for (int axis = 0; axis < 3; ++axis)
            smooth(axis);
    }
    const auto slope = [&](std::size_t leaf, Vec3i cell) {
        Vec3f g;
        for (int a = 0; a < 3; ++a) {
            Vec3i step{};
            step[a] = 1;
            g[a] = 0.5f * (mean_.near(leaves_, leaf, cell + step).w - mean_.near(leaves_, leaf, cell - step).w);
        }
        return g;
    };
    crest_.resize(leaves_.size(), {0, 0, 0, 0});
    other_.resize(leaves_.size(), {0, 0, 0, 0});
    // Where the share of liquid hardly changes there is no surface to be bent.
    constexpr float flat = 0.01f;
    parallel_for(leaves_.size() - 1, 1, [&](Range range) {
        for (const std::size_t i : range) {
            for (int n = 0; n < leaf_cells; ++n) {
                const Vec3f g = slope(i + 1, {n % 8, n / 8 % 8, n / 64});
                const float size = length(g);
                const Vec3f out = size > flat ? -g / size : Vec3f{};
                other_.leaf(i + 1)[n] = {out.x, out.y, out.z, size};
            }
        }
    });
    parallel_for(leaves_.size() - 1, 1, [&](Range range) {
        for (const std::size_t i : range) {
            const std::size_t leaf = i + 1;
            for (int n = 0; n < leaf_cells; ++n) {
                const Vec3i cell{n % 8, n / 8 % 8, n / 64};
                float divergence = 0;
                bool known = other_.leaf(leaf)[n].w > flat;
                for (int a = 0; a < 3; ++a) {
                    Vec3i step{};
                    step[a] = 1;
                    const Float4 up = other_.near(leaves_, leaf, cell + step),
                                 down = other_.near(leaves_, leaf, cell - step);
                    known = known && up.w > flat && down.w > flat;
                    divergence += 0.5f * (up.xyz()[a] - down.xyz()[a]);
                }
                const Float4 out = other_.leaf(leaf)[n];
                crest_.leaf(leaf)[n] = {out.x, out.y, out.z, known ? divergence / h_ : 0.f};
            }
        }
    });
}

Flow::Crest Flow::crest_at(Vec3f x) const {
    if (!has_crests_) return {};
    const Vec3f p = x / h_;
    const Vec3i cell{floor_to_int(p.x), floor_to_int(p.y), floor_to_int(p.z)};
    const std::int32_t leaf = leaves_.find({cell.x >> 3, cell.y >> 3, cell.z >> 3});
    if (leaf == 0) return {};
    const int n = cell_index(cell.x & 7, cell.y & 7, cell.z & 7);
    const Float4 crest = crest_.leaf(leaf)[n], mean = mean_.leaf(leaf)[n];
    return {crest.w, crest.xyz(), mean.w > 0 ? mean.xyz() / mean.w : Vec3f{}};
}

bool Flow::corners_at(Vec3f x, Corners& corners) const {
    const Vec3f p = x * (1 / h_) - Vec3f{0.5f, 0.5f, 0.5f};
    constexpr float limit = 1e9f;
    if (!(std::abs(p.x) < limit && std::abs(p.y) < limit && std::abs(p.z) < limit)) return false;
    const Vec3i cell{floor_to_int(p.x), floor_to_int(p.y), floor_to_int(p.z)};
    corners.t = p - vec_cast<float>(cell);
    const std::int32_t leaf = leaves_.find({cell.x >> 3, cell.y >> 3, cell.z >> 3});
    const Vec3i local{cell.x & 7, cell.y & 7, cell.z & 7};
    if (leaf != 0 && local.x < 7 && local.y < 7 && local.z < 7) {
        const Float4* first = flow_.leaf(leaf) + cell_index(local.x, local.y, local.z);
        constexpr std::array<int, 8> places{0, 1, 8, 9, 64, 65, 72, 73};
        for (std::size_t k = 0; k < 8; ++k)
            corners.value[k] = first[places[k]];
        return true;
    }
    bool any = leaf != 0;
    for (std::size_t k = 0; k < 8; ++k) {
        const Vec3i at = cell + Vec3i{static_cast<int>(k & 1), static_cast<int>(k >> 1 & 1), static_cast<int>(k >> 2)};
        const std::int32_t other = leaves_.find({at.x >> 3, at.y >> 3, at.z >> 3});
        corners.value[k] = flow_.leaf(other)[other ? cell_index(at.x & 7, at.y & 7, at.z & 7) : 0];
        any |= other != 0;
    }
    return any;
}

Flow::Sample Flow::at(Vec3f x) const {
    Corners c;
    if (!corners_at(x, c)) return {{}, far()};
    Float4 sum{0, 0, 0, 0};
    for (std::size_t k = 0; k < 8; ++k) {
        const float w = (k & 1 ? c.t.x : 1 - c.t.x) * (k & 2 ? c.t.y : 1 - c.t.y) * (k & 4 ? c.t.z : 1 - c.t.z);
        const Float4& value = c.value[k];
        sum.x += value.x * w, sum.y += value.y * w, sum.z += value.z * w, sum.w += value.w * w;
    }
    return {sum.xyz(), sum.w};
}

Flow::Surface Flow::surface_at(Vec3f x) const {
    Surface out;
    out.phi = far();
    Corners c;
    if (!corners_at(x, c)) return out;
    out.phi = 0;
    for (std::size_t k = 0; k < 8; ++k) {
        const Vec3f w{k & 1 ? c.t.x : 1 - c.t.x, k & 2 ? c.t.y : 1 - c.t.y, k & 4 ? c.t.z : 1 - c.t.z};
        const float phi = c.value[k].w;
        out.v += c.value[k].xyz() * (w.x * w.y * w.z);
        out.phi += phi * (w.x * w.y * w.z);
        out.slope +=
            Vec3f{(k & 1 ? phi : -phi) * w.y * w.z, (k & 2 ? phi : -phi) * w.x * w.z, (k & 4 ? phi : -phi) * w.x * w.y};
    }
    out.slope = out.slope / h_;
    return out;
}

Flow::Sample FlowBetween::at(Vec3f x, float share) const {
    const Flow::Sample a = before.at(x), b = after.at(x);
    const Flow::Sample plain{a.v * (1 - share) + b.v * share, a.phi * (1 - share) + b.phi * share};
    if (dot(plain.v, plain.v) * span * span < 1e-6f * before.h() * before.h()) return plain;
    return at(x, share, plain.v);
}

Flow::Sample FlowBetween::at(Vec3f x, float share, Vec3f v) const {
    const Flow::Sample a = before.at(x - v * (share * span)), b = after.at(x + v * ((1 - share) * span));
    return {a.v * (1 - share) + b.v * share, a.phi * (1 - share) + b.phi * share};
}

Flow::Surface FlowBetween::surface_at(Vec3f x, float share, Vec3f v) const {
    const Flow::Surface a = before.surface_at(x - v * (share * span)),
                        b = after.surface_at(x + v * ((1 - share) * span));
    Flow::Surface out;
    out.v = a.v * (1 - share) + b.v * share;
    out.phi = a.phi * (1 - share) + b.phi * share;
    out.slope = a.slope * (1 - share) + b.slope * share;
    return out;
}

}  // namespace spindrift::whitewater
