#include "spindrift/scene/material.h"

#include "spindrift/image/color_map.h"

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

// Indices at 589 nm from handbooks; colours and cloudiness by eye. Mercury has the index whose mirror is as bright as
// the metal's.
constexpr MaterialLook looks[] = {
    {image::clear_water, 1.333, 0},         // water
    {{0.88f, 0.86f, 0.80f}, 1.35, 1},       // milk
    {{0.85f, 0.66f, 0.12f}, 1.47, 0},       // oil
    {{0.80f, 0.36f, 0.03f}, 1.49, 0.1},     // honey
    {{0.10f, 0.035f, 0.02f}, 1.5, 1},       // lava
    {{0.75f, 0.80f, 0.80f}, 1.473, 0},      // glycerol
    {{0.60f, 0.60f, 0.62f}, 8, 1},          // mercury
    {{0.30f, 0.006f, 0.008f}, 1.36, 0.85},  // blood
    {{0.20f, 0.13f, 0.07f}, 1.4, 0.95},     // mud
    {{0.62f, 0.78f, 0.80f}, 1.361, 0},      // ethanol
};
static_assert(std::size(looks) == enum_words(Material{}).size());

}  // namespace

const MaterialProperties& material_properties(Material material) {
    return presets[static_cast<std::size_t>(material)];
}

const MaterialLook& material_look(Material material) {
    return looks[static_cast<std::size_t>(material)];
}

}  // namespace spindrift
