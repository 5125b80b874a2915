#include "spindrift/stages/pictures/picture_share.h"

#include <utility>

#include <fmt/format.h>

#include "spindrift/core/text.h"

namespace spindrift::stages {

void PictureShare::begin(std::size_t done, std::size_t total, std::string words) {
    const std::lock_guard lock(mutex_);
    done_ = done;
    total_ = total;
    words_ = std::move(words);
    start_ = last_ = Clock::now();
}

void PictureShare::tell(double share) {
    constexpr std::chrono::milliseconds often(500);
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    if (now - last_ < often || !(share > 0) || share >= 1) return;
    last_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    progress_.report(
        done_, total_,
        fmt::format("{}: {:.0f} %, {} to go", words_, 100 * share, format_duration(seconds / share * (1 - share))));
}

}  // namespace spindrift::stages
