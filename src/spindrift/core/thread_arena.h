#pragma once
// The threads of a ThreadLimit. Two files know how to run loops, parallel.cpp with the threading library and
// parallel_threads.cpp for the thread sanitizer; each has a pool of its own kind in here.

#include <memory>

namespace spindrift {

class ThreadArena {
  public:
    explicit ThreadArena(int threads) : threads_(threads), pool_(make_pool(threads)) {}

    int threads() const { return threads_; }
    /// As make_pool() made it.
    void* pool() const { return pool_.get(); }

  private:
    static std::shared_ptr<void> make_pool(int threads);

    int threads_;
    std::shared_ptr<void> pool_;
};

/// Threads that a limit of 0 means.
int core_count();
/// Threads that loops use where there is no limit.
int unlimited_threads();

}  // namespace spindrift
