#include <utility>

#include "spindrift/core/parallel.h"
#include "spindrift/core/random.h"
#include "spindrift/core/thread_context.h"

namespace spindrift {

std::size_t chunk_to_use(std::size_t chunk) {
    VariedChunks* const varied = thread_context().chunks;
    return varied ? varied->vary(chunk) : chunk;
}

VariedChunks::VariedChunks(std::uint64_t seed) : seed_(seed), outer_(std::exchange(thread_context().chunks, this)) {}

VariedChunks::~VariedChunks() {
    thread_context().chunks = outer_;
}

std::size_t VariedChunks::vary(std::size_t chunk) {
    constexpr std::uint64_t most = 7;
    return chunk * static_cast<std::size_t>(1 + hash_counter(seed_, loops_++, 0) % most);
}

}  // namespace spindrift
