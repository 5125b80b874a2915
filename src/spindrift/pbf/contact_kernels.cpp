// Which walls clusters of particles are near.

#include "spindrift/pbf/motion_kernels.h"

namespace spindrift::pbf {

namespace {

/// Beyond the support by what the iterations may move: half a spacing was never reached in any test scene.
constexpr float wall_reach = 1 + static_cast<float>(0.5 / support_ratio);

Box3f box_around(const Float4* x, const neighbors::Cluster& cluster) {
    Box3f box{x[cluster.first].xyz(), x[cluster.first].xyz()};
    for (std::uint32_t k = 1; k < cluster.count; ++k) {
        const Vec3f p = x[cluster.first + k].xyz();
        box = {min(box.lo, p), max(box.hi, p)};
    }
    return box;
}

float reach_of(const ContactPass& pass, const neighbors::Cluster& cluster) {
    return wall_reach * pass.scales[pass.liquid ? pass.liquid[cluster.first] : 0].h;
}

}  // namespace

void mark_near_plain(const ContactPass& pass, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t n = first; n < last; ++n) {
        neighbors::Cluster& c = pass.clusters[n];
        const Box3f box = box_around(pass.x, c);
        c.near_wall = pass.walls->near_plain(box.lo, box.hi, reach_of(pass, c));
    }
}

/// Clusters that follow each other are close together: they look only at fields that all of them may be near.
void list_near_fields(const ContactPass& pass, std::uint32_t first, std::uint32_t last,
                      std::vector<std::uint16_t>& fields, std::uint32_t* counts) {
    Box3f all = box_around(pass.x, pass.clusters[first]);
    for (std::uint32_t n = first; n < last; ++n) {
        const Box3f box = box_around(pass.x, pass.clusters[n]);
        all = {min(all.lo, box.lo), max(all.hi, box.hi)};
    }
    std::vector<std::uint16_t> candidates;
    for (std::size_t k = 0; k < pass.walls->fields.size(); ++k) {
        if (pass.walls->fields[k].may_reach(all.lo, all.hi, wall_reach))
            candidates.push_back(static_cast<std::uint16_t>(k));
    }
    for (std::uint32_t n = first; n < last; ++n) {
        const neighbors::Cluster& c = pass.clusters[n];
        const Box3f box = box_around(pass.x, c);
        for (const std::uint16_t k : candidates) {
            if (!pass.walls->fields[k].near(box.lo, box.hi, reach_of(pass, c))) continue;
            fields.push_back(k);
            counts[n] += 1;
        }
    }
}

}  // namespace spindrift::pbf
