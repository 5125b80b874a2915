#include "spindrift/core/thread_context.h"

#include <utility>

namespace spindrift {

ThreadContext& thread_context() {
    thread_local ThreadContext context;
    return context;
}

InheritContext::InheritContext(const ThreadContext& context) : outer_(std::exchange(thread_context(), context)) {}

InheritContext::~InheritContext() {
    thread_context() = outer_;
}

}  // namespace spindrift
