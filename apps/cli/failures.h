#pragma once
// From exceptions to one sentence and an exit code.
//
//   try { ... } catch (...) { return report_failure(terminal); }

#include "cli/terminal.h"

namespace spindrift::cli {

/// From now on exceptions that nobody can handle end the program with a sentence and a code as well.
void end_in_words();

/// Reports the exception that is being handled.
int report_failure(Terminal& terminal);

}  // namespace spindrift::cli
