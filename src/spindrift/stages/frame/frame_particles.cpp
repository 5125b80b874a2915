#include "spindrift/stages/frame/frame_particles.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/stages/frame/filled_particles.h"

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

}  // namespace

std::vector<Vec3f> particle_positions(const ChannelSet& particles, Vec3d origin) {
    const ChannelArray* p = particles.find("P");
    if (!p || p->type().width != 3) throw UsageError("the frame has no channel P of three coordinates to draw");
    std::vector<Vec3f> x(p->size());
    parallel_for(x.size(), [&](Range range) {
        for (std::size_t i : range)
            x[i] = vec_cast<float>(Vec3d{p->value(i, 0), p->value(i, 1), p->value(i, 2)} - origin);
    });
    return x;
}

FrameParticles load_frame_particles(const Scene& scene, const cache::Cache& cache, const io::FrameEntry& entry) {
    const fs::path path = cache.path(entry);
    FrameParticles particles;
    particles.channels = read_filled_particles(cache, entry);
    const ChannelSet& channels = particles.channels;
    const ChannelArray& position = position_channel(channels, path);
    particles.origin = origin_of(position, entry);
    if (position.type().scalar == ScalarType::f32) {
        particles.x = position.as<Vec3f>();
    } else {
        particles.moved = particle_positions(channels, particles.origin);
        particles.x = particles.moved;
    }
    particles.liquid = liquids_of(scene, channels, path);
    const ChannelArray* id = channels.find("id");
    if (id && id->type() == ChannelType{ScalarType::i64, 1}) particles.id = id->as<std::int64_t>();
    for (const LiquidParams& liquid : scene.liquid)
        particles.spacing.push_back(liquid.spacing);
    return particles;
}

}  // namespace spindrift::stages
