#include "spindrift/sim/mesh_files.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "spindrift/geometry/write_mesh.h"
#include "spindrift/io/frames.h"
#include "spindrift/sim/mesh_stage.h"
#include "spindrift/sim/stage_inputs.h"

namespace spindrift::sim {

namespace {

using surface::Format;

/// In the order asked for, each once.
std::vector<Format> formats_of(const surface::MeshParams& params) {
    std::vector<Format> formats;
    for (const Format format : params.formats) {
        if (std::find(formats.begin(), formats.end(), format) == formats.end()) formats.push_back(format);
    }
    return formats;
}

/// The first series has the stage's own name, the others say what they are.
void add_series(std::vector<MeshSeries>& all, const std::string& name, Format format,
                std::optional<std::size_t> liquid) {
    MeshSeries series;
    series.stage = all.empty() ? mesh_stage : fmt::format("{}/{}.{}", mesh_stage, name, word(format));
    series.folder = mesh_stage;
    series.name = name;
    series.format = format;
    series.liquid = liquid;
    all.push_back(series);
}

}  // namespace

bool holds_meshes(std::string_view stage) {
    return stage == mesh_stage || stage.starts_with(fmt::format("{}/", mesh_stage));
}

std::vector<std::string> liquid_file_names(const Scene& scene) {
    std::vector<std::string> names;
    for (const LiquidParams& each : scene.liquid)
        names.push_back(each.name);
    return safe_file_names(std::move(names), "liquid");
}

std::filesystem::path MeshSeries::path(const std::filesystem::path& cache, int frame) const {
    return io::frame_path(cache, folder, name, frame, word(format));
}

std::vector<MeshSeries> mesh_series(const Scene& scene) {
    const std::vector<std::string> liquids = liquid_file_names(scene);
    const std::vector<Format> formats = formats_of(scene.mesh);
    const bool several = liquids.size() > 1;
    std::vector<MeshSeries> all;
    for (const Format format : formats) {
        const bool together = !several || scene.mesh.liquids != surface::Liquids::apart;
        if (format != Format::vdb && together) add_series(all, scene.output.name, format, {});
    }
    for (std::size_t i = 0; several && scene.mesh.liquids != surface::Liquids::together && i < liquids.size(); ++i) {
        for (const Format format : formats) {
            if (format != Format::vdb) add_series(all, fmt::format("{}.{}", scene.output.name, liquids[i]), format, i);
        }
    }
    if (std::find(formats.begin(), formats.end(), Format::vdb) != formats.end()) {
        MeshSeries level_set;
        level_set.stage = level_set.folder = surface_stage;
        level_set.name = scene.output.name;
        level_set.format = Format::vdb;
        all.push_back(level_set);
    }
    return all;
}

void write_mesh_file(const std::filesystem::path& path, const MeshSeries& series,
                     const surface::Reconstruction& frame) {
    SPINDRIFT_CHECK(!series.liquid || *series.liquid < frame.liquids.size());
    const geometry::Mesh& mesh = series.liquid ? frame.liquids[*series.liquid] : frame.surface.mesh;
    switch (series.format) {
        case Format::ply:
            if (series.liquid) return geometry::write_ply(path, mesh);
            return geometry::write_ply(path, mesh, frame.surface.sides);
        case Format::obj:
            return geometry::write_obj(path, mesh);
        case Format::glb:
            return geometry::write_glb(path, mesh);
        case Format::vdb:
            break;
    }
    SPINDRIFT_CHECK(series.format != Format::vdb);
}

}  // namespace spindrift::sim
