#include "spindrift/cache/cache.h"

#include <utility>

#include <fmt/format.h>

#include "spindrift/cache/dropped_frames.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/log.h"

namespace spindrift::cache {

namespace fs = std::filesystem;

Cache Cache::open(const fs::path& folder) {
    Cache cache(folder);
    cache.manifest_ = load_manifest(folder);
    cache.exists_ = true;
    return cache;
}

Cache Cache::open_to_write(const fs::path& folder) {
    Cache cache = make_or_open_to_write(folder);
    if (!cache.exists_) load_manifest(folder);  // says what is wrong
    return cache;
}

Cache Cache::make_or_open_to_write(const fs::path& folder) {
    Cache cache(folder);
    cache.lock_ = std::make_unique<FolderLock>(folder);
    remove_stale_temporaries(folder);
    std::error_code error;
    cache.exists_ = fs::exists(folder / io::manifest_file, error);
    if (!cache.exists_) return cache;
    // What a killed program left is cleared away with the next commit: a journal, and names of what it had dropped.
    cache.changed_ = fs::exists(folder / journal_file, error);
    cache.manifest_ = load_manifest(folder);
    cache.changed_ |= remove_dropped(folder, cache.manifest_);
    return cache;
}

Cache Cache::open_for_results(const fs::path& folder, const fs::path& output) {
    fs::path place = output;
    if (place.empty()) {
        try {
            return open_to_write(folder);
        } catch (const LockedError&) {
            place = folder / beside_folder;
            log_info(
                fmt::format("{} is being written by another spindrift; what is made of its frames meanwhile goes "
                            "to {}",
                            folder.string(), place.string()));
        }
    }
    const io::Manifest source = load_manifest(folder);
    Cache cache = make_or_open_to_write(place);
    if (cache.exists_) return cache;
    io::Manifest& manifest = cache.edit();
    manifest.program_version = source.program_version;
    manifest.scene_name = source.scene_name;
    manifest.scene_hash = source.scene_hash;
    manifest.fps = source.fps;
    return cache;
}

Cache::~Cache() {
    if (!lock_ || changed_ || !journal_.is_written()) return;
    try {
        write_manifest();
    } catch (const std::exception&) {
        // The journal still says it.
    }
}

Cache Cache::reader() const {
    Cache cache(folder_);
    cache.manifest_ = manifest_;
    cache.exists_ = exists_;
    return cache;
}

const std::vector<io::FrameEntry>& Cache::frames(const std::string& series) const {
    static const std::vector<io::FrameEntry> none;
    const auto list = manifest_.series.find(series);
    return list != manifest_.series.end() ? list->second.frames : none;
}

const io::FrameEntry* Cache::find(const std::string& series, int frame) const {
    return io::find_frame(manifest_, series, frame);
}

std::vector<io::FrameEntry> Cache::frames_between(std::optional<int> first, std::optional<int> last,
                                                  const char* purpose) const {
    const std::vector<io::FrameEntry>& all = frames(series::particles);
    if (all.empty())
        throw IoError(IoError::Kind::missing, folder_,
                      fmt::format("the cache has no frames {} yet; simulate some with `spindrift run`", purpose));
    const int from = first.value_or(all.front().frame), to = last.value_or(all.back().frame);
    std::vector<io::FrameEntry> chosen;
    for (const io::FrameEntry& entry : all) {
        if (entry.frame >= from && entry.frame <= to) chosen.push_back(entry);
    }
    if (chosen.empty())
        throw UsageError(fmt::format("the cache has no frames from {} to {}; it has {} to {}", from, to,
                                     all.front().frame, all.back().frame));
    return chosen;
}

bool Cache::is_there(const io::FrameEntry& entry) const {
    std::error_code missing;
    return fs::file_size(path(entry), missing) == entry.bytes && !missing;
}

bool Cache::is_current(const Series& series, int frame, const Inputs& inputs) const {
    const io::FrameEntry* entry = find(series.key, frame);
    return entry && Inputs::of(*entry) == inputs && path(*entry) == series.path(folder_, frame) && is_there(*entry);
}

bool Cache::is_stale(const Series& series, int frame, const Inputs& inputs) const {
    const io::FrameEntry* entry = find(series.key, frame);
    return entry && Inputs::of(*entry) != inputs;
}

void Cache::put(const Series& series, io::FrameTime at, const WrittenFile& file, std::string state) {
    put(series.key, {.frame = at.frame,
                     .file = series.path("", at.frame).generic_string(),
                     .bytes = file.bytes,
                     .hash = file.hash,
                     .time = at.time,
                     .state = std::move(state)});
}

void Cache::put(const std::string& series, io::FrameEntry entry) {
    SPINDRIFT_CHECK(lock_);
    journal_.add(series, entry);
    io::set_frame(manifest_.series[series], std::move(entry));
}

void Cache::set_inputs(const std::string& series, const std::string& hash) {
    const auto list = manifest_.series.find(series);
    if (list == manifest_.series.end() || list->second.inputs_hash != hash) edit().series[series].inputs_hash = hash;
}

io::Manifest& Cache::edit() {
    SPINDRIFT_CHECK(lock_);
    changed_ = true;
    return manifest_;
}

void Cache::drop_simulated(int frame, Fate fate) {
    cache::drop_simulated(edit(), frame, fate);
}

void Cache::drop_everything() {
    cache::drop_everything(edit());
}

void Cache::drop_series(const std::string& series) {
    changed_ |= manifest_.series.erase(series) > 0;
}

void Cache::drop_without_particles(const std::function<bool(std::string_view series)>& is_meant) {
    // What was made of another folder's frames has none here.
    if (frames(series::particles).empty()) return;
    if (!cache::drop_without_particles(manifest_, is_meant)) return;
    changed_ = true;
    commit();
}

void Cache::forget_unreadable(int frame) {
    changed_ |= cache::forget_unreadable(manifest_, frame);
}

void Cache::commit() {
    if (changed_ || !journal_.write(folder_)) write_manifest();
}

void Cache::commit_whole() {
    if (changed_ || !journal_.empty()) write_manifest();
}

void Cache::write_manifest() {
    journal_.begin(save_manifest(folder_, manifest_));
    exists_ = true;
    changed_ = remove_dropped(folder_, manifest_);
}

}  // namespace spindrift::cache
