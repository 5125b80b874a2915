#pragma once
// Lattices filled by hand: a block of leaves, each point as a function says.
//
//   Lattice lattice = make_lattice({3, 2, 2}, [](Vec3i p) { return Sample{...}; });
//   geometry::InterfaceMesh mesh = contour_liquids(lattice);

#include "spindrift/core/random.h"
#include "spindrift/surface/lattice.h"

namespace spindrift::surface {

struct Sample {
    float phi = 1;
    std::uint8_t label = air;
    float lead = 1;
};

/// The points are whole numbers from 0 on; `shift` moves all of it by leaves, which may go below 0.
template <class F>
Lattice make_lattice(Vec3i size, const F& sample_at, Vec3i shift = {}) {
    Lattice lattice;
    lattice.voxel = 1;
    lattice.origin = vec_cast<double>(shift) * -8.0;
    const int leaves = size.x * size.y * size.z;
    for (int i = 0; i < leaves; ++i)
        lattice.leaves.push_back(shift + Vec3i{i % size.x, i / size.x % size.y, i / size.x / size.y});
    lattice.phi.resize(leaf_points * lattice.leaves.size());
    lattice.label.resize(lattice.phi.size());
    lattice.lead.resize(lattice.phi.size());
    for (std::size_t i = 0; i < lattice.phi.size(); ++i) {
        const int k = static_cast<int>(i % leaf_points);
        const Vec3i leaf = lattice.leaves[i / leaf_points] - shift;
        const Sample s = sample_at(leaf * 8 + Vec3i{k % 8, k / 8 % 8, k / 64});
        lattice.phi[i] = s.phi;
        lattice.label[i] = s.label;
        lattice.lead[i] = s.lead;
    }
    link_leaves(lattice);
    return lattice;
}

/// Labels at random, each the same in blocks of points this wide; air all around and in a share of the blocks.
struct RandomLabels {
    Vec3i points{};
    int liquids = 2;
    int block = 1;
    float air_share = 0.3f;
    std::uint64_t seed = 1;

    static std::uint64_t key(Vec3i p) { return static_cast<std::uint64_t>((p.z * 1024 + p.y) * 1024 + p.x); }

    Sample operator()(Vec3i p) const {
        const std::uint64_t own = key(p), shared = key({p.x / block, p.y / block, p.z / block});
        Sample s;
        s.phi = 0.1f + uniform(hash_counter(seed, own, 0));
        s.lead = 0.1f + uniform(hash_counter(seed, own, 1));
        for (int a = 0; a < 3; ++a) {
            if (p[a] == 0 || p[a] >= points[a] - 1) return s;
        }
        if (uniform(hash_counter(seed, shared, 2)) < air_share) return s;
        s.phi = -s.phi;
        s.label = static_cast<std::uint8_t>(uniform(hash_counter(seed, shared, 3)) * static_cast<float>(liquids));
        return s;
    }
};

}  // namespace spindrift::surface
