#include "spindrift/stages/run/stopping.h"

#include <algorithm>

namespace spindrift::stages {

namespace {

double seconds_of(std::chrono::steady_clock::duration time) {
    return std::chrono::duration<double>(time).count();
}

}  // namespace

bool Patience::interrupted() const {
    using Clock = std::chrono::steady_clock;
    if (!asked_.interrupted()) return false;
    const Clock::duration now = Clock::now().time_since_epoch();
    std::int64_t since = 0;
    if (since_.compare_exchange_strong(since, now.count())) since = now.count();
    return seconds_of(now - Clock::duration(since)) >= seconds_;
}

bool CheckpointWatch::interrupted() const {
    was_asked_ = was_asked_ || asked_.interrupted();
    return was_asked_ || is_due();
}

bool CheckpointWatch::is_due() const {
    constexpr double longest_share = 0.05;
    // At a frame there is nothing to save that the frame does not hold.
    if (!seconds_ || !simulation_.between_frames()) return false;
    return seconds_of(Clock::now() - saved_) >= std::max(*seconds_, seconds_of(cost_) / longest_share);
}

}  // namespace spindrift::stages
