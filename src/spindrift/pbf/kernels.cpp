#include "spindrift/pbf/kernels.h"

#include "spindrift/core/errors.h"

namespace spindrift::pbf {

#ifdef SPINDRIFT_HAS_PORTABLE
namespace portable {
Kernels kernels();
}
#endif

Kernels kernels_for(Bits bits) {
    if (bits == Bits::native) return kernels();
#ifdef SPINDRIFT_HAS_PORTABLE
    if (active_isa() != Isa::sse42) return portable::kernels();
#endif
    throw UsageError("solver.bits = \"portable\" needs a processor with AVX2 and FMA");
}

}  // namespace spindrift::pbf
