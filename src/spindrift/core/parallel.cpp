#include "spindrift/core/parallel.h"

#include <algorithm>
#include <mutex>
#include <set>

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "spindrift/core/interruption.h"
#include "spindrift/core/thread_arena.h"
#include "spindrift/core/thread_context.h"

namespace spindrift {

namespace {

/// Lets the threading library start more threads than there are cores where a limit asks for them: the answer must not
/// depend on the number, and tests ask for four. The process never gets fewer than it has cores.
class ExtraThreads {
  public:
    static void add(int threads) {
        const std::lock_guard lock(mutex_);
        asked_.insert(threads);
        update();
    }
    static void remove(int threads) {
        const std::lock_guard lock(mutex_);
        asked_.erase(asked_.find(threads));
        update();
    }

  private:
    static void update() {
        // Of several such controls the smallest counts, so the old one goes first.
        control_.reset();
        if (asked_.empty() || *asked_.rbegin() <= tbb::info::default_concurrency()) return;
        const auto most = static_cast<std::size_t>(*asked_.rbegin());
        control_ = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, most);
    }

    static inline std::mutex mutex_;
    static inline std::multiset<int> asked_;
    static inline std::unique_ptr<tbb::global_control> control_;
};

struct Pool {
    explicit Pool(int limit) : threads(limit), arena(limit) { ExtraThreads::add(threads); }
    ~Pool() { ExtraThreads::remove(threads); }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    int threads;
    tbb::task_arena arena;
};

tbb::task_arena& arena_of(const ThreadArena& limit) {
    return static_cast<Pool*>(limit.pool())->arena;
}

}  // namespace

std::shared_ptr<void> ThreadArena::make_pool(int threads) {
    return std::make_shared<Pool>(threads);
}

int core_count() {
    return tbb::info::default_concurrency();
}

int unlimited_threads() {
    return tbb::this_task_arena::max_concurrency();
}

void run_limited(const std::function<void()>& body) {
    ThreadContext context = thread_context();
    // Who works for a piece of a loop must not wait for a place in the arena: that piece holds one until it returns.
    if (!context.arena || context.in_arena) return body();
    context.in_arena = true;
    arena_of(*context.arena).execute([&] {
        const InheritContext inherit(context);
        body();
    });
}

void parallel_chunks(std::size_t chunks, const std::function<void(std::size_t)>& body) {
    if (chunks == 0) return;
    const Interruptible* const work = Interruptible::current();
    if (chunks == 1) {
        if (work) work->check();
        return body(0);
    }
    ThreadContext context = thread_context();
    context.in_arena = true;
    const auto run = [&] {
        tbb::parallel_for(
            tbb::blocked_range<std::size_t>(0, chunks, 1),
            [&](const tbb::blocked_range<std::size_t>& r) {
                const InheritContext inherit(context);
                for (std::size_t c = r.begin(); c != r.end(); ++c) {
                    if (work) work->check();
                    body(c);
                }
            },
            tbb::auto_partitioner());
    };
    if (context.arena) {
        arena_of(*context.arena).execute(run);
    } else {
        run();
    }
}

int thread_index() {
    // Under a limit and outside its loops a thread may stand in an arena of more threads: there it works alone.
    const ThreadContext& context = thread_context();
    if (context.arena && !context.in_arena) return 0;
    return std::max(0, tbb::this_task_arena::current_thread_index());
}

}  // namespace spindrift
