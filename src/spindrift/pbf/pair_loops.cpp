#include "spindrift/pbf/pair_loops.h"

#include <functional>

#include "spindrift/core/parallel.h"

namespace spindrift::pbf {

namespace {

class HostLoops final : public PairLoops {
  public:
    explicit HostLoops(Bits bits) : kernels_(kernels_for(bits)) {}

    void density(const DensityPass& pass, std::size_t clusters) override { run(kernels_.density, pass, clusters); }
    void correct(const CorrectionPass& pass, std::size_t clusters) override { run(kernels_.correct, pass, clusters); }
    void stiffness(const StiffnessPass& pass, std::size_t clusters) override {
        run(kernels_.stiffness, pass, clusters);
    }
    void viscosity(const ViscosityPass& pass, std::size_t clusters) override {
        run(kernels_.viscosity, pass, clusters);
    }
    void vorticity(const VorticityPass& pass, std::size_t clusters) override {
        run(kernels_.vorticity, pass, clusters);
    }
    void filled_shares(const FilledPass& pass, std::size_t clusters) override {
        run(kernels_.filled_shares, pass, clusters);
    }
    void exchange(const MixingPass& pass, std::size_t clusters) override { run(kernels_.exchange, pass, clusters); }
    void settling_weights(const SettlingPass& pass, std::size_t clusters) override {
        run(kernels_.settling_weights, pass, clusters);
    }
    void settle(const SettlingPass& pass, std::size_t clusters) override { run(kernels_.settle, pass, clusters); }
    std::uint64_t count_pairs(const neighbors::ListView& lists, const FluidView& fluid, const Float4* x,
                              std::size_t clusters) override {
        return parallel_reduce(
            clusters, neighbors::clusters_per_task, std::uint64_t{0},
            [&](Range r) {
                return kernels_.count_pairs(lists, fluid, x, static_cast<std::uint32_t>(r.first),
                                            static_cast<std::uint32_t>(r.last));
            },
            std::plus<>());
    }
    void find_meetings(const MeetingPass& pass) const override { kernels_.find_meetings(pass); }

  private:
    template <class Pass>
    static void run(void (*kernel)(const Pass&, std::uint32_t, std::uint32_t), const Pass& pass, std::size_t clusters) {
        parallel_for(clusters, neighbors::clusters_per_task, [&](Range r) {
            kernel(pass, static_cast<std::uint32_t>(r.first), static_cast<std::uint32_t>(r.last));
        });
    }

    Kernels kernels_;
};

}  // namespace

std::unique_ptr<PairLoops> make_host_loops(Bits bits) {
    return std::make_unique<HostLoops>(bits);
}

}  // namespace spindrift::pbf
