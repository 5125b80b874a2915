#include "spindrift/stages/mesh/mesh_frame.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "spindrift/cache/frame_path.h"
#include "spindrift/cache/series.h"
#include "spindrift/geometry/mesh_quality.h"
#include "spindrift/io/npz.h"
#include "spindrift/scene/file_names.h"
#include "spindrift/stages/mesh/surface_flags.h"
#include "spindrift/surface/contour/split_liquids.h"
#include "spindrift/surface/vdb_write.h"

namespace spindrift::stages {

namespace fs = std::filesystem;

namespace {

/// The surface of all liquids against the air: a closed mesh, turned outwards.
geometry::Mesh outer_mesh(const geometry::InterfaceMesh& all) {
    geometry::Mesh mesh = surface::liquid_mesh(all, surface::air);
    for (geometry::Triangle& triangle : mesh.triangles)
        std::swap(triangle[1], triangle[2]);
    return mesh;
}

}  // namespace

bool needs_flags(const Scene& scene) {
    const auto& channels = scene.mesh.channels;
    return scene.mesh.upsample > 0 ||
           std::find(channels.begin(), channels.end(), surface_flag_channel) != channels.end();
}

cache::Series flag_series(const Scene& scene) {
    return {.key = cache::series::surface_flags,
            .folder = cache::series::surface_flags,
            .name = scene.output.name,
            .extension = "npz"};
}

FrameMesher::FrameMesher(const Scene& scene, const cache::Cache& cache, fs::path output)
    : scene_(scene), cache_(cache), output_(std::move(output)), series_(mesh_series(scene)), walls_(scene, cache) {}

FrameMesh FrameMesher::make(const io::FrameEntry& entry, const surface::SurfaceState* before) {
    const auto start = std::chrono::steady_clock::now();
    const FrameParticles particles = load_frame_particles(scene_, cache_, entry);
    const std::vector<const ChannelArray*> carried = carried_channels(scene_, particles.channels, cache_.path(entry));
    const bool flags = needs_flags(scene_);
    const collision::Walls walls = walls_.at(entry.frame, particles.origin);
    const surface::ReconstructInput input{.particles = surface_view(particles),
                                          .params = scene_.mesh,
                                          .channels = carried,
                                          .walls = walls.empty() ? nullptr : &walls,
                                          .id = flags ? particles.id : ConstChannel<std::int64_t>(),
                                          .time = entry.time,
                                          .before = before,
                                          .flags = flags};
    surface::Reconstruction frame = reconstructor_.run(input);
    // The closed meshes are what is measured, also where nobody wants them as files.
    if (scene_.liquid.size() > 1 && frame.liquids.empty())
        frame.liquids = surface::split_liquids(frame.surface, scene_.liquid.size());
    FrameMesh out;
    out.record.frame = entry.frame;
    out.record.particles = particles.size();
    measure(frame, out.record);
    write_files(frame, particles, entry, out);
    if (flags) out.flags = write_flags(particles, frame.flag, frame.state, entry.frame);
    out.state = std::move(frame.state);
    out.record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return out;
}

FrameMesh FrameMesher::make_flags(const io::FrameEntry& entry, const surface::SurfaceState& before) {
    const FrameParticles particles = load_frame_particles(scene_, cache_, entry);
    const neighbors::ParticleCells cells(surface_view(particles));
    surface::DetectedSurface found = surface::detect(cells, {.id = particles.id, .time = entry.time}, before);
    FrameMesh out;
    out.flags = write_flags(particles, found.particles.flag, found.state, entry.frame);
    out.state = std::move(found.state);
    return out;
}

void FrameMesher::measure(const surface::Reconstruction& frame, MeshRecord& record) const {
    record.particle_volume = frame.particle_volume;
    record.dropped = frame.dropped;
    record.skipped = frame.skipped;
    record.added = frame.added;
    const bool crossings = scene_.mesh.crossings;
    if (scene_.liquid.size() == 1) return add_quality(record, geometry::measure(frame.surface.mesh, crossings));
    for (const geometry::Mesh& mesh : frame.liquids)
        add_quality(record, geometry::measure(mesh, crossings));
}

/// Of one liquid its mesh; of several what air touches of all, then each liquid unless only all are wanted.
WrittenFile FrameMesher::write_level_sets(const fs::path& path, const surface::Reconstruction& frame,
                                          const FrameParticles& particles, const io::FrameEntry& entry) const {
    const bool several = scene_.liquid.size() > 1;
    const geometry::Mesh outside = several ? outer_mesh(frame.surface) : geometry::Mesh();
    std::vector<surface::VdbSurface> surfaces{{cache::series::surface, several ? &outside : &frame.surface.mesh}};
    if (several && scene_.mesh.liquids != surface::Liquids::together) {
        const std::vector<std::string> names = liquid_file_names(scene_);
        for (std::size_t i = 0; i < frame.liquids.size(); ++i)
            surfaces.push_back({fmt::format("{}_{}", cache::series::surface, names[i]), &frame.liquids[i]});
    }
    const ChannelArray* v = particles.channels.find("v");
    const bool has_velocity = v && v->type() == ChannelType{ScalarType::f32, 3};
    const double finest = *std::min_element(particles.spacing.begin(), particles.spacing.end());
    return surface::write_vdb_surfaces(path, surfaces, scene_.mesh.voxel * finest, reconstructor_.cells(),
                                       has_velocity ? v : nullptr,
                                       {.frame = entry.frame, .time = entry.time, .fps = scene_.fps});
}

void FrameMesher::write_files(const surface::Reconstruction& frame, const FrameParticles& particles,
                              const io::FrameEntry& entry, FrameMesh& out) const {
    for (const MeshSeries& series : series_) {
        const fs::path path = series.path(output_, entry.frame);
        out.files.push_back(series.format == surface::Format::vdb ? write_level_sets(path, frame, particles, entry)
                                                                  : write_mesh_file(path, series, frame));
    }
}

WrittenFile FrameMesher::write_flags(const FrameParticles& particles, const std::vector<std::uint8_t>& flags,
                                     const surface::SurfaceState& state, int frame) const {
    return io::write_arrays(flag_series(scene_).path(output_, frame),
                            flag_channels(particles.channels.find("id"), flags, state), io::Lengths::equal);
}

}  // namespace spindrift::stages
