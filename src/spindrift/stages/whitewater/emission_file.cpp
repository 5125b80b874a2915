#include "spindrift/stages/whitewater/emission_file.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "spindrift/cache/frame_path.h"
#include "spindrift/grid/vdb_file.h"
#include "spindrift/stages/whitewater/birth_places.h"

namespace spindrift::stages {

namespace {

using grid::cell_index;
using grid::leaf_cells;

grid::Volume volume_of(const LiquidFrame& frame, const char* name, const char* unit, grid::Volume::Kind kind) {
    grid::Volume volume{.name = name, .kind = kind, .unit = unit};
    volume.cell = static_cast<double>(frame.flow.h());
    volume.origin = frame.particles.origin;
    volume.leaves = frame.flow.leaves();
    volume.active.assign(volume.leaves.size(), {});
    volume.values.emplace_back(name);
    volume.values[0].resize(volume.leaves.size(), 0);
    volume.values[0].fill(0);
    return volume;
}

grid::Volume surface_of(const LiquidFrame& frame) {
    grid::Volume surface = volume_of(frame, "surface", "m", grid::Volume::Kind::level_set);
    surface.background = frame.flow.far();
    for (std::size_t l = 1; l < surface.leaves.size(); ++l) {
        for (int n = 0; n < leaf_cells; ++n) {
            const Vec3i cell = surface.leaves.coord(l) * 8 + Vec3i{n % 8, n / 8 % 8, n / 64};
            const Vec3f x = (vec_cast<float>(cell) + Vec3f{0.5f, 0.5f, 0.5f}) * frame.flow.h();
            const float phi = frame.flow.at(x).phi;
            surface.values[0].leaf(l)[n] = phi;
            if (std::abs(phi) < frame.flow.far())
                surface.active[l][static_cast<std::size_t>(n / 64)] |= std::uint64_t{1} << (n % 64);
        }
    }
    return surface;
}

/// Velocities in the middle of the cells' lower faces.
grid::Volume velocity_of(const LiquidFrame& frame) {
    grid::Volume vel = volume_of(frame, "vel", "m/s", grid::Volume::Kind::faces);
    for (int axis = 1; axis < 3; ++axis) {
        vel.values.emplace_back("vel");
        vel.values.back().resize(vel.leaves.size(), 0);
        vel.values.back().fill(0);
    }
    whitewater::Flow::Cursor cursor;
    for (std::size_t l = 1; l < vel.leaves.size(); ++l) {
        for (int n = 0; n < leaf_cells; ++n) {
            const Vec3i cell = vel.leaves.coord(l) * 8 + Vec3i{n % 8, n / 8 % 8, n / 64};
            for (int axis = 0; axis < 3; ++axis) {
                Vec3f p = vec_cast<float>(cell) + Vec3f{0.5f, 0.5f, 0.5f};
                p[axis] -= 0.5f;
                const whitewater::Flow::Sample here = frame.flow.at(p * frame.flow.h(), cursor);
                vel.values[static_cast<std::size_t>(axis)].leaf(l)[n] = here.v[axis];
                if (here.phi < frame.flow.far())
                    vel.active[l][static_cast<std::size_t>(n / 64)] |= std::uint64_t{1} << (n % 64);
            }
        }
    }
    return vel;
}

}  // namespace

WrittenFile write_emission(const std::filesystem::path& folder, const Scene& scene, const LiquidFrame& frame,
                           const EmissionRecord& record) {
    const whitewater::WhitewaterParams params = scene.whitewater.value_or(whitewater::WhitewaterParams{});
    grid::Volume emit = volume_of(frame, "emit", "1/(m^3 s)", grid::Volume::Kind::scalar);
    const double per_volume = params.amount.at(record.frame) / whitewater_volume(scene);
    const whitewater::Liquid& liquid = frame.liquid;
    for (std::uint32_t i = 0; i < liquid.x.size(); ++i) {
        if (frame.rates.row[i] == 0) continue;
        const Vec3f p = liquid.x[i] / frame.flow.h();
        const Vec3i cell{static_cast<int>(std::floor(p.x)), static_cast<int>(std::floor(p.y)),
                         static_cast<int>(std::floor(p.z))};
        const std::int32_t leaf = emit.leaves.find({cell.x >> 3, cell.y >> 3, cell.z >> 3});
        if (leaf == 0) continue;
        const int n = cell_index(cell.x & 7, cell.y & 7, cell.z & 7);
        const std::size_t kind = liquid.phase.empty() ? 0 : liquid.phase[i];
        const double ratio = frame.cells.spacing(frame.cells.class_of(kind)) / emit.cell;
        emit.values[0].leaf(leaf)[n] += static_cast<float>(frame.rates.of(i) * per_volume * ratio * ratio * ratio);
        emit.active[static_cast<std::size_t>(leaf)][static_cast<std::size_t>(n / 64)] |= std::uint64_t{1} << (n % 64);
    }
    cache::create_folder(folder);
    const std::filesystem::path path = cache::frame_path({}, "", scene.output.name + ".emit", record.frame, "vdb");
    const std::array<grid::Volume, 3> volumes{std::move(emit), surface_of(frame), velocity_of(frame)};
    return write_file(folder / path.filename(),
                      grid::vdb_content(volumes, {.frame = record.frame, .time = frame.time, .fps = scene.fps}));
}

}  // namespace spindrift::stages
