#include "support.h"
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#include <signal.h>

#include "spindrift/collision/fields/vdb_file.h"

/// Reports of processes that may die are read by nobody, and names of functions take seconds to find.
extern "C" const char* __asan_default_options() {
    return "symbolize=0";
}

namespace {

/// OpenVDB may die of a file in the process of its own, which is there for that. Only the caller's end is a finding.
void let_the_child_die() {
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
