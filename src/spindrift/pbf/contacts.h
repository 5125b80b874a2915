#pragma once
// Which walls clusters of particles are near; only these clusters pay for walls.
//
//   Contacts contacts;
//   contacts.find(lists.clusters(), x, fluid, walls);                       // fluid.of(particle).h is a support radius
//   contacts.for_each_push(cluster, [&](std::size_t contact, std::size_t push) { ... });        // those with bodies

#include <cstdint>
#include <span>
#include <vector>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/core/buffer.h"
#include "spindrift/neighbors/cluster_lists.h"
#include "spindrift/particles/particle_store.h"
#include "spindrift/pbf/kernels.h"

namespace spindrift::pbf {

class Contacts {
  public:
    /// Marks the clusters near boxes and planes, and lists the fields that each cluster is near.
    void find(std::span<neighbors::Cluster> clusters, ConstChannel<Float4> x, const FluidView& fluid,
              const collision::Walls& walls);
    ContactView view();

    bool near_field(std::size_t cluster) const { return !starts_.empty() && starts_[cluster] < starts_[cluster + 1]; }
    std::size_t field(std::size_t contact) const { return fields_[contact]; }
    /// Distances of the eight particles of a contact, as the last iteration found them.
    const float* distances(std::size_t contact) const { return known_.data() + contact_floats * contact; }

    /// Contacts with bodies that answer to pushes.
    std::size_t push_count() const { return push_count_; }
    /// Calls body(contact, place among the pushes) for each of a cluster.
    template <class Body>
    void for_each_push(std::size_t cluster, const Body& body) const {
        for (std::uint32_t k = starts_[cluster]; k < starts_[cluster + 1]; ++k) {
            if (pushes_[k] != no_push) body(std::size_t{k}, static_cast<std::size_t>(pushes_[k]));
        }
    }

  private:
    void list(std::span<const neighbors::Cluster> clusters, ConstChannel<Float4> x, const FluidView& fluid,
              const collision::Walls& walls);
    void number_pushes(const collision::Walls& walls);

    std::vector<std::uint32_t> starts_;  ///< of each cluster, and the end; empty if there are no fields
    std::vector<std::uint16_t> fields_;
    std::vector<std::int32_t> pushes_;  ///< place among the pushes; empty if there are no bodies
    std::size_t push_count_ = 0;
    Buffer<float> known_{"contacts"};
};

}  // namespace spindrift::pbf
