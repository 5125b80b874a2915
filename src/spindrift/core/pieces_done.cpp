#include "spindrift/core/pieces_done.h"

#include <utility>

#include <fmt/format.h>

#include "spindrift/core/interruption.h"
#include "spindrift/core/text.h"

namespace spindrift {

PiecesDone::PiecesDone(std::size_t pieces, std::string what) : PiecesDone(pieces, std::move(what), Part{}) {}

PiecesDone::PiecesDone(std::size_t pieces, std::string what, Part part)
    : listener_(Interruptible::current() ? Interruptible::current()->listener() : nullptr),
      pieces_(pieces),
      what_(std::move(what)),
      part_(part),
      start_(Clock::now()),
      last_(start_) {}

void PiecesDone::add(std::size_t pieces) {
    if (!listener_) return;
    const std::size_t done = done_.fetch_add(pieces) + pieces;
    // Who comes while another one is telling has nothing newer to say.
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock) tell(static_cast<double>(done) / static_cast<double>(pieces_));
}

void PiecesDone::tell(double share) {
    constexpr std::chrono::milliseconds often(500);
    const auto now = Clock::now();
    if (now - last_ < often || !(share > 0) || share >= 1) return;
    last_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const double whole = part_.from + share * (part_.to - part_.from);
    // The pace of these pieces counts for those behind them as well.
    const double left = seconds / (share * (part_.to - part_.from)) * (1 - whole);
    listener_->report(0, 1, fmt::format("{}: {:.0f} %, {} to go", what_, 100 * whole, format_duration(left)));
}

}  // namespace spindrift
