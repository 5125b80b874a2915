#pragma once
// Which walls clusters of particles are near; only these clusters pay for walls.
//
//   Contacts contacts;
//   contacts.find({.clusters = clusters.data(), .x = x, .scales = scales, .walls = &walls}, clusters.size());
//   contacts.for_each_push(cluster, [&](std::size_t contact, std::size_t push) { ... });        // those with bodies

#include <cstdint>
#include <vector>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/core/buffer.h"
#include "spindrift/pbf/motion_kernels.h"

namespace spindrift::pbf {

class Contacts {
  public:
    /// Marks the clusters near boxes and planes, and lists the fields that each cluster is near.
    void find(const ContactPass& pass, std::size_t clusters);
    ContactView view();

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
    void list(const ContactPass& pass, std::size_t clusters);
    void number_pushes(const collision::Walls& walls);

    std::vector<std::uint32_t> starts_;  ///< of each cluster, and the end; empty if there are no fields
    std::vector<std::uint16_t> fields_;
    std::vector<std::int32_t> pushes_;  ///< place among the pushes; empty if there are no bodies
    std::size_t push_count_ = 0;
    Buffer<float> known_{"contacts"};
};

}  // namespace spindrift::pbf
