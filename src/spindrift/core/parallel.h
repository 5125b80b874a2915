#pragma once
// Loops over index ranges. The only header, with its source, that knows the threading library.
//
// Work is cut into chunks by index alone and partial results are combined in order of the index, so every result has
// the same bits for any number of threads.
//
//   double mass = parallel_sum<double>(n, [&](Range r) { double s = 0; for (auto i : r) s += m[i]; return s; });

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace spindrift {

/// Half-open range of indices.
struct Range {
    std::size_t first, last;

    struct Iterator {
        std::size_t index;

        std::size_t operator*() const { return index; }
        Iterator& operator++() {
            ++index;
            return *this;
        }
        bool operator==(const Iterator&) const = default;
    };

    std::size_t size() const { return last - first; }
    Iterator begin() const { return {first}; }
    Iterator end() const { return {last}; }
};

/// Number of items in a chunk unless a loop asks for another.
inline constexpr std::size_t default_chunk = 4096;

constexpr std::size_t chunk_count(std::size_t n, std::size_t chunk) {
    return (n + chunk - 1) / chunk;
}

constexpr Range chunk_range(std::size_t index, std::size_t n, std::size_t chunk) {
    return {index * chunk, std::min(n, (index + 1) * chunk)};
}

/// The size of the chunks that a loop is cut into which asks for `chunk`: that, unless a VariedChunks lives.
std::size_t chunk_to_use(std::size_t chunk);

/// Calls body(chunk_index) for every index below `chunks`, in parallel.
void parallel_chunks(std::size_t chunks, const std::function<void(std::size_t)>& body);

/// Calls body(Range) for consecutive ranges of at most `chunk` items.
template <class Body>
void parallel_for(std::size_t n, std::size_t asked, const Body& body) {
    const std::size_t chunk = chunk_to_use(asked);
    parallel_chunks(chunk_count(n, chunk), [&](std::size_t c) { body(chunk_range(c, n, chunk)); });
}

template <class Body>
void parallel_for(std::size_t n, const Body& body) {
    parallel_for(n, default_chunk, body);
}

/// Combines body(Range) of all chunks from left to right, starting with `zero`.
template <class T, class Body, class Combine>
T parallel_reduce(std::size_t n, std::size_t asked, T zero, const Body& body, const Combine& combine) {
    const std::size_t chunk = chunk_to_use(asked);
    std::vector<T> partial(chunk_count(n, chunk), zero);
    parallel_chunks(partial.size(), [&](std::size_t c) { partial[c] = body(chunk_range(c, n, chunk)); });
    for (const T& value : partial)
        zero = combine(zero, value);
    return zero;
}

template <class T, class Body>
T parallel_sum(std::size_t n, const Body& body) {
    return parallel_reduce(n, default_chunk, T{}, body, [](const T& a, const T& b) { return a + b; });
}

/// Number of threads the loops use on this thread's behalf.
int thread_count();

/// Index of the calling thread among those that run loops, below `thread_count()`: for scratch memory, never for
/// results.
int thread_index();

class ThreadArena;

/// Limits the number of threads while it lives, for the thread that makes it and the loops which that thread starts;
/// other threads keep theirs. 0 means all cores.
class ThreadLimit {
  public:
    explicit ThreadLimit(int threads);
    ~ThreadLimit();
    ThreadLimit(const ThreadLimit&) = delete;
    ThreadLimit& operator=(const ThreadLimit&) = delete;

  private:
    std::unique_ptr<ThreadArena> arena_;
    ThreadArena* outer_;
    bool outer_in_arena_;
};

/// Makes loops that this thread starts take larger chunks than they ask for while it lives, another multiple in each:
/// what must not depend on how work is cut is the same with it and without.
class VariedChunks {
  public:
    explicit VariedChunks(std::uint64_t seed);
    ~VariedChunks();
    VariedChunks(const VariedChunks&) = delete;
    VariedChunks& operator=(const VariedChunks&) = delete;

    std::size_t vary(std::size_t chunk);

  private:
    std::uint64_t seed_;
    std::atomic<std::uint64_t> loops_{0};
    VariedChunks* outer_;
};

/// Calls what has parallel loops of its own inside another library, within this thread's limit.
void run_limited(const std::function<void()>& body);

}  // namespace spindrift
