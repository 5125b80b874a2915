#pragma once
// A scene in motion: particles, solver and clock. Knows nothing of files; a snapshot holds all that a restart needs.
//
//   Simulation simulation(scene);
//   simulation.fill();
//   while (simulation.frame() < scene.frames[1]) simulation.advance_frame(progress);
//   FrameView particles = simulation.view();       // as frames on disk have them, until the next step
//   Snapshot now = simulation.snapshot();          // a copy, and the solver's state

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "spindrift/bodies/bodies.h"
#include "spindrift/collision/walls/walls.h"
#include "spindrift/core/progress.h"
#include "spindrift/filling/fills.h"
#include "spindrift/filling/mixes.h"
#include "spindrift/filling/sources.h"
#include "spindrift/fluid/property_rule.h"
#include "spindrift/fluid/solver.h"
#include "spindrift/health/energy_bound.h"
#include "spindrift/health/health.h"
#include "spindrift/io/statistics.h"
#include "spindrift/lod/levels.h"
#include "spindrift/particles/frame_view.h"
#include "spindrift/particles/particle_store.h"
#include "spindrift/scene/scene.h"
#include "spindrift/sim/environment.h"
#include "spindrift/sim/frame_sums.h"
#include "spindrift/sim/state_part.h"
#include "spindrift/sim/wet_maps.h"

namespace spindrift::pbf {
class Constraint;
}

namespace spindrift::sim {

/// All that is needed to go on bit for bit.
struct Snapshot {
    ChannelSet channels;
    std::string state;                        ///< JSON object: what is not a channel
    std::map<std::string, PartData> parts{};  ///< by name; see StatePart
};

class Simulation {
  public:
    /// Reads the meshes of colliders, whose files are relative to the scene's. `field_cache` is a folder that keeps
    /// their distance fields; none if it is empty.
    explicit Simulation(const Scene& scene, const std::filesystem::path& field_cache = {});
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    /// Puts the liquid where the scene says; the clock stands at the first frame.
    void fill();

    /// Goes on from a snapshot. Throws in the name of `source`: IoError corrupt if it is not one, Error if a channel
    /// of the program's own has another type, and UsageError if channels are not those that the scene declares.
    void restore(const Snapshot& snapshot, const std::filesystem::path& source);

    /// Runs to the next frame; false if interrupted before it was reached, with the substep finished. Throws
    /// DivergedError.
    bool advance_frame(const Progress& progress);

    /// One substep of the given length; what advance_frame() does until the frame is full.
    fluid::StepReport advance(double dt);

    /// Brings the particles in order: P, v, id, density, pscale and whatever channels frames of the scene have. It
    /// holds until particles change.
    FrameView view();
    /// JSON object of what is not a channel, of the moment of a view.
    std::string state() const;
    /// Copies of both, and of the parts.
    Snapshot snapshot();

    /// What a frame holds beside its particles. What they save belongs to a snapshot of the same moment, and is taken
    /// after it.
    const StateParts& parts() const { return parts_; }

    /// Of the frame reached last, or of the part of the next that has run.
    io::FrameStatistics statistics();
    /// What the last statistics() found wrong.
    const health::Verdict& verdict() const { return verdict_; }

    /// What the last substep told.
    const fluid::StepReport& last_step() const { return last_step_; }
    /// Grids of solvers that have one (fluid::Solver::volumes); a snapshot of the same moment is taken before.
    std::vector<grid::Volume> volumes();

    int frame() const { return frame_; }
    bool between_frames() const { return elapsed_ > 0; }
    /// Seconds since the first frame.
    double time() const;
    std::size_t particle_count() const { return particles_.size(); }
    const ParticleStore& particles() const { return particles_; }
    /// For programs that change, kill or add particles between substeps; a snapshot needs a substep after that.
    ParticleStore& particles() {
        pass();
        return particles_;
    }
    const std::vector<fluid::Liquid>& liquids() const { return properties_.liquids(); }
    /// Index of a particle's liquid among liquids().
    std::size_t liquid_of(std::size_t i) const;
    /// Gives the particles the channel `birth`, so that snapshots hold their age; scenes with emitters have it anyway.
    void keep_births();
    fluid::Solver& solver() { return *solver_; }
    /// Adds a constraint of your own to the iterations (pbf::Solver::add_constraint). It is no part of a snapshot.
    /// Throws UsageError if the scene's solver has no iterations to add it to.
    void add_constraint(std::shared_ptr<constraints::Constraint> constraint, int importance);
    /// Adds a force of your own (forces/force.h), which acts in every step from now on, after those of the scene. It is
    /// no part of a snapshot.
    void add_force(std::shared_ptr<const forces::Force> force);
    const collision::Colliders& colliders() const { return environment_.colliders(); }
    const bodies::Bodies& bodies() const { return bodies_; }
    bodies::Bodies& bodies() { return bodies_; }
    std::vector<collision::ColliderReport> collider_reports() { return environment_.colliders().reports(); }
    /// Particles that are inside of solids by more than half a spacing.
    std::size_t count_leaked() const;

    /// The next substep's length, within what is left of the frame.
    double choose_dt() const;

  private:
    /// What was given out of this moment is not valid any more.
    void pass() { ++*moment_; }
    void make_parts();
    void place_environment();
    /// False if interrupted before.
    bool make_colliders_ready(const Progress& progress);
    /// Walls as they stand at the end of a step of dt seconds that begins now.
    void place_walls(double dt);
    /// Walls and bodies as they stand, for a look without a step.
    const collision::Walls& walls_with_bodies();
    /// Takes out what would begin inside a body.
    void make_room_for_bodies(filling::Fills::Particles& sampled);
    void move_bodies();
    /// How many iterations each particle gets until the next frame.
    void choose_levels();
    void describe_bodies(io::FrameStatistics& statistics) const;
    /// Grains sink as fast as they are said to at this moment of the frame.
    void change_grains(double seconds);
    /// Lets what touches colliders wet them for the last dt seconds of the step that begins now.
    void wet_colliders(double dt);
    /// Sets what particles of fills carry from their birth on.
    void begin_channels(Range born, const filling::Fills::Particles& sampled);
    void begin_mixes(Range born, const std::vector<std::uint32_t>& fills);
    /// Adds to a frame the channels that are made of others.
    void add_derived_channels(std::vector<ChannelView>& out) const;
    /// Forces as they are some seconds after frame_.
    forces::ForceSet forces_at(double seconds) const;
    /// Upper bound for what is left of the frame.
    double largest_acceleration() const;
    void follow_liquid();
    void choose_origin(const std::vector<Vec3d>& positions);
    void measure_density();
    /// Adds to a frame's statistics what went wrong.
    void describe_events(io::FrameStatistics& statistics);
    DivergedError diverged(const std::string& what) const;
    /// Parts of restore(). Those of take_frame() throw UsageError, and what the parser of JSON throws.
    void take_frame(const Snapshot& snapshot, const std::filesystem::path& source);
    void take_particles(const ChannelSet& in);
    void take_state(const std::string& json);
    double frame_seconds() const { return 1 / scene_.fps; }
    /// Number of the frame some seconds after frame_, with its fraction: what keys count in.
    double frame_number(double seconds) const { return frame_ + seconds * scene_.fps; }

    Scene scene_;
    fluid::PropertyRule properties_;
    Environment environment_;
    std::unique_ptr<fluid::Solver> solver_;
    filling::Sources sources_;
    filling::Mixes mixes_;
    ParticleStore particles_;
    forces::ForceSet forces_;
    bodies::Bodies bodies_;
    WetMaps wet_maps_;
    lod::LevelChooser level_chooser_;
    collision::Walls walls_;  ///< without bodies
    health::EnergyBound bound_;
    health::Verdict verdict_{};

    int frame_ = 0;
    double elapsed_ = 0;  ///< seconds since frame_
    double max_speed_ = 0, relative_speed_ = 0;
    std::vector<float> density_;    ///< relative, of the last measurement; empty if particles moved since
    std::vector<Vec3f> vorticity_;  ///< 1/s, measured with the density if frames hold it
    fluid::DensityReport density_report_;

    fluid::StepReport last_step_{};

    FrameSums sums_{};
    StateParts parts_{};
    std::shared_ptr<std::uint64_t> moment_ = std::make_shared<std::uint64_t>(0);
};

}  // namespace spindrift::sim
