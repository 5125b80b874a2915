#pragma once
// What liquids are mixed of: components, of which each particle has a share of its volume, in the channel of each.
// Shares are multiples of share_quantum and add up to 1, so that sums and differences of them are exact floats
// (docs/decisions/0030).
//
//   Mixture mixture{.components = {{.channel = "mix_milk", .diffusivity = 1e-6}, {.channel = "mix_coffee"}}};
//   const double parts[] = {0.3, 0.7};
//   Shares shares = whole_shares(parts);                  // 0.3f and 0.7f as nearly as quanta allow
//   mixture.pure = {oil_with_milk_alone, oil_with_coffee_alone};          // what a liquid would be of one component

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spindrift/fluid/liquid.h"
#include "spindrift/fluid/settling.h"

namespace spindrift::fluid {

inline constexpr std::size_t most_components = 8;

/// Of what a share is a multiple. Floats up to 1 hold all multiples of it.
inline constexpr float share_quantum = 1.f / (1 << 24);

/// How viscosities mix: by their logarithms, as those of syrups and oils do, or by themselves (Eq. 23, Onderik 2014).
enum class ViscosityMean { log, mean };

constexpr std::array<std::string_view, 2> enum_words(ViscosityMean) {
    return {"log", "mean"};
}

struct Component {
    std::string channel;             ///< of f32
    double diffusivity = 0;          ///< m2/s
    std::optional<Grains> grains{};  ///< if it sinks or rises through the others
};

struct Mixture {
    std::vector<Component> components{};
    double eddies = 0;  ///< of Smagorinsky's diffusion by eddies, how much
    ViscosityMean viscosity = ViscosityMean::log;
    /// What each liquid would be of one component alone: all components of the first liquid, then of the next. Empty if
    /// components are colours.
    std::vector<Liquid> pure{};
    Carrier carrier{};  ///< what grains sink in
    SettlingLaw settling = SettlingLaw::ferguson_church;
    Hindrance hindrance = Hindrance::richardson_zaki;
    bool suspension = true;  ///< grains make the liquid thicker

    bool empty() const { return components.empty(); }
    /// Whether components make a liquid lighter or heavier.
    bool weighs_unlike() const;
    /// Whether some component sinks or rises.
    bool settles() const;
    /// Whether particles exchange anything by diffusion.
    bool spreads() const;
    /// m2/s.
    double largest_diffusivity() const;
    /// Whether some component spreads faster than another.
    bool diffusivities_differ() const;
};

using Shares = std::array<float, most_components>;

/// Numbers that add up to about 1, as multiples of share_quantum that do exactly; what is missing the largest takes.
Shares whole_shares(std::span<const double> parts);

/// Whether these are shares as whole_shares() gives them.
bool are_whole(std::span<const float> shares);

}  // namespace spindrift::fluid
