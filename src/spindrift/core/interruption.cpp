#include "spindrift/core/interruption.h"

#include <utility>

#include "spindrift/core/errors.h"
#include "spindrift/core/thread_context.h"

namespace spindrift {

Interruptible::Interruptible(const Progress& progress, std::string words)
    : progress_(progress), words_(std::move(words)), outer_(std::exchange(thread_context().work, this)) {}

Interruptible::Interruptible(Progress& progress, std::string words)
    : Interruptible(std::as_const(progress), std::move(words)) {
    listener_ = &progress;
}

Interruptible::~Interruptible() {
    thread_context().work = outer_;
}

const Interruptible* Interruptible::current() {
    return thread_context().work;
}

void Interruptible::check() const {
    if (is_requested()) stop();
}

void Interruptible::stop() const {
    throw InterruptedError(words_);
}

void stop_if_interrupted() {
    if (const Interruptible* work = Interruptible::current()) work->check();
}

}  // namespace spindrift
