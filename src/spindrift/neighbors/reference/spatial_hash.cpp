#include "spindrift/neighbors/reference/spatial_hash.h"

#include <stdexcept>

#include "spindrift/core/errors.h"
#include "spindrift/neighbors/reference/cell_grid.h"

namespace spindrift::neighbors::reference {
namespace {

bool is_prime(std::uint32_t n) {
    for (std::uint32_t d = 3; std::uint64_t{d} * d <= n; d += 2) {
        if (n % d == 0) return false;
    }
    return n % 2 == 1;
}

std::uint32_t prime_from(std::size_t n) {
    auto candidate = static_cast<std::uint32_t>(n) | 1;
    while (!is_prime(candidate))
        candidate += 2;
    return candidate;
}

/// False for coordinates that are not numbers.
bool is_near(Vec3f x, float reach) {
    return std::abs(x.x) < reach && std::abs(x.y) < reach && std::abs(x.z) < reach;
}

}  // namespace

void SpatialHash::build(ConstChannel<Vec3f> x, float h) {
    SPINDRIFT_CHECK(h > 0 && x.size() < (std::size_t{1} << 31));
    x_ = x;
    h2_ = h * h;
    cells_per_metre_ = 1 / cell_edge(h);
    const std::uint32_t buckets = prime_from(2 * x.size() + 3);
    bucket_ = FastModulo(buckets);

    // Count the particles of every bucket.
    first_.assign(buckets + 1, 0);
    bucket_of_.resize(x.size());
    tag_of_.resize(x.size());
    const auto reach = static_cast<float>(max_cells_per_axis / cells_per_metre_);
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (!is_near(x[i], reach)) {
            throw std::length_error("a particle is too many cells of the support radius away from the origin");
        }
        const Vec3i c = cell(x[i]);
        const Part px = part(c.x, 0), py = part(c.y, 1), pz = part(c.z, 2);
        bucket_of_[i] = bucket_(px.hash ^ py.hash ^ pz.hash);
        tag_of_[i] = px.tag | py.tag | pz.tag;
        ++first_[bucket_of_[i]];
    }

    // Each count becomes the end of its bucket; filling from the back turns ends into beginnings.
    std::uint32_t sum = 0;
    for (std::uint32_t& first : first_)
        first = sum += first;
    entries_.resize(x.size());
    for (std::size_t i = x.size(); i-- > 0;) {
        entries_[--first_[bucket_of_[i]]] = {static_cast<std::uint32_t>(i), tag_of_[i]};
    }
}

}  // namespace spindrift::neighbors::reference
