#include "spindrift/cache/verify.h"

#include <cerrno>
#include <set>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "spindrift/core/descriptor.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/hash.h"
#include "spindrift/core/interruption.h"
#include "spindrift/io/npz.h"

namespace spindrift::cache {

namespace {

namespace fs = std::filesystem;

constexpr const char* changed = "is not what was written";

std::string hash_of_file(const fs::path& path) {
    constexpr std::size_t piece = 1 << 20;
    const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) throw read_error(path, errno);
    std::vector<char> bytes(piece);
    StreamHash hash;
    while (true) {
        stop_if_interrupted();
        const ssize_t got = ::read(file.get(), bytes.data(), bytes.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw read_error(path, errno);
        if (got == 0) return hash.hex();
        hash.add(bytes.data(), static_cast<std::size_t>(got));
    }
}

/// The hash of an archive is made of the checksums in its directory; reading it compares those with the values.
std::string archive_fault(const fs::path& path, const std::string& hash, Depth depth) {
    if (io::content_hash(io::list_npz(path)) != hash) return changed;
    if (depth == Depth::whole) io::read_npz(path, io::Lengths::any);
    return {};
}

/// Files beside those that the manifest names; the program keeps some there that it names nowhere.
std::vector<fs::path> strangers_in(const Cache& cache) {
    std::set<fs::path> named, folders;
    for (const auto& [name, list] : cache.manifest().series) {
        for (const io::FrameEntry& entry : list.frames) {
            named.insert(fs::path(entry.file).lexically_normal());
            folders.insert(fs::path(entry.file).lexically_normal().parent_path());
        }
    }
    std::vector<fs::path> strangers;
    for (const fs::path& folder : folders) {
        std::error_code error;
        fs::directory_iterator file(cache.folder() / folder, error);
        for (; !error && file != fs::directory_iterator(); file.increment(error)) {
            std::error_code ignored;
            const fs::path name = folder / file->path().filename();
            if (file->is_regular_file(ignored) && !named.contains(name) && name.extension() != ".jsonl")
                strangers.push_back(name);
        }
    }
    return strangers;
}

}  // namespace

std::string fault_of(const Cache& cache, const io::FrameEntry& entry, Depth depth) {
    const fs::path path = cache.path(entry);
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) return "is missing";
    if (!fs::is_regular_file(status)) return "is not a file";
    const std::uintmax_t bytes = fs::file_size(path, error);
    if (!error && bytes != entry.bytes) return fmt::format("has {} bytes instead of {}", bytes, entry.bytes);
    if (entry.hash.empty()) return {};
    try {
        if (path.extension() == ".npz") return archive_fault(path, entry.hash, depth);
        return depth == Depth::quick || hash_of_file(path) == entry.hash ? "" : changed;
    } catch (const IoError& problem) {
        return problem.kind() == IoError::Kind::missing ? "cannot be read" : "is damaged";
    }
}

bool is_outdated(const io::Manifest& manifest, const std::string& series, const io::FrameEntry& entry) {
    if (series.starts_with(series::turntable)) return false;  // counts sides, not frames
    const std::string particles = Inputs::of(entry).hash(series::particles);
    if (particles.empty() || particles.find(' ') != std::string::npos) return false;
    const io::FrameEntry* now = io::find_frame(manifest, series::particles, entry.frame);
    return !now || now->hash != particles;
}

std::size_t count_outdated(const io::Manifest& manifest, const std::string& series) {
    const auto list = manifest.series.find(series);
    if (list == manifest.series.end()) return 0;
    return static_cast<std::size_t>(std::ranges::count_if(
        list->second.frames, [&](const io::FrameEntry& entry) { return is_outdated(manifest, series, entry); }));
}

CacheCheck check_files(const Cache& cache, Progress& progress) {
    std::size_t total = 0, done = 0;
    for (const auto& [name, list] : cache.manifest().series)
        total += list.frames.size();
    CacheCheck check;
    for (const auto& [name, list] : cache.manifest().series) {
        SeriesCheck row{
            .series = name, .files = list.frames.size(), .outdated = count_outdated(cache.manifest(), name)};
        for (const io::FrameEntry& entry : list.frames) {
            if (progress.interrupted()) throw InterruptedError("stopped before the check was complete");
            row.bytes += entry.bytes;
            const std::string fault = fault_of(cache, entry, Depth::whole);
            if (!fault.empty()) check.faults.push_back({name, entry, fault});
            progress.report(++done, total, entry.file);
        }
        if (row.files > 0) check.series.push_back(std::move(row));
    }
    check.strangers = strangers_in(cache);
    return check;
}

}  // namespace spindrift::cache
