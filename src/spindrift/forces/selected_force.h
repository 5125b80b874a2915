#pragma once
// A force that acts on some particles only: those of a liquid, or each by the share that a channel says.
//
//   SelectedForce force(wind, {.liquid = 1, .mask = "lightness"});

#include <memory>
#include <optional>
#include <string>

#include "spindrift/forces/force.h"

namespace spindrift::forces {

class SelectedForce final : public Force {
  public:
    struct Selection {
        std::optional<std::size_t> liquid{};  ///< index among the scene's; all if not given
        std::string mask{};                   ///< a channel of numbers, 1 for the whole force; none if empty
    };

    SelectedForce(std::shared_ptr<const Force> force, Selection selection);

    void apply(const Pushed& on) const override;
    float largest_acceleration() const override { return force_->largest_acceleration(); }
    float largest_speed() const override { return force_->largest_speed(); }

  private:
    std::shared_ptr<const Force> force_;
    Selection selection_;
};

}  // namespace spindrift::forces
