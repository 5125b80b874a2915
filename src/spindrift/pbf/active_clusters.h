#pragma once
// Which clusters take part in an iteration: those of whose particles one has a level at least as high.
//
// Source: Koester and Krueger 2016, section 4.
// Differs: a cluster of up to eight neighbours is active until the highest of their levels is reached, since lanes that
// rest save nothing.
//
//   ActiveClusters active(levels_of_clusters);
//   for (int k = 1; active.advance_to(k); ++k) solve(active.indices(), active.size());

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace spindrift::pbf {

class ActiveClusters {
  public:
    /// All clusters, in every iteration.
    explicit ActiveClusters(std::size_t clusters = 0) : count_(clusters) {}
    /// Each in as many iterations as its level says.
    explicit ActiveClusters(std::vector<std::uint8_t> levels);

    /// Goes on to the next iteration, from 1; false if there is nothing left to do.
    bool advance_to(int iteration);

    std::size_t size() const { return indices() ? active_.size() : count_; }
    /// The active ones in ascending order; nullptr if they are all.
    const std::uint32_t* indices() const { return some_finished_ ? active_.data() : nullptr; }
    /// Those that are finished, and of them those whose last iteration was the one before this.
    std::span<const std::uint32_t> finished() const { return finished_; }
    std::span<const std::uint32_t> just_finished() const { return finished().subspan(finished_before_); }

  private:
    std::vector<std::uint8_t> levels_;
    std::size_t count_ = 0;
    int lowest_ = std::numeric_limits<int>::max();
    bool some_finished_ = false;
    std::vector<std::uint32_t> active_, finished_;
    std::size_t finished_before_ = 0;
};

}  // namespace spindrift::pbf
