#include "spindrift/surface/weld.h"

#include <algorithm>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"

namespace spindrift::surface {

namespace {

enum State : std::uint8_t { undecided, kept, dropped };

/// Points in chains of falling ranks would take a round each; so many are never seen, but may be made.
constexpr int most_rounds = 32;

class Welding {
  public:
    Welding(const neighbors::ParticleCells& cells, ConstChannel<float> rank)
        : cells_(cells), rank_(cells.size()), state_(cells.size(), undecided) {
        for (std::size_t i = 0; i < rank_.size(); ++i)
            rank_[i] = rank[cells.source(i)];
    }

    void decide_all();
    bool keeps(std::size_t i) const { return state_[i] == kept; }

  private:
    bool better(std::size_t a, std::size_t b) const {
        return rank_[a] < rank_[b] || (rank_[a] == rank_[b] && cells_.source(a) < cells_.source(b));
    }
    State decide(std::size_t i) const;

    const neighbors::ParticleCells& cells_;
    std::vector<float> rank_;  ///< in the order of the cells
    std::vector<State> state_;
};

State Welding::decide(std::size_t i) const {
    const Vec3f p = cells_.x()[i].xyz();
    const std::uint16_t liquid = cells_.liquid(i);
    const int of_class = cells_.class_of(liquid);
    const float distance = 0.5f * cells_.cell(of_class);
    State result = kept;
    cells_.for_runs({p, p}, distance, of_class, [&](std::size_t first, std::size_t last) {
        for (std::size_t j = first; j < last && result != dropped; ++j) {
            const Vec3f r = cells_.x()[j].xyz() - p;
            if (j == i || state_[j] == dropped || dot(r, r) >= distance * distance) continue;
            if (cells_.liquid(j) != liquid || !better(j, i)) continue;
            result = state_[j] == kept ? dropped : undecided;
        }
    });
    return result;
}

void Welding::decide_all() {
    std::vector<std::uint32_t> open(cells_.size());
    for (std::size_t i = 0; i < open.size(); ++i)
        open[i] = static_cast<std::uint32_t>(i);
    std::vector<State> result;
    for (int round = 0; round < most_rounds && !open.empty(); ++round) {
        result.resize(open.size());
        parallel_for(open.size(), 1024, [&](Range range) {
            for (const std::size_t k : range)
                result[k] = decide(open[k]);
        });
        std::size_t left = 0;
        for (std::size_t k = 0; k < open.size(); ++k) {
            state_[open[k]] = result[k];
            if (result[k] == undecided) open[left++] = open[k];
        }
        open.resize(left);
    }
    std::sort(open.begin(), open.end(), [&](std::uint32_t a, std::uint32_t b) { return better(a, b); });
    for (const std::uint32_t i : open)
        state_[i] = decide(i);
}

}  // namespace

std::vector<std::uint32_t> weld(const neighbors::ParticleView& points, ConstChannel<float> rank) {
    SPINDRIFT_CHECK(rank.size() == points.x.size());
    const neighbors::ParticleCells cells(points);
    Welding welding(cells, rank);
    welding.decide_all();
    std::vector<std::uint32_t> numbers;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (welding.keeps(i)) numbers.push_back(cells.source(i));
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

}  // namespace spindrift::surface
