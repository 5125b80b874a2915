#pragma once
// What can go wrong in a step without ending it. A frame tells of it once, and goes on.
//
//   report.flags.set(StepFlag::tension_limited, dt > longest);
//   for (const StepFlagInfo& each : step_flags) if (flags.has(each.flag)) say(each.event);

#include <array>

namespace spindrift::fluid {

enum class StepFlag { guarded, not_converged, limited, viscosity_limited, tension_limited };

struct StepFlagInfo {
    StepFlag flag;
    const char* key;  ///< in the state of a frame
    /// A kind, a colon, what happened and what to do about it; for solvers on a grid, if it differs there.
    const char* event;
    const char* event_on_grid = nullptr;
};

/// All of them, in the order in which frames tell of them.
inline constexpr std::array<StepFlagInfo, 5> step_flags{{
    {StepFlag::limited, "limited",
     "substeps limited: particles moved farther than solver.cfl allows; raise solver.substeps",
     "substeps limited: particles moved farther than flip.cfl allows; raise solver.substeps"},
    {StepFlag::guarded, "guarded", "energy guard: iterations were adding energy and ran without acceleration"},
    {StepFlag::not_converged, "not_converged", "not converged: solver.tolerance was not met within solver.iterations",
     "not converged: the pressure did not meet flip.tolerance; raise the least of solver.substeps"},
    {StepFlag::viscosity_limited, "viscosity_limited",
     "viscosity limited: the implicit solve did not converge; raise the least of solver.substeps"},
    {StepFlag::tension_limited, "tension_limited",
     "tension limited: substeps are too long for the surface tension, which acts more weakly; raise the most of "
     "solver.substeps"},
}};

class StepFlags {
  public:
    StepFlags() = default;
    explicit StepFlags(unsigned bits) : bits_(bits) {}
    unsigned bits() const { return bits_; }

    bool has(StepFlag flag) const { return (bits_ >> static_cast<int>(flag) & 1) != 0; }
    /// Once set, a flag stays, unless it is assigned.
    void set(StepFlag flag, bool on = true) { bits_ |= static_cast<unsigned>(on) << static_cast<int>(flag); }
    void assign(StepFlag flag, bool on) {
        bits_ &= ~(1u << static_cast<int>(flag));
        set(flag, on);
    }
    StepFlags& operator|=(const StepFlags& other) {
        bits_ |= other.bits_;
        return *this;
    }

  private:
    unsigned bits_ = 0;
};

}  // namespace spindrift::fluid
