#include "spindrift/core/log.h"

#include <mutex>
#include <utility>

namespace spindrift {

namespace {
std::mutex sink_mutex;
LogSink current_sink;
}  // namespace

LogSink set_log_sink(LogSink sink) {
    const std::lock_guard lock(sink_mutex);
    return std::exchange(current_sink, std::move(sink));
}

void log_message(LogLevel level, const std::string& text) {
    const std::lock_guard lock(sink_mutex);
    if (current_sink) current_sink(level, text);
}

}  // namespace spindrift
