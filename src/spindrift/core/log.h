#pragma once
// Where the library's words go. The library never prints; the program installs a sink.
//
//   log_warning(fmt::format("{} of {} particles left the domain", lost, n));
//
// A thread may have a sink of its own, so that two simulations in one program are told apart:
//
//   const LogScope listen([&](LogLevel, const std::string& text) { said.push_back(text); });
//   simulation.advance_frame(progress);

#include <functional>
#include <mutex>
#include <string>

namespace spindrift {

enum class LogLevel { info, warning, error };

using LogSink = std::function<void(LogLevel, const std::string&)>;

/// Installs the sink of the process and returns the one it replaces; an empty sink drops everything. It hears threads
/// that work in no LogScope.
LogSink set_log_sink(LogSink sink);

/// While it lives, words of the thread that makes it and of the loops which that thread starts go to this sink alone,
/// one at a time; an empty sink drops them.
class LogScope {
  public:
    explicit LogScope(LogSink sink);
    ~LogScope();
    LogScope(const LogScope&) = delete;
    LogScope& operator=(const LogScope&) = delete;

  private:
    friend void log_message(LogLevel level, const std::string& text);

    LogSink sink_;
    std::mutex mutex_;
    LogScope* outer_;
};

void log_message(LogLevel level, const std::string& text);
inline void log_info(const std::string& text) {
    log_message(LogLevel::info, text);
}
inline void log_warning(const std::string& text) {
    log_message(LogLevel::warning, text);
}

}  // namespace spindrift
