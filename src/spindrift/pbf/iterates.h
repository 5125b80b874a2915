#pragma once
// Positions as the iterations of a step go through them: the predicted ones in the store, then two arrays by turns.
//
//   iterates.begin();                                // nothing but predicted positions
//   Iterate now = iterates.predicted(particles);
//   correct(now, iterates.next());
//   iterates.turn();                                 // what was next is last
//   iterates.x();

#include <array>
#include <cstddef>

#include "spindrift/core/buffer.h"
#include "spindrift/fluid/sorted_particles.h"
#include "spindrift/particles/particle_store.h"

namespace spindrift::pbf {

/// Positions at one moment of the iterations.
struct Iterate {
    Float4* x = nullptr;
    float* pushes = nullptr;  ///< moves by bodies that x holds, push_floats each; nullptr without bodies
};

class Iterates {
  public:
    /// The arrays, for the sort before a solve and the diffusion after it.
    fluid::SpareArrays& arrays() { return arrays_; }
    Buffer<Float4>& spare() { return arrays_.of[next_index()]; }

    /// Forgets the last solve.
    void begin() { last_ = none; }
    bool any() const { return last_ != none; }
    /// Room for so many contacts with bodies in every iterate from now on.
    void make_room_for_pushes(std::size_t contacts);

    /// Where the store's particles are, before any body moved them.
    Iterate predicted(ParticleStore& particles);
    Iterate last() { return at(last_); }
    Iterate next() { return at(next_index()); }
    /// Makes the next one the last.
    void turn() { last_ = next_index(); }
    /// Makes a copy of the predicted positions the last iterate.
    void copy_predicted(const ParticleStore& particles);

    /// Positions of the last iterate.
    Float4* x() { return arrays_.of[last_].data(); }
    const Float4* x() const { return arrays_.of[last_].data(); }

  private:
    static constexpr std::size_t none = 2;

    std::size_t next_index() const { return last_ == 0 ? 1 : 0; }
    Iterate at(std::size_t index) { return {arrays_.of[index].data(), has_pushes_ ? pushes_[index].data() : nullptr}; }

    fluid::SpareArrays arrays_;
    std::size_t last_ = none;
    std::array<Buffer<float>, 2> pushes_{Buffer<float>("contacts"), Buffer<float>("contacts")};
    Buffer<float> no_pushes_{"contacts"};
    bool has_pushes_ = false;
};

}  // namespace spindrift::pbf
