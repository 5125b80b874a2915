#pragma once
// When a run stops, and what it keeps then: a substep that ends soon is waited for, one that does not is given up, and
// a frame that takes long leaves checkpoints on the way, so that little is lost.
//
//   Patience patience(progress, 1.0);
//   const Interruptible step(patience, "stopped within a step");    // loops end a second after the user asked
//   while (!simulation.advance_frame(watch)) { ... }                // false if the user asks or a checkpoint is due

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include "spindrift/core/progress.h"
#include "spindrift/sim/simulation.h"

namespace spindrift::stages {

/// Interrupts some seconds after the user asked for it.
class Patience : public Progress {
  public:
    /// `asked` must outlive it.
    Patience(const Progress& asked, double seconds) : asked_(asked), seconds_(seconds) {}
    void report(std::size_t, std::size_t, const std::string&) override {}
    /// From any thread.
    bool interrupted() const override;

  private:
    const Progress& asked_;
    double seconds_;
    mutable std::atomic<std::int64_t> since_{0};  ///< ticks of the steady clock when it was seen first
};

/// Interrupts between substeps, if the user asks or if a checkpoint is due: as often as asked for, but not so often
/// that writing takes more than a twentieth of the time.
class CheckpointWatch : public Progress {
  public:
    /// All must outlive it. Without `seconds` no checkpoint is ever due.
    CheckpointWatch(const Progress& asked, const sim::Simulation& simulation, std::optional<double> seconds)
        : asked_(asked), simulation_(simulation), seconds_(seconds) {}
    void report(std::size_t, std::size_t, const std::string&) override {}
    bool interrupted() const override;
    /// Whether the user asked; else it was a checkpoint that was due.
    bool was_asked() const { return was_asked_; }

    /// Calls what writes a frame or a checkpoint: the time to the next one begins.
    template <class Write>
    void save(const Write& write) {
        const Clock::time_point start = Clock::now();
        write();
        saved_ = Clock::now();
        cost_ = saved_ - start;
    }

  private:
    using Clock = std::chrono::steady_clock;

    bool is_due() const;

    const Progress& asked_;
    const sim::Simulation& simulation_;
    std::optional<double> seconds_;
    mutable bool was_asked_ = false;
    Clock::time_point saved_ = Clock::now();
    Clock::duration cost_{};
};

}  // namespace spindrift::stages
