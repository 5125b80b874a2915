#include "spindrift/stages/run/repair.h"

#include <algorithm>

#include <fmt/format.h>

#include "spindrift/core/interruption.h"
#include "spindrift/core/log.h"

namespace spindrift::stages {

namespace {

class Repairer {
  public:
    Repairer(RunFrames& frames, sim::Simulation& simulation, cache::Cache& cache, Progress& progress)
        : frames_(frames), simulation_(simulation), cache_(cache), progress_(progress) {}

    /// Makes a frame again, and the one before it as well if that turns out to be no better; false if the frame is not
    /// what it was.
    bool make(int frame) {
        const io::FrameEntry* start = before(frame);
        if (!start)
            simulation_.fill();
        else if (stands_at_ != start->frame && !frames_.restore(*start) && !make(start->frame))
            return false;
        const Interruptible work(progress_,
                                 fmt::format("stopped while damaged frames were simulated again; go on with: "
                                             "spindrift resume {}",
                                             cache_.folder().string()));
        while (simulation_.frame() < frame) {
            if (!simulation_.advance_frame(progress_)) work.stop();
        }
        return write(frame);
    }

    const Repair& repair() const { return repair_; }

  private:
    /// nullptr before the first.
    const io::FrameEntry* before(int frame) const {
        const std::vector<io::FrameEntry>& all = frames_.all();
        const auto at = std::ranges::lower_bound(all, frame, {}, &io::FrameEntry::frame);
        return at == all.begin() ? nullptr : &*std::prev(at);
    }

    bool write(int frame) {
        const std::string wanted = frames_.hash_of(frame);
        simulation_.statistics();
        frames_.write();
        if (simulation_.frame() != frame || frames_.hash_of(frame) != wanted) {
            repair_.differs = frame;
            return false;
        }
        cache_.commit();
        stands_at_ = frame;
        repair_.frames += 1;
        return true;
    }

    RunFrames& frames_;
    sim::Simulation& simulation_;
    cache::Cache& cache_;
    Progress& progress_;
    Repair repair_{};
    std::optional<int> stands_at_{};
};

}  // namespace

std::vector<int> find_damaged(const RunFrames& frames, int last, cache::Depth depth, Progress& progress) {
    std::vector<int> damaged;
    std::string first;
    std::size_t sound = 0, looked_at = 0;
    for (const io::FrameEntry& entry : frames.all()) {
        if (entry.frame > last) break;
        if (progress.interrupted()) throw InterruptedError("stopped while frames were checked; the cache is as it was");
        const std::string fault = frames.fault_of(entry.frame, depth);
        if (fault.empty()) {
            sound = damaged.size();
        } else {
            if (damaged.empty()) first = fault;
            damaged.push_back(entry.frame);
        }
        if (depth == cache::Depth::whole)
            progress.report(++looked_at, frames.all().size(), fmt::format("checking frame {}", entry.frame));
    }
    damaged.resize(sound);
    if (!damaged.empty())
        log_warning(damaged.size() == 1 ? fmt::format("{}; simulating this frame again", first)
                                        : fmt::format("{}, and so are files of {} more frames; simulating them again",
                                                      first, damaged.size() - 1));
    return damaged;
}

Repair repair_frames(const std::vector<int>& damaged, RunFrames& frames, sim::Simulation& simulation,
                     cache::Cache& cache, Progress& progress) {
    Repairer repairer(frames, simulation, cache, progress);
    for (const int frame : damaged) {
        if (!repairer.make(frame)) break;
        progress.report(std::min<std::size_t>(static_cast<std::size_t>(repairer.repair().frames), damaged.size()),
                        damaged.size(), fmt::format("frame {} simulated again", frame));
    }
    return repairer.repair();
}

}  // namespace spindrift::stages
