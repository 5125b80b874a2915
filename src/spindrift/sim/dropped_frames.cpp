#include "spindrift/sim/dropped_frames.h"

#include <set>
#include <string>
#include <vector>

#include "spindrift/sim/body_files.h"
#include "spindrift/sim/core_files.h"
#include "spindrift/sim/grid_files.h"
#include "spindrift/sim/run.h"
#include "spindrift/sim/wet_files.h"

namespace spindrift::sim {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view dropped = "dropped/", unreadable = "unreadable/";

bool is_aside(std::string_view stage) {
    return stage.starts_with(dropped) || stage.starts_with(unreadable);
}

std::string without_prefix(const std::string& stage) {
    return stage.starts_with(unreadable) ? stage.substr(unreadable.size()) : stage;
}

/// Also of the meshes of bodies, which lie beside what they are made of.
bool is_simulated(std::string_view stage) {
    return stage == particle_stage || stage == core_stage || stage == grid_stage || is_wet_stage(stage) ||
           stage == body_stage || stage.starts_with(std::string(body_stage) + "/");
}

std::vector<std::string> names_of(const io::Manifest& manifest) {
    std::vector<std::string> names;
    for (const auto& [name, stage] : manifest.stages)
        names.push_back(name);
    return names;
}

/// Moves the entries that `goes` says to another stage; true if there are any.
template <class Goes>
bool move_entries(io::Manifest& manifest, const std::string& from, const std::string& to, const Goes& goes) {
    std::vector<io::FrameEntry> kept, moved;
    for (io::FrameEntry& entry : manifest.stages[from].frames)
        (goes(entry) ? moved : kept).push_back(std::move(entry));
    manifest.stages[from].frames = std::move(kept);
    for (io::FrameEntry& entry : moved)
        io::set_frame(manifest.stages[to], std::move(entry));
    return !moved.empty();
}

}  // namespace

void drop_simulated(io::Manifest& manifest, int frame, Fate fate) {
    const std::string_view place = fate == Fate::remove ? dropped : unreadable;
    for (const std::string& name : names_of(manifest)) {
        const std::string stage = without_prefix(name), to = std::string(place) + stage;
        if (name != to && is_simulated(stage))
            move_entries(manifest, name, to, [&](const io::FrameEntry& entry) { return entry.frame >= frame; });
    }
}

void drop_everything(io::Manifest& manifest) {
    for (const std::string& name : names_of(manifest)) {
        if (name.starts_with(dropped)) continue;
        move_entries(manifest, name, std::string(dropped) + without_prefix(name), [](const auto&) { return true; });
        manifest.stages.erase(name);
    }
}

void remove_checkpoint(const fs::path& folder, const std::string& name) {
    std::error_code ignored;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder / checkpoint_stage, ignored)) {
        if (entry.path().filename().string().starts_with(name + ".")) files.push_back(entry.path());
    }
    for (const fs::path& file : files)
        fs::remove(file, ignored);
    fs::remove(folder / checkpoint_stage, ignored);  // unless something else is in it
}

void remove_without_particles(const fs::path& folder, io::Manifest& manifest,
                              const std::function<bool(std::string_view stage)>& is_meant) {
    bool any = false;
    const auto is_gone = [&](const io::FrameEntry& entry) {
        return !io::find_frame(manifest, particle_stage, entry.frame);
    };
    for (const std::string& name : names_of(manifest)) {
        if (!is_aside(name) && is_meant(name))
            any |= move_entries(manifest, name, std::string(dropped) + name, is_gone);
    }
    if (!any) return;
    io::save_manifest(folder, manifest);
    remove_dropped(folder, manifest);
}

void forget_unreadable(io::Manifest& manifest, int frame) {
    for (auto& [name, stage] : manifest.stages) {
        if (name.starts_with(unreadable))
            std::erase_if(stage.frames, [&](const io::FrameEntry& entry) { return entry.frame == frame; });
    }
    std::erase_if(manifest.stages,
                  [](const auto& each) { return each.first.starts_with(unreadable) && each.second.frames.empty(); });
}

void remove_dropped(const fs::path& folder, io::Manifest& manifest) {
    std::set<std::string> kept;
    for (const auto& [name, stage] : manifest.stages) {
        for (const io::FrameEntry& entry : stage.frames) {
            if (!name.starts_with(dropped)) kept.insert(entry.file);
        }
    }
    for (const auto& [name, stage] : manifest.stages) {
        for (const io::FrameEntry& entry : stage.frames) {
            std::error_code ignored;
            if (name.starts_with(dropped) && !kept.contains(entry.file)) fs::remove(folder / entry.file, ignored);
        }
    }
    std::erase_if(manifest.stages, [](const auto& each) { return each.first.starts_with(dropped); });
}

}  // namespace spindrift::sim
