#pragma once
// Ctrl-C and its relatives. The first request to stop sets a flag that long calls ask for; the second ends the program.
//
//   install_signal_handlers();
//   while (!stop_requested()) ...

namespace spindrift::cli {

/// Also makes a file size limit and a closed pipe errors of the write instead of the end of the program.
void install_signal_handlers();

bool stop_requested();

}  // namespace spindrift::cli
