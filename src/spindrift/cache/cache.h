#pragma once
// A folder with what a scene became: files, and a manifest that says which of them count and what they were made from.
// A file counts once the manifest names it; what the manifest drops is gone from the disk.
//
//   Cache cache = Cache::open_to_write(folder);                // locks it before anything is read
//   if (!cache.is_current(meshes, 42, inputs))
//       cache.put(meshes, {42, 1.75}, geometry::write_ply(meshes.path(folder, 42), mesh), inputs.text());
//   cache.commit();                                            // from now on it counts
//
//   const Cache seen = Cache::open(folder);                    // to read: needs no lock
//   for (const io::FrameEntry& entry : seen.frames(series::particles)) read_npz(seen.path(entry));

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spindrift/cache/dropped_frames.h"
#include "spindrift/cache/folder_lock.h"
#include "spindrift/cache/inputs.h"
#include "spindrift/cache/manifest_file.h"
#include "spindrift/cache/series.h"
#include "spindrift/core/atomic_file.h"
#include "spindrift/io/manifest.h"

namespace spindrift::cache {

class Cache {
  public:
    /// Throws IoError if there is no manifest, or a damaged one.
    static Cache open(const std::filesystem::path& folder);
    /// Nobody else writes until this is gone. Throws LockedError if somebody writes already.
    static Cache open_to_write(const std::filesystem::path& folder);
    /// The same where there may be none yet: the folder is made, and the manifest is empty.
    static Cache make_or_open_to_write(const std::filesystem::path& folder);

    /// For what is made of a cache: in another folder if one is given, else in the cache itself or, while somebody else
    /// writes there, in the folder `beside` in it, of which it says a word.
    static Cache open_for_results(const std::filesystem::path& folder, const std::filesystem::path& output);

    Cache(Cache&&) = default;
    Cache& operator=(Cache&&) = delete;
    /// Whatever ended a stage, what it had committed ends up in manifest.json; what it had not does not count.
    ~Cache();

    /// What there is now, to read while others put more.
    Cache reader() const;

    const std::filesystem::path& folder() const { return folder_; }
    const io::Manifest& manifest() const { return manifest_; }
    /// Whether there is a manifest on the disk.
    bool exists() const { return exists_; }

    /// In ascending order; none if there is no such series.
    const std::vector<io::FrameEntry>& frames(const std::string& series) const;
    /// nullptr if there is no such frame.
    const io::FrameEntry* find(const std::string& series, int frame) const;
    std::filesystem::path path(const io::FrameEntry& entry) const { return folder_ / entry.file; }
    /// Particle frames from `first` to `last`, or from the first or to the last there is. Throws IoError if the cache
    /// has none, UsageError if none of them is asked for; `purpose` ends the sentence "the cache has no frames ...
    /// yet".
    std::vector<io::FrameEntry> frames_between(std::optional<int> first, std::optional<int> last,
                                               const char* purpose) const;

    /// Whether the file of an entry is there, going by its size.
    bool is_there(const io::FrameEntry& entry) const;
    /// Whether a series has the file of a frame, made from just this.
    bool is_current(const Series& series, int frame, const Inputs& inputs) const;
    /// Whether it has one that was made from something else.
    bool is_stale(const Series& series, int frame, const Inputs& inputs) const;

    /// The files below are in the cache already; what is said of them counts from the next commit() on.
    void put(const Series& series, io::FrameTime at, const WrittenFile& file, std::string state = {});
    void put(const std::string& series, io::FrameEntry entry);
    /// What a whole series is made with.
    void set_inputs(const std::string& series, const std::string& hash);
    /// Names, fps and parameters of the scene, and anything else but frames.
    io::Manifest& edit();

    /// Drops what `run` wrote for a frame and those after it: particles, bodies, wet maps, interiors, grids.
    void drop_simulated(int frame, Fate fate);
    void drop_everything();
    void drop_series(const std::string& series);
    /// Drops frames without particles in series that `is_meant` says: they would mix with those that are made now.
    void drop_without_particles(const std::function<bool(std::string_view series)>& is_meant);
    /// A frame that could not be read has been made again.
    void forget_unreadable(int frame);

    /// Says on the disk what counts. New entries alone are added to the journal, which takes the same time however many
    /// there are; anything else writes the manifest anew. Files that were dropped are removed after that.
    void commit();
    /// The same, with all of it in manifest.json.
    void commit_whole();

  private:
    explicit Cache(std::filesystem::path folder) : folder_(std::move(folder)) {}
    void write_manifest();

    std::filesystem::path folder_;
    std::unique_ptr<FolderLock> lock_{};
    io::Manifest manifest_{};
    Journal journal_{};
    bool exists_ = false, changed_ = false;  ///< by more than new entries since the last commit
};

}  // namespace spindrift::cache
