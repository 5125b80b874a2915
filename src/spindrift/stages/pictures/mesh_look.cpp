#include "spindrift/stages/pictures/mesh_look.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spindrift/cache/cache.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/hash.h"
#include "spindrift/core/parallel.h"
#include "spindrift/core/text.h"
#include "spindrift/scene/liquid_color.h"
#include "spindrift/stages/mesh/frame_lattice.h"
#include "spindrift/stages/mesh/mesh_files.h"
#include "spindrift/stages/pictures/dye_look.h"

namespace spindrift::stages {

namespace {

namespace fs = std::filesystem;
using render::Show;

bool is_made_of(const io::FrameEntry& mesh, const io::FrameEntry& particles) {
    return cache::Inputs::of(mesh).hash("particles") == particles.hash;
}

/// The mesh of all liquids of a frame, made of the particles that are there now.
const io::FrameEntry* find_mesh(const Scene& scene, const cache::Cache& cache, const io::FrameEntry& particles) {
    const fs::path path = cache::frame_path({}, cache::series::mesh, scene.output.name, particles.frame, "ply");
    for (const auto& [name, list] : cache.manifest().series) {
        if (!holds_meshes(name)) continue;
        const io::FrameEntry* entry = io::find_frame(list, particles.frame);
        if (entry && entry->file == path.generic_string() && is_made_of(*entry, particles) && cache.is_there(*entry))
            return entry;
    }
    return nullptr;
}

/// Whether a frame's particles have meshes of any kind.
bool has_meshes(const cache::Cache& cache, const io::FrameEntry& particles) {
    return std::ranges::any_of(cache.manifest().series, [&](const auto& each) {
        const io::FrameEntry* entry = holds_meshes(each.first) ? io::find_frame(each.second, particles.frame) : nullptr;
        return entry && is_made_of(*entry, particles);
    });
}

/// Names the settings that stand against a mesh to draw, those of the scene or those that its meshes were made with, so
/// that the command does not make the same meshes again.
[[noreturn]] void refuse_frame(const Scene& scene, const cache::Cache& cache, const io::FrameEntry& particles) {
    const bool others = has_meshes(cache, particles);
    const auto& formats = scene.mesh.formats;
    const bool lacks_ply = std::ranges::find(formats, surface::Format::ply) == formats.end();
    std::string needed, options;
    if (scene.liquid.size() > 1 && (others || scene.mesh.liquids == surface::Liquids::apart)) {
        needed += "; pictures need mesh.liquids = \"both\" or \"together\", and ply among mesh.formats";
        options += " --set mesh.liquids=both";
    } else if (others || lacks_ply) {
        needed += "; pictures need ply among mesh.formats";
    }
    if (lacks_ply) options += " --format ply";
    throw IoError(IoError::Kind::missing, cache.folder(),
                  fmt::format("frame {} has no mesh of its particles (PLY, of all liquids together) to draw{}; make it "
                              "with `spindrift mesh {}{}`, or draw the particles with --show particles",
                              particles.frame, needed, cache.folder().string(), options));
}

/// Whether faces are matte in the colours of their liquids.
bool is_liquid_look(const Scene& scene) {
    return scene.render.color == "liquid";
}

/// Whether points are matte in the colours of a channel: else nobody asked for colours, or for those of liquids.
bool is_channel_look(const Scene& scene) {
    return scene.render.color != "auto" && !is_liquid_look(scene);
}

[[noreturn]] void refuse_implicit_color(const std::string& color) {
    throw UsageError(
        fmt::format("--show implicit has no colours by '{}': its surface is clear, or matte with --color "
                    "liquid; draw meshes or particles with --show mesh or --show particles",
                    color));
}

/// What is drawn of a frame's meshes, nullptr if particles or samples are. A slice shows the inside, which meshes do
/// not have.
const io::FrameEntry* chosen_mesh(const Scene& scene, const cache::Cache& cache, const io::FrameEntry& particles) {
    const Show show = scene.render.show;
    if (show == Show::implicit && is_channel_look(scene)) refuse_implicit_color(scene.render.color);
    if (show == Show::implicit || show == Show::particles || (show == Show::automatic && scene.render.slice))
        return nullptr;
    const io::FrameEntry* entry = find_mesh(scene, cache, particles);
    if (!entry && show != Show::automatic) refuse_frame(scene, cache, particles);
    return entry;
}

std::string attribute_name(const std::string& color) {
    return color == "speed" ? "v" : color;
}

[[noreturn]] void refuse_color(const geometry::Mesh& mesh, const std::string& color) {
    std::vector<std::string> names{"liquid", "speed"};
    for (const geometry::Attribute& each : mesh.attributes)
        names.push_back(each.name);
    throw UsageError(
        fmt::format("the mesh does not carry '{}' to colour it by{}; it has: {}; add it to mesh.channels "
                    "and make the mesh again, or draw particles with --show particles",
                    color, suggestion(color, names), fmt::join(names, ", ")));
}

/// Values are those of the attribute, of vectors their lengths.
std::vector<float> point_values(const geometry::Attribute& attribute) {
    const auto width = static_cast<std::size_t>(attribute.width);
    if (width == 1) return attribute.values;
    std::vector<float> values(attribute.values.size() / width);
    parallel_for(values.size(), [&](Range range) {
        for (const std::size_t i : range) {
            float squares = 0;
            for (std::size_t c = 0; c < width; ++c)
                squares += attribute.values[i * width + c] * attribute.values[i * width + c];
            values[i] = std::sqrt(squares);
        }
    });
    return values;
}

std::vector<Vec3f> point_colors(const geometry::Attribute& cd) {
    std::vector<Vec3f> colors(cd.values.size() / 3);
    for (std::size_t i = 0; i < colors.size(); ++i)
        colors[i] = {cd.values[3 * i], cd.values[3 * i + 1], cd.values[3 * i + 2]};
    return colors;
}

/// What is left of light after some depth of a liquid: its colour, if it was given one or has others beside it.
Vec3f clear_color(const Scene& scene, std::size_t liquid) {
    if (scene.liquid.size() > 1 || scene.liquid.empty() || scene.liquid[liquid].color)
        return liquid_color(scene, liquid);
    return material_look(scene.liquid[liquid].material).color;
}

render::LiquidLook liquid_look(const Scene& scene, std::size_t liquid, float clarity) {
    render::LiquidLook look{.clarity = clarity};
    look.color = is_liquid_look(scene) ? liquid_color(scene, liquid) : clear_color(scene, liquid);
    if (liquid >= scene.liquid.size()) return look;
    const LiquidParams& params = scene.liquid[liquid];
    const MaterialLook& material = material_look(params.material);
    look.ior = static_cast<float>(params.ior.value_or(material.ior));
    look.cloudiness = static_cast<float>(params.cloudiness.value_or(material.cloudiness));
    look.clarity = static_cast<float>(params.clarity.value_or(clarity));
    // Mixtures are as cloudy as what they are mixed of, place by place (dye_look.h).
    if (has_dye(scene) && !scene.component.empty()) look.cloudiness = 0;
    return look;
}

}  // namespace

std::string mesh_hash(const Scene& scene, const cache::Cache& cache, const io::FrameEntry& particles) {
    const io::FrameEntry* entry = chosen_mesh(scene, cache, particles);
    return entry ? entry->hash : "";
}

std::optional<MeshLook> read_mesh_look(const Scene& scene, const cache::Cache& cache, const io::FrameEntry& particles,
                                       FrameSampler& sampler) {
    const io::FrameEntry* entry = chosen_mesh(scene, cache, particles);
    if (scene.render.show == Show::implicit) {
        MeshLook look;
        look.lattice = sampler.sample(particles);
        return look;
    }
    if (!entry) return {};
    SurfaceLook surface{geometry::read_ply_surface(cache.path(*entry))};
    if (is_channel_look(scene)) {
        const std::string& color = scene.render.color;
        const geometry::Attribute* attribute = surface.file.mesh.find(attribute_name(color));
        const bool fits = attribute && (color != "Cd" || attribute->width == 3);
        if (!fits && scene.render.show == Show::automatic) return {};
        if (!fits) refuse_color(surface.file.mesh, color);
        if (color == "Cd")
            surface.colors = point_colors(*attribute);
        else
            surface.values = point_values(*attribute);
    }
    MeshLook look;
    look.surfaces.push_back(std::move(surface));
    return look;
}

std::vector<render::LiquidBody> MeshLook::bodies(const Scene& scene, Vec3d origin, float clarity) const {
    std::vector<render::LiquidLook> looks;
    for (std::size_t i = 0; i < std::max<std::size_t>(1, scene.liquid.size()); ++i)
        looks.push_back(liquid_look(scene, i, clarity));
    std::vector<render::LiquidBody> bodies;
    for (const SurfaceLook& surface : surfaces) {
        render::LiquidBody body{.mesh = &surface.file.mesh, .looks = looks, .matte = is_liquid_look(scene)};
        body.pose.position = -origin;
        body.sides = surface.file.sides;
        body.values = surface.values;
        body.point_colors = surface.colors;
        bodies.push_back(std::move(body));
    }
    if (lattice) {
        render::LiquidBody body{.lattice = &*lattice, .looks = looks, .matte = is_liquid_look(scene)};
        body.pose.position = -origin;
        bodies.push_back(std::move(body));
    }
    return bodies;
}

}  // namespace spindrift::stages
