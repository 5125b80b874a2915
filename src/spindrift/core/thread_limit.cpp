#include <utility>

#include "spindrift/core/parallel.h"
#include "spindrift/core/thread_arena.h"
#include "spindrift/core/thread_context.h"

namespace spindrift {

ThreadLimit::ThreadLimit(int threads)
    : arena_(std::make_unique<ThreadArena>(threads > 0 ? threads : core_count())),
      outer_(std::exchange(thread_context().arena, arena_.get())),
      outer_in_arena_(std::exchange(thread_context().in_arena, false)) {}

ThreadLimit::~ThreadLimit() {
    thread_context().arena = outer_;
    thread_context().in_arena = outer_in_arena_;
}

int thread_count() {
    const ThreadArena* const arena = thread_context().arena;
    return arena ? arena->threads() : unlimited_threads();
}

}  // namespace spindrift
