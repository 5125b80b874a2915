#pragma once
// What components make of a liquid.
//
//   LiquidParams milk = of_one_component(scene.liquid[0], scene.component[0]);     // its density, viscosity and
//   tension const MixtureColors colors(scene); Vec3f beige = colors.of([&](std::size_t k) { return shares[k]; });

#include <cstddef>
#include <optional>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/scene/scene.h"

namespace spindrift {

/// A liquid as it would be of one component alone: what the component says, in place of what the liquid does.
LiquidParams of_one_component(const LiquidParams& liquid, const ComponentParams& component);

/// What grains sink in: the first liquid of the scene, as it is without them.
fluid::Carrier carrier_of(const Scene& scene);

/// What sinks or rises of a component at a frame; nothing if it stays where it is.
std::optional<fluid::Grains> grains_of(const LiquidParams& liquid, const ComponentParams& component, double frame);

/// Whether grains sink faster or slower over time.
bool grains_change(const Scene& scene);

/// kg/m3, of every liquid as each component alone would have it, liquid by liquid; by liquid alone without components.
std::vector<double> rest_densities(const Scene& scene);

/// Linear RGB of a component: the one it was given, that of its material, or one of a palette.
Vec3f component_color(const Scene& scene, std::size_t component);

/// Colours of mixtures, which absorb what their components do: blue and yellow make green. A component counts by its
/// share and by how strongly it dyes, which is one over its clarity.
class MixtureColors {
  public:
    explicit MixtureColors(const Scene& scene);

    /// `share_of(k)` is the share of a component.
    template <class ShareOf>
    Vec3f of(const ShareOf& share_of) const {
        Vec3f sum;
        float weight = 0;
        for (std::size_t k = 0; k < logarithms_.size(); ++k) {
            const float strength = strengths_[k] * share_of(k);
            sum += logarithms_[k] * strength;
            weight += strength;
        }
        return color_of(sum, weight);
    }

  private:
    static Vec3f color_of(Vec3f logarithms, float weight);

    std::vector<Vec3f> logarithms_;  ///< of colours
    std::vector<float> strengths_;
};

}  // namespace spindrift
