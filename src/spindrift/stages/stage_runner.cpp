#include "spindrift/stages/stage_runner.h"

#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "spindrift/core/interruption.h"
#include "spindrift/core/log.h"
#include "spindrift/core/thread_context.h"

namespace spindrift::stages {

StageRunner::StageRunner(Progress& progress, std::size_t total, Words words)
    : progress_(progress), total_(total), words_(std::move(words)) {}

void StageRunner::tell_stale(int stale, const std::string& why) const {
    if (stale > 0) log_info(fmt::format("{} of {} {} are stale, {}", stale, total_, words_.things, why));
}

void StageRunner::done(const std::string& detail) {
    const std::lock_guard lock(mutex_);
    progress_.report(++done_, total_, detail);
}

void StageRunner::at_once(std::size_t items, std::size_t workers,
                          const std::function<void(std::size_t worker, std::size_t item)>& work) {
    taken_ = 0;
    {
        std::vector<std::jthread> others;
        for (std::size_t k = 1; k < workers; ++k)
            others.emplace_back([&, k, context = thread_context()] {
                const InheritContext inherit(context);
                work_through(k, items, work);
            });
        if (workers > 0) work_through(0, items, work);
    }
    if (failure_) std::rethrow_exception(failure_);
    if (stopped_) throw stopped();
}

void StageRunner::work_through(std::size_t worker, std::size_t items,
                               const std::function<void(std::size_t worker, std::size_t item)>& work) {
    const Interruptible around(progress_, fmt::format("stopped in the making of {}", words_.things));
    while (const std::optional<std::size_t> item = next(items)) {
        try {
            work(worker, *item);
        } catch (const InterruptedError&) {
            const std::lock_guard lock(mutex_);
            stopped_ = true;
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (failure_ && failed_ < *item) continue;
            failure_ = std::current_exception();
            failed_ = *item;
        }
    }
}

std::optional<std::size_t> StageRunner::next(std::size_t items) {
    const std::lock_guard lock(mutex_);
    if (failure_ || stopped_ || taken_ == items) return {};
    stopped_ = progress_.interrupted();
    if (stopped_) return {};
    return taken_++;
}

void StageRunner::in_order(std::size_t items, const std::function<void(std::size_t item)>& work) {
    try {
        for (std::size_t item = 0; item < items; ++item)
            work(item);
    } catch (const InterruptedError&) {
        throw stopped();
    }
}

void StageRunner::stop_if_interrupted() const {
    if (progress_.interrupted()) throw stopped();
}

InterruptedError StageRunner::stopped() const {
    return InterruptedError(fmt::format("stopped after {} of {} {}; {}", done_, total_, words_.things, words_.go_on));
}

}  // namespace spindrift::stages
