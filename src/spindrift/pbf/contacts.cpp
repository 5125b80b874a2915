#include "spindrift/pbf/contacts.h"

#include <algorithm>

#include "spindrift/core/parallel.h"
#include "spindrift/fluid/liquid.h"
#include "spindrift/pbf/prototype.h"

namespace spindrift::pbf {

namespace {

/// Beyond the support by what the iterations may move: half a spacing was never reached in any test scene.
constexpr float wall_reach = 1 + static_cast<float>(0.5 / support_ratio);

Box3f box_around(ConstChannel<Float4> x, const neighbors::Cluster& cluster) {
    Box3f box{x[cluster.first].xyz(), x[cluster.first].xyz()};
    for (std::uint32_t k = 1; k < cluster.count; ++k) {
        const Vec3f p = x[cluster.first + k].xyz();
        box = {min(box.lo, p), max(box.hi, p)};
    }
    return box;
}

}  // namespace

void Contacts::find(std::span<neighbors::Cluster> clusters, ConstChannel<Float4> x, const FluidView& fluid,
                    const collision::Walls& walls) {
    starts_.clear();
    fields_.clear();
    pushes_.clear();
    push_count_ = 0;
    if (walls.empty()) return;
    parallel_for(clusters.size(), [&, x](Range range) {
        for (std::size_t n : range) {
            const Box3f box = box_around(x, clusters[n]);
            clusters[n].near_wall = walls.near_plain(box.lo, box.hi, wall_reach * fluid.of(clusters[n].first).h);
        }
    });
    if (walls.fields.empty()) return;
    list(clusters, x, fluid, walls);
    known_.resize(fields_.size() * contact_floats);
    number_pushes(walls);
}

/// Which fields each cluster is near. Clusters that follow each other are close together: they look only at fields that
/// all of them may be near.
void Contacts::list(std::span<const neighbors::Cluster> clusters, ConstChannel<Float4> x, const FluidView& fluid,
                    const collision::Walls& walls) {
    constexpr std::size_t chunk = 256;
    std::vector<std::vector<std::uint16_t>> found((clusters.size() + chunk - 1) / chunk);
    starts_.assign(clusters.size() + 1, 0);
    parallel_for(clusters.size(), chunk, [&, x](Range range) {
        Box3f all = box_around(x, clusters[range.first]);
        for (std::size_t n : range) {
            const Box3f box = box_around(x, clusters[n]);
            all = {min(all.lo, box.lo), max(all.hi, box.hi)};
        }
        std::vector<std::uint16_t> candidates;
        for (std::size_t k = 0; k < walls.fields.size(); ++k) {
            if (walls.fields[k].may_reach(all.lo, all.hi, wall_reach))
                candidates.push_back(static_cast<std::uint16_t>(k));
        }
        for (std::size_t n : range) {
            const Box3f box = box_around(x, clusters[n]);
            for (const std::uint16_t k : candidates) {
                if (!walls.fields[k].near(box.lo, box.hi, wall_reach * fluid.of(clusters[n].first).h)) continue;
                found[range.first / chunk].push_back(k);
                starts_[n + 1] += 1;
            }
        }
    });
    for (std::size_t n = 0; n < clusters.size(); ++n)
        starts_[n + 1] += starts_[n];
    for (const std::vector<std::uint16_t>& part : found)
        fields_.insert(fields_.end(), part.begin(), part.end());
}

void Contacts::number_pushes(const collision::Walls& walls) {
    const auto takes_part = [](const collision::WallField& field) { return field.body >= 0; };
    if (std::none_of(walls.fields.begin(), walls.fields.end(), takes_part)) return;
    pushes_.resize(fields_.size());
    std::int32_t count = 0;
    for (std::size_t k = 0; k < fields_.size(); ++k)
        pushes_[k] = takes_part(walls.fields[fields_[k]]) ? count++ : no_push;
    push_count_ = static_cast<std::size_t>(count);
}

ContactView Contacts::view() {
    return {.starts = starts_.empty() ? nullptr : starts_.data(),
            .field = fields_.data(),
            .push = pushes_.empty() ? nullptr : pushes_.data(),
            .known = known_.data()};
}

}  // namespace spindrift::pbf
