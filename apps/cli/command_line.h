#pragma once
// What the user typed, turned into a call.
//
//   const CommandLine command = parse_command_line(argc, argv);
//   command.action(terminal);

#include <functional>
#include <string>
#include <vector>

#include "cli/terminal.h"

namespace spindrift::cli {

struct CommandLine {
    std::function<void(Terminal&)> action;
    TerminalStyle style;
    std::vector<std::string> notes{};  ///< to be said before the action
};

/// Throws UsageError.
CommandLine parse_command_line(int argc, const char* const* argv);

}  // namespace spindrift::cli
