#include "spindrift/stages/mesh/mesh_files.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "spindrift/cache/frame_path.h"
#include "spindrift/cache/series.h"
#include "spindrift/geometry/write_mesh.h"
#include "spindrift/scene/file_names.h"

namespace spindrift::stages {

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
    const std::string further = fmt::format("{}/{}.{}", cache::series::mesh, name, word(format));
    all.push_back({{.key = all.empty() ? cache::series::mesh : further,
                    .folder = cache::series::mesh,
                    .name = name,
                    .extension = std::string(word(format))},
                   format,
                   liquid});
}

}  // namespace

bool holds_meshes(std::string_view series) {
    return series == cache::series::mesh || series.starts_with(fmt::format("{}/", cache::series::mesh));
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
        all.push_back({{.key = cache::series::surface,
                        .folder = cache::series::surface,
                        .name = scene.output.name,
                        .extension = std::string(word(Format::vdb))},
                       Format::vdb,
                       {}});
    }
    return all;
}

WrittenFile write_mesh_file(const std::filesystem::path& path, const MeshSeries& series,
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
    return {};
}

}  // namespace spindrift::stages
