#include "spindrift/surface/labels.h"

#include <algorithm>
#include <bit>

#include "spindrift/surface/centres.h"

namespace spindrift::surface {

void Labels::fill(std::size_t leaf) {
    std::fill_n(&lattice_.lead[leaf_points * leaf], leaf_points, bulk_lead_);
}

void Labels::start(std::size_t leaf, std::vector<float>& best) {
    best.assign(leaf_points, 0);
    for (std::uint32_t left = blocks(leaf); left; left &= left - 1) {
        for (int k = 0; k < 16; ++k) {
            const int point = point_of(std::countr_zero(left), k);
            lattice_.label[leaf_points * leaf + static_cast<std::size_t>(point)] = air;
            lattice_.lead[leaf_points * leaf + static_cast<std::size_t>(point)] = 0;
        }
    }
}

void Labels::set(std::size_t leaf, std::uint8_t liquid) {
    for (std::uint32_t left = blocks(leaf); left; left &= left - 1) {
        for (int k = 0; k < 16; ++k) {
            const int point = point_of(std::countr_zero(left), k);
            lattice_.label[leaf_points * leaf + static_cast<std::size_t>(point)] = liquid;
            lattice_.lead[leaf_points * leaf + static_cast<std::size_t>(point)] = bulk_lead_;
        }
    }
}

void Labels::rank(std::size_t leaf, int block, std::uint8_t liquid, const float* w, std::vector<float>& largest) {
    for (int k = 0; k < 16; ++k) {
        const auto point = static_cast<std::size_t>(point_of(block, k));
        const std::size_t at = leaf_points * leaf + point;
        float& best = largest[point];
        if (w[k] > best) {
            lattice_.lead[at] = w[k] - best;
            best = w[k];
            lattice_.label[at] = liquid;
        } else {
            lattice_.lead[at] = std::min(lattice_.lead[at], best - w[k]);
        }
    }
}

void Labels::part_from_air(std::size_t leaf) {
    for (std::size_t at = leaf_points * leaf; at < leaf_points * (leaf + 1); ++at) {
        if (lattice_.phi[at] >= 0)
            lattice_.label[at] = air;
        else if (lattice_.label[at] == air)
            lattice_.phi[at] = -lattice_.phi[at];
        lattice_.lead[at] = std::max(lattice_.lead[at], 1e-6f);
    }
}

}  // namespace spindrift::surface
