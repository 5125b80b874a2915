#pragma once
// Channels that particles carry from their birth on: those a scene declares, the shares of its components (mixes.h),
// and birth, uv, rest and Cd where frames hold them. Every source of particles, fill or emitter, sets them here.
//
//   declare_channels(scene, particles);
//   Range born = particles.append(count);
//   apply_channel_values(particles, born, birth_values(scene, liquid));
//   apply_vectors(particles, born, "uv", uv);                            // nothing if frames do not hold it

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spindrift/core/channel.h"
#include "spindrift/core/vec.h"
#include "spindrift/particles/particle_store.h"
#include "spindrift/scene/scene.h"

namespace spindrift::filling {

/// Whether frames of the scene hold a channel that is not in all of them.
bool has_built_in(const Scene& scene, BuiltInChannel channel);

/// A channel without its values.
struct ChannelDeclaration {
    std::string name;
    ChannelType type;
};

std::vector<ChannelDeclaration> carried_channels(const Scene& scene);

/// Adds the channels that the store lacks.
void declare_channels(const Scene& scene, ParticleStore& particles);

/// What a particle has in a channel at birth; the first component alone if the channel has one.
struct ChannelValue {
    std::string channel;
    std::array<double, 3> value{};
};
using ChannelValues = std::vector<ChannelValue>;

/// What a source gives its particles: its own values and colour where it has them, else those of its liquid, else the
/// channel's default.
ChannelValues birth_values(const Scene& scene, std::size_t liquid, const NumberTable& own = {},
                           const std::optional<Vec3d>& own_color = {});

/// Sets the values for particles that were just born; channels that the store does not have are left out.
void apply_channel_values(ParticleStore& particles, Range born, const ChannelValues& values);

/// Sets a vector of each particle that was just born, if the store has the channel.
void apply_vectors(ParticleStore& particles, Range born, std::string_view channel, ConstChannel<Vec3f> values);

/// Whether a frame's channel is made of others, so that going on from the frame does not read it.
bool is_derived(std::string_view channel);

/// Throws Error of the input, in the name of `source`, if a frame has a channel of the program's own (phase, birth,
/// affine, lod) with another type or width than solvers and sources take for granted. It is no IoError: the frame is
/// whole, somebody wrote it so, and to pass it over for an earlier one would lose that.
void check_own_channels(const ChannelSet& frame, const std::filesystem::path& source);

/// Throws UsageError, in the name of `source`, if a frame lacks a channel that particles of the scene carry or has it
/// with another type.
void check_carried_channels(const Scene& scene, const ChannelSet& frame, const std::filesystem::path& source);

}  // namespace spindrift::filling
