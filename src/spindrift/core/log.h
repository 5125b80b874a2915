#pragma once
// Where the library's words go. The library never prints; the program installs a sink.
//
//   log_warning(fmt::format("{} of {} particles left the domain", lost, n));

#include <functional>
#include <string>

namespace spindrift {

enum class LogLevel { info, warning, error };

using LogSink = std::function<void(LogLevel, const std::string&)>;

/// Installs a sink and returns the one it replaces; an empty sink drops everything.
LogSink set_log_sink(LogSink sink);

void log_message(LogLevel level, const std::string& text);
inline void log_info(const std::string& text) {
    log_message(LogLevel::info, text);
}
inline void log_warning(const std::string& text) {
    log_message(LogLevel::warning, text);
}

}  // namespace spindrift
