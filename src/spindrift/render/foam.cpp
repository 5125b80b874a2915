#include "spindrift/render/foam.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "spindrift/core/random.h"

namespace spindrift::render {

namespace {

/// What one particle hides at its middle: -ln of what is left.
constexpr float peak = 0.55f;

/// Sum of what particles hide from which on foam is thick.
constexpr float thick = 2.5f;

/// One particle in so many is a heap, of a radius in smallest discs, and so high for its radius.
constexpr std::uint64_t heap_every = 12;
constexpr float smallest_heap = 1.5f, largest_heap = 4, steepness = 0.45f;

/// Chosen by eye: whiter foam clips in the sun and loses its shape.
constexpr Vec3f on_top{0.72f, 0.74f, 0.75f}, between_heaps{0.42f, 0.47f, 0.50f};

Vec3i cell_of(Vec3f x, float per_width) {
    return {static_cast<int>(std::floor(x.x * per_width)), static_cast<int>(std::floor(x.y * per_width)),
            static_cast<int>(std::floor(x.z * per_width))};
}

}  // namespace

DiscCells::DiscCells(const std::vector<Disc>& discs) {
    if (discs.empty()) return;
    float largest = 0;
    for (const Disc& disc : discs)
        largest = std::max(largest, disc.radius);
    per_width_ = 0.5f / largest;
    start_.assign(std::bit_ceil(2 * discs.size() + 2) + 1, 0);
    std::vector<std::uint64_t> slots(discs.size());
    for (std::size_t i = 0; i < discs.size(); ++i) {
        slots[i] = slot_of(cell_of(discs[i].x, per_width_));
        start_[slots[i] + 1] += 1;
    }
    for (std::size_t k = 1; k < start_.size(); ++k)
        start_[k] += start_[k - 1];
    discs_.resize(discs.size());
    std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
    for (std::size_t i = 0; i < discs.size(); ++i)
        discs_[next[slots[i]]++] = discs[i];
}

std::uint64_t DiscCells::slot_of(Vec3i cell) const {
    const auto bits = [](int a) { return static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) & 0x1fffff; };
    return mix_bits(bits(cell.x) | bits(cell.y) << 21 | bits(cell.z) << 42) & (start_.size() - 2);
}

template <class F>
void DiscCells::for_all_over(Vec3f x, const F& f) const {
    if (discs_.empty()) return;
    // Cells are as wide as the largest disc: two along each axis reach all that can cover the place.
    const Vec3i low = cell_of(x - Vec3f{0.5f, 0.5f, 0.5f} / per_width_, per_width_);
    for (int k = 0; k < 8; ++k) {
        const Vec3i cell = low + Vec3i{k & 1, k >> 1 & 1, k >> 2};
        const std::uint64_t slot = slot_of(cell);
        for (std::uint32_t i = start_[slot]; i < start_[slot + 1]; ++i) {
            const Vec3f way = x - discs_[i].x;
            const float q = dot(way, way) / (discs_[i].radius * discs_[i].radius);
            if (q < 1 && cell_of(discs_[i].x, per_width_) == cell) f(discs_[i], way, q);
        }
    }
}

Foam::Foam(const Setup& setup) : least_(setup.least) {
    std::vector<DiscCells::Disc> discs, heaps;
    // Farther off, cells have no numbers.
    const float limit = 1e7f * setup.least;
    for (std::size_t i = 0; i < setup.positions.size(); ++i) {
        const Vec3f x = setup.positions[i];
        if (!(std::abs(x.x) < limit && std::abs(x.y) < limit && std::abs(x.z) < limit)) continue;
        discs.push_back({x, std::clamp(setup.radii[i], least_, 3 * least_)});
        const std::uint64_t own = setup.ids.empty() ? i : static_cast<std::uint64_t>(setup.ids[i]);
        const std::uint64_t drawn = hash_counter(0xf0a3, own, 0);
        if (drawn % heap_every != 0) continue;
        // Few are large.
        const float u = uniform(drawn);
        heaps.push_back({x, least_ * (smallest_heap + (largest_heap - smallest_heap) * u * u * u)});
    }
    discs_ = DiscCells(discs);
    heaps_ = DiscCells(heaps);
}

Foam::Look Foam::at(Vec3f x) const {
    Look look;
    if (!is_finite(x)) return look;
    float sum = 0;
    discs_.for_all_over(x, [&](const DiscCells::Disc&, Vec3f, float q) { sum += peak * (1 - q) * (1 - q); });
    if (sum == 0) return look;
    look.share = 1 - std::exp(-sum);
    float highest = 0;
    heaps_.for_all_over(x, [&](const DiscCells::Disc& heap, Vec3f way, float q) {
        const float height = steepness * heap.radius * (1 - q);
        if (height <= highest) return;
        highest = height;
        look.slope = way * (-2 * steepness / heap.radius);
    });
    const float top = std::min(1.f, highest / (steepness * 2 * least_));
    // Thin foam has no heaps to lie between.
    const float low = (1 - top) * std::min(1.f, sum / thick);
    look.color = on_top + (between_heaps - on_top) * low;
    return look;
}

}  // namespace spindrift::render
