#include "spindrift/stages/mesh/mesh_particles.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/text.h"

namespace spindrift::stages {

namespace {

const ChannelArray& wanted_channel(const ChannelSet& channels, const std::string& name,
                                   const std::filesystem::path& path) {
    if (const ChannelArray* channel = channels.find(name)) return *channel;
    std::vector<std::string> names;
    for (const ChannelArray& channel : channels.channels)
        names.push_back(channel.name());
    throw UsageError(fmt::format("mesh.channels: {} has no channel '{}'{}; there are: {}", path.string(), name,
                                 suggestion(name, names), fmt::join(names, ", ")));
}

}  // namespace

neighbors::ParticleView surface_view(const FrameParticles& particles) {
    return {.x = particles.x, .origin = particles.origin, .liquid = particles.liquid, .spacing = particles.spacing};
}

/// Flags are found by the stage: no frame has them, and they are whole numbers that have no mean.
std::vector<const ChannelArray*> carried_channels(const Scene& scene, const ChannelSet& channels,
                                                  const std::filesystem::path& path) {
    std::vector<const ChannelArray*> carried;
    for (const char* name : {"v", "Cd"}) {
        const ChannelArray* channel = channels.find(name);
        if (channel && channel->type().width == 3) carried.push_back(channel);
    }
    for (const std::string& name : scene.mesh.channels) {
        if (name == surface_flag_channel) continue;
        const ChannelArray* channel = &wanted_channel(channels, name, path);
        if (std::find(carried.begin(), carried.end(), channel) == carried.end()) carried.push_back(channel);
    }
    return carried;
}

}  // namespace spindrift::stages
