#pragma once
// Instruction sets: files named *_kernels.cpp are built once for each; this picks one when the program runs.
//
//   // a kernel file                                       // its header
//   namespace spindrift::pbf::SPINDRIFT_ISA_NAMESPACE {    const Kernels& kernels() { return
//   SPINDRIFT_PICK_ISA(kernels_table)(); } const Kernels& kernels_table() { ... } }

#include <string>

namespace spindrift {

enum class Isa { sse42, avx2, avx512 };

/// The widest set that both this machine and this build have, or the one named in SPINDRIFT_ISA if it is among them.
Isa active_isa();
std::string isa_name(Isa isa);

}  // namespace spindrift

/// Declares `Type name()` in the inner namespace of every instruction set and defines `name()` outside to pick one.
#ifdef SPINDRIFT_PINNED_ISA
#define SPINDRIFT_DISPATCH(Type, name)       \
    namespace SPINDRIFT_PINNED_ISA {         \
    Type name();                             \
    }                                        \
    inline Type name() {                     \
        return SPINDRIFT_PINNED_ISA::name(); \
    }
#else
#define SPINDRIFT_DISPATCH(Type, name)       \
    namespace sse42 {                        \
    Type name();                             \
    }                                        \
    namespace avx2 {                         \
    Type name();                             \
    }                                        \
    namespace avx512 {                       \
    Type name();                             \
    }                                        \
    inline Type name() {                     \
        switch (::spindrift::active_isa()) { \
            case ::spindrift::Isa::avx512:   \
                return avx512::name();       \
            case ::spindrift::Isa::avx2:     \
                return avx2::name();         \
            default:                         \
                return sse42::name();        \
        }                                    \
    }
#endif
