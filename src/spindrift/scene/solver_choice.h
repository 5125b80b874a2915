#pragma once
// Which method moves the liquid, and its settings.
//
//   SolverChoice solver{{.iterations = 8}, fluid::Method::pbf};

#include "spindrift/fluid/params.h"
#include "spindrift/params/info.h"
#include "spindrift/pbf/params.h"

namespace spindrift {

/// Those of position based fluids are here too; the ones of methods on a grid are flip::FlipParams.
struct SolverChoice : pbf::SolverParams {
    fluid::Method method = fluid::Method::pbf;

    /// What the method can.
    const fluid::MethodInfo& info() const { return fluid::info_of(method); }

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("method", self.method,
          {.text = "pbf moves particles by constraints; flip, apic and pic carry them through a grid: flip splashes "
                   "most, apic keeps swirls, pic is thick. solver = \"flip\" says the same"});
        pbf::SolverParams::describe(self, v);
    }
};

}  // namespace spindrift
