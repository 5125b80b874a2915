#include "cli/signals.h"

#include <atomic>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

namespace spindrift::cli {

namespace {

std::atomic<bool> stop{false};
std::atomic<const char*> words{"spindrift: stopping, press again to leave at once\n"};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<const char*>::is_always_lock_free);

void request_stop(int) {
    const int error = errno;
    stop = true;
    const char* text = words;
    [[maybe_unused]] const ssize_t said = write(STDERR_FILENO, text, std::strlen(text));
    errno = error;
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

void say_when_stopping(const char* text) {
    words = text;
}

void open_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        // The lowest that is free is taken: this one, since those below are open by now.
        if (fcntl(stream, F_GETFD) == -1 && open("/dev/null", O_RDWR) != stream) _exit(1);
    }
}

bool stop_requested() {
    return stop;
}

}  // namespace spindrift::cli
