#pragma once
// Ctrl-C and its relatives. The first request to stop sets a flag that long calls ask for; the second ends the program.
//
//   install_signal_handlers();
//   while (!stop_requested()) ...

namespace spindrift::cli {

/// Also makes a file size limit and a closed pipe errors of the write instead of the end of the program.
void install_signal_handlers();

/// What is written to standard error at the first request to stop; the text must stay.
void say_when_stopping(const char* text);

/// Streams that the caller closed lead nowhere: otherwise the next file that is opened takes their place.
void open_standard_streams();

bool stop_requested();

}  // namespace spindrift::cli
