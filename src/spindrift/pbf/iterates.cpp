#include "spindrift/pbf/iterates.h"

#include <algorithm>

#include "spindrift/core/parallel.h"
#include "spindrift/pbf/kernels.h"

namespace spindrift::pbf {

void Iterates::make_room_for_pushes(std::size_t contacts) {
    has_pushes_ = contacts > 0;
    if (!has_pushes_) return;
    for (Buffer<float>* buffer : {&no_pushes_, &pushes_[0], &pushes_[1]})
        buffer->resize(contacts * push_floats);
    std::fill(no_pushes_.data(), no_pushes_.data() + no_pushes_.size(), 0.f);
}

Iterate Iterates::predicted(ParticleStore& particles) {
    return {particles.position().data(), has_pushes_ ? no_pushes_.data() : nullptr};
}

void Iterates::copy_predicted(const ParticleStore& particles) {
    last_ = 0;
    parallel_for(particles.size(), [from = particles.position().data(), to = x()](Range range) {
        std::copy(from + range.first, from + range.last, to + range.first);
    });
    if (has_pushes_) std::copy(no_pushes_.data(), no_pushes_.data() + no_pushes_.size(), pushes_[0].data());
}

}  // namespace spindrift::pbf
