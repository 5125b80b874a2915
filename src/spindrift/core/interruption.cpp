#include "spindrift/core/interruption.h"

#include <utility>

#include "spindrift/core/errors.h"

namespace spindrift {

namespace {
thread_local const Interruptible* innermost = nullptr;
}  // namespace

Interruptible::Inherit::Inherit(const Interruptible* work) : outer_(std::exchange(innermost, work)) {}

Interruptible::Inherit::~Inherit() {
    innermost = outer_;
}

Interruptible::Interruptible(const Progress& progress, std::string words)
    : progress_(progress), words_(std::move(words)), inherit_(this) {}

Interruptible::~Interruptible() = default;

const Interruptible* Interruptible::current() {
    return innermost;
}

void Interruptible::check() const {
    if (is_requested()) stop();
}

void Interruptible::stop() const {
    throw InterruptedError(words_);
}

void stop_if_interrupted() {
    if (innermost) innermost->check();
}

}  // namespace spindrift
