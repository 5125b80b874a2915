#include "cli/failures.h"

#include <cerrno>
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

namespace spindrift::cli {

namespace {

struct Failure {
    ExitCode code;
    std::string text;
};

/// Where the system refused something that nobody has words of his own for.
ExitCode code_of(const std::error_code& error) {
    for (const int resource : {ENOSPC, EDQUOT, EFBIG, ENOMEM, EAGAIN}) {
        if (error == std::error_code(resource, std::generic_category()) ||
            error == std::error_code(resource, std::system_category()))
            return ExitCode::out_of_resources;
    }
    for (const std::errc missing : {std::errc::no_such_file_or_directory, std::errc::not_a_directory,
                                    std::errc::too_many_symbolic_link_levels, std::errc::filename_too_long}) {
        if (error == missing) return ExitCode::input;
    }
    return ExitCode::failure;
}

Failure describe_current_exception() {
    try {
        throw;
    } catch (const Error& error) {
        return {error.code(), error.what()};
    } catch (const std::bad_alloc&) {
        return {ExitCode::out_of_resources,
                "out of memory; simulate at a larger spacing (`spindrift run --spacing D`), make meshes of larger "
                "voxels (`spindrift mesh --voxel D`), or use a machine with more memory"};
    } catch (const std::filesystem::filesystem_error& error) {
        return {code_of(error.code()), fmt::format("{}: {}", error.path1().string(), error.code().message())};
    } catch (const std::system_error& error) {
        // The standard library throws it where it finds no thread.
        return {code_of(error.code()), fmt::format("the system refused: {}", error.code().message())};
    } catch (const std::exception& error) {
        return {ExitCode::failure, fmt::format("internal error, please report: {}", error.what())};
    } catch (...) {
        return {ExitCode::failure, "internal error, please report: unknown exception"};
    }
}

/// Where exceptions cannot be handled any more, as when a destructor finds no memory: words that need none.
[[noreturn]] void end_at_once() {
    constexpr std::string_view memory = "spindrift: out of memory; what the cache names is complete\n";
    constexpr std::string_view other = "spindrift: internal error, please report; what the cache names is complete\n";
    // Where the standard library may not throw, it does not tell what it was: it is memory that it asks for there.
    bool is_memory = true;
    try {
        if (std::current_exception()) throw;
    } catch (const std::bad_alloc&) {
        is_memory = true;
    } catch (...) {
        is_memory = false;
    }
    const std::string_view words = is_memory ? memory : other;
    [[maybe_unused]] const ssize_t said = write(STDERR_FILENO, words.data(), words.size());
    _exit(static_cast<int>(is_memory ? ExitCode::out_of_resources : ExitCode::failure));
}

/// From the first of what the program does on: what libraries make before main() begins needs memory too.
__attribute__((constructor(101))) void end_in_words() {
    std::set_terminate(end_at_once);
}

}  // namespace

int report_failure(Terminal& terminal) {
    const Failure failure = describe_current_exception();
    terminal.fail(failure.code, failure.text);
    return static_cast<int>(failure.code);
}

}  // namespace spindrift::cli
