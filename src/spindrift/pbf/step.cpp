#include "spindrift/pbf/step.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "spindrift/core/parallel.h"

namespace spindrift::pbf {

namespace {

/// Where the particle stands that pads neighbour lists: out of reach of every valid coordinate.
constexpr Float4 far_particle{3e7f, 0, 0, 0};

/// A viscosity pass is worth its cost from this share on; less waits for later steps.
constexpr double smallest_viscosity_share = 0.12;

/// The energy guard: iterations that add more than this share of the kinetic energy, or this much in units of
/// (spacing / dt)^2 per particle, are the start of a burst; the next steps run without acceleration.
constexpr double guard_share = 0.1, guard_energy = 0.01;
constexpr int guarded_steps = 20;

WallView view(const collision::Walls& walls) {
    return {walls.boxes.data(),  static_cast<std::uint32_t>(walls.boxes.size()),
            walls.planes.data(), static_cast<std::uint32_t>(walls.planes.size()),
            walls.fields.data(), static_cast<std::uint32_t>(walls.fields.size())};
}

/// The first layer of particles touches a wall.
constexpr float wall_contact = static_cast<float>(0.6 / support_ratio);

/// A particle that is inside an obstacle as the step begins is put where the first layer stands, so that iterations do
/// not throw it out: velocities count from here.
void stop_at_walls(const collision::Walls& walls, const Float4& from, float first_layer, Float4& to, Float4& v) {
    Vec3f end = to.xyz();
    const collision::WallHit hit = walls.trace(from.xyz(), end);
    if (!hit.hit) return;
    // A body answers to what hits it: see meet_bodies().
    const bool fixed = hit.body < 0;
    if (fixed && walls.are_entered(from.xyz())) {
        const Vec3f in_layer = end + hit.normal * (first_layer - collision::contact_gap);
        if (walls.is_free(in_layer, collision::contact_gap)) end = in_layer;
    }
    to = {end.x, end.y, end.z, to.w};
    if (!fixed) return;
    const Vec3f slowed = respond(v.xyz(), hit);
    v = {slowed.x, slowed.y, slowed.z, v.w};
}

Box3f box_around(ConstChannel<Float4> x, const neighbors::Cluster& cluster) {
    Box3f box{x[cluster.first].xyz(), x[cluster.first].xyz()};
    for (std::uint32_t k = 1; k < cluster.count; ++k) {
        const Vec3f p = x[cluster.first + k].xyz();
        box = {min(box.lo, p), max(box.hi, p)};
    }
    return box;
}

/// A liquid travels through the sort in the slot of the position that multipliers have afterwards.
float liquid_as_float(std::uint32_t liquid) {
    return std::bit_cast<float>(liquid);
}

/// Liquids by slot, nullptr if there is one.
const std::uint16_t* phases(const ParticleStore& particles, const LiquidTables& tables) {
    if (tables.single()) return nullptr;
    const ChannelArray* channel = particles.find_channel(phase_channel);
    SPINDRIFT_CHECK(channel != nullptr);
    return channel->as<std::uint16_t>().data();
}

}  // namespace

Solver::Solver(const SolverParams& params, std::vector<Liquid> liquids)
    : params_(params),
      tables_(std::move(liquids)),
      h_(static_cast<float>(tables_.unit())),
      kernels_(kernels()),
      grid_(tables_.resolutions()) {
    for (const LiquidScale& scale : tables_.scales())
        masses_.push_back(scale.density * scale.h * scale.h * scale.h);
}

StepReport Solver::step(ParticleStore& particles, const forces::ForceSet& forces, const collision::Walls& walls,
                        double dt, Coupling* coupling) {
    StepReport report;
    give_back_memory(particles.size());
    predict(particles, forces, walls, static_cast<float>(dt));
    sort(particles, report);
    find_held(particles);
    project_coarse(particles, forces, walls, static_cast<float>(dt), coupling);
    // Pressure has changed where bodies will be.
    const collision::Walls& now = coupling ? coupling->place() : walls;
    body_move_ = body_move(forces.gravity, dt);
    set_walls(now);
    find_neighbors(particles);
    find_levels(particles);
    mark_walls(particles, now);
    weigh_stiffness(particles);
    apply_tension(particles, dt, report);
    solve_constraints(particles, now, dt, report);
    update_velocities(particles, now, static_cast<float>(dt), report);
    apply_viscosity(particles, dt, report);
    if (coupling) meet_bodies(particles, now, dt, *coupling);
    if (!constraints_.only_density()) constraints_.end_step(particles, x_final_->data());
    finish(particles, now, dt, report);
    return report;
}

/// A particle in a narrow gap between bodies is pushed as far as it may in each iteration. In steps shorter than
/// gravity asks for that would be faster and faster, which makes the next step shorter still.
float Solver::body_move(Vec3f gravity, double dt) const {
    const auto g = static_cast<double>(length(gravity));
    if (g == 0) return 1;
    const double finest = tables_.unit() / support_ratio * static_cast<double>(tables_.resolutions().h.back());
    return static_cast<float>(std::min(1.0, dt / std::sqrt(params_.fall * finest / g)));
}

StepReport Solver::observe(ParticleStore& particles, const collision::Walls& walls) {
    StepReport report;
    set_walls(walls);
    enter_units(particles);
    sort(particles, report);
    find_neighbors(particles);
    mark_walls(particles, walls);
    weigh_stiffness(particles);
    std::copy(particles.position().begin(), particles.position().end(), scratch_a_.data());
    x_final_ = &scratch_a_;
    finish(particles, walls, 0, report);
    return report;
}

/// Everything that steps rebuild is thrown away once less than half of it is needed.
void Solver::give_back_memory(std::size_t particles) {
    most_particles_ = std::max(most_particles_, particles);
    if (2 * particles >= most_particles_) return;
    most_particles_ = particles;
    grid_ = neighbors::LeafGrid(tables_.resolutions());
    lists_.clear();
    coarse_ = CoarseProjection();
    viscosity_ = ViscositySolver();
    scratch_a_ = Buffer<Float4>("solver scratch");
    scratch_b_ = Buffer<Float4>("solver scratch");
    liquid_ = Buffer<std::uint8_t>("liquids");
    inverse_density_ = Buffer<float>("liquids");
    stiffness_ = Buffer<float>("liquids");
    contacts_ = Buffer<float>("contacts");
    levels_ = Buffer<std::uint8_t>("levels");
    x_final_ = nullptr;
}

void Solver::set_walls(const collision::Walls& walls) {
    const std::vector<float>& h = tables_.resolutions().h;
    class_walls_.clear();
    wall_views_.clear();
    for (const float radius : h)
        class_walls_.push_back(in_units_of(walls, radius));
    for (const collision::Walls& scaled : class_walls_)
        wall_views_.push_back(view(scaled));
}

FluidView Solver::fluid() {
    const bool single = tables_.single();
    return {.liquid = single ? nullptr : liquid_.data(),
            .scales = tables_.scales().data(),
            .pairs = tables_.pairs().data(),
            .shares = tables_.shares().data(),
            .inverse_density = single ? nullptr : inverse_density_.data(),
            .walls = wall_views_.data(),
            .contacts = {.starts = contact_starts_.empty() ? nullptr : contact_starts_.data(),
                         .field = contact_fields_.data(),
                         .push = contact_pushes_.empty() ? nullptr : contact_pushes_.data(),
                         .known = contacts_.data()}};
}

void Solver::predict(ParticleStore& particles, const forces::ForceSet& forces, const collision::Walls& walls,
                     float dt) {
    const auto scope = timer_.scope("predict");
    const float per_h = 1 / h_;
    const std::uint16_t* phase = phases(particles, tables_);
    const bool sticky = walls.sticky();
    // The liquid stands in the fourth number.
    const auto first_layer = [&](const Float4& x) {
        return static_cast<float>(0.5 / support_ratio) * tables_.scales()[std::bit_cast<std::uint32_t>(x.w)].h;
    };
    constexpr std::size_t batch = 64;
    parallel_for(particles.size(), [&, x = particles.position(), v = particles.velocity()](Range range) {
        Float4 from[batch], to[batch];
        std::uint8_t meets[batch / 8];
        for (std::size_t first = range.first; first < range.last; first += batch) {
            const std::size_t count = std::min(batch, range.last - first);
            for (std::size_t k = 0; k < count; ++k) {
                const std::size_t i = first + k;
                const Vec3f x_i = x[i].xyz(), start = x_i * per_h;
                Vec3f v_i = particles.is_held(i) ? v[i].xyz() : forces.accelerate(x_i, v[i].xyz(), dt);
                if (sticky) {
                    const collision::WallHit held = walls.contact(start, wall_contact);
                    if (held.body < 0) v_i = cling(v_i, held, dt);
                }
                const Vec3f end = (x_i + v_i * dt) * per_h;
                from[k] = {start.x, start.y, start.z, 0};
                to[k] = {end.x, end.y, end.z, phase ? liquid_as_float(phase[particles.slot(i)]) : 0};
                v[i] = {v_i.x, v_i.y, v_i.z, v[i].w};
            }
            if (!walls.fields.empty()) {
                kernels_.find_meetings({.fields = walls.fields.data(),
                                        .field_count = static_cast<std::uint32_t>(walls.fields.size()),
                                        .from = from,
                                        .to = to,
                                        .count = static_cast<std::uint32_t>(count),
                                        .meets = meets});
            }
            for (std::size_t k = 0; k < count; ++k) {
                const bool meets_field = !walls.fields.empty() && (meets[k / 8] >> (k % 8) & 1);
                if (meets_field || !walls.is_clear_of_plain(from[k].xyz(), to[k].xyz()))
                    stop_at_walls(walls, from[k], first_layer(to[k]), to[k], v[first + k]);
                x[first + k] = to[k];
            }
        }
    });
}

void Solver::enter_units(ParticleStore& particles) {
    held_.clear();
    const std::uint16_t* phase = phases(particles, tables_);
    for (std::size_t i = 0; i < particles.size(); ++i) {
        Float4& x = particles.position()[i];
        x = {x.x / h_, x.y / h_, x.z / h_, phase ? liquid_as_float(phase[particles.slot(i)]) : 0};
    }
}

void Solver::sort(ParticleStore& particles, StepReport& report) {
    const auto scope = timer_.scope("sort");
    const std::size_t n = particles.size();
    for (Buffer<Float4>* scratch : {&scratch_a_, &scratch_b_}) {
        // As large as the store's own arrays, which they are swapped with.
        scratch->reserve(std::max(particles.capacity(), n) + ParticleStore::padding);
        scratch->resize(n + ParticleStore::padding);
    }
    const neighbors::SortResult sorted =
        grid_.sort(n, particles.position().data(), particles.velocity().data(), scratch_a_.data(), scratch_b_.data());
    report.escaped = sorted.escaped;
    report.not_finite = sorted.not_finite;
    particles.position_buffer().swap(scratch_a_);
    particles.velocity_buffer().swap(scratch_b_);
    particles.set_size(sorted.kept);
    for (Buffer<Float4>* buffer : {&particles.position_buffer(), &scratch_a_, &scratch_b_}) {
        (*buffer)[sorted.kept] = far_particle;
    }
    particles.velocity_buffer()[sorted.kept] = {0, 0, 0, 0};
    particle_count_ = sorted.kept;
    identify_liquids(particles);
}

void Solver::identify_liquids(ParticleStore& particles) {
    if (tables_.single()) return;
    const std::size_t n = particles.size();
    liquid_.resize(n + ParticleStore::padding);
    inverse_density_.resize(n + ParticleStore::padding);
    stiffness_.resize(n + ParticleStore::padding);
    parallel_for(n, [&, x = particles.position()](Range range) {
        for (std::size_t i : range) {
            liquid_[i] = static_cast<std::uint8_t>(std::bit_cast<std::uint32_t>(x[i].w));
            inverse_density_[i] = 1 / tables_.scales()[liquid_[i]].density;
            x[i].w = 0;
        }
    });
    for (std::size_t i = n; i < n + ParticleStore::padding; ++i) {
        liquid_[i] = 0;
        inverse_density_[i] = 1;
        stiffness_[i] = 0;
    }
}

void Solver::project_coarse(ParticleStore& particles, const forces::ForceSet& forces, const collision::Walls& walls,
                            float dt, Coupling* coupling) {
    const auto scope = timer_.scope("coarse");
    if (!params_.coarse) return;
    const std::uint8_t* liquid = tables_.single() ? nullptr : liquid_.data();
    // Loose cloth yields to pressure: only particles push it.
    collision::Walls pressing;
    const bool loose = std::any_of(walls.fields.begin(), walls.fields.end(), [](const auto& f) { return !f.presses; });
    if (loose) {
        pressing = walls;
        std::erase_if(pressing.fields, [](const auto& f) { return !f.presses; });
    }
    const CoarseProjection::Bodies bodies{
        .coupling = coupling, .unit = tables_.unit(), .density = tables_.reference_density()};
    coarse_.project(grid_, loose ? pressing : walls, {liquid, tables_.scales()}, forces.gravity * dt,
                    particles.position().data(), particles.velocity().data(), dt / h_, bodies);
    keep_held_velocities(particles);
    for (const Held& held : held_)
        particles.position()[held.index] = held.x;
}

void Solver::find_held(const ParticleStore& particles) {
    held_.clear();
    for (std::size_t i = 0; particles.may_hold() && i < particles.size(); ++i) {
        if (particles.is_held(i))
            held_.push_back({static_cast<std::uint32_t>(i), particles.position()[i], particles.velocity()[i]});
    }
}

void Solver::keep_held_velocities(ParticleStore& particles) const {
    for (const Held& held : held_)
        particles.velocity()[held.index] = held.v;
}

void Solver::find_neighbors(const ParticleStore& particles) {
    const auto scope = timer_.scope("neighbors");
    lists_.build(grid_, particles.position().data(), particles.size());
}

/// Beyond the support by what the iterations may move: half a spacing was never reached in any test scene.
constexpr float wall_reach = 1 + static_cast<float>(0.5 / support_ratio);

void Solver::mark_walls(const ParticleStore& particles, const collision::Walls& walls) {
    const auto scope = timer_.scope("walls");
    contact_starts_.clear();
    contact_fields_.clear();
    contact_pushes_.clear();
    if (walls.empty()) return;
    const std::span<neighbors::Cluster> clusters = lists_.clusters();
    parallel_for(clusters.size(), [&, x = particles.position(), liquids = fluid()](Range range) {
        for (std::size_t n : range) {
            const Box3f box = box_around(x, clusters[n]);
            clusters[n].near_wall = walls.near_plain(box.lo, box.hi, wall_reach * liquids.of(clusters[n].first).h);
        }
    });
    if (walls.fields.empty()) return;
    list_contacts(particles, walls);
    contacts_.resize(contact_fields_.size() * contact_floats);
    make_room_for_pushes(walls);
}

/// Which fields each cluster is near. Clusters that follow each other are close together: they look only at fields that
/// all of them may be near.
void Solver::list_contacts(const ParticleStore& particles, const collision::Walls& walls) {
    constexpr std::size_t chunk = 256;
    const std::span<const neighbors::Cluster> clusters = lists_.clusters();
    std::vector<std::vector<std::uint16_t>> found((clusters.size() + chunk - 1) / chunk);
    contact_starts_.assign(clusters.size() + 1, 0);
    parallel_for(clusters.size(), chunk, [&, x = particles.position(), liquids = fluid()](Range range) {
        Box3f all = box_around(x, clusters[range.first]);
        for (std::size_t n : range) {
            const Box3f box = box_around(x, clusters[n]);
            all = {min(all.lo, box.lo), max(all.hi, box.hi)};
        }
        std::vector<std::uint16_t> candidates;
        for (std::size_t k = 0; k < walls.fields.size(); ++k) {
            if (walls.fields[k].may_reach(all.lo, all.hi, wall_reach))
                candidates.push_back(static_cast<std::uint16_t>(k));
        }
        for (std::size_t n : range) {
            const Box3f box = box_around(x, clusters[n]);
            for (const std::uint16_t k : candidates) {
                if (!walls.fields[k].near(box.lo, box.hi, wall_reach * liquids.of(clusters[n].first).h)) continue;
                found[range.first / chunk].push_back(k);
                contact_starts_[n + 1] += 1;
            }
        }
    });
    for (std::size_t n = 0; n < clusters.size(); ++n)
        contact_starts_[n + 1] += contact_starts_[n];
    for (const std::vector<std::uint16_t>& part : found)
        contact_fields_.insert(contact_fields_.end(), part.begin(), part.end());
}

void Solver::update_velocities(ParticleStore& particles, const collision::Walls& walls, float dt, StepReport& report) {
    const auto scope = timer_.scope("velocity");
    const float scale = h_ / dt;
    const bool balanced = !walls.empty() && walls.are_free() && constraints_.only_density();
    const Vec3f rest = balanced ? vec_cast<float>(move_from_nowhere(particles)) * scale : Vec3f{};
    struct Energy {
        double before = 0, after = 0, unit = 0;
    };
    const Energy energy = parallel_reduce(
        particles.size(), default_chunk, Energy{},
        [&, x = particles.position(), v = particles.velocity(), x_new = x_final_->data()](Range range) {
            Energy sum;
            for (std::size_t i : range) {
                const Vec3f v_before = v[i].xyz();
                const Vec3f v_i = v_before + ((x_new[i].xyz() - x[i].xyz()) * scale - rest);
                v[i] = {v_i.x, v_i.y, v_i.z, v[i].w};
                sum.before += static_cast<double>(mass(i) * dot(v_before, v_before));
                sum.after += static_cast<double>(mass(i) * dot(v_i, v_i));
                sum.unit += static_cast<double>(mass(i));
            }
            return sum;
        },
        [](const Energy& a, const Energy& b) {
            return Energy{a.before + b.before, a.after + b.after, a.unit + b.unit};
        });

    const double finest = tables_.unit() / support_ratio * static_cast<double>(tables_.resolutions().h.back());
    const double unit = std::pow(finest / static_cast<double>(dt), 2) * energy.unit;
    if (energy.after - energy.before > guard_share * energy.before + guard_energy * unit) {
        guarded_steps_left_ = guarded_steps;
        report.flags.set(fluid::StepFlag::guarded);
    }
    apply_wall_friction(particles, walls, dt);
}

void Solver::apply_wall_friction(ParticleStore& particles, const collision::Walls& walls, float dt) {
    if (!walls.rough()) return;
    const std::span<const neighbors::Cluster> clusters = lists_.clusters();
    parallel_for(clusters.size(), [&, x = particles.position(), v = particles.velocity()](Range range) {
        for (std::size_t n : range) {
            const bool near_field = !contact_starts_.empty() && contact_starts_[n] < contact_starts_[n + 1];
            if (!clusters[n].near_wall && !near_field) continue;
            for (std::size_t i : Range{clusters[n].first, clusters[n].first + clusters[n].count}) {
                const Vec3f v_i = rub(x[i].xyz(), (*x_final_)[i].xyz(), v[i].xyz(), walls, dt);
                v[i] = {v_i.x, v_i.y, v_i.z, v[i].w};
            }
        }
    });
}

/// Velocity of a particle that the step moved from x to x_new after the wall it touches slowed it.
Vec3f Solver::rub(Vec3f x, Vec3f x_new, Vec3f v, const collision::Walls& walls, float dt) const {
    // What pushed a particle off the wall in this step is the normal load.
    const collision::WallHit hit = walls.contact(x_new, wall_contact);
    if (!hit.hit || hit.body >= 0) return v;
    const float push = dot(x_new - x, hit.normal) * h_ / dt;
    const Vec3f rubbed = collision::apply_friction(v - hit.velocity, hit.normal, hit.surface.friction, push);
    return cling(hit.velocity + rubbed, hit, dt);
}

void Solver::apply_viscosity(ParticleStore& particles, double dt, StepReport& report) {
    const auto scope = timer_.scope("viscosity");
    viscosity_time_due_ += dt;
    viscosity_steps_due_ += 1;
    const double smoothing = params_.smoothing * viscosity_steps_due_;
    const double wanted = ViscositySolver::largest_coefficient(tables_, viscosity_time_due_, smoothing);
    if (wanted < smallest_viscosity_share) return;
    const ViscositySolver::Input input{.kernels = kernels_,
                                       .lists = lists_.view(),
                                       .cluster_count = lists_.clusters().size(),
                                       .fluid = fluid(),
                                       .tables = tables_,
                                       .masses = masses_,
                                       .x = x_final_->data(),
                                       .particles = particles.size(),
                                       .central = params_.viscosity == Viscosity::central,
                                       .dt = viscosity_time_due_,
                                       .smoothing = smoothing};
    const bool solved =
        viscosity_.apply(input, particles.velocity_buffer(), spare_buffer(), particles.position_buffer());
    report.flags.assign(fluid::StepFlag::viscosity_limited, !solved);
    viscosity_time_due_ = viscosity_steps_due_ = 0;
    keep_held_velocities(particles);
}

}  // namespace spindrift::pbf
