#include "cli/estimate_stages.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "cli/json.h"
#include <fmt/format.h>

#include "spindrift/core/text.h"
#include "spindrift/render/quality.h"

namespace spindrift::cli {

namespace {

// Measured with a dam break of 4 400, 31 000 and 128 000 particles, over the whole splash and early in it: files follow
// the surface, which has about 11 squares of a spacing for each particle to the power of 2/3 while liquid splashes, and
// half of that while it is calm. Times are processor seconds divided by two.
constexpr double ply_bytes = 700, mesh_seconds = 22e-6, mesh_bytes = 10e3;  // for each square of a voxel's side
constexpr double frame_bytes = 150;                                         // of a particle that is being meshed
constexpr int meshes_at_once = 3;
// Files of the same surface, by the size of PLY.
constexpr std::array format_sizes{1.0, 2.15, 0.97, 1.15};

constexpr double png_bytes = 0.9, exr_bytes = 10, picture_bytes = 290;  // of a pixel
// Of a pixel and of each path through it; clear surfaces are followed farther than particles.
constexpr double pixel_seconds = 0.6e-6, particle_path_seconds = 0.6e-6, surface_path_seconds = 1.4e-6;

/// Squares of a voxel's side that the surface has, by 11 of a spacing's.
double surface_size(const Scene& scene, double particles) {
    return std::pow(particles, 2.0 / 3) / (scene.mesh.voxel * scene.mesh.voxel);
}

std::string stage_line(const char* verb, const StageEstimate& stage) {
    return fmt::format("  {:10} {:>8} or so on two cores, {:>8} of memory, {:>8} on disk\n", verb,
                       format_duration(stage.seconds), format_bytes(stage.memory_bytes),
                       format_bytes(stage.disk_bytes));
}

Value stage_json(const StageEstimate& stage) {
    return json_table({{"seconds_guess", Value(stage.seconds)},
                       {"memory_bytes", Value(stage.memory_bytes)},
                       {"disk_bytes", Value(stage.disk_bytes)}});
}

}  // namespace

StageEstimate estimate_meshes(const Scene& scene, double particles, int frames) {
    const double size = surface_size(scene, particles);
    // Several liquids have a mesh of all and one for each.
    const bool twice = scene.liquid.size() > 1 && scene.mesh.liquids == surface::Liquids::both;
    double formats = 0;
    for (const surface::Format format : scene.mesh.formats)
        formats += format_sizes[static_cast<std::size_t>(format)];
    StageEstimate stage;
    stage.seconds = size * mesh_seconds * frames * (twice ? 2 : 1);
    stage.memory_bytes =
        program_bytes + std::min(frames, meshes_at_once) * (particles * frame_bytes + size * mesh_bytes);
    stage.disk_bytes = size * ply_bytes * formats * frames * (twice ? 2 : 1);
    return stage;
}

StageEstimate estimate_pictures(const Scene& scene, double particles, int frames) {
    const render::RenderParams& look = scene.render;
    const double pixels = static_cast<double>(look.resolution[0]) * look.resolution[1];
    const bool surfaces = look.show != render::Show::particles;
    double bytes = 0;
    for (const render::PictureFormat format : look.formats)
        bytes += format == render::PictureFormat::png ? png_bytes : exr_bytes;
    StageEstimate stage;
    stage.seconds =
        frames * pixels *
        (pixel_seconds + render::effort_of(look).samples * (surfaces ? surface_path_seconds : particle_path_seconds));
    stage.memory_bytes = program_bytes + pixels * picture_bytes + particles * frame_bytes +
                         (surfaces ? surface_size(scene, particles) * mesh_bytes : 0);
    stage.disk_bytes = pixels * bytes * frames;
    return stage;
}

std::string stage_lines(const Estimate& estimate) {
    std::string lines = stage_line("run", estimate.run);
    if (estimate.whitewater) {
        lines += stage_line("whitewater", *estimate.whitewater);
        lines.insert(lines.size() - 1, ", if it splashes all the while");
    }
    return lines + stage_line("mesh", estimate.mesh) + stage_line("render", estimate.render);
}

Value stage_table(const Estimate& estimate) {
    std::vector<std::pair<std::string, Value>> stages{{"run", stage_json(estimate.run)},
                                                      {"mesh", stage_json(estimate.mesh)},
                                                      {"render", stage_json(estimate.render)}};
    if (estimate.whitewater) stages.emplace_back("whitewater", stage_json(*estimate.whitewater));
    return json_table(stages);
}

}  // namespace spindrift::cli
