#include "spindrift/preview/aside_file.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "spindrift/core/errors.h"

namespace spindrift::preview {

namespace {

IoError write_error(const std::filesystem::path& path, int code) {
    using Kind = IoError::Kind;
    const Kind kind = code == EACCES || code == EPERM || code == EROFS ? Kind::permission
                      : code == ENOSPC || code == EDQUOT               ? Kind::disk_full
                      : code == ENOENT || code == ENOTDIR              ? Kind::missing
                                                                       : Kind::other;
    return IoError(kind, path, std::strerror(code));
}

/// Differs between processes and between calls, so that two writers of one file do not meet.
std::filesystem::path temporary_name(const std::filesystem::path& target) {
    static std::atomic<unsigned> counter{0};
    std::filesystem::path name = target;
    name += fmt::format(".{}-{}.part", ::getpid(), counter++);
    return name;
}

}  // namespace

AsideFile::AsideFile(std::filesystem::path target) : target_(std::move(target)), temporary_(temporary_name(target_)) {}

AsideFile::~AsideFile() {
    std::error_code ignored;
    if (!committed_) std::filesystem::remove(temporary_, ignored);
}

void AsideFile::write(std::span<const std::byte> bytes) const {
    std::FILE* file = std::fopen(temporary_.c_str(), "wb");
    if (!file) throw write_error(target_, errno);
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    const int write_code = errno;
    const bool closed = std::fclose(file) == 0;
    if (!written) throw write_error(target_, write_code);
    if (!closed) throw write_error(target_, errno);
}

void AsideFile::commit() {
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0) throw write_error(target_, errno);
    committed_ = true;
}

}  // namespace spindrift::preview
