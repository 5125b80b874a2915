#pragma once
// The channels that the program itself knows: what they are called, what they hold and who may write them. All else
// that tells channels apart asks this table; docs/channels.md has it as a page.
//
//   const ChannelInfo* info = find_channel_info("affine");
//   if (info && info->type != there->type()) refuse(info->name);

#include <span>
#include <string>
#include <string_view>

#include "spindrift/particles/channel_array.h"

namespace spindrift {

/// What a channel is to a frame.
enum class ChannelRole {
    measured,  ///< made of the particles when a frame is written, or kept by the store itself: nothing goes on from it
    carried,   ///< given to a particle at birth and kept; tools may change it in a frame
    solver,    ///< what a solver or a source keeps with particles between steps, for a resume
    meshed,    ///< found by the meshes' stage; in no frame of particles
};

struct ChannelInfo {
    std::string_view name;
    ChannelType type;
    std::string_view unit;  ///< in plain letters; empty if it has none
    ChannelRole role;
    std::string_view when;  ///< frames have it
    std::string_view text;
    bool whole = false;  ///< numbers that have no mean, with fields of their own in a legend
};

namespace channel_names {

inline constexpr const char* phase = "phase";
inline constexpr const char* birth = "birth";
inline constexpr const char* level = "lod";
inline constexpr const char* affine = "affine";
inline constexpr const char* surface_flag = "surface_flag";

}  // namespace channel_names

/// In the order of the page.
std::span<const ChannelInfo> channel_table();

/// nullptr if the program knows none of this name.
const ChannelInfo* find_channel_info(std::string_view name);

/// As pages write it: f32 x 3.
std::string type_words(ChannelType type);

/// The table in Markdown.
std::string channel_page();

}  // namespace spindrift
