#include "spindrift/pbf/active_clusters.h"

#include <algorithm>
#include <numeric>

namespace spindrift::pbf {

ActiveClusters::ActiveClusters(std::vector<std::uint8_t> levels) : levels_(std::move(levels)), count_(levels_.size()) {
    if (count_ > 0) lowest_ = *std::min_element(levels_.begin(), levels_.end());
}

bool ActiveClusters::advance_to(int iteration) {
    finished_before_ = finished_.size();
    if (iteration <= lowest_) return count_ > 0;
    if (!some_finished_) {
        some_finished_ = true;
        active_.resize(count_);
        std::iota(active_.begin(), active_.end(), 0u);
    }
    // Written to both lists, counted in one.
    finished_.resize(finished_before_ + active_.size());
    std::size_t kept = 0, left = finished_before_;
    for (const std::uint32_t n : active_) {
        const bool stays = levels_[n] >= iteration;
        finished_[left] = n;
        active_[kept] = n;
        kept += stays;
        left += !stays;
    }
    active_.resize(kept);
    finished_.resize(left);
    return kept > 0;
}

}  // namespace spindrift::pbf
