#include "spindrift/core/buffer.h"

#include <cstdlib>
#include <map>
#include <mutex>
#include <vector>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/text.h"

namespace spindrift {

namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t huge_page = std::size_t{2} << 20;

std::mutex account_mutex;
std::map<std::string, std::size_t>& account() {
    // Never destroyed: buffers of static storage may outlive any destruction order.
    static auto* bytes = new std::map<std::string, std::size_t>;
    return *bytes;
}

std::size_t round_up(std::size_t bytes, std::size_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

}  // namespace

std::size_t huge_allocation_size(std::size_t bytes) {
    // Small arrays stay small; from half a megabyte on rounding to 64 kB costs little.
    return bytes < (std::size_t{1} << 19) ? round_up(bytes, 64) : round_up(bytes, 16 * page);
}

namespace {

/// Blocks that were given back, for the next that asks: pages from the system cost more than what is done with them in
/// loops over frames. A few, and not many bytes.
class SpareBlocks {
  public:
    /// A block at least this large and not much larger, nullptr if there is none.
    void* take(std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        auto best = spare_.end();
        for (auto each = spare_.begin(); each != spare_.end(); ++each) {
            const bool fits = each->bytes >= bytes && each->bytes <= bytes + bytes / 4;
            if (fits && (best == spare_.end() || each->bytes < best->bytes)) best = each;
        }
        if (best == spare_.end()) return nullptr;
        const Block block = *best;
        spare_.erase(best);
        total_ -= block.bytes;
        used_[block.memory] = block.bytes;
        return block.memory;
    }
    void note(void* memory, std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        used_[memory] = bytes;
    }
    void give(void* memory) {
        const std::lock_guard lock(mutex_);
        const auto found = used_.find(memory);
        spare_.push_back({memory, found->second});
        total_ += found->second;
        used_.erase(found);
        while (total_ > most_bytes || spare_.size() > most_blocks) {
            total_ -= spare_.front().bytes;
            std::free(spare_.front().memory);
            spare_.erase(spare_.begin());
        }
    }

  private:
    static constexpr std::size_t most_bytes = std::size_t{128} << 20, most_blocks = 16;
    struct Block {
        void* memory;
        std::size_t bytes;
    };
    std::mutex mutex_;
    std::map<void*, std::size_t> used_;
    std::vector<Block> spare_;  ///< oldest first
    std::size_t total_ = 0;
};

SpareBlocks& spare_blocks() {
    // Never destroyed, as the account.
    static auto* blocks = new SpareBlocks;
    return *blocks;
}

}  // namespace

void* huge_allocate(std::size_t bytes) {
    const bool huge = bytes >= huge_page;
    if (void* spare = huge ? spare_blocks().take(bytes) : nullptr) return spare;
    const std::size_t alignment = huge ? huge_page : 64;
    void* memory = bytes > (std::size_t{1} << 46) ? nullptr : std::aligned_alloc(alignment, round_up(bytes, alignment));
    if (!memory)
        throw OutOfMemoryError(fmt::format("cannot get {} of memory", format_bytes(static_cast<double>(bytes))));
    if (!huge) return memory;
    madvise(memory, bytes, MADV_HUGEPAGE);
    spare_blocks().note(memory, round_up(bytes, alignment));
    return memory;
}

void huge_free(void* memory, std::size_t bytes) {
    if (bytes >= huge_page)
        spare_blocks().give(memory);
    else
        std::free(memory);
}

void account_memory(const std::string& name, std::ptrdiff_t bytes) {
    const std::lock_guard lock(account_mutex);
    account()[name] += static_cast<std::size_t>(bytes);
}

std::map<std::string, std::size_t> memory_by_name() {
    const std::lock_guard lock(account_mutex);
    std::map<std::string, std::size_t> used;
    for (const auto& [name, bytes] : account()) {
        if (bytes > 0) used[name] = bytes;
    }
    return used;
}

std::size_t memory_in_use() {
    std::size_t total = 0;
    for (const auto& [name, bytes] : memory_by_name())
        total += bytes;
    return total;
}

std::size_t peak_resident_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

}  // namespace spindrift
