#include "spindrift/stages/pictures/shot.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/hash.h"
#include "spindrift/core/interruption.h"
#include "spindrift/core/text.h"
#include "spindrift/io/npz.h"
#include "spindrift/render/render.h"
#include "spindrift/stages/frame/frame_particles.h"
#include "spindrift/stages/mesh/mesh_inputs.h"
#include "spindrift/stages/pictures/color_legend.h"
#include "spindrift/stages/pictures/particle_look.h"
#include "spindrift/stages/pictures/surroundings.h"

namespace spindrift::stages {

namespace {

Box3d frame_bounds(const Scene& scene, const ChannelSet& particles) {
    render::RenderScene frame = surroundings(scene, {});
    const std::vector<Vec3f> x = particle_positions(particles, {});
    const std::vector<float> r = particle_radii(particles);
    frame.positions = x;
    frame.radii = r;
    return render::bounds(frame);
}

void extend(Extent& extent, const Scene& scene, const ChannelSet& particles) {
    const Box3d box = frame_bounds(scene, particles);
    const bool empty = box.lo.x > box.hi.x;
    if (!empty) extent.box = extent.box ? Box3d{min(extent.box->lo, box.lo), max(extent.box->hi, box.hi)} : box;
    const ParticleColors colors = particle_colors(scene, particles);
    if (!uses_color_map(color_source(scene))) return;
    const auto [low, high] = color_range(scene, colors);
    extent.range = extent.range ? std::array{std::min((*extent.range)[0], low), std::max((*extent.range)[1], high)}
                                : std::array{low, high};
}

/// The channels that tell where particles are and what colours them.
ChannelSet read_measured(const Scene& scene, const std::filesystem::path& file) {
    const std::string color = color_channel_of(color_source(scene));
    ChannelSet some = io::read_npz(file, std::vector<std::string>{"P", "pscale", "phase", color});
    if (color.empty() || some.find(color)) return some;
    return io::read_npz(file);  // to say which there are
}

double shot_size(const Box3d& box) {
    const Vec3d size = box.size();
    const double longest = std::max({size.x, size.y, size.z});
    return longest > 0 && std::isfinite(longest) ? longest : 1;
}

const geometry::CameraParams* find_camera(const Scene& scene, const std::string& name) {
    std::vector<std::string> names;
    for (const geometry::CameraParams& camera : scene.camera) {
        if (name.empty() || camera.name == name) return &camera;
        names.push_back(camera.name);
    }
    if (name.empty()) return nullptr;
    throw UsageError(fmt::format("the scene has no camera '{}'{}; {}", name, suggestion(name, names),
                                 names.empty() ? "leave --camera out for one that sees everything"
                                               : fmt::format("there are: {}", fmt::join(names, ", "))));
}

geometry::CameraParams standing(const geometry::Camera& camera) {
    geometry::CameraParams params;
    params.position = camera.position;
    params.target = camera.target;
    params.up = camera.up;
    params.fov_deg = camera.fov_deg;
    return params;
}

}  // namespace

std::vector<std::size_t> spread(std::size_t n, std::size_t count) {
    std::vector<std::size_t> indices;
    count = std::min(n, count);
    for (std::size_t k = 0; k < count; ++k)
        indices.push_back(count == 1 ? n - 1 : k * (n - 1) / (count - 1));
    return indices;
}

std::vector<int> planning_numbers(const std::vector<io::FrameEntry>& particles) {
    constexpr std::size_t enough = 12;
    std::vector<int> numbers;
    for (const std::size_t i : spread(particles.size(), enough))
        numbers.push_back(particles[i].frame);
    return numbers;
}

std::vector<std::filesystem::path> planning_frames(const cache::Cache& cache) {
    std::vector<std::filesystem::path> files;
    for (const int frame : planning_numbers(cache.frames(cache::series::particles)))
        files.push_back(cache.path(*cache.find(cache::series::particles, frame)));
    return files;
}

std::string frame_label(const io::FrameEntry& frame) {
    return fmt::format("frame {}   {:.2f} s", frame.frame, frame.time);
}

Extent measure_shot(const Scene& scene, std::span<const std::filesystem::path> samples, std::span<const Box3d> bodies) {
    Extent extent;
    for (const std::filesystem::path& sample : samples) {
        stop_if_interrupted();
        extend(extent, scene, read_measured(scene, sample));
    }
    if (scene.domain) {
        extent.box = scene.domain->box;
        return extent;
    }
    std::vector<Box3d> boxes = ColliderMeshes().boxes(scene);
    boxes.insert(boxes.end(), bodies.begin(), bodies.end());
    if (!boxes.empty()) extent.box = render::enclose(extent.box.value_or(render::empty_box), boxes);
    return extent;
}

Shot plan_shot(const Scene& scene, const std::string& camera_name, const Extent& extent) {
    const geometry::CameraParams* camera = find_camera(scene, camera_name);
    const auto [width, height] = scene.render.resolution;
    const double aspect = static_cast<double>(width) / height;
    const std::array<double, 2> range = extent.range.value_or(std::array{0.0, 1.0});
    const Box3d box = extent.box.value_or(Box3d{});
    return {camera ? *camera : standing(geometry::automatic_camera(box, aspect)),
            scene.render.range.value_or(range),
            shot_size(box),
            std::make_shared<ColliderMeshes>(),
            read_floor_image(scene),
            std::make_shared<BodyMeshes>()};
}

std::string look_hash(const Scene& scene, const Shot& shot) {
    Scene look;
    look.channel = scene.channel;
    look.liquid = scene.liquid;
    look.component = scene.component;
    look.domain = scene.domain;
    look.collider = scene.collider;
    look.body = scene.body;
    look.render = scene.render;
    look.render.range = shot.range;
    look.camera = {shot.camera};
    // Another version whenever the same look gives other pictures than before.
    constexpr int picture_version = 2;
    Hash64 hash;
    hash.add(write_scene(look)).add(fmt::format("size {} version {}", shot.size, picture_version));
    if (const auto image = floor_image(scene); !image.empty()) hash.add(read_file(image));
    if (scene.render.show == render::Show::implicit) hash.add(mesh_inputs_hash(scene));
    return hash.hex();
}

}  // namespace spindrift::stages
