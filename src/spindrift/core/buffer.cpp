#include "spindrift/core/buffer.h"

#include <cstdlib>
#include <mutex>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "spindrift/core/errors.h"

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

void* huge_allocate(std::size_t bytes) {
    const std::size_t alignment = bytes >= huge_page ? huge_page : 64;
    void* memory = bytes > (std::size_t{1} << 46) ? nullptr : std::aligned_alloc(alignment, round_up(bytes, alignment));
    if (!memory)
        throw OutOfMemoryError(fmt::format("cannot get {:.1f} GB of memory", static_cast<double>(bytes) * 1e-9));
    if (bytes >= huge_page) madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
}

void huge_free(void* memory, std::size_t) {
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
