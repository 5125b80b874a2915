#include "spindrift/filling/carried_channels.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/emitters/emitter.h"
#include "spindrift/io/npz.h"
#include "spindrift/particles/channel_table.h"
#include "spindrift/scene/liquid_color.h"

namespace spindrift::filling {

namespace {

constexpr const char* color_name = "Cd";
constexpr ChannelType vector_type{ScalarType::f32, 3}, level_type{ScalarType::u8, 1};

ChannelType storage(ChannelForm form) {
    if (form == ChannelForm::vector) return vector_type;
    return {form == ChannelForm::whole ? ScalarType::i32 : ScalarType::f32, 1};
}

std::array<double, 3> three(const Numbers& numbers) {
    std::array<double, 3> all{};
    std::copy_n(numbers.values.begin(), std::min<std::size_t>(3, numbers.values.size()), all.begin());
    return all;
}

std::array<double, 3> user_value(const ChannelParams& channel, const NumberTable& liquid, const NumberTable& own) {
    if (const Numbers* given = own.find(channel.name)) return three(*given);
    if (const Numbers* given = liquid.find(channel.name)) return three(*given);
    return channel.initial ? three(*channel.initial) : std::array<double, 3>{};
}

template <class T>
void assign(ChannelArray& channel, std::size_t slot, const T& value) {
    channel.as<T>()[slot] = value;
}

void assign_value(ChannelArray& channel, std::size_t slot, const std::array<double, 3>& v) {
    if (channel.type() == vector_type)
        assign(channel, slot, vec_cast<float>(Vec3d{v[0], v[1], v[2]}));
    else if (channel.type().scalar == ScalarType::i32)
        assign(channel, slot, static_cast<std::int32_t>(v[0]));
    else if (channel.type() == level_type)
        assign(channel, slot, static_cast<std::uint8_t>(v[0]));
    else
        assign(channel, slot, static_cast<float>(v[0]));
}

}  // namespace

bool has_built_in(const Scene& scene, BuiltInChannel channel) {
    const auto& asked = scene.output.channels;
    if (std::find(asked.begin(), asked.end(), channel) != asked.end()) return true;
    if (channel != BuiltInChannel::color) return false;
    const auto colored = [](const auto& source) { return source.color.has_value(); };
    return scene.liquid.size() > 1 || !scene.component.empty() ||
           std::any_of(scene.liquid.begin(), scene.liquid.end(), colored) ||
           std::any_of(scene.emitter.begin(), scene.emitter.end(), colored);
}

std::vector<ChannelDeclaration> carried_channels(const Scene& scene) {
    std::vector<ChannelDeclaration> all;
    if (has_built_in(scene, BuiltInChannel::age)) all.push_back({emitters::birth_channel, {ScalarType::f64, 1}});
    for (const BuiltInChannel channel : {BuiltInChannel::uv, BuiltInChannel::rest, BuiltInChannel::color}) {
        // Mixtures change their colour: it is made of what they are mixed of.
        if (channel == BuiltInChannel::color && !scene.component.empty()) continue;
        if (has_built_in(scene, channel)) all.push_back({std::string(word(channel)), vector_type});
    }
    if (scene.lod.model != lod::Model::none) all.push_back({channel_names::level, level_type});
    for (const ChannelParams& channel : scene.channel)
        all.push_back({channel.name, storage(channel.type)});
    for (const ComponentParams& component : scene.component)
        all.push_back({share_channel(component.name), {ScalarType::f32, 1}});
    return all;
}

void declare_channels(const Scene& scene, ParticleStore& particles) {
    for (const ChannelDeclaration& channel : carried_channels(scene)) {
        if (!particles.find_channel(channel.name)) particles.add_channel(channel.name, channel.type);
    }
}

ChannelValues birth_values(const Scene& scene, std::size_t liquid, const NumberTable& own,
                           const std::optional<Vec3d>& own_color) {
    ChannelValues values;
    if (has_built_in(scene, BuiltInChannel::color) && scene.component.empty()) {
        const Vec3d color = own_color ? *own_color : vec_cast<double>(liquid_color(scene, liquid));
        values.push_back({color_name, {color.x, color.y, color.z}});
    }
    // Until cameras have looked at it, a particle may be the one that matters.
    if (scene.lod.model != lod::Model::none)
        values.push_back({channel_names::level, {static_cast<double>(scene.solver.iterations)}});
    for (const ChannelParams& channel : scene.channel)
        values.push_back({channel.name, user_value(channel, scene.liquid[liquid].channels, own)});
    return values;
}

void apply_channel_values(ParticleStore& particles, Range born, const ChannelValues& values) {
    for (const ChannelValue& value : values) {
        ChannelArray* const channel = particles.find_channel(value.channel);
        if (!channel) continue;
        for (const std::size_t i : born)
            assign_value(*channel, particles.slot(i), value.value);
    }
}

void apply_vectors(ParticleStore& particles, Range born, std::string_view channel, ConstChannel<Vec3f> values) {
    SPINDRIFT_CHECK(values.size() == born.size());
    ChannelArray* const array = particles.find_channel(channel);
    // A tool may have put a channel of this name and another type into a frame; it is its own business.
    if (!array || array->type() != vector_type) return;
    for (const std::size_t i : born)
        array->as<Vec3f>()[particles.slot(i)] = values[i - born.first];
}

bool is_derived(std::string_view channel) {
    const ChannelInfo* info = find_channel_info(channel);
    return info && info->role == ChannelRole::measured;
}

void check_own_channels(const ChannelSet& frame, const std::filesystem::path& source) {
    for (const ChannelInfo& wanted : channel_table()) {
        const ChannelArray* there = wanted.role == ChannelRole::solver ? frame.find(wanted.name) : nullptr;
        if (!there || there->type() == wanted.type) continue;
        throw Error(
            ExitCode::input,
            fmt::format("{}: cannot go on from this frame: its channel '{}' holds {}, expected {}; the name is the "
                        "program's own: write the channel with that type, or go on from an earlier frame with --from N",
                        source.string(), wanted.name, io::type_text(there->type()), io::type_text(wanted.type)));
    }
}

void check_carried_channels(const Scene& scene, const ChannelSet& frame, const std::filesystem::path& source) {
    for (const ChannelDeclaration& wanted : carried_channels(scene)) {
        const ChannelArray* there = frame.find(wanted.name);
        if (!there)
            throw UsageError(fmt::format(
                "{}: cannot go on from this frame: it has no channel '{}', which the scene asks for; "
                "simulate from the first frame with `spindrift run --overwrite`, or take the channel out of the "
                "scene",
                source.string(), wanted.name));
        if (there->type() != wanted.type)
            throw UsageError(fmt::format(
                "{}: cannot go on from this frame: its channel '{}' holds {}, and the scene asks for {}; simulate "
                "from the first frame with `spindrift run --overwrite`, or give the channel the scene's type",
                source.string(), wanted.name, io::type_text(there->type()), io::type_text(wanted.type)));
    }
}

}  // namespace spindrift::filling
