#include "spindrift/sim/wet_files.h"

#include <algorithm>

#include <fmt/format.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/hash.h"
#include "spindrift/image/exr_file.h"
#include "spindrift/image/png_file.h"
#include "spindrift/io/frames.h"

namespace spindrift::sim {

namespace {

namespace fs = std::filesystem;

constexpr const char* picture_stage = "wet_png";

std::string stage_of(const char* kind, const std::string& name) {
    return fmt::format("{}/{}", kind, name);
}

io::FrameEntry file_entry(const fs::path& folder, const fs::path& path, int frame, double time) {
    return {.frame = frame,
            .file = fs::relative(path, folder).generic_string(),
            .bytes = fs::file_size(path),
            .hash = Hash64().add(read_file(path)).hex(),
            .time = time,
            .state = {}};
}

/// The numbers as they are: such a picture can serve as a friction map.
image::Image as_picture(const WetState& state) {
    image::Image picture(state.resolution, state.resolution);
    for (std::size_t i = 0; i < state.values.size(); ++i) {
        const float value = image::srgb_decode(state.values[i]);
        picture.pixels[i] = {value, value, value};
    }
    return picture;
}

WetState read_state(const fs::path& path, const std::string& name) {
    const image::Image picture = image::read_exr(path);
    if (picture.width != picture.height)
        throw IoError(IoError::Kind::corrupt, path, "this is no wet map: it is not square; simulate the frame again");
    WetState state{name, picture.width, {}};
    state.values.reserve(picture.pixels.size());
    for (const Vec3f& pixel : picture.pixels) {
        if (!(pixel.x >= 0 && pixel.x <= 1))
            throw IoError(IoError::Kind::corrupt, path,
                          "this is no wet map: it has values outside of 0 to 1; simulate the frame again");
        state.values.push_back(pixel.x);
    }
    return state;
}

/// Calls visit(index, name) for the colliders that have a wet map.
template <class Visit>
void visit_wet(const Scene& scene, const Visit& visit) {
    const std::vector<std::string> names = file_names(scene);
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (scene.collider[i].wet_map) visit(i, names[i]);
    }
}

fs::path beside(const fs::path& checkpoint, const std::string& name) {
    return checkpoint.parent_path() / fmt::format("{}.{}.exr", checkpoint.stem().string(), name);
}

void write_values(const fs::path& path, const WetState& state) {
    image::write_exr(path, state.resolution, state.resolution, state.values);
}

}  // namespace

void write_wet_maps(const fs::path& folder, io::Manifest& manifest, int frame, double time,
                    const std::vector<WetState>& states) {
    if (!states.empty()) io::create_folder(folder / wet_stage);
    for (const WetState& state : states) {
        const fs::path values = io::frame_path(folder, wet_stage, state.name, frame, "exr");
        const fs::path picture = io::frame_path(folder, wet_stage, state.name, frame, "png");
        write_values(values, state);
        image::write_png(picture, as_picture(state));
        io::set_frame(manifest.stages[stage_of(wet_stage, state.name)], file_entry(folder, values, frame, time));
        io::set_frame(manifest.stages[stage_of(picture_stage, state.name)], file_entry(folder, picture, frame, time));
    }
}

std::vector<WetState> read_wet_maps(const Scene& scene, const fs::path& folder, const io::Manifest& manifest,
                                    int frame) {
    std::vector<WetState> states;
    visit_wet(scene, [&](std::size_t, const std::string& name) {
        const auto stage = manifest.stages.find(stage_of(wet_stage, name));
        if (stage == manifest.stages.end() || stage->second.frames.empty()) return;
        if (frame < stage->second.frames.front().frame) return;
        states.push_back(read_state(io::frame_path(folder, wet_stage, name, frame, "exr"), name));
    });
    return states;
}

void write_checkpoint_wet_maps(const fs::path& checkpoint, const std::vector<WetState>& states) {
    for (const WetState& state : states)
        write_values(beside(checkpoint, state.name), state);
}

std::vector<WetState> read_checkpoint_wet_maps(const Scene& scene, const fs::path& checkpoint) {
    std::vector<WetState> states;
    visit_wet(scene, [&](std::size_t, const std::string& name) {
        states.push_back(read_state(beside(checkpoint, name), name));
    });
    return states;
}

bool is_wet_stage(std::string_view stage) {
    return stage.starts_with(stage_of(wet_stage, "")) || stage.starts_with(stage_of(picture_stage, ""));
}

WetImages read_wet_images(const Scene& scene, const fs::path& folder, const io::Manifest& manifest, int frame) {
    WetImages images;
    visit_wet(scene, [&](std::size_t i, const std::string& name) {
        if (const io::FrameEntry* entry = io::find_frame(manifest, stage_of(wet_stage, name), frame))
            images[i] = image::read_exr(folder / entry->file);
    });
    return images;
}

std::string wet_hash(const Scene& scene, const io::Manifest& manifest, int frame) {
    std::string all;
    visit_wet(scene, [&](std::size_t, const std::string& name) {
        if (const io::FrameEntry* entry = io::find_frame(manifest, stage_of(wet_stage, name), frame))
            all += entry->hash;
    });
    return all.empty() ? all : Hash64().add(all).hex();
}

}  // namespace spindrift::sim
