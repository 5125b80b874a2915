#include "spindrift/fluid/solver.h"

#include <array>

#include "spindrift/core/errors.h"

namespace spindrift::fluid {

void agree(StepReport& report, ranks::Ranks& ranks) {
    if (ranks.is_alone()) return;
    std::array<std::uint64_t, 2> counts{report.escaped, report.not_finite};
    ranks.sum(counts);
    report.escaped = counts[0];
    report.not_finite = counts[1];
    std::uint64_t flags = report.flags.bits();
    ranks.any({&flags, 1});
    report.flags = StepFlags(static_cast<unsigned>(flags));
    std::array<double, 2> speeds{report.max_speed, report.relative_speed};
    ranks.most(speeds);
    report.max_speed = speeds[0];
    report.relative_speed = speeds[1];
}

void Solver::share(ranks::Ranks& ranks, const ranks::Cuts&) {
    if (!ranks.is_alone()) throw UsageError("this method moves the whole liquid on one rank");
}

}  // namespace spindrift::fluid
