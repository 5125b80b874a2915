#include "spindrift/geometry/crossings.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <vector>

#include "spindrift/core/parallel.h"
#include "spindrift/core/random.h"

namespace spindrift::geometry {

namespace {

constexpr double touching = 1e-6;
/// Work is known before it is done: pairs of triangles that share a cell, and cells that triangles lie in.
constexpr double most_pairs = 1e8, most_entries_each = 8;
constexpr double most_cells_along = 1 << 20;
/// A triangle of more cells is compared with all others instead, like the few of a floor below a fine mesh.
constexpr double cells_of_large = 512;

using Corners = std::array<Vec3d, 3>;

Corners widen(const std::array<Vec3f, 3>& t) {
    return {vec_cast<double>(t[0]), vec_cast<double>(t[1]), vec_cast<double>(t[2])};
}

/// Heights of the corners of `other` over the plane of `t`, times the length of `normal`; small ones are 0.
std::array<double, 3> heights(const Corners& t, Vec3d normal, const Corners& other, double size) {
    const double small = touching * size * length(normal);
    std::array<double, 3> h;
    for (std::size_t k = 0; k < 3; ++k) {
        h[k] = dot(normal, other[k] - t[0]);
        if (std::abs(h[k]) <= small) h[k] = 0;
    }
    return h;
}

bool on_one_side(const std::array<double, 3>& h) {
    const auto [low, high] = std::ranges::minmax(h);
    return low >= 0 || high <= 0;
}

/// Whether an edge of `other` that goes through the plane of `t` does so inside of it.
bool edge_goes_through(const Corners& t, const Corners& other, const std::array<double, 3>& h) {
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t l = (k + 1) % 3;
        if (h[k] * h[l] >= 0) continue;
        const Vec3d p = other[k], along = other[l] - p;
        // Signed volumes of the edge with each side: all of one sign where it passes inside.
        double low = 0, high = 0;
        for (std::size_t s = 0; s < 3; ++s) {
            const double volume = dot(along, cross(t[s] - p, t[(s + 1) % 3] - p));
            low = std::min(low, volume);
            high = std::max(high, volume);
        }
        if (low == 0 || high == 0) return true;
    }
    return false;
}

/// Cells of a lattice over the mesh; a triangle lies in all that its box touches.
struct Lattice {
    Vec3d low;
    double inverse_cell;

    Vec3i cell(Vec3f p) const {
        const Vec3d c = (vec_cast<double>(p) - low) * inverse_cell;
        return {static_cast<int>(c.x), static_cast<int>(c.y), static_cast<int>(c.z)};
    }
};

struct Span {
    Vec3i first, last;

    double cells() const { return (last.x - first.x + 1.0) * (last.y - first.y + 1.0) * (last.z - first.z + 1.0); }
    template <class Body>
    void for_cells(const Body& body) const {
        for (int z = first.z; z <= last.z; ++z) {
            for (int y = first.y; y <= last.y; ++y) {
                for (int x = first.x; x <= last.x; ++x)
                    body(Vec3i{x, y, z});
            }
        }
    }
};

class CrossingCounter {
  public:
    CrossingCounter(std::span<const Vec3f> points, std::span<const Triangle> triangles)
        : points_(points), triangles_(triangles), boxes_(triangles.size()) {
        parallel_for(triangles.size(), [&](Range r) {
            for (const auto i : r) {
                const auto [a, b, c] = corners(i);
                boxes_[i] = {min(a, min(b, c)), max(a, max(b, c))};
            }
        });
        choose_lattice();
    }

    std::int64_t count() {
        if (!put_into_cells()) return -1;
        const std::int64_t small = parallel_sum<std::int64_t>(ends_.size() - 1, [&](Range r) {
            std::int64_t sum = 0;
            for (const auto index : r)
                sum += count_bucket(index);
            return sum;
        });
        return small + parallel_sum<std::int64_t>(boxes_.size(), [&](Range r) {
                   std::int64_t sum = 0;
                   for (const auto i : r)
                       sum += count_with_large(i);
                   return sum;
               });
    }

  private:
    /// Triangles by the hash of a cell; different cells may share a bucket.
    struct Entry {
        std::uint32_t triangle;
        Vec3i cell;
    };

    std::array<Vec3f, 3> corners(std::size_t triangle) const {
        const auto& [a, b, c] = triangles_[triangle];
        return {points_[a], points_[b], points_[c]};
    }
    Span span(std::size_t triangle) const {
        return {lattice_.cell(boxes_[triangle].lo), lattice_.cell(boxes_[triangle].hi)};
    }

    bool is_large(std::size_t triangle) const { return span(triangle).cells() > cells_of_large; }

    /// Cells twice as wide as the mean triangle, wider if that makes too many entries.
    void choose_lattice() {
        Vec3d lo = vec_cast<double>(boxes_[0].lo), hi = vec_cast<double>(boxes_[0].hi);
        double widths = 0;
        for (const Box3f& box : boxes_) {
            lo = min(lo, vec_cast<double>(box.lo));
            hi = max(hi, vec_cast<double>(box.hi));
            const Vec3d size = vec_cast<double>(box.hi) - vec_cast<double>(box.lo);
            widths += std::max({size.x, size.y, size.z});
        }
        const Vec3d size = hi - lo;
        const double widest = std::max({size.x, size.y, size.z}), n = static_cast<double>(boxes_.size());
        if (widest == 0) return;
        double cell = std::max(2 * widths / n, widest / most_cells_along);
        while (true) {
            lattice_ = {lo, 1 / cell};
            double entries = 0;
            for (std::size_t i = 0; i < boxes_.size(); ++i)
                entries += is_large(i) ? 0 : span(i).cells();
            if (entries <= most_entries_each * n || cell > widest) return;
            cell *= 2;
        }
    }

    std::size_t bucket(Vec3i c) const {
        const auto u = [](int v) { return static_cast<std::uint64_t>(v); };
        return mix_bits(u(c.x) << 42 ^ u(c.y) << 21 ^ u(c.z)) & (ends_.size() - 2);
    }

    bool put_into_cells() {
        ends_.assign(std::bit_ceil(2 * boxes_.size() + 2) + 1, 0);
        for (std::uint32_t i = 0; i < boxes_.size(); ++i) {
            if (is_large(i))
                large_.push_back(i);
            else
                span(i).for_cells([&](Vec3i c) { ++ends_[bucket(c) + 1]; });
        }
        double pairs = static_cast<double>(large_.size()) * static_cast<double>(boxes_.size());
        for (const std::size_t n : ends_)
            pairs += 0.5 * static_cast<double>(n) * static_cast<double>(n);
        if (pairs > most_pairs) return false;
        std::partial_sum(ends_.begin(), ends_.end(), ends_.begin());
        entries_.resize(ends_.back());
        std::vector<std::size_t> next(ends_.begin(), ends_.end() - 1);
        for (std::uint32_t i = 0; i < boxes_.size(); ++i) {
            if (!is_large(i)) span(i).for_cells([&](Vec3i c) { entries_[next[bucket(c)]++] = {i, c}; });
        }
        return true;
    }

    std::int64_t count_bucket(std::size_t index) const {
        std::int64_t sum = 0;
        for (std::size_t i = ends_[index]; i < ends_[index + 1]; ++i) {
            for (std::size_t j = i + 1; j < ends_[index + 1]; ++j)
                sum += is_crossing(entries_[i], entries_[j]);
        }
        return sum;
    }

    /// A pair that shares several cells is looked at in the first of them.
    bool is_crossing(const Entry& a, const Entry& b) const {
        if (a.cell != b.cell) return false;
        const Vec3f lo = max(boxes_[a.triangle].lo, boxes_[b.triangle].lo);
        return boxes_touch(a.triangle, b.triangle) && lattice_.cell(lo) == a.cell && cross(a.triangle, b.triangle);
    }

    /// Two large ones are looked at by the later of them.
    std::int64_t count_with_large(std::size_t i) const {
        std::int64_t sum = 0;
        const bool large = !large_.empty() && is_large(i);
        for (const std::uint32_t other : large_)
            sum += (!large || other < i) && boxes_touch(i, other) && cross(i, other);
        return sum;
    }

    bool boxes_touch(std::size_t i, std::size_t j) const {
        const Vec3f lo = max(boxes_[i].lo, boxes_[j].lo), hi = min(boxes_[i].hi, boxes_[j].hi);
        return lo.x <= hi.x && lo.y <= hi.y && lo.z <= hi.z;
    }

    bool cross(std::size_t i, std::size_t j) const {
        const Triangle &s = triangles_[i], &t = triangles_[j];
        return std::ranges::find_first_of(s, t) == s.end() && triangles_cross(corners(i), corners(j));
    }

    std::span<const Vec3f> points_;
    std::span<const Triangle> triangles_;
    std::vector<Box3f> boxes_;
    Lattice lattice_{};
    std::vector<std::uint32_t> large_;
    std::vector<std::size_t> ends_;
    std::vector<Entry> entries_;
};

}  // namespace

bool triangles_cross(const std::array<Vec3f, 3>& a, const std::array<Vec3f, 3>& b) {
    const Corners s = widen(a), t = widen(b);
    double size = 0;
    for (std::size_t k = 0; k < 3; ++k)
        size = std::max({size, length(s[(k + 1) % 3] - s[k]), length(t[(k + 1) % 3] - t[k])});
    const Vec3d normal_s = cross(s[1] - s[0], s[2] - s[0]), normal_t = cross(t[1] - t[0], t[2] - t[0]);
    const std::array<double, 3> over_s = heights(s, normal_s, t, size);
    if (on_one_side(over_s)) return false;
    const std::array<double, 3> over_t = heights(t, normal_t, s, size);
    if (on_one_side(over_t)) return false;
    return edge_goes_through(s, t, over_s) || edge_goes_through(t, s, over_t);
}

std::int64_t count_crossings(std::span<const Vec3f> points, std::span<const Triangle> triangles) {
    if (triangles.empty()) return 0;
    return CrossingCounter(points, triangles).count();
}

}  // namespace spindrift::geometry
