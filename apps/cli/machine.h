#pragma once
// What the program runs on.

#include <string>

#include "cli/json.h"

namespace spindrift::cli {

std::string cpu_name();
/// Value of a line of /proc/meminfo in bytes, 0 if there is none.
double memory_bytes(const std::string& name);
/// The chosen mode of transparent huge pages: always, madvise, never; empty if the system does not say.
std::string huge_page_mode();
bool has_program(const std::string& name);

/// Processor and instruction set, for results of benchmarks.
Value machine_json();

}  // namespace spindrift::cli
