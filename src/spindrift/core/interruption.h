#pragma once
// Work that may end anywhere when the user asks to stop, since it leaves nothing half done.
//
//   const Interruptible work(progress, "stopped before the figure was complete; none written");
//   for (...) { stop_if_interrupted(); ... }          // parallel loops ask before each of their pieces
//
// It counts for the thread that makes it and for the loops that this thread starts (core/parallel.h). What a simulation
// does to its particles is not such work: that ends between substeps, and asks the progress itself.

#include <cstdint>
#include <string>

#include "spindrift/core/progress.h"

namespace spindrift {

class Interruptible {
  public:
    /// `words` is what the InterruptedError says. The progress is asked, and told by PiecesDone.
    Interruptible(Progress& progress, std::string words);
    /// The progress is only asked.
    Interruptible(const Progress& progress, std::string words);
    ~Interruptible();
    Interruptible(const Interruptible&) = delete;
    Interruptible& operator=(const Interruptible&) = delete;

    /// The innermost that this thread works in; nullptr if there is none.
    static const Interruptible* current();
    /// Who is told how far the work is; nullptr if nobody.
    Progress* listener() const { return listener_; }
    /// For libraries that ask from threads of their own.
    bool is_requested() const { return progress_.interrupted(); }
    /// Throws InterruptedError if the user asked to stop.
    void check() const;
    /// Throws it in any case: a library was told to stop and left its work half done.
    [[noreturn]] void stop() const;

  private:
    const Progress& progress_;
    Progress* listener_ = nullptr;
    std::string words_;
    const Interruptible* outer_;
};

/// Throws InterruptedError if the work that this thread does is to end; nothing happens outside of such work.
void stop_if_interrupted();

/// For loops over many small things: asks once in 65536 calls.
class OftenInterruptible {
  public:
    void operator()() {
        if ((++count_ & 0xffff) == 0) stop_if_interrupted();
    }

  private:
    std::uint32_t count_ = 0;
};

}  // namespace spindrift
