#pragma once
// The parts of a frame (sim/state_part.h) as files of a cache: arrays as numpy archives, maps as OpenEXR pictures with
// a PNG beside them for the eye, volumes as OpenVDB. A part that is new needs nothing here unless it is of a new kind.
//
//   PartFiles files(scene, cache);
//   files.write(*part, {42, 1.75});
//   std::optional<sim::PartData> data = files.read(*part, 42);

#include <filesystem>
#include <optional>

#include "spindrift/cache/cache.h"
#include "spindrift/scene/scene.h"
#include "spindrift/sim/state_part.h"

namespace spindrift::stages {

class PartFiles {
  public:
    /// Both must outlive it.
    PartFiles(const Scene& scene, cache::Cache& cache) : scene_(scene), cache_(cache) {}

    /// Writes what a part saves now; it counts when the cache says so.
    void write(sim::StatePart& part, io::FrameTime at);
    /// Nothing if the frame has none and may do without. Throws IoError if a file is missing or not what was written,
    /// UsageError if the cache was simulated without this part.
    std::optional<sim::PartData> read(const sim::StatePart& part, int frame) const;

    /// The same beside a checkpoint's particles; those files are in no manifest, and go with the checkpoint.
    void write_checkpoint(sim::StatePart& part, const std::filesystem::path& checkpoint) const;
    sim::PartData read_checkpoint(const sim::StatePart& part, const std::filesystem::path& checkpoint) const;
    void remove_checkpoint() const;

  private:
    cache::Series series_of(const sim::StatePart& part) const;
    WrittenFile write_file_of(const sim::StatePart& part, const sim::PartData& data, const std::filesystem::path& path,
                              io::FrameTime at) const;

    const Scene& scene_;
    cache::Cache& cache_;
};

}  // namespace spindrift::stages
