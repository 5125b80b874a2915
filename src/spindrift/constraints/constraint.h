#pragma once
// Constraints that other programs add to the iteration that keeps the liquid's density; docs/constraints.md.
//
// Source: Stam 2009 (Nucleus): constraints of all kinds in one iteration, ordered by importance; Alduan et al. 2017,
// section 9.
// Differs: density is corrected for all particles at once (Jacobi, accelerated); the others follow one by one.
//
//   struct Floor : constraints::Constraint {
//       void project(constraints::ConstraintContext& context) override {
//           for (std::size_t i = 0; i < context.size(); ++i)
//               if (const double y = context.position(i).y; y < 0) context.move(i, {0, -y, 0});
//       }
//   };
//   solver.add_constraint(std::make_shared<Floor>(), 1);   // after density, which is 0: the floor has the last word

#include <cstdint>
#include <optional>
#include <vector>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/constraints/particle_index.h"
#include "spindrift/constraints/symmetric3.h"
#include "spindrift/fluid/liquid.h"

namespace spindrift::constraints {

using fluid::Liquid;

/// The particles as a constraint sees and moves them. Metres in world space, seconds, kilograms. Indices hold for one
/// step; ids hold for ever. Calls for different particles may come from different threads.
///
/// It stands over the points of cloth and soft solids as well: then ids are indices, there is no liquid, and a step is
/// one of the short ones that a body cuts the simulation's into.
class ConstraintContext {
  public:
    std::size_t size() const { return size_; }
    /// Length of the step.
    double dt() const { return dt_; }
    /// From 1 to iterations() in project(), else 0.
    int iteration() const { return iteration_; }
    int iterations() const { return iterations_; }

    /// Where the particle is in this iteration; in begin_step() where its velocity takes it, in end_step() where it
    /// ends.
    Vec3d position(std::size_t i) const {
        return points_.x ? points_.x[i] : vec_cast<double>(x_[i].xyz()) * unit_ + origin_;
    }
    /// In end_step() as the step leaves it, before that as it was predicted.
    Vec3d velocity(std::size_t i) const { return points_.x ? points_.v[i] : vec_cast<double>(v_[i].xyz()); }
    /// Where a point was when the step began; known of the points of bodies only.
    bool knows_start() const { return points_.start != nullptr; }
    Vec3d start(std::size_t i) const { return points_.start[i]; }

    /// Puts a particle somewhere, or as near as walls allow. Not in end_step().
    void set_position(std::size_t i, Vec3d to) {
        if (points_.x) {
            points_.x[i] = to;
        } else {
            place(i, vec_cast<float>((to - origin_) / unit_));
        }
    }
    void move(std::size_t i, Vec3d by) {
        if (points_.x) {
            points_.x[i] += by;
        } else {
            place(i, x_[i].xyz() + vec_cast<float>(by / unit_));
        }
    }
    /// In end_step() only: before that velocities follow from positions.
    void set_velocity(std::size_t i, Vec3d v);

    /// 1/kg, in the direction in which it is lightest; 0 while somebody holds the particle.
    double inverse_mass(std::size_t i) const {
        if (marks_[i] & held) return 0;
        return points_.x ? points_.mobility[i].largest() : 1 / liquid_of(i).particle_mass();
    }
    /// By how much a pull (kg m) shifts it. Points that liquid presses on are heavier in that direction.
    Vec3d shift(std::size_t i, Vec3d pull) const {
        if (points_.x) return marks_[i] & held ? Vec3d{} : points_.mobility[i] * pull;
        return pull * inverse_mass(i);
    }
    /// In begin_step(): who calls this puts the particle into its place and nobody else should move it in this step.
    void hold(std::size_t i) { marks_[i] |= held; }

    std::int64_t id(std::size_t i) const {
        return points_.x ? static_cast<std::int64_t>(i) : ids_[particles_->slot(i)];
    }
    /// Nothing if the particle is gone.
    std::optional<std::size_t> find(std::int64_t id) const;

    /// Index of the particle's liquid.
    std::size_t liquid(std::size_t i) const { return liquid_ ? liquid_[i] : 0; }
    /// Distance of particles at rest in the particle's liquid; 0 for the points of bodies.
    double spacing(std::size_t i) const { return points_.x ? 0 : liquid_of(i).spacing; }

  private:
    friend class ConstraintList;

    static constexpr std::uint8_t moved = 1, held = 2;

    const Liquid& liquid_of(std::size_t i) const { return (*liquids_)[liquid(i)]; }
    void place(std::size_t i, Vec3f to);

    /// Of a body; nullptr over liquid.
    struct Points {
        Vec3d *x = nullptr, *v = nullptr;
        const Vec3d* start = nullptr;
        const Symmetric3* mobility = nullptr;
    };

    Points points_;
    std::size_t size_ = 0;
    double dt_ = 0, unit_ = 1;
    Vec3d origin_{};
    int iteration_ = 0, iterations_ = 0;
    Float4 *x_ = nullptr, *x_before_ = nullptr, *v_ = nullptr;
    const ParticleStore* particles_ = nullptr;
    const std::int64_t* ids_ = nullptr;
    const std::uint8_t* liquid_ = nullptr;
    const std::vector<Liquid>* liquids_ = nullptr;
    const collision::Walls* walls_ = nullptr;
    ParticleIndex index_;
    std::vector<std::uint8_t> marks_;
};

/// Something that positions should fulfil. Results must depend on the particles and dt alone, not on threads or clocks:
/// the solver calls from one thread and in a fixed order, what project() does in parallel is its own duty.
class Constraint {
  public:
    virtual ~Constraint() = default;

    /// Once per step, particles sorted and predicted: the place to find indices.
    virtual void begin_step(ConstraintContext&) {}
    /// In every iteration: moves particles towards what the constraint wants.
    virtual void project(ConstraintContext& context) = 0;
    /// Once per step, after viscosity: the place to change velocities.
    virtual void end_step(ConstraintContext&) {}
};

}  // namespace spindrift::constraints
