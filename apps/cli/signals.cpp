#include "cli/signals.h"

#include <atomic>

#include <signal.h>

namespace spindrift::cli {

namespace {

std::atomic<bool> stop{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void request_stop(int) {
    stop = true;
}

void set_action(int signal, void (*action)(int), int flags) {
    struct sigaction wanted {};
    wanted.sa_handler = action;
    wanted.sa_flags = flags;
    sigemptyset(&wanted.sa_mask);
    sigaction(signal, &wanted, nullptr);
}

}  // namespace

void install_signal_handlers() {
    // A handler that resets itself leaves the second signal to the system, which ends the program.
    for (const int signal : {SIGINT, SIGTERM})
        set_action(signal, request_stop, static_cast<int>(SA_RESETHAND | SA_RESTART));
    for (const int signal : {SIGXFSZ, SIGPIPE})
        set_action(signal, SIG_IGN, 0);
}

bool stop_requested() {
    return stop;
}

}  // namespace spindrift::cli
