#include "spindrift/stages/whitewater/liquid_frame.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/log.h"
#include "spindrift/core/parallel.h"

namespace spindrift::stages {

FrameSurroundings::FrameSurroundings(const Scene& scene, const cache::Cache& cache)
    : scene_(scene),
      environment_(scene, cache.folder() / cache::field_folder),
      bodies_(scene, cache, environment_.spacing(), environment_.support()) {}

collision::Walls FrameSurroundings::at(int frame, Vec3d origin) {
    const double now = frame;
    collision::Walls walls = environment_.walls(origin);
    const collision::StepUnits units{.origin = origin, .h = environment_.support(), .dt = 1 / scene_.fps};
    environment_.place({.from = now, .to = now}, units, walls);
    bodies_.place(frame, units, walls);
    return walls;
}

const collision::Walls& FrameSurroundings::between(int frame, std::array<double, 2> shares, Vec3d origin) {
    placed_ = environment_.walls(origin);
    const double dt = std::max(1e-6, shares[1] - shares[0]) / scene_.fps;
    const collision::StepUnits units{.origin = origin, .h = environment_.support(), .dt = dt};
    environment_.place({.from = frame + shares[0], .to = frame + shares[1]}, units, placed_);
    bodies_.place_between(frame, shares, units, placed_);
    return placed_;
}

forces::ForceSet FrameSurroundings::forces(double frame, Vec3d origin) const {
    return environment_.forces(origin, {.frame = frame, .seconds = (frame - scene_.frames[0]) / scene_.fps});
}

namespace {

std::vector<Vec3f> velocities_of(const FrameParticles& particles, const std::filesystem::path& path) {
    const ChannelArray* v = particles.channels.find("v");
    if (!v || v->type() != ChannelType{ScalarType::f32, 3})
        throw IoError(IoError::Kind::corrupt, path,
                      "expected a channel v of three floats; simulate the frame again with `spindrift resume --from`");
    const ConstChannel<Vec3f> values = v->as<Vec3f>();
    std::vector<Vec3f> out(values.size());
    parallel_for(out.size(), [&](Range range) {
        for (const std::size_t i : range)
            out[i] = is_finite(values[i]) ? values[i] : Vec3f{};
    });
    return out;
}

ConstChannel<Vec3f> colors_of(const FrameParticles& particles) {
    const ChannelArray* color = particles.channels.find("Cd");
    const bool fits = color && color->type() == ChannelType{ScalarType::f32, 3};
    return fits ? color->as<Vec3f>() : ConstChannel<Vec3f>{};
}

void count_from(FrameParticles& particles, Vec3d origin) {
    const Vec3d way = particles.origin - origin;
    std::vector<Vec3f> moved(particles.size());
    parallel_for(moved.size(), [&](Range range) {
        for (const std::size_t i : range)
            moved[i] = vec_cast<float>(vec_cast<double>(particles.x[i]) + way);
    });
    particles.moved = std::move(moved);
    particles.x = particles.moved;
    particles.origin = origin;
}

Box3f box_of(const neighbors::ParticleCells& cells) {
    if (cells.size() == 0) return {};
    Vec3f lo = cells.x()[0].xyz(), hi = lo;
    for (std::size_t i = 1; i < cells.size(); ++i) {
        lo = min(lo, cells.x()[i].xyz());
        hi = max(hi, cells.x()[i].xyz());
    }
    const auto unit = static_cast<float>(cells.unit());
    return {lo * unit, hi * unit};
}

}  // namespace

std::unique_ptr<LiquidFrame> make_liquid_frame(const Scene& scene, const cache::Cache& cache,
                                               const io::FrameEntry& entry, FrameSurroundings& around,
                                               const LiquidFrameOptions& options) {
    const whitewater::WhitewaterParams params = scene.whitewater.value_or(whitewater::WhitewaterParams{});
    auto frame = std::make_unique<LiquidFrame>();
    frame->number = entry.frame;
    frame->time = entry.time;
    frame->particles = load_frame_particles(scene, cache, entry);
    if (options.origin) count_from(frame->particles, *options.origin);
    const FrameParticles& particles = frame->particles;
    frame->v = velocities_of(particles, cache.path(entry));
    frame->cells.sort({particles.x, particles.origin, particles.liquid, particles.spacing});
    if (frame->cells.skipped() > 0)
        log_warning(fmt::format("frame {}: {} particles are not finite, or absurdly far away, and were left out",
                                entry.frame, frame->cells.skipped()));
    frame->walls = around.at(entry.frame, particles.origin);
    frame->box = box_of(frame->cells);
    const double coarsest = 0.5 * frame->cells.unit();
    const bool crests = params.has(whitewater::Potential::crest);
    frame->flow.make({.cells = &frame->cells,
                      .v = frame->v,
                      .walls = &frame->walls,
                      .crest_length = crests ? whitewater::crest_length(params, coarsest) : 0});
    frame->liquid = {.cells = &frame->cells,
                     .x = particles.x,
                     .v = frame->v,
                     .id = particles.id,
                     .phase = particles.liquid,
                     .color = colors_of(particles),
                     .walls = &frame->walls,
                     .flow = &frame->flow,
                     .channels = &particles.channels,
                     .frame = static_cast<double>(entry.frame)};
    frame->rates = whitewater::find_rates(frame->liquid, params, options.tells_ranges ? &frame->ranges : nullptr);
    return frame;
}

}  // namespace spindrift::stages
