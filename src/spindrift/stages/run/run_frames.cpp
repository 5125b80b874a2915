#include "spindrift/stages/run/run_frames.h"

#include <fmt/format.h>

#include "spindrift/core/log.h"
#include "spindrift/io/npz.h"

namespace spindrift::stages {

namespace fs = std::filesystem;

RunFrames::RunFrames(const Scene& scene, cache::Cache& cache, sim::Simulation& simulation)
    : cache_(cache),
      simulation_(simulation),
      particles_{cache::series::particles, cache::series::particles, scene.output.name, "npz"},
      files_(scene, cache) {}

fs::path RunFrames::write_particles(const cache::Series& series) {
    const int frame = simulation_.frame();
    const fs::path path = series.path(cache_.folder(), frame);
    cache::create_folder(path.parent_path());
    const WrittenFile written = io::write_arrays(path, simulation_.view(), io::Lengths::equal);
    cache_.put(series, {frame, simulation_.time()}, written, simulation_.state());
    return path;
}

void RunFrames::write() {
    write_particles(particles_);
    for (const std::unique_ptr<sim::StatePart>& part : simulation_.parts())
        files_.write(*part, {simulation_.frame(), simulation_.time()});
}

void RunFrames::write_checkpoint() {
    cache_.drop_series(cache::series::checkpoint);
    cache::Series checkpoint = particles_;
    checkpoint.key = checkpoint.folder = cache::series::checkpoint;
    const fs::path path = write_particles(checkpoint);
    for (const std::unique_ptr<sim::StatePart>& part : simulation_.parts())
        files_.write_checkpoint(*part, path);
}

bool RunFrames::restore(const io::FrameEntry& entry) {
    return restore(entry, [&](const sim::StatePart& part) { return files_.read(part, entry.frame); });
}

bool RunFrames::restore_checkpoint() {
    const std::vector<io::FrameEntry>& checkpoints = cache_.frames(cache::series::checkpoint);
    if (checkpoints.empty()) return false;
    const fs::path path = cache_.path(checkpoints.back());
    return restore(checkpoints.back(),
                   [&](const sim::StatePart& part) { return std::optional(files_.read_checkpoint(part, path)); });
}

template <class ReadPart>
bool RunFrames::restore(const io::FrameEntry& entry, const ReadPart& read_part) {
    const fs::path path = cache_.path(entry);
    try {
        sim::Snapshot snapshot{io::read_npz(path), entry.state};
        for (const std::unique_ptr<sim::StatePart>& part : simulation_.parts()) {
            if (std::optional<sim::PartData> data = read_part(*part)) snapshot.parts[part->name()] = std::move(*data);
        }
        // What can be read may still be another frame's, or another run's.
        if (const std::string fault = cache::fault_of(cache_, entry, cache::Depth::quick); !fault.empty())
            throw IoError(IoError::Kind::corrupt, path, fault);
        simulation_.restore(snapshot, path);
        return true;
    } catch (const IoError& error) {
        log_warning(fmt::format("{}; going back to the frame before", error.what()));
        return false;
    }
}

void RunFrames::adopt(int frame) {
    const io::FrameEntry* entry = find(frame);
    if (!entry || cache::fault_of(cache_, *entry, cache::Depth::quick).empty()) return;
    io::FrameEntry changed = *entry;
    const fs::path path = cache_.path(changed);
    try {
        changed.hash = io::content_hash(io::list_npz(path));
        changed.bytes = fs::file_size(path);
    } catch (const std::exception&) {
        return;  // reading it for good says what is wrong
    }
    log_info(fmt::format("{} was changed since it was written; going on from it as it is now", path.string()));
    cache_.put(particles_.key, std::move(changed));
}

std::vector<const io::FrameEntry*> RunFrames::files_of(int frame) const {
    std::vector<const io::FrameEntry*> files{find(frame)};
    for (const std::unique_ptr<sim::StatePart>& part : simulation_.parts())
        files.push_back(cache_.find(part->name(), frame));
    std::erase(files, nullptr);
    return files;
}

std::string RunFrames::fault_of(int frame, cache::Depth depth) const {
    for (const io::FrameEntry* entry : files_of(frame)) {
        const std::string fault = cache::fault_of(cache_, *entry, depth);
        if (!fault.empty()) return fmt::format("{} {}", cache_.path(*entry).string(), fault);
    }
    return {};
}

std::string RunFrames::hash_of(int frame) const {
    std::string hashes;
    for (const io::FrameEntry* entry : files_of(frame))
        hashes += entry->hash + " ";
    return hashes;
}

}  // namespace spindrift::stages
