#include "spindrift/stages/run/part_files.h"

#include <cmath>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "spindrift/core/hash.h"
#include "spindrift/grid/vdb_file.h"
#include "spindrift/image/exr_file.h"
#include "spindrift/image/png_file.h"
#include "spindrift/io/npz.h"

namespace spindrift::stages {

namespace {

namespace fs = std::filesystem;
using sim::PartData;
using sim::PartKind;
using sim::StatePart;

const char* extension_of(PartKind kind) {
    switch (kind) {
        case PartKind::arrays:
            return "npz";
        case PartKind::square_map:
            return "exr";
        case PartKind::volumes:
            break;
    }
    return "vdb";
}

/// Behind the last slash.
std::string last_of(const std::string& name) {
    return name.substr(name.rfind('/') + 1);
}

std::span<const float> values_of(const PartData& map) {
    const ConstChannel<float> values = map.arrays.channels.at(0).as<float>();
    return {values.begin(), values.end()};
}

int side_of(std::span<const float> values) {
    return static_cast<int>(std::lround(std::sqrt(static_cast<double>(values.size()))));
}

/// The numbers as they are: such a picture can serve as a friction map.
image::Image as_picture(std::span<const float> values) {
    image::Image picture(side_of(values), side_of(values));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float value = image::srgb_decode(values[i]);
        picture.pixels[i] = {value, value, value};
    }
    return picture;
}

PartData read_map(const fs::path& path) {
    const image::Image picture = image::read_exr(path);
    if (picture.width != picture.height)
        throw IoError(IoError::Kind::corrupt, path, "this is no wet map: it is not square; simulate the frame again");
    PartData data;
    const Channel<float> values = data.arrays.add("wet", {ScalarType::f32, 1}, picture.pixels.size()).as<float>();
    for (std::size_t i = 0; i < picture.pixels.size(); ++i) {
        values[i] = picture.pixels[i].x;
        if (!(values[i] >= 0 && values[i] <= 1))
            throw IoError(IoError::Kind::corrupt, path,
                          "this is no wet map: it has values outside of 0 to 1; simulate the frame again");
    }
    return data;
}

PartData read_file_of(const StatePart& part, const fs::path& path) {
    if (part.kind() == PartKind::square_map) return read_map(path);
    return {.arrays = io::read_npz(path, io::Lengths::any)};
}

/// Volumes are not read: they are only there for others.
void check_unchanged(const fs::path& path, const io::FrameEntry& entry) {
    if (Hash64().add(read_file(path)).hex() != entry.hash)
        throw IoError(IoError::Kind::corrupt, path, "these grids are not what was written");
}

fs::path beside(const fs::path& checkpoint, const StatePart& part) {
    return checkpoint.parent_path() /
           fmt::format("{}.{}.{}", checkpoint.stem().string(), last_of(part.name()), extension_of(part.kind()));
}

}  // namespace

cache::Series PartFiles::series_of(const StatePart& part) const {
    const std::string& name = part.name();
    const std::size_t slash = name.find('/');
    return {.key = name,
            .folder = name.substr(0, slash),
            .name = slash == std::string::npos ? scene_.output.name : last_of(name),
            .extension = extension_of(part.kind())};
}

WrittenFile PartFiles::write_file_of(const StatePart& part, const PartData& data, const fs::path& path,
                                     io::FrameTime at) const {
    switch (part.kind()) {
        case PartKind::arrays:
            return io::write_arrays(path, data.arrays);
        case PartKind::square_map: {
            const std::span<const float> values = values_of(data);
            return image::write_exr(path, side_of(values), side_of(values), values);
        }
        case PartKind::volumes:
            break;
    }
    return write_file(path, grid::vdb_content(data.volumes, {.frame = at.frame,
                                                             .time = at.time,
                                                             .fps = scene_.fps,
                                                             .solver = std::string(word(scene_.solver.method))}));
}

void PartFiles::write(StatePart& part, io::FrameTime at) {
    const PartData data = part.save();
    if (data.empty()) return;
    const cache::Series series = series_of(part);
    const fs::path path = series.path(cache_.folder(), at.frame);
    cache::create_folder(path.parent_path());
    cache_.put(series, at, write_file_of(part, data, path, at));
    if (part.kind() != PartKind::square_map) return;
    cache::Series picture = series;
    picture.key = fmt::format("{}/{}", cache::series::wet_pictures, series.name);
    picture.extension = "png";
    cache_.put(picture, at, image::write_png(picture.path(cache_.folder(), at.frame), as_picture(values_of(data))));
}

std::optional<PartData> PartFiles::read(const StatePart& part, int frame) const {
    const io::FrameEntry* entry = cache_.find(part.name(), frame);
    if (!part.is_state()) {
        if (entry) check_unchanged(cache_.path(*entry), *entry);
        return {};
    }
    if (entry) return read_file_of(part, cache_.path(*entry));
    if (!part.lack().empty())
        throw UsageError(fmt::format("{}: frame {} {}; simulate from the first frame with `spindrift run --overwrite`",
                                     cache_.folder().string(), frame, part.lack()));
    const std::vector<io::FrameEntry>& all = cache_.frames(part.name());
    if (!all.empty() && all.front().frame < frame)
        throw IoError(IoError::Kind::missing, series_of(part).path(cache_.folder(), frame),
                      "the frame has lost this part; simulate it again");
    return {};
}

void PartFiles::write_checkpoint(StatePart& part, const fs::path& checkpoint) const {
    if (!part.is_state()) return;
    const PartData data = part.save();
    if (!data.empty()) write_file_of(part, data, beside(checkpoint, part), {});
}

PartData PartFiles::read_checkpoint(const StatePart& part, const fs::path& checkpoint) const {
    return part.is_state() ? read_file_of(part, beside(checkpoint, part)) : PartData{};
}

void PartFiles::remove_checkpoint() const {
    const fs::path folder = cache_.folder() / cache::series::checkpoint;
    std::error_code ignored;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        if (entry.path().filename().string().starts_with(scene_.output.name + ".")) files.push_back(entry.path());
    }
    for (const fs::path& file : files)
        fs::remove(file, ignored);
    fs::remove(folder, ignored);  // unless something else is in it
}

}  // namespace spindrift::stages
