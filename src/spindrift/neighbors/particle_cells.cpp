#include "spindrift/neighbors/particle_cells.h"

#include <algorithm>
#include <bit>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/core/random.h"

namespace spindrift::neighbors {

namespace {

/// Spacings this close are one class.
constexpr double same_spacing = 1e-6;

/// Coarsest spacing first, in the order the sort wants.
Resolutions resolutions_of(const std::vector<double>& spacing) {
    std::vector<double> distinct = spacing;
    std::sort(distinct.rbegin(), distinct.rend());
    const auto same = [](double a, double b) { return a - b <= same_spacing * a; };
    distinct.erase(std::unique(distinct.begin(), distinct.end(), same), distinct.end());
    SPINDRIFT_CHECK(distinct.size() <= most_resolutions);
    Resolutions resolutions;
    resolutions.h.clear();
    for (const double each : distinct)
        resolutions.h.push_back(static_cast<float>(each / distinct.front()));
    for (const double each : spacing) {
        const auto found = std::find_if(distinct.begin(), distinct.end(),
                                        [&](double d) { return std::abs(d - each) <= same_spacing * d; });
        resolutions.of_liquid.push_back(static_cast<std::uint8_t>(found - distinct.begin()));
    }
    return resolutions;
}

}  // namespace

void ParticleCells::sort(const ParticleView& particles) {
    SPINDRIFT_CHECK(!particles.spacing.empty());
    SPINDRIFT_CHECK(particles.liquid.empty() || particles.liquid.size() == particles.x.size());
    const Resolutions resolutions = resolutions_of(particles.spacing);
    if (grid_.resolutions().h != resolutions.h || grid_.resolutions().of_liquid != resolutions.of_liquid)
        grid_ = LeafGrid(resolutions);
    origin_ = particles.origin;
    unit_ = 2 * *std::max_element(particles.spacing.begin(), particles.spacing.end());
    const auto per_unit = static_cast<float>(1 / unit_);
    const std::size_t n = particles.x.size();
    Buffer<Float4> unsorted("particle cells"), tag("particle cells"), sorted_tag("particle cells");
    for (Buffer<Float4>* buffer : {&unsorted, &tag, &sorted_tag, &x_})
        buffer->resize(n);
    parallel_for(n, [&](Range range) {
        for (const std::size_t i : range) {
            const Vec3f p = particles.x[i] * per_unit;
            const std::uint32_t liquid = particles.liquid.empty() ? 0u : particles.liquid[i];
            unsorted[i] = {p.x, p.y, p.z, std::bit_cast<float>(liquid)};
            tag[i] = {0, 0, 0, std::bit_cast<float>(static_cast<std::uint32_t>(i))};
        }
    });
    size_ = grid_.sort(n, unsorted.data(), tag.data(), x_.data(), sorted_tag.data()).kept;
    skipped_ = n - size_;
    x_.resize(size_);
    source_.resize(size_);
    parallel_for(size_, [&](Range range) {
        for (const std::size_t i : range)
            source_[i] = std::bit_cast<std::uint32_t>(sorted_tag[i].w);
    });
    index_leaves();
}

void ParticleCells::index_leaves() {
    const auto leaves = grid_.leaves();
    table_.assign(std::bit_ceil(2 * leaves.size() + 2), -1);
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
        std::size_t at = key_of(leaves[leaf].coord, static_cast<int>(leaves[leaf].resolution)) & (table_.size() - 1);
        while (table_[at] >= 0)
            at = (at + 1) & (table_.size() - 1);
        table_[at] = static_cast<std::int32_t>(leaf);
    }
}

std::uint16_t ParticleCells::liquid(std::size_t i) const {
    return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(x_[i].w));
}

std::uint64_t ParticleCells::key_of(Vec3i coord, int of_class) {
    const auto bits = [](std::int32_t a) { return static_cast<std::uint64_t>(a) & 0xfffff; };
    return mix_bits(bits(coord.x) | bits(coord.y) << 20 | bits(coord.z) << 40 |
                    static_cast<std::uint64_t>(of_class) << 60);
}

std::int32_t ParticleCells::find_leaf(Vec3i coord, int of_class) const {
    const auto leaves = grid_.leaves();
    std::size_t at = key_of(coord, of_class) & (table_.size() - 1);
    for (; table_[at] >= 0; at = (at + 1) & (table_.size() - 1)) {
        const Leaf& leaf = leaves[static_cast<std::size_t>(table_[at])];
        if (leaf.coord == coord && static_cast<int>(leaf.resolution) == of_class) return table_[at];
    }
    return -1;
}

}  // namespace spindrift::neighbors
