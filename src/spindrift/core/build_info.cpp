#include "spindrift/core/build_info.h"

#include <fmt/format.h>

#include "spindrift/core/isa.h"

namespace spindrift {

namespace {

std::string compiler() {
#ifdef __clang__
    return fmt::format("clang++ {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
    return fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

}  // namespace

BuildInfo build_info() {
    return {SPINDRIFT_COMMIT, compiler(), isa_name(active_isa())};
}

}  // namespace spindrift
