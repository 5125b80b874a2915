#include "spindrift/cache/dropped_frames.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "spindrift/cache/manifest_file.h"
#include "spindrift/cache/series.h"

namespace spindrift::cache {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view dropped = "dropped/", unreadable = "unreadable/";

bool is_aside(std::string_view stage) {
    return stage.starts_with(dropped) || stage.starts_with(unreadable);
}

std::string without_prefix(const std::string& stage) {
    return stage.starts_with(unreadable) ? stage.substr(unreadable.size()) : stage;
}

/// Whether frames come with it. Stages drop what they made of frames themselves, so who is not known as one of theirs
/// goes with its frame: particles, any part of the state, and the meshes of bodies in `bodies/crate`.
bool is_simulated(std::string_view name) {
    constexpr std::string_view made_later[] = {series::mesh, series::surface,   series::whitewater,
                                               series::mist, series::preview,   series::turntable,
                                               field_folder, series::checkpoint};
    return std::ranges::none_of(made_later, [&](std::string_view each) {
        // Of some there are several kinds: surface_flags, preview_exr.depth, mesh/liquid.
        if (!name.starts_with(each)) return false;
        return name.size() == each.size() || std::string_view("_./").find(name[each.size()]) != std::string_view::npos;
    });
}

std::vector<std::string> names_of(const io::Manifest& manifest) {
    std::vector<std::string> names;
    for (const auto& [name, stage] : manifest.series)
        names.push_back(name);
    return names;
}

/// Moves the entries that `goes` says to another stage; true if there are any.
template <class Goes>
bool move_entries(io::Manifest& manifest, const std::string& from, const std::string& to, const Goes& goes) {
    std::vector<io::FrameEntry> kept, moved;
    for (io::FrameEntry& entry : manifest.series[from].frames)
        (goes(entry) ? moved : kept).push_back(std::move(entry));
    manifest.series[from].frames = std::move(kept);
    for (io::FrameEntry& entry : moved)
        io::set_frame(manifest.series[to], std::move(entry));
    return !moved.empty();
}

}  // namespace

void drop_simulated(io::Manifest& manifest, int frame, Fate fate) {
    const std::string_view place = fate == Fate::remove ? dropped : unreadable;
    for (const std::string& name : names_of(manifest)) {
        const std::string stage = without_prefix(name), to = std::string(place) + stage;
        if (name != to && !name.starts_with(dropped) && is_simulated(stage))
            move_entries(manifest, name, to, [&](const io::FrameEntry& entry) { return entry.frame >= frame; });
    }
}

void drop_everything(io::Manifest& manifest) {
    for (const std::string& name : names_of(manifest)) {
        if (name.starts_with(dropped)) continue;
        move_entries(manifest, name, std::string(dropped) + without_prefix(name), [](const auto&) { return true; });
        manifest.series.erase(name);
    }
}

bool drop_without_particles(io::Manifest& manifest, const std::function<bool(std::string_view series)>& is_meant) {
    bool any = false;
    const auto is_gone = [&](const io::FrameEntry& entry) {
        return !io::find_frame(manifest, series::particles, entry.frame);
    };
    for (const std::string& name : names_of(manifest)) {
        if (!is_aside(name) && is_meant(name))
            any |= move_entries(manifest, name, std::string(dropped) + name, is_gone);
    }
    return any;
}

bool forget_unreadable(io::Manifest& manifest, int frame) {
    bool any = false;
    for (auto& [name, list] : manifest.series) {
        if (name.starts_with(unreadable))
            any |= std::erase_if(list.frames, [&](const io::FrameEntry& entry) { return entry.frame == frame; }) > 0;
    }
    std::erase_if(manifest.series,
                  [](const auto& each) { return each.first.starts_with(unreadable) && each.second.frames.empty(); });
    return any;
}

bool remove_dropped(const fs::path& folder, io::Manifest& manifest) {
    std::set<std::string> kept;
    for (const auto& [name, stage] : manifest.series) {
        for (const io::FrameEntry& entry : stage.frames) {
            if (!name.starts_with(dropped)) kept.insert(entry.file);
        }
    }
    for (const auto& [name, stage] : manifest.series) {
        for (const io::FrameEntry& entry : stage.frames) {
            std::error_code ignored;
            if (name.starts_with(dropped) && !kept.contains(entry.file)) fs::remove(folder / entry.file, ignored);
        }
    }
    return std::erase_if(manifest.series, [](const auto& each) { return each.first.starts_with(dropped); }) > 0;
}

}  // namespace spindrift::cache
