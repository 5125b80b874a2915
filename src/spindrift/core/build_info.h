#pragma once
// What this program was built from and with, for those who ask later how a file came to be.

#include <string>

namespace spindrift {

struct BuildInfo {
    std::string commit;        ///< of the sources; "unknown" if they came without their history
    std::string compiler;      ///< such as "g++ 12.2.0"
    std::string instructions;  ///< set that kernels use on this machine
};

BuildInfo build_info();

}  // namespace spindrift
