#pragma once
// The loops over pairs of particles as a step calls them, whoever runs them: each is one pass over all of its clusters.
//
//   std::unique_ptr<PairLoops> loops = make_host_loops(Bits::native);
//   loops->density(pass, active.size());

#include <cstddef>
#include <cstdint>
#include <memory>

#include "spindrift/pbf/kernels.h"

namespace spindrift::pbf {

class PairLoops {
  public:
    virtual ~PairLoops() = default;

    /// So many clusters, of pass.active if it has some.
    virtual void density(const DensityPass& pass, std::size_t clusters) = 0;
    virtual void correct(const CorrectionPass& pass, std::size_t clusters) = 0;
    virtual void stiffness(const StiffnessPass& pass, std::size_t clusters) = 0;
    virtual void viscosity(const ViscosityPass& pass, std::size_t clusters) = 0;
    virtual void vorticity(const VorticityPass& pass, std::size_t clusters) = 0;
    virtual void filled_shares(const FilledPass& pass, std::size_t clusters) = 0;
    virtual void exchange(const MixingPass& pass, std::size_t clusters) = 0;
    virtual void settling_weights(const SettlingPass& pass, std::size_t clusters) = 0;
    virtual void settle(const SettlingPass& pass, std::size_t clusters) = 0;
    /// Pairs within h of the clusters' particles, themselves not counted.
    virtual std::uint64_t count_pairs(const neighbors::ListView& lists, const FluidView& fluid, const Float4* x,
                                      std::size_t clusters) = 0;
    /// Of some particles, within a loop of the caller.
    virtual void find_meetings(const MeetingPass& pass) const = 0;
};

/// On the processor's cores, with the loops of its instruction set; see kernels_for().
std::unique_ptr<PairLoops> make_host_loops(Bits bits);

}  // namespace spindrift::pbf
