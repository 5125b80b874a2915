#include "spindrift/stages/mesh/mesh_particles.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "spindrift/core/errors.h"
#include "spindrift/core/text.h"
#include "spindrift/io/npz.h"
#include "spindrift/stages/frame/frame_particles.h"
#include "spindrift/stages/pictures/particle_look.h"

namespace spindrift::stages {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, const std::string& text) {
    throw IoError(IoError::Kind::corrupt, path,
                  text + "; simulate the frame again with `spindrift resume --from`, or restore the file");
}

/// Zero is fine for floats. Doubles are kept for liquid that is far away: the simulation's own origin is near it.
Vec3d origin_of(const ChannelArray& position, const io::FrameEntry& entry) {
    if (position.type().scalar != ScalarType::f64) return {};
    const nlohmann::json state = nlohmann::json::parse(entry.state, nullptr, false);
    const auto origin = state.is_object() ? state.find("origin") : state.end();
    if (origin != state.end() && origin->is_array() && origin->size() == 3 &&
        std::all_of(origin->begin(), origin->end(), [](const auto& each) { return each.is_number(); }))
        return {(*origin)[0].get<double>(), (*origin)[1].get<double>(), (*origin)[2].get<double>()};
    for (std::size_t i = 0; i < position.size(); ++i) {
        const Vec3d p{position.value(i, 0), position.value(i, 1), position.value(i, 2)};
        if (std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z)) return p;
    }
    return {};
}

const ChannelArray& position_channel(const ChannelSet& channels, const fs::path& path) {
    const ChannelArray* position = channels.find("P");
    const bool fits = position && position->type().width == 3 &&
                      (position->type().scalar == ScalarType::f32 || position->type().scalar == ScalarType::f64);
    if (!fits) refuse(path, "expected a channel P of three floats");
    return *position;
}

ConstChannel<std::uint16_t> liquids_of(const Scene& scene, const ChannelSet& channels, const fs::path& path) {
    if (scene.liquid.size() < 2) return {};
    const ChannelArray* phase = channels.find("phase");
    if (!phase || phase->type() != ChannelType{ScalarType::u16, 1})
        refuse(path,
               "the scene has several liquids: expected a channel phase of 16-bit integers that tells them apart");
    const ConstChannel<std::uint16_t> liquid = phase->as<std::uint16_t>();
    const auto wrong =
        std::find_if(liquid.begin(), liquid.end(), [&](auto each) { return each >= scene.liquid.size(); });
    if (wrong != liquid.end())
        refuse(path, fmt::format("a particle is of liquid {}, and the scene has {}, counted from 0", *wrong,
                                 scene.liquid.size()));
    return liquid;
}

const ChannelArray& wanted_channel(const ChannelSet& channels, const std::string& name, const fs::path& path) {
    if (const ChannelArray* channel = channels.find(name)) return *channel;
    std::vector<std::string> names;
    for (const ChannelArray& channel : channels.channels)
        names.push_back(channel.name());
    throw UsageError(fmt::format("mesh.channels: {} has no channel '{}'{}; there are: {}", path.string(), name,
                                 suggestion(name, names), fmt::join(names, ", ")));
}

/// Flags are found here: no frame has them, and they are whole numbers that have no mean.
std::vector<const ChannelArray*> carried_by(const Scene& scene, const ChannelSet& channels, const fs::path& path) {
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

}  // namespace

MeshParticles load_mesh_particles(const Scene& scene, const cache::Cache& cache, const io::FrameEntry& entry) {
    const fs::path path = cache.path(entry);
    MeshParticles particles;
    particles.channels = read_filled_particles(cache, entry);
    const ChannelSet& channels = particles.channels;
    particles.origin = origin_of(position_channel(channels, path), entry);
    particles.x = particle_positions(channels, particles.origin);
    particles.liquid = liquids_of(scene, channels, path);
    const ChannelArray* id = channels.find("id");
    if (id && id->type() == ChannelType{ScalarType::i64, 1}) particles.id = id->as<std::int64_t>();
    for (const LiquidParams& liquid : scene.liquid)
        particles.spacing.push_back(liquid.spacing);
    particles.carried = carried_by(scene, channels, path);
    return particles;
}

}  // namespace spindrift::stages
