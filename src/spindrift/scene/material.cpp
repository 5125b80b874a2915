#include "spindrift/scene/material.h"

namespace spindrift {

namespace {

// Density (kg/m3), kinematic viscosity (m2/s) and surface tension against air (N/m) at 20 degrees Celsius; lava at
// 1200, blood at 37. Handbook values for pure liquids; natural ones vary widely and are typical values, rounded.
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
