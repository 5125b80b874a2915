#include "spindrift/stages/run/event_words.h"

#include <fmt/format.h>

#include "spindrift/core/log.h"
#include "spindrift/health/health.h"

namespace spindrift::stages {

void EventWords::say(const io::FrameStatistics& frame) {
    for (const std::string& event : frame.events) {
        const int count = ++frames_[std::string(health::kind_of(event))];
        int power = 1;
        while (power < count)
            power *= 10;
        if (count != power) continue;
        const std::string often = count > 1 ? fmt::format(" (frame number {} with this)", count) : "";
        log_warning(fmt::format("frame {}: {}{}", frame.frame, event, often));
    }
}

}  // namespace spindrift::stages
