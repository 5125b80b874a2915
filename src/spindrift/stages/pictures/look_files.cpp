#include "spindrift/stages/pictures/look_files.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "spindrift/cache/frame_path.h"
#include "spindrift/core/atomic_file.h"
#include "spindrift/core/hash.h"
#include "spindrift/image/png_file.h"
#include "spindrift/render/annotate/contact_sheet.h"
#include "spindrift/render/annotate/movie.h"
#include "spindrift/render/write_layers.h"

namespace spindrift::stages {

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

LookFiles::LookFiles(cache::Cache& cache, FilesPlan plan) : cache_(cache), plan_(std::move(plan)) {}

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
std::string LookFiles::key_of(const std::string& kind) const {
    return fmt::format("{}{}{}{}{}", plan_.stage, kind == "png" ? "" : "_", kind == "png" ? "" : kind,
                       plan_.encode.empty() ? "" : ".", plan_.encode);
}

cache::Series LookFiles::series_of(const std::string& kind) const {
    return {.key = key_of(kind), .folder = plan_.folder, .name = plan_.name, .extension = kind};
}

fs::path LookFiles::picture_path(int number) const {
    return series_of(picture_kinds().front()).path(cache_.folder(), number);
}

bool LookFiles::is_current(const Shown& shown) const {
    const std::vector<std::string> kinds = picture_kinds();
    return std::all_of(kinds.begin(), kinds.end(), [&](const std::string& kind) {
        return cache_.is_current(series_of(kind), shown.number, shown.made_from);
    });
}

bool LookFiles::is_stale(const Shown& shown) const {
    const std::vector<std::string> kinds = picture_kinds();
    const bool any = std::any_of(kinds.begin(), kinds.end(), [&](const std::string& kind) {
        return cache_.find(key_of(kind), shown.number) != nullptr;
    });
    return any && !is_current(shown);
}

void LookFiles::write(const Shown& shown, const render::Picture& picture) {
    for (const std::string& kind : picture_kinds()) {
        const cache::Series series = series_of(kind);
        const fs::path path = series.path(cache_.folder(), shown.number);
        const WrittenFile file = kind == "exr" ? render::write_layers(path, *picture.layers, plan_.bodies)
                                               : image::write_png(path, picture.image);
        cache_.put(series, {shown.number, shown.time}, file, shown.made_from.text());
    }
}

std::vector<io::FrameEntry> LookFiles::pictures(std::span<const int> numbers) const {
    std::vector<io::FrameEntry> chosen;
    for (const int number : numbers)
        chosen.push_back(*cache_.find(key_of("png"), number));
    return chosen;
}

/// Makes a file out of pictures unless it was made from the same ones already; empty if it could not be made.
fs::path LookFiles::derive(const char* kind, const std::string& file, std::span<const int> numbers,
                           const std::function<WrittenFile(const std::vector<fs::path>&, const fs::path&)>& make) {
    Hash64 inputs;
    inputs.add(fmt::format("{} {}", plan_.fps, kind));
    std::vector<fs::path> files;
    const std::vector<io::FrameEntry> chosen = pictures(numbers);
    for (const io::FrameEntry& picture : chosen) {
        inputs.add(picture.hash);
        files.push_back(cache_.path(picture));
    }
    const std::string key = key_of(kind), name = fmt::format("{}/{}", plan_.folder, file);
    const fs::path path = cache_.folder() / name;
    const std::vector<io::FrameEntry>& before = cache_.frames(key);
    if (!before.empty() && cache_.manifest().series.at(key).inputs_hash == inputs.hex() && before[0].file == name &&
        cache_.is_there(before[0]))
        return path;
    const WrittenFile written = make(files, path);
    if (written.bytes == 0) return {};
    cache_.edit().series[key] = {inputs.hex(),
                                 {{.frame = chosen.front().frame,
                                   .file = name,
                                   .bytes = written.bytes,
                                   .hash = written.hash,
                                   .time = chosen.front().time,
                                   .state = {}}}};
    return path;
}

fs::path LookFiles::make_sheet(std::span<const int> numbers) {
    if (!has(EncodeFormat::sheet) || numbers.empty()) return {};
    return derive("sheet", plan_.name + ".sheet.png", numbers,
                  [&](const std::vector<fs::path>& files, const fs::path& path) {
                      std::vector<image::Image> shots;
                      for (const fs::path& file : files)
                          shots.push_back(thumbnail(image::read_png(file)));
                      const int columns = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(shots.size()))));
                      return image::write_png(path, render::contact_sheet(shots, {}, columns));
                  });
}

fs::path LookFiles::make_movie(std::span<const int> numbers) {
    if (!has(EncodeFormat::mp4) || numbers.empty()) return {};
    return derive("movie", plan_.name + ".mp4", numbers,
                  [&](const std::vector<fs::path>& files, const fs::path& path) -> WrittenFile {
                      if (!render::encode_mp4(files, plan_.fps, path)) return {};
                      // Another program wrote it.
                      const std::string content = read_file(path);
                      return {content.size(), Hash64().add(content).hex()};
                  });
}

}  // namespace spindrift::stages
