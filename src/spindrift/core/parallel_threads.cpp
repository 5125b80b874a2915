// Loops on threads of the standard library, in place of parallel.cpp where the thread sanitizer looks on: it does not
// see how the threading library's own threads wait for each other.

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "spindrift/core/interruption.h"
#include "spindrift/core/parallel.h"
#include "spindrift/core/thread_arena.h"
#include "spindrift/core/thread_context.h"

namespace spindrift {

namespace {

thread_local int own_index = 0;

/// The chunks of one loop, taken one after the other by whoever is free.
class Loop {
  public:
    Loop(std::size_t chunks, const std::function<void(std::size_t)>& body) : chunks_(chunks), body_(body) {}

    void run(int threads) {
        ThreadContext context = thread_context();
        context.in_arena = true;
        std::vector<std::jthread> others;
        for (int k = 1; k < threads; ++k) {
            others.emplace_back([this, k, context] {
                const InheritContext inherit(context);
                own_index = k;
                work();
            });
        }
        {
            const InheritContext inherit(context);
            work();
        }
        others.clear();
        if (failure_) std::rethrow_exception(failure_);
    }

  private:
    void work() {
        const Interruptible* const asked = Interruptible::current();
        for (std::size_t chunk; !stopped_ && (chunk = next_++) < chunks_;) {
            try {
                if (asked) asked->check();
                body_(chunk);
            } catch (...) {
                const std::lock_guard lock(mutex_);
                if (!failure_) failure_ = std::current_exception();
                stopped_ = true;
            }
        }
    }

    std::size_t chunks_;
    const std::function<void(std::size_t)>& body_;
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> stopped_{false};
    std::mutex mutex_;
    std::exception_ptr failure_;
};

}  // namespace

// Threads are made for each loop.
std::shared_ptr<void> ThreadArena::make_pool(int) {
    return nullptr;
}

int core_count() {
    return std::max(2, static_cast<int>(std::thread::hardware_concurrency()));
}

int unlimited_threads() {
    return core_count();
}

void run_limited(const std::function<void()>& body) {
    body();
}

void parallel_chunks(std::size_t chunks, const std::function<void(std::size_t)>& body) {
    if (chunks == 1) {
        stop_if_interrupted();
        return body(0);
    }
    const bool is_inner = thread_context().in_arena;
    const auto threads = static_cast<int>(std::min<std::size_t>(chunks, static_cast<std::size_t>(thread_count())));
    Loop(chunks, body).run(is_inner ? 1 : threads);
}

int thread_index() {
    return thread_context().in_arena ? own_index : 0;
}

}  // namespace spindrift
