#include "spindrift/mac/solid_shares.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace spindrift::mac {

namespace {

using grid::leaf_width;

/// Distances below this are a wall that lies on a face; shares below the other one are none.
constexpr float rounding = 1e-3f, least_open = 0.02f;

/// Distances of a field that matter lie this near to it: those that shares of tents look at.
constexpr float near_enough = 2.5f;

/// Whole numbers of cells from a leaf's corner, within some limits.
int clamped(float x, int lo, int hi) {
    return static_cast<int>(std::clamp(std::ceil(x), static_cast<float>(lo), static_cast<float>(hi)));
}

/// Lowers distances of corners to that from a field, of those that are near to it.
void lower_to(const collision::WallField& field, Corners& phi) {
    const CellRange& range = phi.range;
    CellRange nodes;
    for (int a = 0; a < 3; ++a) {
        nodes.lo[a] = clamped(field.bounds.lo[a] - near_enough - phi.first[a], range.lo[a] - 1, range.hi[a] + 2);
        nodes.hi[a] = clamped(field.bounds.hi[a] + near_enough - phi.first[a], range.lo[a] - 1, range.hi[a] + 2);
    }
    for_each_cell(nodes, [&](Vec3i at) {
        float& nearest = phi.node(at);
        nearest = std::min(nearest, field.distance_only(phi.first + vec_cast<float>(at)));
    });
}

float distance_of_planes(const collision::Walls& walls, Vec3f x) {
    float nearest = collision::far_away;
    for (const collision::WallPlane& plane : walls.planes)
        nearest = std::min(nearest, dot(Vec3f{plane.normal[0], plane.normal[1], plane.normal[2]}, x) - plane.offset);
    return nearest;
}

/// A wall that all but lies on the border of cells lies there.
float snapped(float x) {
    const float whole = std::round(x);
    return std::abs(x - whole) < rounding ? whole : x;
}

bool is_empty(const Block& block) {
    for (int a = 0; a < 3; ++a) {
        if (block.lo[a] > block.hi[a]) return true;
    }
    return false;
}

/// How much of a block boxes cover together, by what `measure` says of blocks: each adds what those before it leave.
template <class Measure>
float covered_by(std::span<const Block> boxes, const Block& block, const Measure& measure) {
    float sum = 0;
    for (std::size_t k = 0; k < boxes.size(); ++k) {
        const Block common{max(block.lo, boxes[k].lo), min(block.hi, boxes[k].hi)};
        if (is_empty(common)) continue;
        const float own = measure(common);
        if (own > 0) sum += own - covered_by(boxes.first(k), common, measure);
    }
    return sum;
}

/// Share that boxes leave of a block, by what `measure` says of blocks. Their edges are no matter of distance: where
/// two walls meet in a cell both cut it.
template <class Measure>
float left_by_boxes(const NearBoxes& boxes, Block block, const Measure& measure) {
    for (const Block& room : boxes.rooms) {
        for (int a = 0; a < 3; ++a) {
            // A face that lies on the wall of the domain is closed.
            const bool on_wall = block.lo[a] == block.hi[a] && (block.lo[a] <= room.lo[a] || block.lo[a] >= room.hi[a]);
            if (on_wall) return 0;
        }
        block = {max(block.lo, room.lo), min(block.hi, room.hi)};
        if (is_empty(block)) return 0;
    }
    const float room = measure(block);
    if (boxes.solids.empty()) return room;
    std::vector<Block> solid;
    for (const Block& own : boxes.solids) {
        if (!is_empty({max(block.lo, own.lo), min(block.hi, own.hi)})) solid.push_back(own);
    }
    return std::max(0.f, room - covered_by(solid, block, measure));
}

/// Those that have a part of the cells around a leaf, as far as tents reach.
NearBoxes find_near_boxes(const collision::Walls& walls, Vec3f first) {
    const Vec3f out{2, 2, 2}, lo = first - out, hi = first + Vec3f{leaf_width, leaf_width, leaf_width} + out;
    NearBoxes near{.inside_all = {lo - out, hi + out}};
    for (const collision::WallBox& box : walls.boxes) {
        const Block own{{snapped(box.lo[0]), snapped(box.lo[1]), snapped(box.lo[2])},
                        {snapped(box.hi[0]), snapped(box.hi[1]), snapped(box.hi[2])}};
        if (box.solid) {
            if (!is_empty({max(lo, own.lo), min(hi, own.hi)})) near.solids.push_back(own);
            continue;
        }
        const bool holds = own.lo.x < lo.x && own.lo.y < lo.y && own.lo.z < lo.z && own.hi.x > hi.x &&
                           own.hi.y > hi.y && own.hi.z > hi.z;
        if (holds) continue;
        near.rooms.push_back(own);
        near.inside_all = {max(near.inside_all.lo, own.lo), min(near.inside_all.hi, own.hi)};
    }
    return near;
}

/// Volume of a block, or the area of one without an extent along an axis.
float size_of(const Block& block, int flat_axis) {
    float size = 1;
    for (int a = 0; a < 3; ++a)
        size *= a == flat_axis ? 1 : block.hi[a] - block.lo[a];
    return size;
}

float share_of_boxes(const NearBoxes& boxes, Vec3f first, Vec3f last) {
    if (boxes.leave(first, last)) return 1;
    int flat_axis = -1;
    for (int a = 0; a < 3; ++a)
        flat_axis = first[a] == last[a] ? a : flat_axis;
    return left_by_boxes(boxes, {first, last}, [&](const Block& block) { return size_of(block, flat_axis); });
}

/// Share of a line that is positive, between the values at its ends.
float share_of_line(float a, float b) {
    if (a > 0 && b > 0) return 1;
    if (a <= 0 && b <= 0) return 0;
    return a > 0 ? a / (a - b) : b / (b - a);
}

/// Share of a square that is positive, values at its corners in a ring: of the triangles to its middle.
float share_of_square(float a, float b, float c, float d) {
    const int positive = (a > 0) + (b > 0) + (c > 0) + (d > 0);
    if (positive == 0) return 0;
    if (positive == 4) return 1;
    // The area under a bilinear surface, by lines across the square.
    constexpr int lines = 8;
    float sum = 0;
    for (int k = 0; k < lines; ++k) {
        const float t = (static_cast<float>(k) + 0.5f) / lines;
        sum += share_of_line(a + (d - a) * t, b + (c - b) * t);
    }
    return sum / lines;
}

/// Share of a cell that is free: by lines across it, along the axis on which the distance changes most.
float volume_share(const Corners& phi, Vec3i c) {
    std::array<float, 8> at;  // bit a of the index is the side on axis a
    int positive = 0, negative = 0, axis = 0;
    Vec3f slope{};
    for (int k = 0; k < 8; ++k) {
        const float value = phi(c.x + (k & 1), c.y + (k >> 1 & 1), c.z + (k >> 2));
        at[static_cast<std::size_t>(k)] = value;
        (value > 0 ? positive : negative) += value != 0;
        for (int a = 0; a < 3; ++a)
            slope[a] += k >> a & 1 ? value : -value;
    }
    const float in_boxes = phi.share_of_boxes(c, {1, 1, 1});
    if (negative == 0 || positive == 0) return positive > 0 ? in_boxes : 0.f;
    for (int a = 1; a < 3; ++a)
        axis = std::abs(slope[a]) > std::abs(slope[axis]) ? a : axis;
    const int across[2] = {1 << (axis + 1) % 3, 1 << (axis + 2) % 3};
    constexpr int lines = 4;
    float sum = 0;
    for (int k = 0; k < lines * lines; ++k) {
        const float s = (static_cast<float>(k % lines) + 0.5f) / lines;
        const float t = (static_cast<float>(k / lines) + 0.5f) / lines;
        const auto end = [&](int side) {
            const auto value = [&](int more) { return at[static_cast<std::size_t>((side << axis) + more)]; };
            return (1 - t) * ((1 - s) * value(0) + s * value(across[0])) +
                   t * ((1 - s) * value(across[1]) + s * value(across[0] + across[1]));
        };
        sum += share_of_line(end(0), end(1));
    }
    return in_boxes * sum / (lines * lines);
}

/// Area under a tent, from -1 to 1 and 1 high, up to x.
float under_tent(float x) {
    x = std::clamp(x, -1.f, 1.f);
    return 0.5f + x - 0.5f * x * std::abs(x);
}

/// The same of two tents, half a cell before and half a cell behind, each half as high.
float under_tents(float x) {
    return 0.5f * (under_tent(x - 0.5f) + under_tent(x + 0.5f));
}

/// Share that boxes leave under a tent of two cells' width around the middle of a cell, or under the mean of those
/// around the middles of its faces.
template <bool is_wide>
float tent_of_boxes(const NearBoxes& boxes, Vec3f middle) {
    constexpr float r = is_wide ? 1.5f : 1.f;
    const Vec3f reach{r, r, r};
    if (boxes.leave(middle - reach, middle + reach)) return 1;
    return left_by_boxes(boxes, {middle - reach, middle + reach}, [&](const Block& block) {
        float one[3], two[3];
        for (int a = 0; a < 3; ++a) {
            const float lo = block.lo[a] - middle[a], hi = block.hi[a] - middle[a];
            one[a] = under_tent(hi) - under_tent(lo);
            two[a] = is_wide ? under_tents(hi) - under_tents(lo) : 0;
        }
        if constexpr (!is_wide) return one[0] * one[1] * one[2];
        return (two[0] * one[1] * one[2] + one[0] * two[1] * one[2] + one[0] * one[1] * two[2]) / 3;
    });
}

/// Eighths of a leaf's cells, and of one layer of cells around them: how much of each is free.
constexpr int eighths = 2 * (leaf_width + 2);
using Eighths = std::vector<float>;

Eighths find_eighths(const Corners& phi) {
    Eighths free(eighths * eighths * eighths);
    for (std::size_t k = 0; k < free.size(); ++k) {
        const auto n = static_cast<int>(k);
        const Vec3i at{n % eighths, n / eighths % eighths, n / (eighths * eighths)};
        const Vec3i cell{at.x / 2 - 1, at.y / 2 - 1, at.z / 2 - 1};
        float distance = 0;
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3i d{corner & 1, corner >> 1 & 1, corner >> 2};
            float weight = 1;
            for (int a = 0; a < 3; ++a)
                weight *= d[a] == (at[a] & 1) ? 0.75f : 0.25f;
            distance += weight * phi(cell.x + d.x, cell.y + d.y, cell.z + d.z);
        }
        free[k] = std::clamp(0.5f + 2 * distance, 0.f, 1.f);
    }
    return free;
}

/// Weights of six eighths along an axis, from three quarters of a cell before a cell on, under one tent and under two.
constexpr float under_one[6] = {0, 0.125f, 0.375f, 0.375f, 0.125f, 0};
constexpr float under_two[6] = {0.0625f, 0.1875f, 0.25f, 0.25f, 0.1875f, 0.0625f};

float weighed(const float* values, std::size_t stride, const float (&weights)[6]) {
    float sum = 0;
    for (std::size_t k = 0; k < 6; ++k)
        sum += weights[k] * values[k * stride];
    return sum;
}

}  // namespace

float Corners::share_of_boxes(Vec3i from, Vec3i size) const {
    const Vec3f lo = first + vec_cast<float>(from);
    return mac::share_of_boxes(boxes, lo, lo + vec_cast<float>(size));
}

Corners sample_corners(const collision::Walls& walls, Vec3i coord, const CellRange& range) {
    Corners phi{.walls = walls, .first = vec_cast<float>(coord * leaf_width), .range = range};
    phi.at.fill(collision::far_away);
    phi.boxes = find_near_boxes(walls, phi.first);
    const CellRange nodes{range.lo - Vec3i{1, 1, 1}, range.hi + Vec3i{2, 2, 2}};
    for_each_cell(nodes, [&](Vec3i at) { phi.node(at) = distance_of_planes(walls, phi.first + vec_cast<float>(at)); });
    for (const collision::WallField& field : walls.fields)
        lower_to(field, phi);
    for_each_cell(nodes, [&](Vec3i at) {
        float& distance = phi.node(at);
        distance = std::abs(distance) < rounding ? 0 : distance;
    });
    return phi;
}

CellRange cells_near(const std::vector<collision::WallField>& fields, Vec3i coord) {
    const Vec3f first = vec_cast<float>(coord * leaf_width);
    constexpr Vec3i width{leaf_width, leaf_width, leaf_width};
    CellRange all{width, {}};
    for (const collision::WallField& field : fields) {
        CellRange own;
        for (int a = 0; a < 3; ++a) {
            own.lo[a] = clamped(field.bounds.lo[a] - near_enough - first[a], 1, leaf_width + 1) - 1;
            own.hi[a] = clamped(field.bounds.hi[a] + near_enough - first[a], 0, leaf_width);
        }
        if (own.empty()) continue;
        for (int a = 0; a < 3; ++a) {
            all.lo[a] = std::min(all.lo[a], own.lo[a]);
            all.hi[a] = std::max(all.hi[a], own.hi[a]);
        }
    }
    return all;
}

Shares::Shares(const Corners& phi) {
    const Vec3i one{1, 1, 1};
    for_each_cell({phi.range.lo - one, phi.range.hi + one}, [&](Vec3i c) {
        at[static_cast<std::size_t>(((c.z + 1) * width + c.y + 1) * width + c.x + 1)] = volume_share(phi, c);
    });
    // Rows of three along each axis, one axis after the other.
    std::array<bool, width * width * width> whole;
    std::transform(at.begin(), at.end(), whole.begin(), [](float share) { return share == 1; });
    for (const std::size_t step : {std::size_t{1}, std::size_t{width}, std::size_t{width} * width}) {
        for (std::size_t k = 0; k + 2 * step < whole.size(); ++k)
            whole[k] = whole[k] && whole[k + step] && whole[k + 2 * step];
    }
    for_each_cell(phi.range, [&](Vec3i c) {
        free[static_cast<std::size_t>(grid::cell_index(c.x, c.y, c.z))] =
            whole[static_cast<std::size_t>((c.z * width + c.y) * width + c.x)];
    });
}

bool Shares::is_cut(Vec3i c) const {
    if (free[static_cast<std::size_t>(grid::cell_index(c.x, c.y, c.z))]) return false;
    constexpr float least = 0.001f;
    bool cut = false;
    for (int k = 0; k < 27; ++k) {
        const float share = (*this)(c + Vec3i{k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1});
        cut = cut || (share > least && share < 1 - least);
    }
    return cut;
}

float Shares::around(Vec3i c) const {
    if (free[static_cast<std::size_t>(grid::cell_index(c.x, c.y, c.z))]) return 27;
    float sum = 0;
    for (int k = 0; k < 27; ++k)
        sum += (*this)(c + Vec3i{k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1});
    return sum;
}

/// Of boxes as they are, of planes and fields by eighths of cells, axis by axis.
Tents::Tents(const Corners& phi) {
    for_each_cell(phi.range, [&](Vec3i c) {
        const auto n = static_cast<std::size_t>(grid::cell_index(c.x, c.y, c.z));
        const Vec3f middle = phi.first + vec_cast<float>(c) + Vec3f{0.5f, 0.5f, 0.5f};
        wide[n] = tent_of_boxes<true>(phi.boxes, middle);
        narrow[n] = wide[n] == 1 ? 1 : tent_of_boxes<false>(phi.boxes, middle);
    });
    // What is farther than an eighth's middle and half its width leaves all of it.
    if (*std::min_element(phi.at.begin(), phi.at.end()) > 1) return;
    const Eighths free = find_eighths(phi);
    constexpr std::size_t row = leaf_width, plane = row * eighths;
    std::vector<float> one(plane * eighths), two(plane * eighths);
    for (std::size_t line = 0; line < eighths * eighths; ++line) {
        for (std::size_t x = 0; x < row; ++x) {
            const float* const from = free.data() + line * eighths + 2 * x;
            one[line * row + x] = weighed(from, 1, under_one);
            two[line * row + x] = weighed(from, 1, under_two);
        }
    }
    constexpr std::size_t slice = row * row;
    std::vector<float> ones(slice * eighths), twos(slice * eighths);
    for (std::size_t n = 0; n < ones.size(); ++n) {
        const std::size_t from = n / slice * plane + 2 * (n / row % row) * row + n % row;
        ones[n] = weighed(one.data() + from, row, under_one);
        twos[n] = weighed(two.data() + from, row, under_one) + weighed(one.data() + from, row, under_two);
    }
    for (std::size_t n = 0; n < narrow.size(); ++n) {
        const std::size_t from = 2 * (n / slice) * slice + n % slice;
        narrow[n] *= weighed(ones.data() + from, slice, under_one);
        wide[n] *= (weighed(twos.data() + from, slice, under_one) + weighed(ones.data() + from, slice, under_two)) / 3;
    }
}

float open_share(const Corners& phi, Vec3i c, int axis) {
    const int x = c.x, y = c.y, z = c.z;
    float share = 0;
    if (axis == 0) share = share_of_square(phi(x, y, z), phi(x, y + 1, z), phi(x, y + 1, z + 1), phi(x, y, z + 1));
    if (axis == 1) share = share_of_square(phi(x, y, z), phi(x + 1, y, z), phi(x + 1, y, z + 1), phi(x, y, z + 1));
    if (axis == 2) share = share_of_square(phi(x, y, z), phi(x + 1, y, z), phi(x + 1, y + 1, z), phi(x, y + 1, z));
    Vec3i size{1, 1, 1};
    size[axis] = 0;
    share *= phi.share_of_boxes(c, size);
    return share < least_open ? 0 : share > 1 - least_open ? 1 : share;
}

float middle(const Corners& phi, Vec3i c) {
    float sum = 0;
    for (int k = 0; k < 8; ++k)
        sum += phi(c.x + (k & 1), c.y + (k >> 1 & 1), c.z + (k >> 2));
    return std::min(sum / 8, phi.walls.distance_to_plain(phi.first + vec_cast<float>(c) + Vec3f{0.5f, 0.5f, 0.5f}));
}

bool is_parted(const Corners& phi, Vec3i cell, int axis, Parting parting) {
    const Vec3f here = phi.first + vec_cast<float>(cell) + Vec3f{0.5f, 0.5f, 0.5f};
    Vec3f half{};
    half[axis] = 0.5f;
    const Vec3f low = here - half - half;
    for (const collision::WallField& field : phi.walls.fields) {
        if (parting == Parting::thin_bodies && field.body >= 0 && !field.thin) continue;
        const float a = field.distance_only(low), b = field.distance_only(here);
        // Distances grow by little more than the way.
        if (std::abs(a) + std::abs(b) > 1.8f) continue;
        // A wall begins on the way, and ends within half a cell. Of bodies also those count whose edge holds both
        // middles: pressure is that of whole cells, and they float as deep as they should with such cells closed.
        const bool is_body = field.body >= 0;
        if (a <= 0 && (b > 0 || is_body) && field.distance_only(low - half) > 0) return true;
        if (b <= 0 && (a > 0 || is_body) && field.distance_only(here + half) > 0) return true;
        if (a > 0 && b > 0 && !field.sees(low, here)) return true;
    }
    return false;
}

}  // namespace spindrift::mac
