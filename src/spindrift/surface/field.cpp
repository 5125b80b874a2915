#include "spindrift/surface/field.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "spindrift/core/parallel.h"
#include "spindrift/surface/band.h"
#include "spindrift/surface/calibrate.h"
#include "spindrift/surface/field_kernels.h"
#include "spindrift/surface/wall_clip.h"
#include "spindrift/surface/weights.h"

namespace spindrift::surface {

namespace {

/// Sums below this say nothing about a centre.
constexpr float least_weight = 1e-6f;

/// A point with no particle within this share of the reach is outside: 1.8 spacings at the default reach, beyond what
/// a stretched sheet needs to stay closed.
constexpr float cutoff = 0.65f;

/// Steps of a stored centre in a reach.
constexpr float centre_steps = 32767;

struct Centre {
    std::int16_t x, y, z;
};

/// Where point k of a block lies in its leaf.
int point_of(int block, int k) {
    return point_index(block_corner(block) + Vec3i{k & 3, k >> 2 & 1, k >> 3});
}

/// What a thread needs while it evaluates leaves.
struct Scratch {
    std::vector<Run> runs;
    std::vector<float> list, parted, narrowed;
    std::vector<std::uint32_t> index, indices;
    std::vector<std::uint32_t> starts;
    std::vector<std::array<BlockSums, leaf_blocks>> sums;  ///< one for each class

    static NearList in(std::vector<float>& floats, std::size_t room, std::uint32_t* index) {
        if (floats.size() < 4 * room) floats.resize(4 * room);
        float* first = floats.data();
        return {first, first + room, first + 2 * room, first + 3 * room, index, 0};
    }
};

class Evaluation {
  public:
    explicit Evaluation(const FieldInput& input)
        : cells_(input.cells),
          params_(input.params),
          labels_(input.labels),
          walls_(input.walls),
          kernels_(field_kernels()),
          band_(find_band(input.cells, input.voxel, input.labels)),
          lattice_(band_.lattice) {
        const double level = flat_level(params_.function, params_.reach(), params_.offset);
        for (int c = 0; c < cells_.classes(); ++c) {
            const double spacing = cells_.spacing(c) / cells_.unit();
            reach_.push_back(static_cast<float>(params_.reach() * spacing));
            level_.push_back(static_cast<float>(level * spacing));
        }
        iso_ = static_cast<float>(level);
        bulk_lead_ = static_cast<float>(lattice_sum(params_.reach(), true) / lattice_sum(params_.reach(), false));
        unit_ = static_cast<float>(cells_.unit());
    }

    Lattice run() {
        const std::size_t points = leaf_points * lattice_.leaves.size();
        lattice_.phi.resize(points);
        if (labels_) lattice_.lead.resize(points);
        if (is_normalized()) {
            inverse_ = inverse_weights(cells_, reach_, lattice_);
            w_.resize(points);
            centre_.resize(points);
        }
        for_leaves([&](std::size_t leaf, Scratch& scratch) { evaluate_leaf(leaf, scratch); });
        if (is_normalized()) for_leaves([&](std::size_t leaf, Scratch&) { finish_leaf(leaf); });
        if (walls_) for_leaves([&](std::size_t leaf, Scratch&) { clip_leaf(leaf); });
        if (labels_) for_leaves([&](std::size_t leaf, Scratch&) { part_from_air(leaf); });
        return std::move(lattice_);
    }

  private:
    bool is_normalized() const { return params_.function == Function::normalized; }

    template <class F>
    void for_leaves(const F& f) {
        parallel_for(lattice_.leaves.size(), 16, [&](Range range) {
            Scratch scratch;
            for (const std::size_t leaf : range)
                f(leaf, scratch);
        });
    }

    bool inside(std::size_t leaf, int point) const {
        return band_.inside[8 * leaf + static_cast<std::size_t>(point >> 6)] >> (point & 63) & 1;
    }

    void fill(std::size_t leaf) {
        const float far = reach_.front() * unit_;
        for (int i = 0; i < static_cast<int>(leaf_points); ++i) {
            const std::size_t at = leaf_points * leaf + static_cast<std::size_t>(i);
            const bool in = inside(leaf, i);
            lattice_.phi[at] = in ? -far : far;
            if (labels_) lattice_.lead[at] = bulk_lead_;
            if (!is_normalized()) continue;
            w_[at] = in ? 1 : 0;
            centre_[at] = {};
        }
    }

    void evaluate_leaf(std::size_t leaf, Scratch& scratch) {
        fill(leaf);
        if (!band_.blocks[leaf]) return;
        scratch.sums.resize(static_cast<std::size_t>(cells_.classes()));
        std::uint32_t near = 0;
        for (int c = 0; c < cells_.classes(); ++c) {
            for (BlockSums& sums : scratch.sums[static_cast<std::size_t>(c)])
                std::fill(std::begin(sums.w), std::end(sums.w), 0.f);
            const NearList list = gather(leaf, c, scratch);
            const Terms terms = params_.function == Function::color_field ? Terms::weight : Terms::centroid;
            near |= sum(terms, list, c, band_.blocks[leaf], cutoff, scratch,
                        scratch.sums[static_cast<std::size_t>(c)].data());
            if (labels_) find_labels(leaf, list, c, scratch);
        }
        for (std::uint32_t left = band_.blocks[leaf]; left; left &= left - 1) {
            const int block = std::countr_zero(left);
            if (near >> block & 1)
                finish_block(leaf, block, scratch);
            else
                clear_block(leaf, block);
        }
    }

    /// Nothing is near: air.
    void clear_block(std::size_t leaf, int block) {
        for (int k = 0; k < 16; ++k) {
            const std::size_t at = leaf_points * leaf + static_cast<std::size_t>(point_of(block, k));
            lattice_.phi[at] = reach_.front() * unit_;
            if (is_normalized()) w_[at] = 0;
        }
    }

    NearList gather(std::size_t leaf, int c, Scratch& scratch) const {
        const float r = reach_[static_cast<std::size_t>(c)];
        const Box3f box = leaf_box(cells_, lattice_, leaf);
        scratch.runs.clear();
        std::size_t total = 0;
        cells_.for_runs({box.lo - Vec3f{r, r, r}, box.hi + Vec3f{r, r, r}}, c, [&](std::size_t a, std::size_t b) {
            scratch.runs.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)});
            total += b - a;
        });
        const std::size_t room = total + 16;
        if (scratch.index.size() < room) scratch.index.resize(room);
        NearList list = Scratch::in(scratch.list, room, scratch.index.data());
        const GatherInput input{.runs = scratch.runs.data(),
                                .run_count = static_cast<std::uint32_t>(scratch.runs.size()),
                                .x = cells_.x(),
                                .weight = is_normalized() ? inverse_.data() : nullptr,
                                .corner = {box.lo.x, box.lo.y, box.lo.z},
                                .scale = 1 / r,
                                .width = (box.hi.x - box.lo.x) / r};
        kernels_.gather(input, list);
        return list;
    }

    std::uint32_t sum(Terms terms, const NearList& list, int c, std::uint32_t blocks, float near, Scratch& scratch,
                      BlockSums* out) const {
        const std::size_t room = list.count + 16;
        if (scratch.indices.size() < room) scratch.indices.resize(room);
        const NearList narrowed = Scratch::in(scratch.narrowed, room, nullptr);
        const double step = lattice_.voxel / (cells_.unit() * reach_[static_cast<std::size_t>(c)]);
        const SumInput input{.list = list, .step = static_cast<float>(step), .cutoff = near, .blocks = blocks};
        return kernels_.sum(terms, input, narrowed.x, scratch.indices.data(), out);
    }

    /// All classes together at the points of a block.
    struct Total {
        float w = 0, level = 0;
        Vec3f way{};  ///< to the centre, in units
    };
    Total total(const Scratch& scratch, int block, int k) const {
        Total sum;
        for (std::size_t c = 0; c < scratch.sums.size(); ++c) {
            const BlockSums& part = scratch.sums[c][static_cast<std::size_t>(block)];
            if (part.w[k] == 0) continue;
            sum.w += part.w[k];
            sum.level += part.w[k] * level_[c];
            sum.way += Vec3f{part.x[k], part.y[k], part.z[k]} * reach_[c];
        }
        if (sum.w < least_weight) return {};
        sum.level /= sum.w;
        sum.way = sum.way / sum.w;
        return sum;
    }

    void finish_block(std::size_t leaf, int block, const Scratch& scratch) {
        const float per_step = centre_steps / reach_.front(), far = reach_.front() * unit_;
        for (int k = 0; k < 16; ++k) {
            const std::size_t at = leaf_points * leaf + static_cast<std::size_t>(point_of(block, k));
            if (params_.function == Function::color_field) {
                float w = 0;
                for (std::size_t c = 0; c < scratch.sums.size(); ++c)
                    w += scratch.sums[c][static_cast<std::size_t>(block)].w[k];
                // The sum falls by about one iso over a spacing at a flat surface.
                lattice_.phi[at] = (1 - w / iso_) * 0.5f * level_unit() * unit_;
                continue;
            }
            const Total sum = total(scratch, block, k);
            if (sum.w == 0) {
                lattice_.phi[at] = far;
                if (is_normalized()) w_[at] = 0;
                continue;
            }
            if (!is_normalized()) {
                lattice_.phi[at] = (length(sum.way) - sum.level) * unit_;
                continue;
            }
            w_[at] = sum.w;
            lattice_.phi[at] = sum.level;
            const auto steps = [&](float a) { return static_cast<std::int16_t>(std::lrintf(a * per_step)); };
            centre_[at] = {steps(sum.way.x), steps(sum.way.y), steps(sum.way.z)};
        }
    }

    float level_unit() const { return cells_.cell(0) * 0.5f; }

    // Second pass of the normalized function: what is evaluated has a centre and its level in phi.

    void finish_leaf(std::size_t leaf) {
        const float reach = reach_.front(), far = reach * unit_;
        const auto points_per_unit = static_cast<float>(cells_.unit() / lattice_.voxel);
        const auto voxel = static_cast<float>(lattice_.voxel);
        for (std::uint32_t left = band_.blocks[leaf]; left; left &= left - 1) {
            const int block = std::countr_zero(left);
            for (int k = 0; k < 16; ++k) {
                const Vec3i point = block_corner(block) + Vec3i{k & 3, k >> 2 & 1, k >> 3};
                const std::size_t at = leaf_points * leaf + static_cast<std::size_t>(point_index(point));
                float& phi = lattice_.phi[at];
                if (w_[at] == 0) {
                    phi = far;
                    continue;
                }
                const Vec3f way =
                    Vec3f{float(centre_[at].x), float(centre_[at].y), float(centre_[at].z)} * (reach / centre_steps);
                const float distance = length(way) * unit_, level = phi * unit_;
                if (distance > level + 2 * voxel) {
                    phi = std::min(distance - level, far);
                    continue;
                }
                phi = distance - level * decay(weight_at(leaf, vec_cast<float>(point) + way * points_per_unit));
            }
        }
    }

    static float decay(float w) {
        const float s = (std::clamp(w, w_min, w_max) - w_max) / (w_max - w_min), a = 1 - s * s;
        return a * a;
    }

    /// The summed weights at a place, in points from the leaf's first, by interpolation.
    float weight_at(std::size_t leaf, Vec3f p) const {
        const Vec3i lo{detail::floor_to_int(p.x), detail::floor_to_int(p.y), detail::floor_to_int(p.z)};
        const Vec3f t = p - vec_cast<float>(lo);
        float corner[8];
        const bool own = lo.x >= 0 && lo.y >= 0 && lo.z >= 0 && lo.x < 7 && lo.y < 7 && lo.z < 7;
        if (own) {
            const float* w = &w_[leaf_points * leaf + static_cast<std::size_t>(point_index(lo))];
            for (int k = 0; k < 8; ++k)
                corner[k] = w[(k & 1) + (k >> 1 & 1) * 8 + (k >> 2) * 64];
        } else {
            for (int k = 0; k < 8; ++k)
                corner[k] = weight_of(leaf, lo + Vec3i{k & 1, k >> 1 & 1, k >> 2});
        }
        const auto mix = [](float a, float b, float s) { return a + (b - a) * s; };
        const float low = mix(mix(corner[0], corner[1], t.x), mix(corner[2], corner[3], t.x), t.y);
        const float high = mix(mix(corner[4], corner[5], t.x), mix(corner[6], corner[7], t.x), t.y);
        return mix(low, high, t.z);
    }

    /// Particles' centres are near; where the lattice has no leaf near them, there is only liquid.
    float weight_of(std::size_t leaf, Vec3i point) const {
        const Vec3i step{point.x >> 3, point.y >> 3, point.z >> 3};
        if (std::abs(step.x) > 1 || std::abs(step.y) > 1 || std::abs(step.z) > 1) return 1;
        const int side = 13 + step.x + 3 * step.y + 9 * step.z;
        const std::int32_t other = lattice_.neighbors[27 * leaf + static_cast<std::size_t>(side)];
        if (other < 0) return 1;
        const Vec3i in{point.x & 7, point.y & 7, point.z & 7};
        return w_[leaf_points * static_cast<std::size_t>(other) + static_cast<std::size_t>(point_index(in))];
    }

    /// Only what was evaluated: what is beside a place without a leaf keeps its sign.
    void clip_leaf(std::size_t leaf) {
        const auto finest = static_cast<float>(cells_.spacing(cells_.classes() - 1) / cells_.unit());
        const WallClip clip{.spacing = finest, .gap = static_cast<float>(params_.wall_gap) * finest};
        const Box3f box = leaf_box(cells_, lattice_, leaf);
        if (!band_.blocks[leaf] || !walls_->near(box.lo, box.hi, finest)) return;
        const auto voxel = static_cast<float>(lattice_.voxel / cells_.unit());
        for (std::uint32_t left = band_.blocks[leaf]; left; left &= left - 1) {
            const int block = std::countr_zero(left);
            for (int k = 0; k < 16; ++k) {
                const Vec3i point = block_corner(block) + Vec3i{k & 3, k >> 2 & 1, k >> 3};
                float& phi = lattice_.phi[leaf_points * leaf + static_cast<std::size_t>(point_index(point))];
                const float distance = wall_distance(*walls_, box.lo + vec_cast<float>(point) * voxel);
                phi = clipped(phi / unit_, distance, clip) * unit_;
            }
        }
    }

    // Several liquids.

    /// Ranks the liquids of a class's list at the points of all blocks; classes come one after the other.
    void find_labels(std::size_t leaf, const NearList& list, int c, Scratch& scratch) {
        if (c == 0) start_labels(leaf);
        const std::size_t liquids = cells_.grid().resolutions().of_liquid.size();
        scratch.starts.assign(liquids + 1, 0);
        for (std::uint32_t k = 0; k < list.count; ++k)
            scratch.starts[cells_.liquid(list.index[k]) + 1u] += 1;
        std::array<BlockSums, leaf_blocks> sums;
        for (std::size_t liquid = 0; liquid < liquids; ++liquid) {
            const std::uint32_t count = scratch.starts[liquid + 1];
            if (count == 0) continue;
            NearList part = Scratch::in(scratch.parted, list.count + 16, nullptr);
            copy_liquid(list, liquid, part);
            std::uint32_t near = sum(Terms::sharp, part, c, band_.blocks[leaf], 1, scratch, sums.data());
            for (; near; near &= near - 1) {
                const int block = std::countr_zero(near);
                rank(leaf, block, static_cast<std::uint8_t>(liquid), sums[static_cast<std::size_t>(block)].w);
            }
        }
    }

    void start_labels(std::size_t leaf) {
        for (std::uint32_t left = band_.blocks[leaf]; left; left &= left - 1) {
            for (int k = 0; k < 16; ++k) {
                const std::size_t at =
                    leaf_points * leaf + static_cast<std::size_t>(point_of(std::countr_zero(left), k));
                lattice_.label[at] = air;
                lattice_.lead[at] = 0;
                best_of(at) = 0;
            }
        }
    }

    void copy_liquid(const NearList& list, std::size_t liquid, NearList& out) const {
        std::uint32_t n = 0;
        for (std::uint32_t k = 0; k < list.count; ++k) {
            if (cells_.liquid(list.index[k]) != liquid) continue;
            out.x[n] = list.x[k];
            out.y[n] = list.y[k];
            out.z[n] = list.z[k];
            out.m[n++] = list.m[k];
        }
        out.count = n;
        for (std::uint32_t k = n; k < n + 8; ++k) {
            out.x[k] = out.y[k] = out.z[k] = 1e4f;
            out.m[k] = 0;
        }
    }

    /// The largest sum so far lies in phi until finish_block() comes.
    float& best_of(std::size_t at) { return lattice_.phi[at]; }

    void rank(std::size_t leaf, int block, std::uint8_t liquid, const float* w) {
        for (int k = 0; k < 16; ++k) {
            const std::size_t at = leaf_points * leaf + static_cast<std::size_t>(point_of(block, k));
            float& best = best_of(at);
            if (w[k] > best) {
                lattice_.lead[at] = w[k] - best;
                best = w[k];
                lattice_.label[at] = liquid;
            } else {
                lattice_.lead[at] = std::min(lattice_.lead[at], best - w[k]);
            }
        }
    }

    void part_from_air(std::size_t leaf) {
        for (std::size_t at = leaf_points * leaf; at < leaf_points * (leaf + 1); ++at) {
            if (lattice_.phi[at] >= 0)
                lattice_.label[at] = air;
            else if (lattice_.label[at] == air)
                lattice_.phi[at] = -lattice_.phi[at];
            lattice_.lead[at] = std::max(lattice_.lead[at], 1e-6f);
        }
    }

    const Cells& cells_;
    const MeshParams& params_;
    bool labels_;
    const collision::Walls* walls_;
    FieldKernels kernels_;
    Band band_;
    Lattice& lattice_;
    std::vector<float> reach_, level_;  ///< of each class, in units
    float iso_ = 0, bulk_lead_ = 0, unit_ = 1;
    Buffer<float> inverse_{"surface weights"};
    Buffer<float> w_{"surface weights"};
    Buffer<Centre> centre_{"surface weights"};
};

}  // namespace

Lattice evaluate(const FieldInput& input) {
    return Evaluation(input).run();
}

}  // namespace spindrift::surface
