#pragma once
// Frames of a run between a simulation and its cache: particles and the parts that belong to them, written, read and
// compared with what was written.
//
//   RunFrames frames(scene, cache, simulation);
//   frames.write();                                        // the moment of the simulation; counts from the next commit
//   if (frames.restore(entry)) ...                         // the simulation stands there
//   std::string fault = frames.fault_of(42, cache::Depth::quick);

#include <string>
#include <vector>

#include "spindrift/cache/cache.h"
#include "spindrift/cache/verify.h"
#include "spindrift/scene/scene.h"
#include "spindrift/sim/simulation.h"
#include "spindrift/stages/run/part_files.h"

namespace spindrift::stages {

class RunFrames {
  public:
    /// All must outlive it.
    RunFrames(const Scene& scene, cache::Cache& cache, sim::Simulation& simulation);

    const std::vector<io::FrameEntry>& all() const { return cache_.frames(particles_.key); }
    const io::FrameEntry* find(int frame) const { return cache_.find(particles_.key, frame); }

    void write();
    /// Between two frames.
    void write_checkpoint();
    void remove_checkpoint() const { files_.remove_checkpoint(); }

    /// Puts the simulation there; false, with a warning, if a file is missing, damaged or not what was written.
    bool restore(const io::FrameEntry& entry);
    /// The same with the checkpoint; false if there is none.
    bool restore_checkpoint();

    /// Takes a frame as it is now if somebody changed its particles since they were written, and says so.
    void adopt(int frame);

    /// What is wrong with the first file of a frame that is not what was written, with its name; empty if none is.
    std::string fault_of(int frame, cache::Depth depth) const;
    /// Hashes of all files of a frame, in one text.
    std::string hash_of(int frame) const;

  private:
    std::vector<const io::FrameEntry*> files_of(int frame) const;
    std::filesystem::path write_particles(const cache::Series& series);
    template <class ReadPart>
    bool restore(const io::FrameEntry& entry, const ReadPart& read_part);

    cache::Cache& cache_;
    sim::Simulation& simulation_;
    cache::Series particles_;
    PartFiles files_;
};

}  // namespace spindrift::stages
