#include "spindrift/mac/grid_kernels.h"

#include "spindrift/mac/place_kernels.h"

namespace spindrift::mac::SPINDRIFT_ISA_NAMESPACE {

namespace {

using grid::cell_index;
using grid::leaf_cells;
using grid::leaf_width;

using Quad = float __attribute__((vector_size(16)));

SPINDRIFT_INLINE F8 and_(F8 a, F8 b) {
    return select(a, b, F8(0.f));
}

void measure_filling(const LeafPlace& place, const Float4* x, std::uint32_t first, std::uint32_t last, float* buffer) {
    for (std::uint32_t p = first; p < last; ++p) {
        const Vec3f s = in_leaf(x[p].xyz(), place.per_cell, place.corner) + Vec3f{0.5f, 0.5f, 0.5f};
        const int ix = static_cast<int>(s.x), iy = static_cast<int>(s.y), iz = static_cast<int>(s.z);
        const float fx = s.x - static_cast<float>(ix), fy = s.y - static_cast<float>(iy);
        const float up = s.z - static_cast<float>(iz), gy = 1 - fy;
        const float fz = place.weight * up, gz = place.weight * (1 - up);
        const float weights[4] = {gy * gz, fy * gz, gy * fz, fy * fz};
        constexpr int slice = around_row * around_width;
        constexpr int offsets[4] = {0, around_row, slice, slice + around_row};
        float* const at = buffer + iz * slice + iy * around_row + ix;
        const Quad unit{1 - fx, fx, 0, 0};
        for (int k = 0; k < 4; ++k)
            _mm_storeu_ps(at + offsets[k], _mm_loadu_ps(at + offsets[k]) + unit * weights[k]);
    }
}

/// Takes over what a neighbour's buffer has for cells of a leaf.
template <class Take>
void pull(const float* buffer, int neighbor, float* cells, const Take& take) {
    const int dx = neighbor % 3 - 1, dy = neighbor / 3 % 3 - 1, dz = neighbor / 9 - 1;
    const auto first = [](int d) { return d > 0 ? leaf_width - 1 : 0; };
    const auto last = [](int d) { return d < 0 ? 1 : leaf_width; };
    for (int z = first(dz); z < last(dz); ++z) {
        for (int y = first(dy); y < last(dy); ++y) {
            const float* from = buffer + ((z - 8 * dz + 1) * around_width + y - 8 * dy + 1) * around_row - 8 * dx + 1;
            for (int x = first(dx); x < last(dx); ++x)
                take(cells[cell_index(x, y, z)], from[x]);
        }
    }
}

/// Of all leaves around one; returns whether there were any.
template <class Take>
bool pull_all(const AroundPass& pass, std::size_t leaf, float* cells, const Take& take) {
    const std::int32_t* near = pass.leaves->neighbors(leaf);
    bool found = false;
    for (int n = 0; n < 27; ++n) {
        const std::int32_t buffer = pass.buffer_of[near[n]];
        if (buffer < 0) continue;
        found = true;
        pull(pass.buffers + static_cast<std::size_t>(buffer) * around_floats, n, cells, take);
    }
    return found;
}

constexpr float unmeasured = 10;

void measure_distance(const LeafPlace& place, const Float4* x, std::uint32_t first, std::uint32_t last, float* buffer) {
    for (std::uint32_t p = first; p < last; ++p) {
        const Vec3f local = in_leaf(x[p].xyz(), place.per_cell, place.corner);
        const int cx = static_cast<int>(local.x), cy = static_cast<int>(local.y), cz = static_cast<int>(local.z);
        // From the centre of the cell before it on, three along each axis; the fourth along x is nobody's.
        const float ox = static_cast<float>(cx) - 0.5f - local.x;
        const float oy = static_cast<float>(cy) - 0.5f - local.y, oz = static_cast<float>(cz) - 0.5f - local.z;
        const Quad dx = Quad{ox, ox + 1, ox + 2, unmeasured};
        const Quad dx2 = dx * dx;
        float* at = buffer + (cz * around_width + cy) * around_row + cx;
        for (int k = 0; k < 3; ++k) {
            const float dz = oz + static_cast<float>(k);
            for (int j = 0; j < 3; ++j) {
                const float dy = oy + static_cast<float>(j), rest = dz * dz + dy * dy;
                float* row = at + (k * around_width + j) * around_row;
                _mm_storeu_ps(row, _mm_min_ps(_mm_loadu_ps(row), dx2 + Quad{rest, rest, rest, rest}));
            }
        }
    }
}

/// Distance from a flat surface that leaves a cell so full: under a tent of two cells' width 1/2 + d - d |d| / 2 is
/// below a surface that is d above the cell's middle.
SPINDRIFT_INLINE F8 distance_of(F8 filling) {
    const F8 half(0.5f), zero(0.f), missing = max(F8(1.f) - filling, zero);
    const F8 below = sqrt(missing + missing) - F8(1.f), above = F8(1.f) - sqrt(filling + filling);
    return select(half < filling, below, above);
}

bool combine_filling(const AroundPass& pass, std::size_t leaf, const LeafMask& deep, const float* room) {
    alignas(32) float sum[leaf_cells] = {};
    const bool found = pull_all(pass, leaf, sum, [](float& to, float from) { to += from; });
    float* phi = pass.phi + leaf * leaf_cells;
    for (int k = 0; k < leaf_cells; k += 8) {
        const F8 whole = room ? max(load(room + k), F8(least_room)) : F8(1.f);
        store(phi + k, distance_of(load(sum + k) * F8(1.f / particles_in_cell) / whole));
    }
    for_each_set(deep, [&](int cell) { phi[cell] = deep_inside; });
    return found;
}

/// How much of the bulk a cell is: below a flat surface the narrow view and the wide one agree.
SPINDRIFT_INLINE F8 share_of_bulk(F8 narrow, F8 wide) {
    const F8 thinner = wide - narrow;
    return min(max((F8(thin_by) - thinner) * F8(1.f / (thin_by - flat_by)), F8(0.f)), F8(1.f));
}

void combine_distance(const AroundPass& pass, std::size_t leaf, const float* wide) {
    constexpr float far = (far_outside + ball_radius) * (far_outside + ball_radius);
    alignas(32) float nearest[leaf_cells];
    for (float& value : nearest)
        value = far;
    pull_all(pass, leaf, nearest, [](float& to, float from) { to = from < to ? from : to; });
    float* phi = pass.phi + leaf * leaf_cells;
    for (int k = 0; k < leaf_cells; k += 8) {
        const F8 by_filling = load(phi + k), by_balls = sqrt(load(nearest + k)) - F8(ball_radius);
        store(phi + k, fmadd(share_of_bulk(by_filling, load(wide + k)), by_filling - by_balls, by_balls));
    }
}

template <class Take>
SPINDRIFT_INLINE void for_faces(const FacesPass& pass, std::size_t leaf, const Take& take) {
    const std::int32_t* near = pass.leaves->neighbors(leaf);
    const LeafRows x(pass.faces[0], leaf, near), y(pass.faces[1], leaf, near), z(pass.faces[2], leaf, near);
    for (int cz = 0; cz < leaf_width; ++cz) {
        for (int cy = 0; cy < leaf_width; ++cy) {
            const F8 along_x = x.here(cy, cz) + x.upper_x(cy, cz), along_y = y.here(cy, cz) + y.upper_y(cy, cz),
                     along_z = z.here(cy, cz) + z.upper_z(cy, cz);
            store(pass.cells + cell_index(0, cy, cz), take(along_x, along_y, along_z));
        }
    }
}

void mean_of_faces(const FacesPass& pass, std::size_t leaf) {
    for_faces(pass, leaf, [](F8 x, F8 y, F8 z) { return (x + y + z) * F8(1.f / 6); });
}

void size_of_faces(const FacesPass& pass, std::size_t leaf) {
    for_faces(pass, leaf, [](F8 x, F8 y, F8 z) { return F8(0.5f) * sqrt(x * x + y * y + z * z); });
}

/// What joins a cell to its neighbour across a face.
struct Join {
    F8 coupling;  ///< if both are liquid
    F8 air;       ///< to the surface between them, if the neighbour is air
    F8 across;    ///< that times the way to the surface
};

/// Where the surface meets the way from a cell's centre to that of its neighbour outside. Centres are a cell apart, so
/// distances that differ by more are not both right: each counts the less the farther it is, since how full a cell is
/// tells nothing of a surface a cell away.
SPINDRIFT_INLINE F8 share_of_way(F8 inside, F8 outside) {
    constexpr float nothing = 1e-3f;
    const F8 one(1.f), apart = outside - inside;
    const F8 trust_in = max(one + inside, F8(0.f)), trust_out = max(one - outside, F8(0.f));
    const F8 judged =
        (trust_out * trust_out - trust_in * inside + F8(0.5f * nothing)) / (trust_in + trust_out + F8(nothing));
    const F8 met = (F8(0.f) - inside) / max(apart, F8(1e-6f));
    return max(select(one < apart, judged, met), F8(least_share));
}

SPINDRIFT_INLINE Join join(F8 phi, F8 other, F8 open) {
    const F8 liquid = other < F8(0.f);
    // Air counts beside liquid only.
    if ((mask(phi < F8(0.f)) & ~mask(liquid)) == 0) return {and_(liquid, open), F8(0.f), F8(0.f)};
    const F8 across = select(liquid, F8(0.f), open);
    return {and_(liquid, open), across / share_of_way(phi, other), across};
}

/// `has_densities` if faces differ in how light they are.
template <bool has_densities>
int assemble_leaf(const PressurePass& pass, std::size_t leaf) {
    const std::int32_t* near = pass.leaves->neighbors(leaf);
    const LeafRows phi(pass.phi, leaf, near);
    const LeafRows ox(pass.open[0], leaf, near), oy(pass.open[1], leaf, near), oz(pass.open[2], leaf, near);
    const LeafRows ux(pass.velocity[0], leaf, near), uy(pass.velocity[1], leaf, near), uz(pass.velocity[2], leaf, near);
    const LeafRows jump(pass.jump ? pass.jump : pass.phi, leaf, near);
    const float* const* const lightness = has_densities ? pass.lightness : pass.open;
    const LeafRows lx(lightness[0], leaf, near), ly(lightness[1], leaf, near), lz(lightness[2], leaf, near);
    const std::size_t base = leaf * leaf_cells;
    int unknowns = 0;
    for (int z = 0; z < leaf_width; ++z) {
        for (int y = 0; y < leaf_width; ++y) {
            const std::size_t at = base + static_cast<std::size_t>(cell_index(0, y, z));
            const F8 here = phi.here(y, z), liquid = here < F8(0.f);
            if (mask(liquid) == 0) {
                for (float* field : {pass.coupling[0], pass.coupling[1], pass.coupling[2], pass.diagonal, pass.rhs})
                    store(field + at, F8(0.f));
                continue;
            }
            const F8 ox0 = ox.here(y, z), ox1 = ox.upper_x(y, z), oy0 = oy.here(y, z), oy1 = oy.upper_y(y, z),
                     oz0 = oz.here(y, z), oz1 = oz.upper_z(y, z);
            F8 give[6] = {ox0, ox1, oy0, oy1, oz0, oz1};
            if constexpr (has_densities) {
                const F8 light[6] = {lx.here(y, z),    lx.upper_x(y, z), ly.here(y, z),
                                     ly.upper_y(y, z), lz.here(y, z),    lz.upper_z(y, z)};
                for (int k = 0; k < 6; ++k)
                    give[k] = give[k] * light[k];
            }
            const Join joins[6] = {join(here, phi.lower_x(y, z), give[0]), join(here, phi.upper_x(y, z), give[1]),
                                   join(here, phi.lower_y(y, z), give[2]), join(here, phi.upper_y(y, z), give[3]),
                                   join(here, phi.lower_z(y, z), give[4]), join(here, phi.upper_z(y, z), give[5])};
            F8 diagonal(0.f);
            for (const Join& each : joins)
                diagonal = diagonal + each.coupling + each.air;
            F8 inflow = ox0 * ux.here(y, z) - ox1 * ux.upper_x(y, z) + oy0 * uy.here(y, z) - oy1 * uy.upper_y(y, z) +
                        oz0 * uz.here(y, z) - oz1 * uz.upper_z(y, z);
            if (pass.target) inflow = inflow + load(pass.target + at);
            if (pass.jump) {
                // The surface's own pressure is that of the place where it meets the way between the two cells: as it
                // comes to one of them all ways out of that cell have the same.
                const F8 own = jump.here(y, z);
                const F8 others[6] = {jump.lower_x(y, z), jump.upper_x(y, z), jump.lower_y(y, z),
                                      jump.upper_y(y, z), jump.lower_z(y, z), jump.upper_z(y, z)};
                for (int k = 0; k < 6; ++k)
                    inflow = inflow + joins[k].air * own + joins[k].across * (others[k] - own);
            }
            store(pass.coupling[0] + at, and_(liquid, joins[0].coupling));
            store(pass.coupling[1] + at, and_(liquid, joins[2].coupling));
            store(pass.coupling[2] + at, and_(liquid, joins[4].coupling));
            // A cell that solids close on all sides is no unknown.
            const F8 unknown = and_(liquid, F8(1e-4f) < diagonal);
            store(pass.diagonal + at, and_(unknown, diagonal));
            store(pass.rhs + at, and_(unknown, inflow));
            unknowns += __builtin_popcount(static_cast<unsigned>(mask(unknown)));
        }
    }
    return unknowns;
}

int assemble(const PressurePass& pass, std::size_t leaf) {
    return pass.lightness[0] ? assemble_leaf<true>(pass, leaf) : assemble_leaf<false>(pass, leaf);
}

/// Velocity of a row of faces after the pressure, and its layer. `low` are the cells below the faces.
SPINDRIFT_INLINE void project_row(F8 phi, F8 phi_low, F8 unknown, F8 unknown_low, F8 p, F8 p_low, F8 jump, F8 jump_low,
                                  F8 open, F8 lightness, float* velocity, float* layer) {
    const F8 zero(0.f);
    const F8 u = load(velocity),
             own = select(and_(F8(0.999f) < open, load(layer) < F8(0.5f)), F8(own_layer), F8(no_layer));
    if (mask(unknown) == 0 && mask(unknown_low) == 0) return store(layer, own);
    if (mask(unknown) == 0xff && mask(unknown_low) == 0xff) {
        const F8 flows = zero < open;
        store(velocity, select(flows, u - (p - p_low) * lightness, u));
        return store(layer, select(flows, zero, own));
    }
    const F8 is_air = select(unknown, zero, F8(1.f)), is_air_low = select(unknown_low, zero, F8(1.f));
    // Between two liquid cells the full gradient; else that between one of them and the surface.
    const F8 outwards = (jump_low - p_low) / share_of_way(phi_low, phi) + (jump - jump_low),
             inwards = (p - jump) / share_of_way(phi, phi_low) + (jump - jump_low);
    const F8 gradient = select(zero < is_air, outwards, select(zero < is_air_low, inwards, p - p_low));
    const F8 counts = zero < (F8(2.f) - is_air - is_air_low);
    const F8 flows = and_(counts, zero < open);
    store(velocity, select(flows, u - gradient * lightness, u));
    store(layer, select(flows, zero, own));
}

void project(const PressurePass& pass, std::size_t leaf) {
    const std::int32_t* near = pass.leaves->neighbors(leaf);
    const LeafRows phi(pass.phi, leaf, near), p(pass.pressure, leaf, near), diagonal(pass.diagonal, leaf, near);
    const LeafRows jump(pass.jump ? pass.jump : pass.pressure, leaf, near);
    const F8 zero(0.f), one(pass.jump ? 1.f : 0.f);
    const auto lightness = [&](int axis, std::size_t at) {
        return pass.lightness[axis] ? load(pass.lightness[axis] + at) : F8(1.f);
    };
    for (int z = 0; z < leaf_width; ++z) {
        for (int y = 0; y < leaf_width; ++y) {
            const std::size_t at = leaf * leaf_cells + static_cast<std::size_t>(cell_index(0, y, z));
            const F8 phi0 = phi.here(y, z), p0 = p.here(y, z), unknown = zero < diagonal.here(y, z),
                     own = one * jump.here(y, z);
            project_row(phi0, phi.lower_x(y, z), unknown, zero < diagonal.lower_x(y, z), p0, p.lower_x(y, z), own,
                        one * jump.lower_x(y, z), load(pass.open[0] + at), lightness(0, at), pass.velocity[0] + at,
                        pass.layer[0] + at);
            project_row(phi0, phi.lower_y(y, z), unknown, zero < diagonal.lower_y(y, z), p0, p.lower_y(y, z), own,
                        one * jump.lower_y(y, z), load(pass.open[1] + at), lightness(1, at), pass.velocity[1] + at,
                        pass.layer[1] + at);
            project_row(phi0, phi.lower_z(y, z), unknown, zero < diagonal.lower_z(y, z), p0, p.lower_z(y, z), own,
                        one * jump.lower_z(y, z), load(pass.open[2] + at), lightness(2, at), pass.velocity[2] + at,
                        pass.layer[2] + at);
        }
    }
}

void extend(const ExtendPass& pass, std::size_t leaf, std::uint64_t rows, float* out) {
    const std::int32_t* near = pass.leaves->neighbors(leaf);
    const LeafRows u(pass.velocity, leaf, near), l(pass.layer, leaf, near);
    const F8 zero(0.f), number(pass.number);
    for (; rows != 0; rows &= rows - 1, out += extended_row) {
        const int row = __builtin_ctzll(rows), y = row % leaf_width, z = row / leaf_width;
        const F8 layers[6] = {l.lower_x(y, z), l.upper_x(y, z), l.lower_y(y, z),
                              l.upper_y(y, z), l.lower_z(y, z), l.upper_z(y, z)};
        const F8 values[6] = {u.lower_x(y, z), u.upper_x(y, z), u.lower_y(y, z),
                              u.upper_y(y, z), u.lower_z(y, z), u.upper_z(y, z)};
        F8 count(0.f), sum(0.f);
        for (int k = 0; k < 6; ++k) {
            const F8 counts = layers[k] < number;
            count = count + and_(counts, F8(1.f));
            sum = sum + and_(counts, values[k]);
        }
        const F8 own = l.here(y, z), reached = zero < and_(number < own, count);
        store(out, select(reached, sum / max(count, F8(1.f)), u.here(y, z)));
        store(out + leaf_width, select(reached, number, own));
    }
}

void find_known(const float* layer, LeafMask& known) {
    for (std::size_t z = 0; z < known.size(); ++z) {
        std::uint64_t word = 0;
        for (int y = 0; y < leaf_width; ++y) {
            const F8 row = load(layer + cell_index(0, y, static_cast<int>(z)));
            word |= static_cast<std::uint64_t>(mask(row < F8(no_layer))) << (8 * y);
        }
        known[z] = word;
    }
}

float fastest(const float* velocity, const float* layer) {
    F8 largest(0.f);
    for (int k = 0; k < leaf_cells; k += 8) {
        const F8 u = load(velocity + k);
        largest = max(largest, and_(load(layer + k) < F8(0.5f), max(u, F8(0.f) - u)));
    }
    return largest_of(largest);
}

}  // namespace

GridKernels grid_kernels() {
    return {measure_filling, measure_distance, combine_filling, combine_distance, mean_of_faces, size_of_faces,
            assemble,        project,          extend,          find_known,       fastest};
}

}  // namespace spindrift::mac::SPINDRIFT_ISA_NAMESPACE
