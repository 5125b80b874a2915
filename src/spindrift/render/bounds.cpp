#include <algorithm>

#include "spindrift/core/parallel.h"
#include "spindrift/render/render.h"
#include "spindrift/surface/lattice.h"

namespace spindrift::render {

namespace {

bool is_empty(const Box3d& box) {
    return box.lo.x > box.hi.x;
}

Box3d join(const Box3d& a, const Box3d& b) {
    if (is_empty(a)) return b;
    return is_empty(b) ? a : Box3d{min(a.lo, b.lo), max(a.hi, b.hi)};
}

double longest_side(const Box3d& box) {
    const Vec3d size = box.size();
    return std::max({size.x, size.y, size.z});
}

Box3d particle_bounds(const RenderScene& scene) {
    const auto box_of = [&](Range r) {
        Box3d box = empty_box;
        for (const auto i : r) {
            const Vec3d x = vec_cast<double>(scene.positions[i]);
            const double radius = scene.radius_of(i);
            const Vec3d reach{radius, radius, radius};
            if (is_finite(x) && is_finite(reach)) box = join(box, {x - reach, x + reach});
        }
        return box;
    };
    return parallel_reduce(scene.positions.size(), default_chunk, empty_box, box_of, join);
}

}  // namespace

Box3d bounds(const MeshBody& body) {
    if (!body.mesh) return empty_box;
    const auto box_of = [&](Range r) {
        Box3d box = empty_box;
        for (const auto i : r) {
            const Vec3d x = body.pose.to_world(vec_cast<double>(body.mesh->points[i]) * body.scale);
            if (is_finite(x)) box = join(box, {x, x});
        }
        return box;
    };
    return parallel_reduce(body.mesh->points.size(), default_chunk, empty_box, box_of, join);
}

Box3d bounds(const LiquidBody& body) {
    if (body.mesh || !body.lattice) return bounds(MeshBody{.mesh = body.mesh, .pose = body.pose});
    const surface::Lattice& lattice = *body.lattice;
    const Vec3d voxel{lattice.voxel, lattice.voxel, lattice.voxel};
    const auto box_of = [&](Range r) {
        Box3d box = empty_box;
        for (const auto leaf : r) {
            const float* phi = &lattice.phi[surface::leaf_points * leaf];
            for (int i = 0; i < static_cast<int>(surface::leaf_points); ++i) {
                if (!(phi[i] < 0)) continue;
                const Vec3d x = body.pose.to_world(lattice.place(lattice.leaves[leaf], {i & 7, i >> 3 & 7, i >> 6}));
                box = join(box, {x - voxel, x + voxel});
            }
        }
        return box;
    };
    return parallel_reduce(lattice.leaves.size(), 64, empty_box, box_of, join);
}

Box3d enclose(const Box3d& subject, const std::vector<Box3d>& meshes) {
    constexpr double dwarfed = 8;
    Box3d all = subject;
    for (const Box3d& box : meshes) {
        const bool fits = is_empty(subject) || longest_side(box) <= dwarfed * longest_side(subject);
        if (fits) all = join(all, box);
    }
    return all;
}

Box3d bounds(const RenderScene& scene) {
    Box3d subject = particle_bounds(scene);
    for (const Box3d& solid : scene.solids)
        subject = join(subject, solid);
    for (const LiquidBody& liquid : scene.liquids)
        subject = join(subject, bounds(liquid));
    std::vector<Box3d> meshes;
    for (const MeshBody& body : scene.meshes)
        meshes.push_back(bounds(body));
    const Box3d all = enclose(subject, meshes);
    return is_empty(all) && scene.domain ? *scene.domain : all;
}

}  // namespace spindrift::render
