#pragma once
// From exceptions to one sentence and an exit code; also from those that nobody can handle.
//
//   try { ... } catch (...) { return report_failure(terminal); }

#include "cli/terminal.h"

namespace spindrift::cli {

/// Reports the exception that is being handled.
int report_failure(Terminal& terminal);

}  // namespace spindrift::cli
