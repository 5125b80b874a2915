// Makes one call of the system fail, for scripts/faults: preloaded into the program, it counts calls of one kind and
// lets the one of a given number fail, as a full disk, a broken one or too little memory would, or ends the program
// there.
//
//   LD_PRELOAD=libspindrift_faults.so FAULT_KIND=write FAULT_AT=7 spindrift run dam.toml
//   LD_PRELOAD=libspindrift_faults.so FAULT_KIND=new FAULT_COUNT=/tmp/count spindrift run dam.toml    # only counts
//
// Kinds: open (of files to write), write, fsync, rename, mkdir, new; kill ends the program before any of the first
// five. Standard streams are left alone.

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

enum class Kind { none, open, write, fsync, rename, mkdir, allocation, kill };

Kind chosen_kind() {
    const char* word = std::getenv("FAULT_KIND");
    if (!word) return Kind::none;
    constexpr const char* words[] = {"", "open", "write", "fsync", "rename", "mkdir", "new", "kill"};
    for (int i = 1; i < 8; ++i) {
        if (std::strcmp(word, words[i]) == 0) return static_cast<Kind>(i);
    }
    return Kind::none;
}

struct Plan {
    Kind kind = chosen_kind();
    long at = std::getenv("FAULT_AT") ? std::atol(std::getenv("FAULT_AT")) : 0;  ///< from 1; 0 is never
    const char* count_file = std::getenv("FAULT_COUNT");
};

std::atomic<long> calls{0};
bool is_ready = false;

const Plan& plan() {
    static const Plan made;
    return made;
}

/// Whether this call of a kind is the one to fail; does not come back if it is the one to end at.
bool fails(Kind kind) {
    if (!is_ready) return false;
    const Plan& wanted = plan();
    const bool counts = wanted.kind == kind || (wanted.kind == Kind::kill && kind != Kind::allocation);
    if (!counts || ++calls != wanted.at) return false;
    if (wanted.kind == Kind::kill) kill(getpid(), SIGKILL);
    return true;
}

template <class Function>
Function* real(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

__attribute__((constructor)) void begin() {
    plan();
    is_ready = true;
}

__attribute__((destructor)) void end() {
    is_ready = false;
    if (!plan().count_file) return;
    if (FILE* file = std::fopen(plan().count_file, "w")) {
        std::fprintf(file, "%ld\n", calls.load());
        std::fclose(file);
    }
}

void* allocate(std::size_t bytes, std::size_t alignment) {
    if (fails(Kind::allocation)) return nullptr;
    if (alignment <= alignof(std::max_align_t)) return std::malloc(bytes > 0 ? bytes : 1);
    return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

void* allocate_or_throw(std::size_t bytes, std::size_t alignment) {
    void* memory = allocate(bytes, alignment);
    if (!memory) throw std::bad_alloc();
    return memory;
}

bool is_to_write(int flags) {
    return (flags & O_ACCMODE) != O_RDONLY;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    static auto* const next = real<int(const char*, int, ...)>("open");
    if (is_to_write(flags) && fails(Kind::open)) {
        errno = EMFILE;
        return -1;
    }
    return next(path, flags, mode);
}

ssize_t write(int descriptor, const void* data, std::size_t bytes) {
    static auto* const next = real<ssize_t(int, const void*, std::size_t)>("write");
    if (descriptor > STDERR_FILENO && fails(Kind::write)) {
        // What there is room for is written first, as disks do that become full.
        if (bytes > 1) return next(descriptor, data, bytes / 2) < 0 ? -1 : (errno = ENOSPC, -1);
        errno = ENOSPC;
        return -1;
    }
    return next(descriptor, data, bytes);
}

int fsync(int descriptor) {
    static auto* const next = real<int(int)>("fsync");
    if (fails(Kind::fsync)) {
        errno = EIO;
        return -1;
    }
    return next(descriptor);
}

int rename(const char* from, const char* to) noexcept {
    static auto* const next = real<int(const char*, const char*)>("rename");
    if (fails(Kind::rename)) {
        errno = EIO;
        return -1;
    }
    return next(from, to);
}

int mkdir(const char* path, mode_t mode) noexcept {
    static auto* const next = real<int(const char*, mode_t)>("mkdir");
    if (fails(Kind::mkdir)) {
        errno = ENOSPC;
        return -1;
    }
    return next(path, mode);
}

}  // extern "C"

void* operator new(std::size_t bytes) {
    return allocate_or_throw(bytes, 0);
}
void* operator new[](std::size_t bytes) {
    return allocate_or_throw(bytes, 0);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return allocate_or_throw(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
    return allocate_or_throw(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    return allocate(bytes, 0);
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
    return allocate(bytes, 0);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete[](void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}
