#pragma once
// What whitewater is made of, and why a particle of it was born.

#include <array>
#include <cstdint>
#include <string_view>

namespace spindrift::whitewater {

enum class Kind : std::uint8_t { spray, foam, bubbles, mist };

inline constexpr std::size_t kind_count = 4;

constexpr std::array<std::string_view, kind_count> enum_words(Kind) {
    return {"spray", "foam", "bubbles", "mist"};
}

/// What about the liquid makes whitewater.
enum class Potential : std::uint8_t { isolation, trapped_air, crest, vorticity };

inline constexpr std::size_t potential_count = 4;

constexpr std::array<std::string_view, potential_count> enum_words(Potential) {
    return {"isolation", "trapped_air", "crest", "vorticity"};
}

/// The channel `cause`: a potential, or one of these.
namespace cause {
inline constexpr std::uint8_t source = 4;   ///< a [[whitewater.source]]
inline constexpr std::uint8_t breakup = 5;  ///< mist that a droplet lost
}  // namespace cause

inline constexpr std::size_t cause_count = 6;
inline constexpr std::array<std::string_view, cause_count> cause_words{"isolation", "trapped_air", "crest",
                                                                       "vorticity", "source",      "breakup"};

}  // namespace spindrift::whitewater
