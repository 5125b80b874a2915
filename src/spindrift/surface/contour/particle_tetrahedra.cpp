#include "spindrift/surface/contour/particle_tetrahedra.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "spindrift/surface/contour/delaunay.h"

namespace spindrift::surface {

namespace {

/// What Delaunay tetrahedra are made of, in metres from the lattice's origin.
struct LabelledPoints {
    std::vector<Vec3f> x;
    std::vector<std::uint8_t> label;
    std::vector<float> phi, lead;

    void add(Vec3d at, std::uint8_t of, float value) {
        x.push_back(vec_cast<float>(at));
        label.push_back(of);
        phi.push_back(value);
        lead.push_back(1);
    }
};

/// Values of the lattice at any place.
class LatticeReader {
  public:
    explicit LatticeReader(const Lattice& lattice) : lattice_(lattice) {
        for (std::size_t leaf = 0; leaf < lattice.leaves.size(); ++leaf)
            leaves_[key(lattice.leaves[leaf])] = leaf;
    }

    /// Phi at a place in points from the lattice's first, if all eight points around it are there.
    bool sample(Vec3d p, float& phi) const {
        const Vec3i lo{static_cast<int>(std::floor(p.x)), static_cast<int>(std::floor(p.y)),
                       static_cast<int>(std::floor(p.z))};
        const Vec3d t = p - vec_cast<double>(lo);
        double sum = 0;
        for (int k = 0; k < 8; ++k) {
            const Vec3i step{k & 1, k >> 1 & 1, k >> 2};
            const Vec3i at = lo + step;
            const auto found = leaves_.find(key({at.x >> 3, at.y >> 3, at.z >> 3}));
            if (found == leaves_.end()) return false;
            const auto share = [](double s, int up) { return up ? s : 1 - s; };
            const int point = point_index({at.x & 7, at.y & 7, at.z & 7});
            sum += share(t.x, step.x) * share(t.y, step.y) * share(t.z, step.z) *
                   lattice_.phi[leaf_points * found->second + static_cast<std::size_t>(point)];
        }
        phi = static_cast<float>(sum);
        return true;
    }

  private:
    using Key = std::tuple<int, int, int>;
    static Key key(Vec3i c) { return {c.z, c.y, c.x}; }

    const Lattice& lattice_;
    std::map<Key, std::size_t> leaves_;
};

/// Particles where the lattice has points. One that the surface passes by, as a speck that was cut off, is air.
void add_particles(const neighbors::ParticleCells& cells, const Lattice& lattice, LabelledPoints& out) {
    const LatticeReader reader(lattice);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Vec3d at = cells.origin() + vec_cast<double>(cells.x()[i].xyz()) * cells.unit() - lattice.origin;
        float phi = 0;
        if (!reader.sample(at / lattice.voxel, phi)) continue;
        out.add(at, phi < 0 ? static_cast<std::uint8_t>(cells.liquid(i)) : air, phi);
    }
}

/// Points of the lattice in the air beside the liquids, about a spacing apart, and eight far away around everything.
void add_air(const Lattice& lattice, double spacing, LabelledPoints& out) {
    const int stride = std::clamp(static_cast<int>(std::round(spacing / lattice.voxel)), 1, 4);
    Vec3d lo{1e30, 1e30, 1e30}, hi = -lo;
    for (std::size_t leaf = 0; leaf < lattice.leaves.size(); ++leaf) {
        for (int i = 0; i < static_cast<int>(leaf_points); ++i) {
            const Vec3i point = lattice.leaves[leaf] * lattice_width + Vec3i{i & 7, i >> 3 & 7, i >> 6};
            const Vec3d at = vec_cast<double>(point) * lattice.voxel;
            lo = min(lo, at);
            hi = max(hi, at);
            const float phi = lattice.phi[leaf_points * leaf + static_cast<std::size_t>(i)];
            const bool sampled = point.x % stride == 0 && point.y % stride == 0 && point.z % stride == 0;
            if (sampled && phi >= 0 && phi < 1.5 * spacing) out.add(at, air, phi);
        }
    }
    const Vec3d margin = (hi - lo) * 0.5 + Vec3d{spacing, spacing, spacing};
    for (int k = 0; k < 8; ++k) {
        const Vec3d side{k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0};
        out.add((lo + hi) * 0.5 + Vec3d{side.x * margin.x, side.y * margin.y, side.z * margin.z} * 2.0, air,
                static_cast<float>(spacing));
    }
}

}  // namespace

geometry::InterfaceMesh contour_particles(const neighbors::ParticleCells& cells, const Lattice& lattice) {
    if (lattice.leaves.empty()) return {};
    LabelledPoints points;
    add_particles(cells, lattice, points);
    add_air(lattice, cells.spacing(cells.classes() - 1), points);
    geometry::InterfaceMesh surface = contour_delaunay(points.x, points.label, points.phi, points.lead);
    for (Vec3f& p : surface.mesh.points)
        p = vec_cast<float>(vec_cast<double>(p) + lattice.origin);
    return surface;
}

}  // namespace spindrift::surface
