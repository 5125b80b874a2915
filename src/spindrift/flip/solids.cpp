#include "spindrift/flip/solids.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "spindrift/core/parallel.h"

namespace spindrift::flip {

namespace {

using grid::cell_index;
using grid::leaf_width;

/// Walls this near to a leaf, in cells, may be met by its particles or by the velocities they see.
constexpr float reach = 4;
/// Distances below this are a wall that lies on a face; shares below the other one are none.
constexpr float rounding = 1e-3f, least_open = 0.02f;
/// A cell with less room is solid: what moves there would come out of its slits as a jet.
constexpr float least_volume = 0.15f;
/// How deep in solids velocities are kept from going deeper.
constexpr float deepest = 3;
constexpr std::size_t most_kept = 40000;

/// Distance from planes and fields.
float distance_of(const collision::Walls& walls, Vec3f x) {
    float nearest = collision::far_away;
    for (const collision::WallField& field : walls.fields)
        nearest = std::min(nearest, field.distance_only(x));
    for (const collision::WallPlane& plane : walls.planes)
        nearest = std::min(nearest, dot(Vec3f{plane.normal[0], plane.normal[1], plane.normal[2]}, x) - plane.offset);
    return nearest;
}

/// A wall that all but lies on the border of cells lies there.
float snapped(float x) {
    const float whole = std::round(x);
    return std::abs(x - whole) < rounding ? whole : x;
}

/// Share that boxes leave of a cell, or of a face, which has no extent along its axis. Their edges are no matter of
/// distance: where two walls meet in a cell both cut it.
float share_of_boxes(const collision::Walls& walls, Vec3f first, Vec3f last) {
    float share = 1;
    for (const collision::WallBox& box : walls.boxes) {
        float covered = 1;
        for (int a = 0; a < 3; ++a) {
            const float lo = snapped(box.lo[a]), hi = snapped(box.hi[a]);
            if (first[a] == last[a]) {
                const bool in = box.solid ? first[a] >= lo && first[a] <= hi : first[a] > lo && first[a] < hi;
                covered *= in ? 1.f : 0.f;
            } else {
                covered *= std::clamp(std::min(last[a], hi) - std::max(first[a], lo), 0.f, 1.f);
            }
        }
        share *= box.solid ? 1 - covered : covered;
    }
    return share;
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

/// Corners of a leaf's cells and of one layer of cells around them.
constexpr int corners = leaf_width + 3;

struct Corners {
    std::array<float, corners * corners * corners> at{};
    const collision::Walls& walls;
    Vec3f first;  ///< corner of the leaf

    float operator()(int x, int y, int z) const {
        return at[static_cast<std::size_t>(((z + 1) * corners + y + 1) * corners + x + 1)];
    }
    float share_of_boxes(Vec3i from, Vec3i size) const {
        const Vec3f lo = first + vec_cast<float>(from);
        return flip::share_of_boxes(walls, lo, lo + vec_cast<float>(size));
    }
};

Corners sample_corners(const collision::Walls& walls, Vec3i coord) {
    Corners phi{.walls = walls, .first = vec_cast<float>(coord * leaf_width)};
    const Vec3f first = phi.first - Vec3f{1, 1, 1};
    for (int k = 0; k < corners * corners * corners; ++k) {
        const Vec3f at{static_cast<float>(k % corners), static_cast<float>(k / corners % corners),
                       static_cast<float>(k / (corners * corners))};
        const float distance = distance_of(walls, first + at);
        phi.at[static_cast<std::size_t>(k)] = std::abs(distance) < rounding ? 0 : distance;
    }
    return phi;
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

/// Shares of a leaf's cells and of one layer of cells around them.
struct Shares {
    static constexpr int width = leaf_width + 2;
    std::array<float, width * width * width> at;

    explicit Shares(const Corners& phi) {
        for (int k = 0; k < width * width * width; ++k)
            at[static_cast<std::size_t>(k)] =
                volume_share(phi, {k % width - 1, k / width % width - 1, k / (width * width) - 1});
    }
    float operator()(Vec3i c) const {
        return at[static_cast<std::size_t>(((c.z + 1) * width + c.y + 1) * width + c.x + 1)];
    }
    /// Whether among the 27 around a cell are some that are neither free nor solid.
    bool is_cut(Vec3i c) const {
        constexpr float least = 0.001f;
        bool cut = false;
        for (int k = 0; k < 27; ++k) {
            const float share = (*this)(c + Vec3i{k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1});
            cut = cut || (share > least && share < 1 - least);
        }
        return cut;
    }
    float around(Vec3i c) const {
        float sum = 0;
        for (int k = 0; k < 27; ++k)
            sum += (*this)(c + Vec3i{k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1});
        return sum;
    }
};

/// Area under a tent, from -1 to 1 and 1 high, up to x.
float under_tent(float x) {
    x = std::clamp(x, -1.f, 1.f);
    return 0.5f + x - 0.5f * x * std::abs(x);
}

/// Share that boxes leave under a tent of two cells' width around the middle of a cell.
float tent_of_boxes(const collision::Walls& walls, Vec3f middle) {
    float share = 1;
    for (const collision::WallBox& box : walls.boxes) {
        float covered = 1;
        for (int a = 0; a < 3; ++a)
            covered *= under_tent(box.hi[a] - middle[a]) - under_tent(box.lo[a] - middle[a]);
        share *= box.solid ? 1 - covered : covered;
    }
    return share;
}

/// The same of all walls: of planes and fields by eighths of cells.
float tent_share(const Corners& phi, Vec3i c) {
    const float boxes = tent_of_boxes(phi.walls, phi.first + vec_cast<float>(c) + Vec3f{0.5f, 0.5f, 0.5f});
    float nearest = collision::far_away;
    for (int k = 0; k < 8; ++k)
        nearest = std::min(nearest, phi(c.x + (k & 1), c.y + (k >> 1 & 1), c.z + (k >> 2)));
    // The farthest corner of the tent is a diagonal away.
    if (nearest > 1.8f) return boxes;
    constexpr float weights[4] = {0.125f, 0.375f, 0.375f, 0.125f};
    float sum = 0;
    for (int k = 0; k < 64; ++k) {
        // Middles of eighths, from the corner half a cell before the cell on.
        const Vec3i at{k & 3, k >> 2 & 3, k >> 4};
        const Vec3f x = vec_cast<float>(at) * 0.5f - Vec3f{0.25f, 0.25f, 0.25f};
        const Vec3i lo{x.x < 0 ? -1 : x.x < 1 ? 0 : 1, x.y < 0 ? -1 : x.y < 1 ? 0 : 1, x.z < 0 ? -1 : x.z < 1 ? 0 : 1};
        const Vec3f f = x - vec_cast<float>(lo);
        float distance = 0;
        for (int n = 0; n < 8; ++n) {
            const Vec3i d{n & 1, n >> 1 & 1, n >> 2};
            distance += (d.x ? f.x : 1 - f.x) * (d.y ? f.y : 1 - f.y) * (d.z ? f.z : 1 - f.z) *
                        phi(c.x + lo.x + d.x, c.y + lo.y + d.y, c.z + lo.z + d.z);
        }
        sum += weights[at.x] * weights[at.y] * weights[at.z] * std::clamp(0.5f + 2 * distance, 0.f, 1.f);
    }
    return boxes * sum;
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

/// Distance of the middle of a cell from all walls.
float middle(const Corners& phi, Vec3i c) {
    float sum = 0;
    for (int k = 0; k < 8; ++k)
        sum += phi(c.x + (k & 1), c.y + (k >> 1 & 1), c.z + (k >> 2));
    return std::min(sum / 8, phi.walls.distance_to_plain(phi.first + vec_cast<float>(c) + Vec3f{0.5f, 0.5f, 0.5f}));
}

Vec3i cell_of(int cell) {
    return {cell & 7, cell >> 3 & 7, cell >> 6};
}

/// Whether a wall too thin for the corners of cells stands between two middles, or around one of them and ends before
/// the other side of its cell.
bool is_parted(const Corners& phi, Vec3i cell, int axis) {
    const Vec3f here = phi.first + vec_cast<float>(cell) + Vec3f{0.5f, 0.5f, 0.5f};
    Vec3f half{};
    half[axis] = 0.5f;
    const Vec3f low = here - half - half;
    for (const collision::WallField& field : phi.walls.fields) {
        const float a = field.distance_only(low), b = field.distance_only(here);
        // Distances grow by little more than the way.
        if (std::abs(a) + std::abs(b) > 1.8f) continue;
        if (a <= 0 && field.distance_only(low - half) > 0) return true;
        if (b <= 0 && field.distance_only(here + half) > 0) return true;
        if (a > 0 && b > 0 && !field.sees(low, here)) return true;
    }
    return false;
}

Vec3f face_center(Vec3i coord, Vec3i cell, int axis) {
    Vec3f x = vec_cast<float>(coord * leaf_width + cell) + Vec3f{0.5f, 0.5f, 0.5f};
    x[axis] -= 0.5f;
    return x;
}

}  // namespace

void Solids::make(const Kinds& walls, Vec3i coord, SolidLeaf& leaf) const {
    const Corners phi = sample_corners(walls.all, coord);
    std::optional<Corners> at_rest;
    if (&walls.all != &walls.still) at_rest.emplace(sample_corners(walls.still, coord));
    const Shares volume(phi);
    leaf.inside = leaf.cut = no_cells;
    for (int n = 0; n < grid::leaf_cells; ++n) {
        const Vec3i cell = cell_of(n);
        leaf.share[static_cast<std::size_t>(n)] = volume(cell);
        leaf.room[static_cast<std::size_t>(n)] = volume.around(cell);
        leaf.tent[static_cast<std::size_t>(n)] = tent_share(phi, cell);
        if (volume.is_cut(cell)) set(leaf.cut, n);
        const float depth = middle(phi, cell);
        if (depth < 0) set(leaf.inside, n);
        for (int axis = 0; axis < 3; ++axis) {
            Vec3i low = cell;
            low[axis] -= 1;
            float open = std::min(volume(cell), volume(low)) < least_volume ? 0 : open_share(phi, cell, axis);
            if (open > 0 && depth < 1 && is_parted(phi, cell, axis)) open = 0;
            leaf.open[static_cast<std::size_t>(axis)][static_cast<std::size_t>(n)] = open;
            if (open == 1 || depth < -deepest) continue;
            // Where walls that move meet others each has its own share of the face.
            const float moved = at_rest ? std::max(0.f, open_share(*at_rest, cell, axis) - open) : 0.f;
            const collision::Walls& who = moved > 0.5f * (1 - open) ? walls.moving : walls.still;
            const collision::Walls::Nearest wall = who.nearest(face_center(coord, cell, axis));
            const float along = std::abs(wall.normal[axis]);
            const auto index = static_cast<std::uint32_t>(leaf.faces.size());
            if (open == 0 && along > 0.99f) leaf.straight.push_back(index);
            if (open == 0 && along > 0.01f && along <= 0.99f) leaf.slanted.push_back(index);
            leaf.faces.push_back({static_cast<std::uint16_t>(n), static_cast<std::uint8_t>(axis), open, moved,
                                  wall.normal, wall.velocity, wall.surface.friction, wall.surface.stickiness > 0,
                                  static_cast<std::int16_t>(wall.body)});
        }
    }
}

void Solids::place(const grid::LeafSet& leaves, const collision::Walls& walls, grid::AxisFields<float>& open) {
    const auto is_moving = [](const collision::WallField& field) { return field.moves() || field.body >= 0; };
    collision::Walls still = walls, moving;
    std::erase_if(still.fields, is_moving);
    std::copy_if(walls.fields.begin(), walls.fields.end(), std::back_inserter(moving.fields), is_moving);
    const std::string state = still.state();
    if (state != state_ || still_.size() > most_kept) still_.clear();
    state_ = state;
    moves_ = !moving.fields.empty();
    moving_.clear();
    near_.assign(leaves.size(), nullptr);

    struct Fresh {
        SolidLeaf* leaf;
        Vec3i coord;
        bool with_moving;
    };
    std::vector<Fresh> fresh;
    for (std::size_t l = 1; l < leaves.size() && !walls.empty(); ++l) {
        const Vec3i coord = leaves.coord(l);
        const Vec3f lo = vec_cast<float>(coord * leaf_width), hi = lo + Vec3f{8, 8, 8};
        const bool near_moving =
            moves_ && std::any_of(walls.fields.begin(), walls.fields.end(),
                                  [&](const auto& field) { return is_moving(field) && field.near(lo, hi, reach); });
        if (near_moving) {
            moving_.push_back({coord, std::make_unique<SolidLeaf>()});
            near_[l] = moving_.back().leaf.get();
            fresh.push_back({moving_.back().leaf.get(), coord, true});
        } else if (still.near(lo, hi, reach)) {
            std::unique_ptr<SolidLeaf>& kept = still_[coord];
            if (!kept) {
                kept = std::make_unique<SolidLeaf>();
                fresh.push_back({kept.get(), coord, false});
            }
            near_[l] = kept.get();
        }
    }
    parallel_for(fresh.size(), 1, [&](Range range) {
        for (std::size_t k : range)
            make({fresh[k].with_moving ? walls : still, still, moving}, fresh[k].coord, *fresh[k].leaf);
    });

    open.resize(leaves.size(), 1);
    parallel_for(leaves.size(), 32, [&](Range range) {
        for (std::size_t l : range) {
            for (int axis = 0; axis < 3; ++axis) {
                float* out = open[axis].leaf(l);
                if (l > 0 && near_[l]) {
                    const auto& from = near_[l]->open[static_cast<std::size_t>(axis)];
                    std::copy(from.begin(), from.end(), out);
                } else {
                    std::fill(out, out + grid::leaf_cells, 1.f);
                }
            }
        }
    });
}

void Solids::follow(const fluid::Coupling& bodies, double cell) {
    for (MovingLeaf& moving : moving_) {
        for (WallFace& face : moving.leaf->faces) {
            if (face.body < 0) continue;
            const fluid::Coupling::Body body = bodies.body(static_cast<std::size_t>(face.body));
            if (!body.answers) continue;
            const Vec3d x = vec_cast<double>(face_center(moving.coord, cell_of(face.cell), face.axis)) * cell;
            face.velocity = vec_cast<float>(body.velocity.linear + cross(body.velocity.angular, x - body.center));
        }
    }
}

void Solids::stop(const grid::LeafSet& leaves, grid::AxisFields<float>& velocity,
                  grid::AxisFields<float>& layer) const {
    parallel_for(leaves.size(), 16, [&](Range range) {
        for (std::size_t l : range) {
            if (!near_[l]) continue;
            for (const std::uint32_t k : near_[l]->straight) {
                const WallFace& face = near_[l]->faces[k];
                velocity[face.axis].leaf(l)[face.cell] = face.velocity[face.axis];
                layer[face.axis].leaf(l)[face.cell] = 0;
            }
        }
    });
}

void Solids::constrain(const grid::LeafSet& leaves, grid::AxisFields<float>& velocity) const {
    struct Change {
        float* at;
        float value;
    };
    // Each face looks at faces of the other axes around it: all are read before any is written.
    std::vector<std::vector<Change>> changes(leaves.size());
    parallel_for(leaves.size(), 16, [&](Range range) {
        for (std::size_t l : range) {
            if (!near_[l]) continue;
            for (const std::uint32_t k : near_[l]->slanted) {
                const WallFace& face = near_[l]->faces[k];
                const Vec3i cell = cell_of(face.cell);
                Vec3f u{};
                for (int a = 0; a < 3; ++a) {
                    if (a == face.axis) {
                        u[a] = velocity[a].leaf(l)[face.cell];
                        continue;
                    }
                    // The four faces of this axis around the middle of the face.
                    for (int n = 0; n < 4; ++n) {
                        Vec3i other = cell;
                        other[face.axis] -= n & 1;
                        other[a] += n >> 1;
                        u[a] += 0.25f * velocity[a].near(leaves, l, other);
                    }
                }
                const float into = dot(u - face.velocity, face.normal);
                if (into >= 0) continue;
                changes[l].push_back(
                    {velocity[face.axis].leaf(l) + face.cell, u[face.axis] - into * face.normal[face.axis]});
            }
        }
    });
    parallel_for(leaves.size(), 64, [&](Range range) {
        for (std::size_t l : range) {
            for (const Change& change : changes[l])
                *change.at = change.value;
        }
    });
}

}  // namespace spindrift::flip
