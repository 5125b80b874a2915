#include "cli/failures.h"

#include <new>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

namespace spindrift::cli {

namespace {

struct Failure {
    ExitCode code;
    std::string text;
};

Failure describe_current_exception() {
    try {
        throw;
    } catch (const Error& error) {
        return {error.code(), error.what()};
    } catch (const std::bad_alloc&) {
        return {ExitCode::out_of_resources,
                "out of memory; simulate at a larger spacing (`spindrift run --spacing D`), make meshes of larger "
                "voxels (`spindrift mesh --voxel D`), or use a machine with more memory"};
    } catch (const std::system_error& error) {
        const bool full = error.code() == std::errc::no_space_on_device || error.code() == std::errc::file_too_large;
        return {full ? ExitCode::out_of_resources : ExitCode::failure, error.what()};
    } catch (const std::exception& error) {
        return {ExitCode::failure, fmt::format("internal error, please report: {}", error.what())};
    } catch (...) {
        return {ExitCode::failure, "internal error, please report: unknown exception"};
    }
}

}  // namespace

int report_failure(Terminal& terminal) {
    const Failure failure = describe_current_exception();
    terminal.fail(failure.code, failure.text);
    return static_cast<int>(failure.code);
}

}  // namespace spindrift::cli
