#pragma once
// The verb `bench` with its benchmarks.

#include "cli/command_line.h"
#include <CLI/CLI.hpp>

namespace spindrift::cli {

void add_benchmarks(CLI::App& app, CommandLine& line);

}  // namespace spindrift::cli
