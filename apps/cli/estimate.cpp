#include "cli/estimate.h"

#include <algorithm>
#include <cmath>

#include "cli/estimate_stages.h"

#include "spindrift/emitters/fill.h"
#include "spindrift/filling/carried_channels.h"
#include "spindrift/scene/validate_emitters.h"
#include "spindrift/sim/simulation.h"

namespace spindrift::cli {

namespace {

/// More particles than this are not placed only to be counted.
constexpr double most_placed = 5e6;
/// Of a particle in channels that the scene adds to those of every run; frames hold some that memory does not.
struct ChannelBytes {
    double carried = 0, derived = 0;
};

ChannelBytes channel_bytes(const Scene& scene) {
    ChannelBytes bytes;
    for (const filling::ChannelDeclaration& channel : filling::carried_channels(scene))
        bytes.carried += static_cast<double>(channel.type.bytes());
    if (filling::has_built_in(scene, BuiltInChannel::vorticity)) bytes.derived += sizeof(Vec3f);
    for (const BuiltInChannel number : {BuiltInChannel::age, BuiltInChannel::viscosity}) {
        if (filling::has_built_in(scene, number)) bytes.derived += sizeof(float);
    }
    return bytes;
}

double liquid_volume(const LiquidParams& liquid) {
    double total = 0;
    for (const emitters::FillParams& fill : liquid.fill)
        total += emitters::volume(fill);
    return total;
}

/// Particles that emitters bring in the time of the run, less what their killers by age take.
double incoming_particles(const Scene& scene) {
    double total = 0;
    for (const emitters::EmitterParams& emitter : scene.emitter) {
        const auto [first, last] = emitter.active.value_or(std::array{-1e9, 1e9});
        const double frames = std::min<double>(last, scene.frames[1]) - std::max<double>(first, scene.frames[0]);
        double seconds = std::max(0.0, frames / scene.fps);
        for (const emitters::KillerParams& killer : scene.killer) {
            if (killer.age) seconds = std::min(seconds, killer.age->at(scene.frames[1]));
        }
        double spacing = scene.liquid[0].spacing;
        for (const LiquidParams& liquid : scene.liquid)
            spacing = liquid.name == emitter.liquid ? liquid.spacing : spacing;
        const double particles = incoming_volume(emitter, seconds) / std::pow(spacing, 3);
        total += std::min(particles, static_cast<double>(emitter.limit.value_or(std::int64_t{1} << 62)));
    }
    return total;
}

/// Speed of liquid that has fallen as far as it stands high, or to the bottom of the domain.
double falling_speed(const Scene& scene) {
    double top = -1e30, bottom = scene.domain ? scene.domain->box.lo.y : 1e30;
    for (const LiquidParams& liquid : scene.liquid) {
        for (const emitters::FillParams& fill : liquid.fill) {
            if (!fill.is_analytic()) continue;
            top = std::max(top, emitters::bounds(fill).hi.y);
            bottom = std::min(bottom, emitters::bounds(fill).lo.y);
        }
    }
    double strongest = 0;
    for (const Vec3d gravity : scene.gravity.values())
        strongest = std::max(strongest, length(gravity));
    return std::sqrt(2 * strongest * std::max(0.0, top - bottom));
}

StageEstimate estimate_run(const Scene& scene, const Estimate& e) {
    const ChannelBytes more = channel_bytes(scene);
    const fluid::MethodInfo& cost = scene.solver.info();
    return {.seconds = e.particles * e.substeps * (e.frames - 1) * cost.seconds,
            .memory_bytes = program_bytes + e.field_bytes + e.particles * (cost.bytes + more.carried),
            .disk_bytes = e.field_bytes + e.frames * e.particles * (cost.frame_bytes + more.carried + more.derived)};
}

}  // namespace

Estimate estimate(const Scene& scene) {
    const double frame_seconds = 1 / scene.fps;
    double spacing = scene.liquid[0].spacing;
    for (const LiquidParams& liquid : scene.liquid)
        spacing = std::min(spacing, liquid.spacing);
    const double cfl = scene.solver.info().grid ? scene.flip.cfl : scene.solver.cfl;
    const double substep = cfl * fluid::support_ratio * spacing / std::max(1e-6, falling_speed(scene));
    Estimate e;
    for (const LiquidParams& liquid : scene.liquid)
        e.particles += liquid_volume(liquid) / std::pow(liquid.spacing, 3);
    e.substeps = frame_seconds / substep;
    sim::Simulation simulation(scene);
    for (const collision::ColliderReport& collider : simulation.collider_reports())
        e.field_bytes += static_cast<double>(collider.bytes);
    if (e.particles <= most_placed) {
        simulation.fill();
        e.particles = static_cast<double>(simulation.particle_count());
        e.exact = scene.emitter.empty();
        e.substeps = std::max(e.substeps, frame_seconds / simulation.choose_dt());
    }
    e.particles += incoming_particles(scene);
    e.substeps = std::ceil(std::clamp<double>(e.substeps, scene.solver.substeps[0], scene.solver.substeps[1]));
    e.frames = scene.frames[1] - scene.frames[0] + 1;
    e.run = estimate_run(scene, e);
    if (scene.whitewater) e.whitewater = estimate_whitewater(scene, e.particles, e.frames);
    e.mesh = estimate_meshes(scene, e.particles, e.frames);
    e.render = estimate_pictures(scene, e.particles, e.frames);
    // Meshes are cut at them, too.
    if (scene.mesh.clip) e.mesh.memory_bytes += e.field_bytes;
    return e;
}

}  // namespace spindrift::cli
