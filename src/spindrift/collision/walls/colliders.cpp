#include "spindrift/collision/walls/colliders.h"

#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "spindrift/collision/fields/carry_field.h"
#include "spindrift/collision/fields/field_cache.h"
#include "spindrift/collision/fields/make_field.h"
#include "spindrift/collision/fields/mesh_source.h"
#include "spindrift/collision/fields/vdb_file.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/log.h"
#include "spindrift/core/parallel.h"
#include "spindrift/core/text.h"
#include "spindrift/image/read_image.h"

namespace spindrift::collision {

namespace {

using Nodes = std::vector<float>;

bool same_triangles(const geometry::Mesh& a, const geometry::Mesh& b) {
    return a.points.size() == b.points.size() && a.triangles == b.triangles;
}

}  // namespace

geometry::Pose pose_of(const ColliderParams& params, double frame) {
    return geometry::make_pose(params.position.at(frame), params.rotation_deg.at(frame));
}

/// One collider with its field.
struct Colliders::Body {
    std::size_t index = 0;  ///< in the scene
    ColliderParams params;
    std::filesystem::path folder;
    FieldSettings settings;
    std::optional<MeshSource> source;
    double fps = 24;

    geometry::Mesh mesh;  ///< of which the field was made
    Field field;
    Nodes friction, bounce, stickiness;
    double seconds = 0;

    // Of meshes that deform: the frame that the field is for, the motion of its nodes and the field as placed last.
    std::optional<int> interval;
    std::vector<Vec3f> motion;  ///< m/s at nodes
    float fastest = 0;
    Field placed;
    bool told_of_triangles = false;
    std::vector<Vec3f> point_motion;  ///< m/s, kept for wet maps
    geometry::Mesh shown;             ///< the mesh as asked for last, kept for wet maps

    bool deforms() const { return source && source->deforms(); }
    bool changes() const { return params.moves() || deforms() || params.active; }
    bool textured() const {
        return !params.friction_map.empty() || !params.bounce_map.empty() || !params.stickiness_map.empty();
    }

    void make(const std::filesystem::path& cache);
    void make_interval(int frame);
    void tell_of_triangles(int frame);
    void paint();
    Nodes nodes_of(const std::string& image) const;
    void check_uv(const geometry::Mesh& of, const std::string& what) const;
    const geometry::Mesh& mesh_at(double frame);
    const Field& field_at(int from, double frame);
    WallField place(const Step& step, const StepUnits& units);
};

void Colliders::Body::make(const std::filesystem::path& cache) {
    const auto start = std::chrono::steady_clock::now();
    if (!params.vdb.empty()) {
        field = read_vdb_field(folder / params.vdb, settings);
    } else {
        mesh = source->at(0);
        field = cached_field(cache, mesh, settings);
    }
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    paint();
}

void Colliders::Body::make_interval(int frame) {
    if (interval == frame) return;
    const auto start = std::chrono::steady_clock::now();
    const geometry::Mesh before = source->at(frame), &after = source->at(frame + 1);
    geometry::Mesh middle = before;
    std::vector<Vec3f> velocity(middle.points.size());
    float speed = 0;
    // A size that jumps has no way between its keys.
    const bool same = !params.scale.jumps() && same_triangles(before, after);
    if (!same && !params.scale.jumps()) tell_of_triangles(frame);
    for (std::size_t i = 0; same && i < middle.points.size(); ++i) {
        const Vec3f moved = after.points[i] - before.points[i];
        middle.points[i] += moved * 0.5f;
        velocity[i] = moved * static_cast<float>(fps);
        speed = std::max(speed, length(velocity[i]));
    }
    FieldSettings wider = settings;
    wider.band += 0.5 * static_cast<double>(speed) / fps;
    wider.depth += 0.5 * static_cast<double>(speed) / fps;
    Field made = make_field(middle, wider);
    std::vector<Vec3f> carried = carry_vectors(made, middle, velocity);
    field = std::move(made);
    motion = std::move(carried);
    mesh = std::move(middle);
    fastest = speed;
    if (params.wet_map) point_motion = std::move(velocity);
    placed.distance.clear();
    interval.reset();
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    paint();
    interval = frame;
}

void Colliders::Body::tell_of_triangles(int frame) {
    if (std::exchange(told_of_triangles, true)) return;
    log_warning(
        fmt::format("{}: its triangles are not those of {}, so how it moves between them is not known: it "
                    "jumps, and does not push liquid along",
                    source->file(frame + 1).string(), source->file(frame).filename().string()));
}

void Colliders::Body::check_uv(const geometry::Mesh& of, const std::string& what) const {
    if (!of.uv.empty()) return;
    throw IoError(IoError::Kind::corrupt, folder / params.mesh,
                  fmt::format("has no texture coordinates, so {} cannot be laid over it; unwrap it in your "
                              "modelling program",
                              what));
}

const geometry::Mesh& Colliders::Body::mesh_at(double frame) {
    if (!deforms() || point_motion.size() != mesh.points.size()) return mesh;
    shown = mesh;
    const auto since = static_cast<float>((frame - interval.value_or(0) - 0.5) / fps);
    for (std::size_t i = 0; i < shown.points.size(); ++i)
        shown.points[i] += point_motion[i] * since;
    return shown;
}

Nodes Colliders::Body::nodes_of(const std::string& image) const {
    if (image.empty()) return {};
    check_uv(mesh, image);
    const image::Image picture = image::read_data_image(folder / image);
    return carry_texture(field, mesh,
                         [&](geometry::Uv uv) { return image::luminance(image::lookup(picture, uv[0], uv[1])); });
}

void Colliders::Body::paint() {
    friction = nodes_of(params.friction_map);
    bounce = nodes_of(params.bounce_map);
    stickiness = nodes_of(params.stickiness_map);
}

/// The field at a time of the interval that begins at a frame.
const Field& Colliders::Body::field_at(int from, double frame) {
    if (!deforms()) return field;
    make_interval(from);
    if (placed.distance.empty()) placed = field;
    trace_back(field, motion, (frame - from - 0.5) / fps, placed.distance);
    return placed;
}

WallField Colliders::Body::place(const Step& step, const StepUnits& units) {
    // What jumps does not sweep through the liquid: it stood where it stands.
    const auto earlier = [&](const Animated<Vec3d>& curve) { return curve.at(curve.jumps() ? step.to : step.from); };
    const Placement placement{geometry::make_pose(earlier(params.position), earlier(params.rotation_deg)),
                              pose_of(params, step.to)};
    const Field& now = field_at(static_cast<int>(std::floor(step.from)), step.to);
    WallField wall = place_field(now, placement, units);
    wall.surface = {static_cast<float>(params.friction), static_cast<float>(params.bounce),
                    static_cast<float>(params.stickiness)};
    wall.friction = friction.empty() ? nullptr : friction.data();
    wall.bounce = bounce.empty() ? nullptr : bounce.data();
    wall.stickiness = stickiness.empty() ? nullptr : stickiness.data();
    if (params.mode == Mode::shell || !field.closed) {
        const double thickness = std::max(settings.thickness, 2.0 * least_half_thickness * field.cell);
        wall.thickness = static_cast<float>((thickness + 2 * settings.offset) / units.h);
    }
    if (deforms() && fastest > 0) {
        wall.deformation = motion.data();
        wall.shift = static_cast<float>(units.dt / field.cell);
        wall.most_shift = fastest * wall.shift;
        wall.fastest += fastest;
    }
    return wall;
}

Colliders::Colliders(const Setup& setup) {
    for (std::size_t i = 0; i < setup.params.size(); ++i) {
        const ColliderParams& params = setup.params[i];
        if (params.is_analytic() && !(params.box && setup.boxes)) continue;
        Body body;
        body.index = i;
        body.params = params;
        body.folder = setup.folder;
        body.fps = setup.fps;
        const bool has_own_cell = params.cell || params.vdb.empty();
        body.settings = {.cell = has_own_cell ? used_cell(params.cell, setup.spacing) : 0,
                         .least_cell = least_cell_share * setup.spacing,
                         .mode = params.mode,
                         .thickness = params.thickness.value_or(0),
                         .offset = params.offset,
                         .band = band_radii * setup.support + params.band,
                         .depth = depth_radii * setup.support + params.band,
                         .primitives = true,
                         .name = params.name.empty() ? fmt::format("{}", i) : params.name};
        if (params.vdb.empty()) body.source.emplace(params, setup.folder);
        body.settings.primitives = body.deforms() || body.textured() || params.wet_map.has_value();
        if (params.wet_map) body.check_uv(body.source->at(0), "a wet map");
        if (!body.deforms()) body.make(setup.cache);
        bodies_.push_back(std::move(body));
    }
}

Colliders::~Colliders() = default;
Colliders::Colliders(Colliders&&) noexcept = default;
Colliders& Colliders::operator=(Colliders&&) noexcept = default;

bool Colliders::moves() const {
    return std::any_of(bodies_.begin(), bodies_.end(), [](const Body& body) { return body.changes(); });
}

void Colliders::make_ready(int frame) {
    for (Body& body : bodies_) {
        if (body.deforms()) body.make_interval(frame);
    }
}

void Colliders::place(const Step& step, const StepUnits& units, Walls& walls) {
    walls.fields.clear();
    for (Body& body : bodies_) {
        if (body.params.is_active(step.to)) walls.fields.push_back(body.place(step, units));
    }
}

std::vector<ColliderReport> Colliders::reports() {
    std::vector<ColliderReport> reports;
    for (Body& body : bodies_) {
        ColliderReport report;
        report.name = body.settings.name;
        if (body.source) report.mesh = body.source->report();
        report.mode = body.field.closed ? body.params.mode : Mode::shell;
        report.note = body.field.note;
        report.bytes = body.field.bytes();
        const Vec3d nodes = vec_cast<double>(body.field.bricks * brick_cells);
        report.dense_bytes = static_cast<std::size_t>(nodes.x * nodes.y * nodes.z * 4);
        report.seconds = body.seconds;
        reports.push_back(report);
    }
    return reports;
}

std::vector<Colliders::FieldAt> Colliders::fields(int frame) {
    std::vector<FieldAt> all;
    for (Body& body : bodies_) {
        if (!body.params.is_active(frame)) continue;
        const Field& field = body.field_at(frame, frame);
        all.push_back({.collider = body.index,
                       .field = &field,
                       .motion = body.deforms() ? &body.motion : nullptr,
                       .moves = body.changes()});
    }
    return all;
}

std::vector<Colliders::Surface> Colliders::surfaces(double frame) {
    std::vector<Surface> all;
    for (Body& body : bodies_) {
        if (!body.params.wet_map) continue;
        all.push_back({.collider = body.index,
                       .field = body.deforms() ? &body.placed : &body.field,
                       .mesh = &body.mesh_at(frame),
                       .pose = pose_of(body.params, frame),
                       .deforms = body.deforms(),
                       .version = body.interval.value_or(0)});
    }
    return all;
}

}  // namespace spindrift::collision
