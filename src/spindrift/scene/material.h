#pragma once
// Named liquids in real units.
//
//   double nu = material_properties(Material::honey).viscosity;   // 0.007 m^2/s

#include <array>
#include <string_view>

#include "spindrift/core/vec.h"

namespace spindrift {

enum class Material { water, milk, oil, honey, lava, glycerol, mercury, blood, mud, ethanol };

constexpr std::array<std::string_view, 10> enum_words(Material) {
    return {"water", "milk", "oil", "honey", "lava", "glycerol", "mercury", "blood", "mud", "ethanol"};
}

struct MaterialProperties {
    double density = 0;          ///< kg/m^3
    double viscosity = 0;        ///< kinematic, m^2/s
    double surface_tension = 0;  ///< against air, N/m

    friend bool operator==(const MaterialProperties&, const MaterialProperties&) = default;
};

const MaterialProperties& material_properties(Material material);

/// What a material is like in pictures, unless its liquid says otherwise.
struct MaterialLook {
    Vec3f color{};          ///< linear RGB, what a depth of it leaves of white light
    double ior = 1.333;     ///< index of refraction
    double cloudiness = 0;  ///< 0 is clear, 1 is paint
};

const MaterialLook& material_look(Material material);

}  // namespace spindrift
