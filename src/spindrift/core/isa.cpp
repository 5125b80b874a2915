#include "spindrift/core/isa.h"

#include <cstdlib>
#include <string_view>

namespace spindrift {

namespace {

#ifdef SPINDRIFT_PINNED_ISA

Isa choose_isa() {
    return Isa::SPINDRIFT_PINNED_ISA;
}

#else

Isa widest_isa() {
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw")) {
        return Isa::avx512;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
        return Isa::avx2;
    return Isa::sse42;
}

Isa choose_isa() {
    const Isa widest = widest_isa();
    const char* wish = std::getenv("SPINDRIFT_ISA");
    if (!wish) return widest;
    for (Isa isa : {Isa::sse42, Isa::avx2, Isa::avx512}) {
        if (isa_name(isa) == std::string_view(wish) && isa <= widest) return isa;
    }
    return widest;
}

#endif

}  // namespace

Isa active_isa() {
    static const Isa isa = choose_isa();
    return isa;
}

std::string isa_name(Isa isa) {
    switch (isa) {
        case Isa::avx512:
            return "avx512";
        case Isa::avx2:
            return "avx2";
        default:
            return "sse42";
    }
}

}  // namespace spindrift
