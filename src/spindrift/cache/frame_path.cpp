#include "spindrift/cache/frame_path.h"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <system_error>

#include <fmt/format.h>

#include "spindrift/core/atomic_file.h"

namespace spindrift::cache {

namespace fs = std::filesystem;

fs::path frame_path(const fs::path& folder, std::string_view stage, std::string_view name, int frame,
                    std::string_view extension) {
    const std::int64_t number = std::abs(std::int64_t{frame});
    return folder / stage / fmt::format("{}.{}{:04}.{}", name, frame < 0 ? "-" : "", number, extension);
}

void create_folder(const fs::path& folder) {
    std::error_code error;
    if (fs::is_directory(folder, error)) return;
    if (fs::exists(folder, error)) throw write_error(folder, EEXIST);
    fs::create_directories(folder, error);
    if (error) throw write_error(folder, error.value());
}

}  // namespace spindrift::cache
