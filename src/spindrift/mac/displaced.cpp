#include "spindrift/mac/displaced.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "spindrift/core/parallel.h"

namespace spindrift::mac {

namespace {

using collision::WallField;

/// Less of the volume around a face is nothing.
constexpr float least_share = 1e-4f;

/// The interval that a point's volume takes along an axis, in halves of cells, and those that it meets.
struct Interval {
    float lo, hi;
    int first, last;

    Interval(float middle, float width)
        : lo(2 * middle - width),
          hi(2 * middle + width),
          first(static_cast<int>(std::floor(lo))),
          last(static_cast<int>(std::ceil(hi)) - 1) {}
    /// Share of the interval that lies in a half, and its middle there.
    float share(int half) const { return std::max(0.f, end(half) - begin(half)) / (hi - lo); }
    float middle(int half) const { return 0.25f * (begin(half) + end(half)); }

  private:
    float begin(int half) const { return std::max(lo, static_cast<float>(half)); }
    float end(int half) const { return std::min(hi, static_cast<float>(half + 1)); }
};

/// A body's volume in eighths of cells: halves of them along each axis.
class Eighths {
  public:
    /// Of the part of a body that lies in a box of cells.
    Eighths(const WallField& field, Box3f cells) {
        Box3f box{{1e30f, 1e30f, 1e30f}, {-1e30f, -1e30f, -1e30f}};
        float widest = 0;
        for (std::size_t k = 0; k < field.inside_count; ++k) {
            const Vec3f x = field.back(field.inside[k].xyz());
            widest = std::max(widest, width_of(field, k));
            box = {min(box.lo, x), max(box.hi, x)};
        }
        const Vec3f out{widest, widest, widest};
        box = {max(box.lo - out, cells.lo), min(box.hi + out, cells.hi)};
        // Also where a coordinate is no number.
        if (!(box.lo.x < box.hi.x && box.lo.y < box.hi.y && box.lo.z < box.hi.z)) return;
        for (int a = 0; a < 3; ++a) {
            // Whole cells, with one more on each side for the faces there.
            first_[a] = 2 * static_cast<int>(std::floor(box.lo[a])) - 2;
            size_[a] = 2 * static_cast<int>(std::ceil(box.hi[a])) + 2 - first_[a];
        }
        sums_.assign(
            static_cast<std::size_t>(size_.x) * static_cast<std::size_t>(size_.y) * static_cast<std::size_t>(size_.z),
            Float4{});
        for (std::size_t k = 0; k < field.inside_count; ++k)
            add(field.back(field.inside[k].xyz()), width_of(field, k));
    }

    bool empty() const { return sums_.empty(); }
    Vec3i first_cell() const { return first_ / 2 + Vec3i{1, 1, 1}; }
    Vec3i last_cell() const { return (first_ + size_) / 2 - Vec3i{1, 1, 1}; }
    /// Volume around a cell's lower face on an axis, and its first moments before.
    Float4 around(Vec3i cell, int axis) const {
        Float4 sum{};
        Vec3i low = 2 * cell - first_;
        low[axis] -= 1;
        for (int k = 0; k < 8; ++k) {
            const Float4& part = sums_[index(low + Vec3i{k & 1, k >> 1 & 1, k >> 2})];
            sum = {sum.x + part.x, sum.y + part.y, sum.z + part.z, sum.w + part.w};
        }
        return sum;
    }

  private:
    static float width_of(const WallField& field, std::size_t k) { return std::cbrt(field.inside[k].w) * field.cell; }
    std::size_t index(Vec3i local) const {
        return static_cast<std::size_t>((local.z * size_.y + local.y) * size_.x + local.x);
    }
    /// A point counts as the cube of its volume.
    void add(Vec3f x, float width) {
        for (int a = 0; a < 3; ++a) {
            const float lo = 2 * x[a] - width, hi = 2 * x[a] + width;
            if (!(lo >= static_cast<float>(first_[a]) && hi <= static_cast<float>(first_[a] + size_[a]))) return;
        }
        const Interval along[3] = {{x.x, width}, {x.y, width}, {x.z, width}};
        const float volume = width * width * width;
        for (int hz = along[2].first; hz <= along[2].last; ++hz) {
            for (int hy = along[1].first; hy <= along[1].last; ++hy) {
                for (int hx = along[0].first; hx <= along[0].last; ++hx) {
                    const float part = volume * along[0].share(hx) * along[1].share(hy) * along[2].share(hz);
                    Float4& sum = sums_[index(Vec3i{hx, hy, hz} - first_)];
                    sum = {sum.x + part * along[0].middle(hx), sum.y + part * along[1].middle(hy),
                           sum.z + part * along[2].middle(hz), sum.w + part};
                }
            }
        }
    }

    Vec3i first_{}, size_{};
    std::vector<Float4> sums_;  ///< first moments and volumes
};

/// The cells of all leaves, and one more on each side.
Box3f cells_of(const grid::LeafSet& leaves) {
    Vec3i lo = leaves.coord(leaves.size() - 1), hi = lo;
    for (std::size_t l = 1; l < leaves.size(); ++l) {
        const Vec3i coord = leaves.coord(l);
        for (int a = 0; a < 3; ++a) {
            lo[a] = std::min(lo[a], coord[a]);
            hi[a] = std::max(hi[a], coord[a]);
        }
    }
    const Vec3i one{1, 1, 1};
    return {vec_cast<float>(lo * grid::leaf_width - one), vec_cast<float>((hi + one) * grid::leaf_width + one)};
}

std::vector<DisplacedFace> faces_of(const grid::LeafSet& leaves, const WallField& field, const Box3f& cells) {
    const Eighths volumes(field, cells);
    std::vector<DisplacedFace> found;
    if (volumes.empty()) return found;
    const Vec3i lo = volumes.first_cell(), hi = volumes.last_cell();
    Vec3i known{};
    auto leaf = static_cast<std::uint32_t>(leaves.find(known));
    for (int z = lo.z; z <= hi.z; ++z) {
        for (int y = lo.y; y <= hi.y; ++y) {
            for (int x = lo.x; x <= hi.x; ++x) {
                const Vec3i coord{x >> 3, y >> 3, z >> 3};
                if (coord != known) leaf = static_cast<std::uint32_t>(leaves.find(known = coord));
                if (leaf == 0) continue;
                for (int axis = 0; axis < 3; ++axis) {
                    const Float4 sum = volumes.around({x, y, z}, axis);
                    if (sum.w < least_share) continue;
                    const Vec3f center = sum.xyz() / sum.w;
                    found.push_back({leaf, static_cast<std::uint16_t>(grid::cell_index(x & 7, y & 7, z & 7)),
                                     static_cast<std::uint8_t>(axis), static_cast<std::int16_t>(field.body), sum.w,
                                     center, field.velocity_at(center)});
                }
            }
        }
    }
    return found;
}

}  // namespace

bool Displaced::counts(const collision::WallField& field) {
    constexpr float small = 4.3f;
    if (field.body < 0 || field.inside_count == 0 || field.thickness > 0) return false;
    const Vec3f size = field.bounds.hi - field.bounds.lo;
    return !field.thin || std::max({size.x, size.y, size.z}) < small;
}

void Displaced::find(const grid::LeafSet& leaves, const collision::Walls& walls) {
    std::vector<const WallField*> bodies;
    for (const WallField& field : walls.fields) {
        if (counts(field)) bodies.push_back(&field);
    }
    std::vector<std::vector<DisplacedFace>> found(leaves.empty() ? 0 : bodies.size());
    const Box3f cells = leaves.empty() ? Box3f{} : cells_of(leaves);
    parallel_for(found.size(), 1, [&](Range range) {
        for (const std::size_t k : range)
            found[k] = faces_of(leaves, *bodies[k], cells);
    });
    starts_.assign(leaves.size() + 1, 0);
    for (const auto& part : found) {
        for (const DisplacedFace& face : part)
            starts_[face.leaf + 1] += 1;
    }
    for (std::size_t l = 0; l < leaves.size(); ++l)
        starts_[l + 1] += starts_[l];
    faces_.resize(starts_.back());
    std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
    for (const auto& part : found) {
        for (const DisplacedFace& face : part)
            faces_[next[face.leaf]++] = face;
    }
}

}  // namespace spindrift::mac
