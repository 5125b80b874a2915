#include "spindrift/scene/material.h"

namespace spindrift {

namespace {

// At 20 degrees Celsius unless said. Kinematic viscosity is the dynamic one over the density. Natural liquids vary;
// their values are typical ones, rounded.
//   water, glycerol, mercury, ethanol   CRC Handbook of Chemistry and Physics, sections "Fluid properties"
//   milk      whole milk, 2.1 mPa s      Walstra, Wouters, Geurts: Dairy Science and Technology, 2006
//   oil       olive oil, 84 mPa s        Sahasrabudhe et al.: Density, viscosity, and surface tension of five vegetable
//                                        oils, International Journal of Food Properties, 2017
//   honey     17 % water, 10 Pa s        Yanniotis et al.: Effect of moisture content on the viscosity of honey, 2006
//   lava      basalt, 1200 C, 100 Pa s   Walker, Mullins: Surface tension of natural silicate melts, 1981 (tension);
//                                        Murase, McBirney: Properties of some common igneous rocks, 1973
//   blood     37 C, 3.5 mPa s            Hrncir, Rosina: Surface tension of blood, 1997 (tension)
//   mud       half solids, 1 Pa s        O'Brien, Julien: Laboratory analysis of mudflow properties, 1988 (apparent
//                                        viscosity at high shear); tension of water
constexpr MaterialProperties presets[] = {
    {998.2, 1.004e-6, 0.0728},  // water
    {1030, 2.0e-6, 0.047},      // milk
    {912, 9.2e-5, 0.032},       // oil
    {1420, 7.0e-3, 0.055},      // honey
    {2650, 0.038, 0.35},        // lava
    {1261, 1.12e-3, 0.0634},    // glycerol
    {13546, 1.15e-7, 0.4865},   // mercury
    {1060, 3.3e-6, 0.056},      // blood
    {1600, 6.3e-4, 0.072},      // mud
    {789, 1.51e-6, 0.0223},     // ethanol
};
static_assert(std::size(presets) == enum_words(Material{}).size());

}  // namespace

const MaterialProperties& material_properties(Material material) {
    return presets[static_cast<std::size_t>(material)];
}

}  // namespace spindrift
