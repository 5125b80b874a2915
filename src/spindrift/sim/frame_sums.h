#pragma once
// What the substeps since the frame before add up to; part of the state of a frame.

#include <cstddef>

#include "spindrift/fluid/solver.h"

namespace spindrift::sim {

struct FrameSums {
    int substeps = 0;
    double iterations = 0;  ///< mean over the particles
    double seconds = 0;
    std::size_t escaped = 0;
    fluid::StepFlags flags{};

    void add(const fluid::StepReport& report) {
        substeps += 1;
        iterations += report.particle_iterations;
        escaped += report.escaped;
        flags |= report.flags;
    }

    /// Calls visit(key, member) for all but the flags, which have keys of their own.
    template <class Self, class Visit>
    static void describe(Self& self, const Visit& visit) {
        visit("substeps", self.substeps);
        visit("iterations", self.iterations);
        visit("seconds", self.seconds);
        visit("escaped", self.escaped);
    }
};

}  // namespace spindrift::sim
