#include "spindrift/constraints/volume.h"

#include <cmath>

#include <fmt/format.h>

#include "spindrift/constraints/elastic.h"
#include "spindrift/core/errors.h"

namespace spindrift::constraints {

const std::array<std::array<std::uint8_t, 3>, 12> cell_faces{{{0, 6, 2},
                                                              {0, 4, 6},
                                                              {1, 3, 7},
                                                              {1, 7, 5},
                                                              {0, 1, 5},
                                                              {0, 5, 4},
                                                              {2, 7, 3},
                                                              {2, 6, 7},
                                                              {0, 3, 1},
                                                              {0, 2, 3},
                                                              {4, 5, 7},
                                                              {4, 7, 6}}};

namespace {

using Corners = std::array<Vec3d, 8>;

struct Volume {
    double value = 0;
    Corners gradient{};
};

Volume volume_of(Corners x) {
    // About a corner, so that far from the origin nothing is lost.
    for (std::size_t v = 1; v < 8; ++v)
        x[v] -= x[0];
    x[0] = {};
    Volume volume;
    for (const auto& [a, b, c] : cell_faces) {
        const Vec3d bc = cross(x[b], x[c]);
        volume.value += dot(x[a], bc) / 6;
        volume.gradient[a] += bc / 6.0;
        volume.gradient[b] += cross(x[c], x[a]) / 6.0;
        volume.gradient[c] += cross(x[a], x[b]) / 6.0;
    }
    return volume;
}

}  // namespace

VolumeConstraint::VolumeConstraint(std::span<const Cell> cells, std::span<const Vec3d> rest, double stiffness) {
    if (!(stiffness > 0 && std::isfinite(stiffness)))
        throw UsageError(fmt::format("VolumeConstraint: the stiffness is {} Pa; give more than 0", stiffness));
    for (const Cell& cell : cells) {
        Corners x{};
        for (std::size_t v = 0; v < 8; ++v) {
            if (cell.points[v] < 0 || static_cast<std::size_t>(cell.points[v]) >= rest.size())
                throw UsageError(fmt::format("VolumeConstraint: there is no point {}", cell.points[v]));
            x[v] = rest[static_cast<std::size_t>(cell.points[v])];
        }
        const Volume volume = volume_of(x);
        if (!(volume.value > 0 && cell.share > 0)) throw UsageError("VolumeConstraint: a cell has no volume");
        Rest one{.points = cell.points, .volume = volume.value};
        one.compliance = 1 / (stiffness * volume.value * cell.share);
        for (std::size_t v = 0; v < 8; ++v)
            one.weight[v] = dot(volume.gradient[v], volume.gradient[v]) / (volume.value * volume.value);
        cells_.push_back(one);
    }
}

void VolumeConstraint::begin_step(ConstraintContext& context) {
    // Points of bodies do not come and go.
    if (!context.knows_start() || active_.empty()) find_active(context, cells_, active_);
    for (Active& active : active_) {
        active.a = cells_[active.item].compliance / (context.dt() * context.dt());
        active.multiplier = {};
        if (context.knows_start()) start(context, active);
    }
}

void VolumeConstraint::start(ConstraintContext& context, Active& active) const {
    const Rest& rest = cells_[active.item];
    Corners x{};
    double weight = 0;
    for (std::size_t v = 0; v < 8; ++v) {
        x[v] = context.start(active.points[v]);
        weight += context.inverse_mass(active.points[v]) * rest.weight[v];
    }
    const Volume volume = volume_of(x);
    active.multiplier = begin_with(active.a, weight) * (1 - volume.value / rest.volume) / active.a;
    push(context, active.points, shifts_of(context, active.points, volume.gradient), active.multiplier / rest.volume);
}

void VolumeConstraint::project(ConstraintContext& context) {
    const std::size_t n = active_.size();
    for (std::size_t k = 0; k < n; ++k)
        project_cell(context, active_[context.iteration() % 2 == 1 ? k : n - 1 - k]);
}

void VolumeConstraint::project_cell(ConstraintContext& context, Active& active) const {
    const Rest& rest = cells_[active.item];
    Corners x{};
    for (std::size_t v = 0; v < 8; ++v)
        x[v] = context.position(active.points[v]);
    const Volume volume = volume_of(x);
    const Corners shifts = shifts_of(context, active.points, volume.gradient);
    const double weight = weigh(volume.gradient, shifts) / (rest.volume * rest.volume);
    const double step = -(volume.value / rest.volume - 1 + active.a * active.multiplier) / (weight + active.a);
    active.multiplier += step;
    push(context, active.points, shifts, step / rest.volume);
}

double VolumeConstraint::rate(std::span<const double> inverse_masses) const {
    double most = 0;
    for (const Rest& cell : cells_) {
        double sum = 0;
        for (std::size_t v = 0; v < 8; ++v)
            sum += inverse_masses[static_cast<std::size_t>(cell.points[v])] * cell.weight[v];
        most = std::max(most, sum / cell.compliance);
    }
    return std::sqrt(most / most_stiffness);
}

}  // namespace spindrift::constraints
