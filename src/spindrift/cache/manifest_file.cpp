#include "spindrift/cache/manifest_file.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "spindrift/core/descriptor.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/hash.h"
#include "spindrift/io/format_problem.h"
#include "spindrift/io/json_forms.h"

namespace spindrift::cache {

namespace fs = std::filesystem;

namespace {

/// What the JSON form cannot tell: files outside of the cache, frames out of order.
void check_frames(const std::string& name, const io::FrameList& stage) {
    const auto not_ascending = [](const io::FrameEntry& a, const io::FrameEntry& b) { return a.frame >= b.frame; };
    if (std::ranges::adjacent_find(stage.frames, not_ascending) != stage.frames.end()) {
        throw io::FormatProblem(fmt::format("manifest is damaged: the frames of stage '{}' are out of order", name));
    }
    for (const io::FrameEntry& entry : stage.frames) {
        if (!io::stays_inside(entry.file)) {
            throw io::FormatProblem(
                fmt::format("manifest is damaged: frame {} of stage '{}' is not inside the cache: '{}'", entry.frame,
                            name, entry.file));
        }
    }
}

/// Shorter journals are kept, however short the manifest is.
constexpr std::uint64_t short_journal = 64 << 10;

/// Adds what a journal says; false if it goes on from another manifest.
bool add_journal(const fs::path& path, const std::string& manifest_hash, io::Manifest& manifest) {
    const std::string text = read_file(path);
    std::size_t at = 0;
    const auto next_line = [&]() -> std::optional<std::string_view> {
        const std::size_t end = text.find('\n', at);
        if (end == std::string::npos) return {};
        return std::string_view(text).substr(std::exchange(at, end + 1), end - at);
    };
    const std::optional<std::string_view> first = next_line();
    if (!first || *first != manifest_hash) return false;
    while (const std::optional<std::string_view> line = next_line()) {
        try {
            auto [series, entry] = io::entry_from_json(*line);
            if (!io::stays_inside(entry.file)) break;
            io::set_frame(manifest.series[series], std::move(entry));
        } catch (const io::FormatProblem&) {
            break;
        }
    }
    return true;
}

}  // namespace

io::Manifest load_manifest(const fs::path& folder) {
    const fs::path path = folder / io::manifest_file, journal = folder / journal_file;
    std::error_code error;
    if (!fs::exists(path, error)) {
        throw IoError(IoError::Kind::missing, folder,
                      fmt::format("this is not a cache: it has no {}", io::manifest_file));
    }
    try {
        // A program that writes meanwhile may have put another pair in place between the two reads.
        for (int tries = 0;; ++tries) {
            const std::string text = read_file(path);
            io::Manifest manifest = io::manifest_from_json(text);
            for (const auto& [name, list] : manifest.series)
                check_frames(name, list);
            const bool last_try = tries == 3 || !fs::exists(journal, error);
            if (last_try || add_journal(journal, Hash64().add(text).hex(), manifest)) return manifest;
        }
    } catch (const io::FormatProblem& problem) {
        throw IoError(IoError::Kind::corrupt, path, problem.what());
    }
}

WrittenFile save_manifest(const fs::path& folder, const io::Manifest& manifest) {
    const WrittenFile written = write_file(folder / io::manifest_file, io::manifest_to_json(manifest));
    std::error_code ignored;
    fs::remove(folder / journal_file, ignored);
    return written;
}

void Journal::begin(const WrittenFile& manifest) {
    manifest_hash_ = manifest.hash;
    most_bytes_ = std::max(manifest.bytes, short_journal);
    bytes_ = lines_ = 0;
    waiting_.clear();
}

void Journal::add(const std::string& series, const io::FrameEntry& entry) {
    waiting_ += io::entry_to_json(series, entry) + '\n';
    lines_ += 1;
}

bool Journal::write(const fs::path& folder) {
    if (waiting_.empty()) return true;
    if (manifest_hash_.empty() || bytes_ + waiting_.size() > most_bytes_) return false;
    const fs::path path = folder / journal_file;
    const bool is_new = bytes_ == 0;
    const std::string text = (is_new ? manifest_hash_ + '\n' : "") + std::exchange(waiting_, {});
    const Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (is_new ? O_TRUNC : O_APPEND), 0666));
    if (file.get() < 0 || !write_all(file.get(), text.data(), text.size()) || fsync(file.get()) != 0)
        throw write_error(path, errno, text.size());
    if (is_new && !sync_folder(folder.c_str())) throw write_error(path, errno);
    bytes_ += text.size();
    return true;
}

}  // namespace spindrift::cache
