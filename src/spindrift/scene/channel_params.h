#pragma once
// Channels of particles: those a user declares, and those that frames hold when asked for.
//
//   ChannelParams heat{.name = "temperature", .initial = Numbers{{293}}, .unit = "K"};
//   scene.channel.push_back(heat);
//   scene.liquid[0].channels.entries.push_back({"temperature", {{350}}});
//   scene.output.channels = {BuiltInChannel::vorticity};

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "spindrift/params/checker.h"
#include "spindrift/params/info.h"
#include "spindrift/params/number_table.h"
#include "spindrift/particles/channel_table.h"

namespace spindrift {

enum class ChannelForm { scalar, whole, vector };

constexpr std::array<std::string_view, 3> enum_words(ChannelForm) {
    return {"float", "int", "vec3"};
}

/// What frames hold besides P, v, id, density and pscale.
enum class BuiltInChannel { age, vorticity, uv, color, viscosity, rest, rest_density };

constexpr std::array<std::string_view, 7> enum_words(BuiltInChannel) {
    return {"age", "vorticity", "uv", "Cd", "viscosity", "rest", "rest_density"};
}

/// Which particles are at the surface, as the meshes' stage finds them.
inline constexpr const char* surface_flag_channel = channel_names::surface_flag;

/// A channel that the user gives to all particles.
struct ChannelParams {
    std::string name{};
    ChannelForm type = ChannelForm::scalar;
    std::optional<Numbers> initial{};
    std::string unit{};

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("name", self.name,
          {.text = "Name of the channel in frames: letters, digits and _",
           .required = true,
           .when_missing = "add name = \"temperature\", or whatever the channel holds"});
        v("type", self.type, {.text = "One 32-bit float, one 32-bit integer or three 32-bit floats"});
        v("default", self.initial,
          {.text = "Value of particles whose liquid or emitter gives none; 0 if not given", .limits = channel_limits});
        v("unit", self.unit, {.text = "Unit, for the legend of pictures; values are taken as they are"});
    }

    void check(const Checker& checker) const;
};

/// What is wrong with a value of a channel of this form, empty if nothing is.
std::string channel_value_problem(ChannelForm form, const Numbers& value);

}  // namespace spindrift
