#include "spindrift/core/log.h"

#include <utility>

#include "spindrift/core/thread_context.h"

namespace spindrift {

namespace {
std::mutex process_mutex;
LogSink process_sink;
}  // namespace

LogSink set_log_sink(LogSink sink) {
    const std::lock_guard lock(process_mutex);
    return std::exchange(process_sink, std::move(sink));
}

LogScope::LogScope(LogSink sink) : sink_(std::move(sink)), outer_(std::exchange(thread_context().log, this)) {}

LogScope::~LogScope() {
    thread_context().log = outer_;
}

void log_message(LogLevel level, const std::string& text) {
    LogScope* const scope = thread_context().log;
    const std::lock_guard lock(scope ? scope->mutex_ : process_mutex);
    const LogSink& sink = scope ? scope->sink_ : process_sink;
    if (sink) sink(level, text);
}

}  // namespace spindrift
