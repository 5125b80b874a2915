#include "spindrift/core/parallel.h"

#include <algorithm>

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "spindrift/core/interruption.h"

namespace spindrift {

namespace {
/// The arena of the innermost ThreadLimit; loops outside any limit run in the caller's arena.
tbb::task_arena* limited_arena = nullptr;
}  // namespace

struct ThreadLimit::State {
    explicit State(int threads) : control(tbb::global_control::max_allowed_parallelism, threads), arena(threads) {}
    tbb::global_control control;
    tbb::task_arena arena;
    tbb::task_arena* outer = nullptr;
};

ThreadLimit::ThreadLimit(int threads) {
    const int count = threads > 0 ? threads : tbb::this_task_arena::max_concurrency();
    // More threads than cores are allowed: the answer must not depend on the number, and tests ask for four.
    state_ = std::make_unique<State>(std::max(1, count));
    state_->outer = std::exchange(limited_arena, &state_->arena);
}

ThreadLimit::~ThreadLimit() {
    limited_arena = state_->outer;
}

void parallel_chunks(std::size_t chunks, const std::function<void(std::size_t)>& body) {
    const Interruptible* const work = Interruptible::current();
    const auto run_chunk = [&](std::size_t c) {
        if (work) work->check();
        body(c);
    };
    const auto run = [&] {
        tbb::parallel_for(
            tbb::blocked_range<std::size_t>(0, chunks, 1),
            [&](const tbb::blocked_range<std::size_t>& r) {
                const Interruptible::Inherit inherit(work);
                for (std::size_t c = r.begin(); c != r.end(); ++c)
                    run_chunk(c);
            },
            tbb::auto_partitioner());
    };
    if (chunks == 0) return;
    if (chunks == 1) return run_chunk(0);
    if (limited_arena) {
        limited_arena->execute(run);
    } else {
        run();
    }
}

int thread_count() {
    return limited_arena ? limited_arena->max_concurrency() : tbb::this_task_arena::max_concurrency();
}

int thread_index() {
    return std::max(0, tbb::this_task_arena::current_thread_index());
}

}  // namespace spindrift
