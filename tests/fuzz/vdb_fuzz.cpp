#include "support.h"
#include <cstdio>
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#include <signal.h>
#include <sys/resource.h>

#include "spindrift/collision/fields/vdb_file.h"

/// Reports of processes that may die are read by nobody, and names of functions take seconds to find.
extern "C" const char* __asan_default_options() {
    return "symbolize=0";
}

namespace {

/// Of this process and of the sanitizer, whose shadow is in it too.
rlim_t address_space() {
    unsigned long pages = 0;
    std::FILE* file = std::fopen("/proc/self/statm", "r");
    if (!file || std::fscanf(file, "%lu", &pages) != 1) __builtin_trap();
    std::fclose(file);
    return rlim_t{pages} * 4096;
}

/// OpenVDB may die of a file in the process of its own, which is there for that. Only the caller's end is a finding. It
/// gets less memory than the program gives: small inputs need no more, and filling half a gigabyte because a damaged
/// length says so would be most of the time.
void let_the_child_die() {
    constexpr rlim_t enough = 64 << 20;
    const rlimit most{address_space() + enough, RLIM_INFINITY};
    setrlimit(RLIMIT_AS, &most);
    __sanitizer_set_death_callback(nullptr);
    for (const int number : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE})
        signal(number, SIG_DFL);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace spindrift;
    static const fuzz::InputFile file("input.vdb");
    [[maybe_unused]] static const int at_fork = pthread_atfork(nullptr, nullptr, let_the_child_die);
    return fuzz::may_refuse([&] { collision::read_vdb_surface(file.with(data, size)); });
}
