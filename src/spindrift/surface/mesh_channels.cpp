#include "spindrift/surface/mesh_channels.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "spindrift/core/parallel.h"
#include "spindrift/surface/sample_kernels.h"

namespace spindrift::surface {

namespace {

/// Particles this many spacings away still count; where there are none the reach is doubled, at most so often.
constexpr float carry_reach = 1.6f;
constexpr int most_doublings = 4;

/// Points are treated eight at a time.
constexpr std::size_t group = 8;

/// Four numbers of channels.
using Quad = std::array<std::pair<const ChannelArray*, int>, 4>;

std::vector<Quad> pack(std::span<const ChannelArray* const> channels) {
    std::vector<Quad> quads;
    std::size_t next = 0;
    for (const ChannelArray* channel : channels) {
        for (int c = 0; c < channel->type().width; ++c, ++next) {
            if (next / 4 == quads.size()) quads.emplace_back();
            quads[next / 4][next % 4] = {channel, c};
        }
    }
    return quads;
}

/// Values of four channels in the order of the cells; those that are not finite count as zero.
void sort_values(const neighbors::ParticleCells& cells, const Quad& quad, Buffer<Float4>& out) {
    out.resize(cells.size());
    parallel_for(cells.size(), [&](Range range) {
        for (const std::size_t i : range) {
            float value[4] = {};
            for (std::size_t k = 0; k < 4; ++k) {
                if (!quad[k].first) continue;
                const double v = quad[k].first->value(cells.source(i), quad[k].second);
                value[k] = std::isfinite(v) ? static_cast<float>(v) : 0;
            }
            out[i] = {value[0], value[1], value[2], value[3]};
        }
    });
}

class Carrier {
  public:
    using Liquid = std::optional<std::uint16_t>;

    Carrier(const neighbors::ParticleCells& cells, const Float4* values, Liquid liquid)
        : cells_(cells), values_(values), liquid_(liquid), kernels_(field_kernels()) {}

    /// Means at up to eight places, in units of the cells.
    void carry(const Vec3f* places, std::size_t count, Float4* out) {
        box_ = {places[0], places[0]};
        for (std::size_t k = 0; k < group; ++k) {
            const Vec3f p = places[std::min(k, count - 1)];
            for (int a = 0; a < 3; ++a)
                place_[a][k] = p[a];
            box_ = {min(box_.lo, p), max(box_.hi, p)};
            done_[k] = false;
        }
        if (liquid_ && search(liquid_, count, out)) return;
        if (search({}, count, out)) return;
        for (std::size_t k = 0; k < count; ++k) {
            if (!done_[k]) out[k] = {};
        }
    }

  private:
    /// Means at the places that have none yet; whether all have one now.
    bool search(Liquid liquid, std::size_t count, Float4* out) {
        float reach = carry_reach;
        for (int doubled = 0; doubled <= most_doublings; ++doubled, reach *= 2) {
            CarrySums sums{};
            for (int c = 0; c < cells_.classes(); ++c) {
                if (!liquid || cells_.class_of(*liquid) == c) add(liquid, c, 0.5f * reach * cells_.cell(c), sums);
            }
            if (take_means(sums, count, out)) return true;
        }
        return false;
    }

    bool take_means(const CarrySums& sums, std::size_t count, Float4* out) {
        bool missing = false;
        for (std::size_t k = 0; k < count; ++k) {
            if (done_[k]) continue;
            missing |= !(sums.w[k] > 0);
            if (!(sums.w[k] > 0)) continue;
            const float share = 1 / sums.w[k];
            out[k] = {sums.value[0][k] * share, sums.value[1][k] * share, sums.value[2][k] * share,
                      sums.value[3][k] * share};
            done_[k] = true;
        }
        return !missing;
    }

    void add(Liquid liquid, int c, float reach, CarrySums& sums) {
        runs_.clear();
        cells_.for_runs(box_, reach, c, [&](std::size_t a, std::size_t b) {
            if (liquid)
                add_runs_of(*liquid, a, b);
            else
                runs_.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)});
        });
        const CarryInput input{.runs = runs_.data(),
                               .run_count = static_cast<std::uint32_t>(runs_.size()),
                               .x = cells_.x(),
                               .values = values_,
                               .place = {place_[0], place_[1], place_[2]},
                               .per_reach = 1 / reach};
        kernels_.carry(input, sums);
    }

    /// The parts of a run that are of one liquid.
    void add_runs_of(std::uint16_t liquid, std::size_t a, std::size_t b) {
        for (std::size_t i = a; i < b; ++i) {
            if (cells_.liquid(i) != liquid) continue;
            const std::size_t first = i;
            while (i < b && cells_.liquid(i) == liquid)
                ++i;
            runs_.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(i)});
        }
    }

    const neighbors::ParticleCells& cells_;
    const Float4* values_;
    Liquid liquid_;
    FieldKernels kernels_;
    std::vector<Run> runs_;
    alignas(32) float place_[3][group] = {};
    Box3f box_{};
    bool done_[group] = {};
};

}  // namespace

void carry_channels(const neighbors::ParticleCells& cells, std::span<const ChannelArray* const> channels,
                    geometry::Mesh& mesh, Vec3d mesh_origin, std::optional<std::uint16_t> liquid) {
    const std::size_t first = mesh.attributes.size(), n = mesh.points.size();
    for (const ChannelArray* channel : channels) {
        const int width = channel->type().width;
        mesh.attributes.push_back({channel->name(), width, {}});
        mesh.attributes.back().values.resize(n * static_cast<std::size_t>(width));
    }
    const Vec3f shift = vec_cast<float>((mesh_origin - cells.origin()) / cells.unit());
    const auto per_unit = static_cast<float>(1 / cells.unit());
    Buffer<Float4> values("surface channels");
    for (const Quad& quad : pack(channels)) {
        sort_values(cells, quad, values);
        // Where the four numbers go.
        std::array<std::pair<geometry::Attribute*, std::size_t>, 4> target{};
        for (std::size_t k = 0; k < 4 && quad[k].first; ++k) {
            const auto at =
                static_cast<std::size_t>(std::find(channels.begin(), channels.end(), quad[k].first) - channels.begin());
            target[k] = {&mesh.attributes[first + at], static_cast<std::size_t>(quad[k].second)};
        }
        parallel_for(n, 1024, [&](Range range) {
            Carrier carrier(cells, values.data(), liquid);
            for (std::size_t i = range.first; i < range.last; i += group) {
                const std::size_t count = std::min(group, range.last - i);
                Vec3f places[group];
                Float4 means[group];
                for (std::size_t k = 0; k < count; ++k)
                    places[k] = mesh.points[i + k] * per_unit + shift;
                carrier.carry(places, count, means);
                for (std::size_t k = 0; k < count; ++k) {
                    const float mean[4] = {means[k].x, means[k].y, means[k].z, means[k].w};
                    for (std::size_t q = 0; q < 4 && target[q].first; ++q) {
                        const auto width = static_cast<std::size_t>(target[q].first->width);
                        target[q].first->values[(i + k) * width + target[q].second] = mean[q];
                    }
                }
            }
        });
    }
}

}  // namespace spindrift::surface
