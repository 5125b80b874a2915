#include "spindrift/sim/look_files.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/hash.h"
#include "spindrift/image/png_file.h"
#include "spindrift/io/frames.h"
#include "spindrift/render/contact_sheet.h"
#include "spindrift/render/movie.h"
#include "spindrift/render/write_layers.h"

namespace spindrift::sim {

namespace {

namespace fs = std::filesystem;
using render::EncodeFormat;

/// Width of the pictures on a contact sheet.
constexpr int sheet_picture_width = 480;

image::Image thumbnail(const image::Image& image) {
    if (image.width <= sheet_picture_width) return image;
    return image::downsample(image, sheet_picture_width, std::max(1, image.height * sheet_picture_width / image.width));
}

}  // namespace

LookFiles::LookFiles(io::Manifest& manifest, FilesPlan plan) : manifest_(manifest), plan_(std::move(plan)) {}

bool LookFiles::has(EncodeFormat format) const {
    return std::find(plan_.formats.begin(), plan_.formats.end(), format) != plan_.formats.end();
}

bool LookFiles::needs_png() const {
    return has(EncodeFormat::png) || has(EncodeFormat::mp4) || has(EncodeFormat::sheet);
}

std::vector<std::string> LookFiles::picture_kinds() const {
    std::vector<std::string> kinds;
    if (needs_png()) kinds.emplace_back("png");
    if (has(EncodeFormat::exr)) kinds.emplace_back("exr");
    return kinds;
}

/// Those of PNG files are called after nothing but the pictures.
std::string LookFiles::stage_name(const std::string& kind) const {
    return fmt::format("{}{}{}{}{}", plan_.stage, kind == "png" ? "" : "_", kind == "png" ? "" : kind,
                       plan_.encode.empty() ? "" : ".", plan_.encode);
}

fs::path LookFiles::path_of(const std::string& kind, int number) const {
    return io::frame_path(plan_.cache, plan_.folder, plan_.name, number, kind);
}

fs::path LookFiles::picture_path(int number) const {
    return path_of(picture_kinds().front(), number);
}

/// Going by its size.
bool LookFiles::is_there(const io::FrameEntry& entry) const {
    std::error_code missing;
    return fs::file_size(plan_.cache / entry.file, missing) == entry.bytes && !missing;
}

bool LookFiles::is_current(const Shown& shown) const {
    const std::vector<std::string> kinds = picture_kinds();
    return std::all_of(kinds.begin(), kinds.end(), [&](const std::string& kind) {
        const io::FrameEntry* entry = io::find_frame(manifest_, stage_name(kind), shown.number);
        return entry && entry->state == shown.made_from && is_there(*entry) &&
               plan_.cache / entry->file == path_of(kind, shown.number);
    });
}

bool LookFiles::is_stale(const Shown& shown) const {
    const std::vector<std::string> kinds = picture_kinds();
    const bool any = std::any_of(kinds.begin(), kinds.end(), [&](const std::string& kind) {
        return io::find_frame(manifest_, stage_name(kind), shown.number) != nullptr;
    });
    return any && !is_current(shown);
}

void LookFiles::write(const Shown& shown, const render::Picture& picture) {
    for (const std::string& kind : picture_kinds()) {
        const fs::path path = path_of(kind, shown.number);
        if (kind == "exr")
            render::write_layers(path, *picture.layers, plan_.bodies);
        else
            image::write_png(path, picture.image);
        io::set_frame(manifest_.stages[stage_name(kind)], entry_of(path, shown));
    }
}

io::FrameEntry LookFiles::entry_of(const fs::path& path, const Shown& shown) const {
    return {.frame = shown.number,
            .file = fs::relative(path, plan_.cache).generic_string(),
            .bytes = fs::file_size(path),
            .hash = Hash64().add(read_file(path)).hex(),
            .time = shown.time,
            .state = shown.made_from};
}

std::vector<io::FrameEntry> LookFiles::pictures(std::span<const int> numbers) const {
    std::vector<io::FrameEntry> chosen;
    for (const int number : numbers)
        chosen.push_back(*io::find_frame(manifest_, stage_name("png"), number));
    return chosen;
}

/// Makes a file out of pictures unless it was made from the same ones already.
fs::path LookFiles::derive(const char* kind, const fs::path& path, std::span<const int> numbers,
                           const std::function<bool(const std::vector<fs::path>&)>& make) {
    Hash64 inputs;
    inputs.add(fmt::format("{} {}", plan_.fps, kind));
    std::vector<fs::path> files;
    const std::vector<io::FrameEntry> chosen = pictures(numbers);
    for (const io::FrameEntry& picture : chosen) {
        inputs.add(picture.hash);
        files.push_back(plan_.cache / picture.file);
    }
    io::Stage& stage = manifest_.stages[stage_name(kind)];
    const bool current = stage.inputs_hash == inputs.hex() && !stage.frames.empty() && is_there(stage.frames[0]) &&
                         plan_.cache / stage.frames[0].file == path;
    if (current) return path;
    if (!make(files)) return {};
    stage = {inputs.hex(), {entry_of(path, {.number = chosen.front().frame, .time = chosen.front().time})}};
    return path;
}

fs::path LookFiles::make_sheet(std::span<const int> numbers) {
    if (!has(EncodeFormat::sheet) || numbers.empty()) return {};
    const fs::path path = plan_.cache / plan_.folder / (plan_.name + ".sheet.png");
    return derive("sheet", path, numbers, [&](const std::vector<fs::path>& files) {
        std::vector<image::Image> shots;
        for (const fs::path& file : files)
            shots.push_back(thumbnail(image::read_png(file)));
        const int columns = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(shots.size()))));
        image::write_png(path, render::contact_sheet(shots, {}, columns));
        return true;
    });
}

fs::path LookFiles::make_movie(std::span<const int> numbers) {
    if (!has(EncodeFormat::mp4) || numbers.empty()) return {};
    const fs::path path = plan_.cache / plan_.folder / (plan_.name + ".mp4");
    return derive("movie", path, numbers,
                  [&](const std::vector<fs::path>& files) { return render::encode_mp4(files, plan_.fps, path); });
}

}  // namespace spindrift::sim
