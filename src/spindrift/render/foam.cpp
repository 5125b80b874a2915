#include "spindrift/render/foam.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "spindrift/core/random.h"

namespace spindrift::render {

namespace {

/// What one particle hides at its middle: -ln of what is left.
constexpr float peak = 0.55f;

Vec3i cell_of(Vec3f x, float per_cell) {
    return {static_cast<int>(std::floor(x.x * per_cell)), static_cast<int>(std::floor(x.y * per_cell)),
            static_cast<int>(std::floor(x.z * per_cell))};
}

}  // namespace

Foam::Foam(std::span<const Vec3f> positions, std::span<const float> radii, float least) {
    float largest = least;
    for (const float radius : radii)
        largest = std::max(largest, std::min(radius, 3 * least));
    per_cell_ = 0.5f / largest;
    std::vector<Disc> discs;
    std::vector<std::uint64_t> slots;
    start_.assign(std::bit_ceil(2 * positions.size() + 2) + 1, 0);
    constexpr float limit = 1e8f;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const Vec3f x = positions[i];
        if (!(std::abs(x.x) * per_cell_ < limit && std::abs(x.y) * per_cell_ < limit &&
              std::abs(x.z) * per_cell_ < limit))
            continue;
        discs.push_back({x, std::clamp(radii[i], least, largest)});
        slots.push_back(slot_of(cell_of(x, per_cell_)));
        start_[slots.back() + 1] += 1;
    }
    for (std::size_t k = 1; k < start_.size(); ++k)
        start_[k] += start_[k - 1];
    discs_.resize(discs.size());
    std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
    for (std::size_t i = 0; i < discs.size(); ++i)
        discs_[next[slots[i]]++] = discs[i];
}

std::uint64_t Foam::slot_of(Vec3i cell) const {
    const auto bits = [](int a) { return static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) & 0x1fffff; };
    return mix_bits(bits(cell.x) | bits(cell.y) << 21 | bits(cell.z) << 42) & (start_.size() - 2);
}

float Foam::cover(Vec3f x) const {
    if (discs_.empty() || !is_finite(x)) return 0;
    // Cells are as wide as the largest disc: two along each axis reach all that can cover the place.
    const Vec3f half = x * per_cell_ - Vec3f{0.5f, 0.5f, 0.5f};
    const Vec3i low{static_cast<int>(std::floor(half.x)), static_cast<int>(std::floor(half.y)),
                    static_cast<int>(std::floor(half.z))};
    float sum = 0;
    for (int k = 0; k < 8; ++k) {
        const Vec3i cell = low + Vec3i{k & 1, k >> 1 & 1, k >> 2};
        const std::uint64_t slot = slot_of(cell);
        for (std::uint32_t i = start_[slot]; i < start_[slot + 1]; ++i) {
            const Vec3f way = x - discs_[i].x;
            const float q = dot(way, way) / (discs_[i].radius * discs_[i].radius);
            if (q >= 1 || cell_of(discs_[i].x, per_cell_) != cell) continue;
            sum += peak * (1 - q) * (1 - q);
        }
    }
    return 1 - std::exp(-sum);
}

}  // namespace spindrift::render
