#include "spindrift/surface/samples.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "spindrift/core/parallel.h"
#include "spindrift/surface/anisotropy.h"
#include "spindrift/surface/band.h"
#include "spindrift/surface/calibrate.h"
#include "spindrift/surface/centres.h"
#include "spindrift/surface/labels.h"
#include "spindrift/surface/sample_kernels.h"
#include "spindrift/surface/wall_clip.h"
#include "spindrift/surface/weights.h"

namespace spindrift::surface {

struct FieldMemory::Buffers {
    Buffer<float> phi{"lattice"}, lead{"lattice"};
    Buffer<float> inverse{"surface weights"};
    Buffer<std::uint16_t> w{"surface weights"};
    Buffer<BlockCentres> centres{"surface centres"};
};

namespace {

/// Sums below this say nothing about a centre.
constexpr float least_weight = 1e-6f;

/// A point with no particle within this share of the reach is outside: 1.8 spacings at the default reach, beyond what
/// a stretched sheet needs to stay closed.
constexpr float cutoff = 0.65f;

/// Voxels above this, in spacings, are for a quick look.
constexpr double coarse_voxel = 0.75;
constexpr double coarse_weight_reach = 2.4;

/// What a thread needs while it evaluates leaves.
struct Scratch {
    std::vector<Run> runs;
    std::vector<float> list, parted, narrowed;
    std::vector<std::uint32_t> index, indices;
    std::vector<std::uint32_t> starts;
    std::vector<float> best;                               ///< largest sum of a liquid at each point
    std::vector<std::array<BlockSums, leaf_blocks>> sums;  ///< one for each class

    static NearList in(std::vector<float>& floats, std::size_t room, std::uint32_t* index) {
        if (floats.size() < 4 * room) floats.resize(4 * room);
        float* first = floats.data();
        return {first, first + room, first + 2 * room, first + 3 * room, index, 0};
    }
};

class Evaluation {
  public:
    Evaluation(const FieldInput& input, FieldMemory::Buffers& memory)
        : cells_(input.cells),
          params_(input.params),
          has_labels_(input.labels),
          walls_(input.walls),
          kernels_(field_kernels()),
          band_(find_band(input.cells, input.voxel, input.labels)),
          lattice_(band_.lattice),
          labels_(band_),
          centres_(band_, memory.w, memory.centres),
          inverse_(memory.inverse) {
        lattice_.phi.swap(memory.phi);
        lattice_.lead.swap(memory.lead);
        const FlatLevel level = flat_level(params_.function, params_.reach(), params_.offset);
        for (int c = 0; c < cells_.classes(); ++c) {
            const double spacing = cells_.spacing(c) / cells_.unit();
            reach_.push_back(static_cast<float>(params_.reach() * spacing));
            level_.push_back(static_cast<float>(level.value * spacing));
        }
        iso_ = static_cast<float>(level.value);
        per_slope_ = static_cast<float>(cells_.spacing(cells_.classes() - 1) / level.slope);
        labels_.set_bulk_lead(static_cast<float>(lattice_sum(params_.reach(), true)));
        unit_ = static_cast<float>(cells_.unit());
    }

    Lattice run() {
        const std::size_t points = leaf_points * lattice_.leaves.size();
        lattice_.phi.resize(points);
        near_blocks_.assign(lattice_.leaves.size(), 0);
        if (has_labels_) lattice_.lead.resize(points);
        if (is_normalized()) {
            weigh();
            centres_.begin({.reach = reach_.front(), .unit = cells_.unit()});
        }
        if (is_shaped()) make_shapes();
        for_leaves([&](std::size_t leaf, Scratch& scratch) { evaluate_leaf(leaf, scratch); });
        if (is_normalized()) for_leaves([&](std::size_t leaf, Scratch&) { finish_leaf(leaf); });
        if (walls_) for_leaves([&](std::size_t leaf, Scratch&) { clip_leaf(leaf); });
        if (has_labels_) for_leaves([&](std::size_t leaf, Scratch&) { labels_.part_from_air(leaf); });
        return std::move(lattice_);
    }

  private:
    /// Coarse voxels come with a long reach; a shorter one tells where particles are dense nearly as well, for a third
    /// of the time.
    void weigh() {
        const bool coarse = params_.voxel > coarse_voxel;
        const double reach = coarse ? std::min(params_.reach(), coarse_weight_reach) : params_.reach();
        std::vector<float> reaches;
        for (int c = 0; c < cells_.classes(); ++c)
            reaches.push_back(static_cast<float>(reach * cells_.spacing(c) / cells_.unit()));
        const WeightRules rules{.reach = reach_,
                                .measured = static_cast<float>(lattice_sum(reach, false)),
                                .bulk = static_cast<float>(lattice_sum(params_.reach(), false))};
        inverse_weights(cells_, reaches, band_, rules, inverse_);
    }

    bool is_normalized() const { return params_.function == Function::normalized; }
    bool is_shaped() const { return params_.function == Function::anisotropic; }
    /// Whether the surface is where a sum of kernels has one value.
    bool is_sum() const { return params_.function == Function::color_field || is_shaped(); }

    void make_shapes() {
        Anisotropy found = make_anisotropy(cells_, params_.reach());
        shape_ = std::move(found.G);
        centre_.resize(cells_.size());
        inverse_.resize(cells_.size());
        parallel_for(cells_.size(), [&](Range range) {
            for (const std::size_t i : range) {
                const Vec3f c = found.center[i];
                centre_[i] = {c.x, c.y, c.z, 0};
                inverse_[i] =
                    shape_weight(shape_[i], reach_[static_cast<std::size_t>(cells_.class_of(cells_.liquid(i)))]);
            }
        });
    }

    template <class F>
    void for_leaves(const F& f) {
        parallel_for(lattice_.leaves.size(), 16, [&](Range range) {
            Scratch scratch;
            for (const std::size_t leaf : range)
                f(leaf, scratch);
        });
    }

    void fill(std::size_t leaf) {
        const float far = reach_.front() * unit_;
        float* phi = &lattice_.phi[leaf_points * leaf];
        for (std::size_t word = 0; word < 8; ++word) {
            const std::uint64_t in = band_.inside[8 * leaf + word];
            for (std::size_t k = 0; k < 64; ++k)
                phi[64 * word + k] = in >> k & 1 ? -far : far;
        }
        if (has_labels_) labels_.fill(leaf);
        if (is_normalized()) centres_.fill(leaf);
    }

    void evaluate_leaf(std::size_t leaf, Scratch& scratch) {
        fill(leaf);
        if (!labels_.blocks(leaf)) return;
        scratch.sums.resize(static_cast<std::size_t>(cells_.classes()));
        std::uint32_t near = 0;
        for (int c = 0; c < cells_.classes(); ++c) {
            for (BlockSums& sums : scratch.sums[static_cast<std::size_t>(c)])
                std::fill(std::begin(sums.w), std::end(sums.w), 0.f);
            const NearList list = gather(leaf, c, scratch);
            if (has_labels_) find_labels(leaf, list, c, scratch);
            if (!band_.blocks[leaf]) continue;
            const Terms terms = is_shaped() ? Terms::shaped : is_sum() ? Terms::weight : Terms::centroid;
            near |= sum(terms, list, c, band_.blocks[leaf], cutoff / longest(), scratch,
                        scratch.sums[static_cast<std::size_t>(c)].data());
        }
        near_blocks_[leaf] = near;
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
        }
        if (is_normalized()) centres_.clear(leaf, block);
    }

    /// How far kernels may reach, in reaches.
    float longest() const { return is_shaped() ? longest_axis : 1; }

    NearList gather(std::size_t leaf, int c, Scratch& scratch) const {
        const float r = reach_[static_cast<std::size_t>(c)] * longest();
        // Shaped kernels lie up to a spacing away from their particles.
        const float shift = is_shaped() ? 0.5f * cells_.cell(c) : 0;
        const Box3f box = leaf_box(cells_, lattice_, leaf);
        scratch.runs.clear();
        std::size_t total = 0;
        cells_.for_runs(box, r + shift, c, [&](std::size_t a, std::size_t b) {
            scratch.runs.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)});
            total += b - a;
        });
        const std::size_t room = total + 16;
        if (scratch.index.size() < room) scratch.index.resize(room);
        NearList list = Scratch::in(scratch.list, room, scratch.index.data());
        const GatherInput input{.runs = scratch.runs.data(),
                                .run_count = static_cast<std::uint32_t>(scratch.runs.size()),
                                .x = is_shaped() ? centre_.data() : cells_.x(),
                                .weight = is_normalized() || is_shaped() ? inverse_.data() : nullptr,
                                .corner = {box.lo.x, box.lo.y, box.lo.z},
                                .scale = 1 / r,
                                .width = (box.hi.x - box.lo.x) / r};
        kernels_.gather(input, list);
        return list;
    }

    std::uint32_t sum(Terms terms, const NearList& list, int c, std::uint32_t blocks, float near, Scratch& scratch,
                      BlockSums* out) const {
        const std::size_t room = list.count + 16;
        if (scratch.indices.size() < 2 * room) scratch.indices.resize(2 * room);
        const NearList narrowed = Scratch::in(scratch.narrowed, room, nullptr);
        const float reach = reach_[static_cast<std::size_t>(c)] * longest();
        const SumInput input{.list = list,
                             .step = static_cast<float>(lattice_.voxel / (cells_.unit() * reach)),
                             .cutoff = near,
                             .blocks = blocks,
                             .shape = shape_.data(),
                             .reach = reach};
        return kernels_.sum(terms, input, narrowed.x, scratch.indices.data(), out);
    }

    void add_up(const Scratch& scratch, int block, BlockTotals& out) const {
        out = {};
        for (std::size_t c = 0; c < scratch.sums.size(); ++c) {
            const BlockSums& part = scratch.sums[c][static_cast<std::size_t>(block)];
            for (int k = 0; k < 16; ++k) {
                out.w[k] += part.w[k];
                out.level[k] += part.w[k] * level_[c];
                out.x[k] += part.x[k] * reach_[c];
                out.y[k] += part.y[k] * reach_[c];
                out.z[k] += part.z[k] * reach_[c];
            }
        }
        for (int k = 0; k < 16; ++k) {
            const float share = out.w[k] < least_weight ? 0 : 1 / out.w[k];
            out.level[k] *= share;
            out.x[k] *= share;
            out.y[k] *= share;
            out.z[k] *= share;
        }
    }

    void finish_block(std::size_t leaf, int block, const Scratch& scratch) {
        if (is_sum()) return finish_sum(leaf, block, scratch);
        BlockTotals sum;
        add_up(scratch, block, sum);
        if (is_normalized()) return centres_.keep(leaf, block, sum);
        for (int k = 0; k < 16; ++k) {
            const float distance = length(Vec3f{sum.x[k], sum.y[k], sum.z[k]}) - sum.level[k];
            const bool near = sum.w[k] >= least_weight;
            lattice_.phi[leaf_points * leaf + static_cast<std::size_t>(point_of(block, k))] =
                (near ? distance : reach_.front()) * unit_;
        }
    }

    void finish_sum(std::size_t leaf, int block, const Scratch& scratch) {
        for (int k = 0; k < 16; ++k) {
            float w = 0;
            for (const auto& part : scratch.sums)
                w += part[static_cast<std::size_t>(block)].w[k];
            lattice_.phi[leaf_points * leaf + static_cast<std::size_t>(point_of(block, k))] = (iso_ - w) * per_slope_;
        }
    }

    /// Second pass of the normalized function: what was evaluated has a centre.
    void finish_leaf(std::size_t leaf) {
        for (std::uint32_t left = near_blocks_[leaf]; left; left &= left - 1)
            centres_.finish(leaf, std::countr_zero(left));
    }

    /// Only what was evaluated: what is beside a place without a leaf keeps its sign.
    void clip_leaf(std::size_t leaf) {
        const auto finest = static_cast<float>(cells_.spacing(cells_.classes() - 1) / cells_.unit());
        const WallClip clip{.spacing = finest, .gap = static_cast<float>(params_.wall_gap) * finest};
        const Box3f box = leaf_box(cells_, lattice_, leaf);
        if (!band_.blocks[leaf] || !walls_->near(box.lo, box.hi, clip.edge_reach())) return;
        const auto voxel = static_cast<float>(lattice_.voxel / cells_.unit());
        for (std::uint32_t left = band_.blocks[leaf]; left; left &= left - 1) {
            const int block = std::countr_zero(left);
            for (int k = 0; k < 16; ++k) {
                const Vec3i point = block_corner(block) + Vec3i{k & 3, k >> 2 & 1, k >> 3};
                const std::size_t at = leaf_points * leaf + static_cast<std::size_t>(point_index(point));
                float& phi = lattice_.phi[at];
                // Above the water in a tank's corner only an eighth of space is liquid, along its edges a quarter.
                const float w = is_normalized() ? centres_.weight(at) : 1;
                const float edge = std::clamp((w - 0.04f) / 0.08f, 0.f, 1.f);
                phi = clipped(*walls_, box.lo + vec_cast<float>(point) * voxel, phi / unit_, clip, edge) * unit_;
            }
        }
    }

    // Several liquids.

    /// Ranks the liquids of a class's list at the points of all blocks; classes come one after the other. Sums that are
    /// compared need no weights.
    void find_labels(std::size_t leaf, const NearList& list, int c, Scratch& scratch) {
        if (c == 0) labels_.start(leaf, scratch.best);
        const std::size_t liquids = cells_.grid().resolutions().of_liquid.size();
        scratch.starts.assign(liquids, 0);
        for (std::uint32_t k = 0; k < list.count; ++k)
            scratch.starts[cells_.liquid(list.index[k])] += 1;
        std::array<BlockSums, leaf_blocks> sums;
        for (std::size_t liquid = 0; liquid < liquids; ++liquid) {
            const std::uint32_t count = scratch.starts[liquid];
            if (count == 0) continue;
            if (count == list.count && cells_.classes() == 1)
                return labels_.set(leaf, static_cast<std::uint8_t>(liquid));
            NearList part = Scratch::in(scratch.parted, list.count + 16, nullptr);
            copy_liquid(list, liquid, part);
            std::uint32_t near = sum(Terms::sharp, part, c, labels_.blocks(leaf), 1, scratch, sums.data());
            for (; near; near &= near - 1) {
                const int block = std::countr_zero(near);
                labels_.rank(leaf, block, static_cast<std::uint8_t>(liquid), sums[static_cast<std::size_t>(block)].w,
                             scratch.best);
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
            out.m[n++] = 1;
        }
        out.count = n;
        for (std::uint32_t k = n; k < n + 8; ++k) {
            out.x[k] = out.y[k] = out.z[k] = 1e4f;
            out.m[k] = 0;
        }
    }

    const neighbors::ParticleCells& cells_;
    const MeshParams& params_;
    bool has_labels_;
    const collision::Walls* walls_;
    FieldKernels kernels_;
    Band band_;
    Lattice& lattice_;
    Labels labels_;
    Centres centres_;
    std::vector<float> reach_, level_;  ///< of each class, in units
    float iso_ = 0, per_slope_ = 1;     ///< of sums of kernels: at the surface, and metres by which they fall
    float unit_ = 1;
    std::vector<std::array<float, 6>> shape_;   ///< of each sorted particle
    Buffer<Float4> centre_{"surface centres"};  ///< where shaped kernels lie
    Buffer<float>& inverse_;
    std::vector<std::uint32_t> near_blocks_;  ///< of each leaf, those that are not all air
};

}  // namespace

FieldMemory::FieldMemory() : buffers(std::make_unique<Buffers>()) {}
FieldMemory::~FieldMemory() = default;

void FieldMemory::take_back(Lattice& lattice) {
    buffers->phi.swap(lattice.phi);
    buffers->lead.swap(lattice.lead);
}

Lattice evaluate(const FieldInput& input, FieldMemory& memory) {
    return Evaluation(input, *memory.buffers).run();
}

}  // namespace spindrift::surface
