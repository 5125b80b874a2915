#pragma once
// All bodies of a scene as the liquid meets them: rigid ones, cloth and soft solids, with their distance fields.
//
//   Bodies bodies({.params = scene.body, .folder = folder, .spacing = 0.01, .support = 0.02});
//   bodies.begin_step({.frame = 12, .dt = 0.004, .gravity = {0, -9.81, 0}, .units = {origin, h, dt}}, walls);
//   solver.step(particles, forces, bodies.place(), dt, &bodies);
//   bodies.end_step();

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "spindrift/bodies/body_state.h"
#include "spindrift/bodies/params.h"
#include "spindrift/bodies/rigid/rigid_world.h"
#include "spindrift/bodies/soft/soft_body.h"
#include "spindrift/collision/fields/distance_field.h"
#include "spindrift/collision/fields/volume_samples.h"
#include "spindrift/collision/walls/walls.h"
#include "spindrift/fluid/coupling.h"

namespace spindrift::bodies {

/// Momentum that went from one to the other since the start, N s.
struct Ledger {
    Vec3d given{};     ///< by the liquid, summed over its pushes and its pressure
    Vec3d received{};  ///< by bodies that forces move: what their velocities changed by beyond gravity and contacts
    Vec3d gravity{};   ///< gave to those bodies
    Vec3d held{};      ///< contacts with surroundings, joints and pins gave to those bodies

    friend bool operator==(const Ledger&, const Ledger&) = default;
};

/// Everything to go on from.
struct BodiesState {
    std::vector<BodyState> bodies{};
    std::vector<BodyContact> contacts{};
    std::vector<fluid::Twist> impulses{};  ///< that the liquid gave each body since the last frame
    Ledger ledger{};
};

class Bodies final : public fluid::Coupling {
  public:
    struct Setup {
        std::span<const BodyParams> params{};
        std::span<const collision::ColliderParams> colliders{};
        std::optional<collision::DomainParams> domain{};
        std::filesystem::path folder{};  ///< that files are relative to
        std::filesystem::path cache{};   ///< folder for fields; none if empty
        double spacing = 0;              ///< of the finest liquid, m
        double support = 0;              ///< largest support radius, m
        double fps = 24;
        double first_frame = 1;
    };

    /// Reads the files and makes the fields. Throws IoError for files that cannot be used, UsageError for bodies that
    /// cannot be simulated.
    explicit Bodies(const Setup& setup);
    ~Bodies() override;
    Bodies(Bodies&&) noexcept;

    bool empty() const { return params_.empty(); }
    /// Puts all bodies where the scene has them at its first frame.
    void reset();

    struct Step {
        double frame = 0;  ///< of the scene, fractions count
        double dt = 0;
        Vec3d gravity{};
        collision::StepUnits units{};
    };
    /// `fixed` are the walls without bodies; they must stay as they are until the step ends.
    void begin_step(const Step& step, const collision::Walls& fixed);
    /// Lets bodies that feel the liquid without being felt be carried by what is in them.
    void float_along(std::span<const Float4> position, std::span<const Float4> velocity,
                     const std::function<double(std::size_t)>& mass_of);
    void end_step();

    std::size_t size() const override { return params_.size(); }
    Body body(std::size_t index) const override;
    void respond(std::span<const fluid::Twist> impulses, std::span<fluid::Twist> changes) const override;
    bool let_go(std::span<const fluid::Twist> impulses) override;
    void press(std::span<const fluid::Twist> impulses) override;
    const collision::Walls& place() override;
    void take(std::span<fluid::BodyPush> pushes) override;

    BodiesState state() const;
    /// Throws UsageError if it is not a state of these bodies.
    void restore(const BodiesState& state);
    /// Forgets what the liquid gave so far: a new frame begins.
    void begin_frame();

    const Ledger& ledger() const { return ledger_; }
    /// What the liquid gave a body since begin_frame(), N s and N m s about its centre.
    const fluid::Twist& impulse(std::size_t body) const { return impulses_[body]; }
    /// Of all bodies that forces move, kg m/s.
    Vec3d momentum() const;
    double mass(std::size_t body) const;
    /// Fastest point of any body, and of one, m/s.
    double fastest() const;
    double fastest(std::size_t body) const;
    /// Surface in the world as it is now, with the velocities of its points as the attribute `v`.
    geometry::Mesh surface(std::size_t body) const;
    bool deforms(std::size_t body) const { return params_[body].deforms(); }
    /// Of a rigid body's own space in the world; of one that deforms it means nothing.
    geometry::Pose pose(std::size_t body) const;
    /// Centre of mass in the world, its velocity, and the spin; of one that deforms those that fit its points best.
    BodyState as_whole(std::size_t body) const;
    /// For constraints of your own on a body that deforms; nullptr if it does not.
    SoftBody* soft(std::size_t body);

  private:
    struct Rigid {
        collision::Field field;
        collision::VolumeSamples inside;
        double thickness = 0;  ///< of a shell, m; 0 for a solid
    };
    collision::WallField place_rigid(std::size_t body, const collision::StepUnits& units) const;
    void take_soft(std::size_t body, std::span<fluid::BodyPush> pushes, const collision::Walls& obstacles);
    /// What points of soft bodies may not enter, in metres from the origin.
    collision::Walls obstacles() const;
    /// Whether forces move it in this step.
    bool is_free(std::size_t body) const;
    void book(std::size_t body, const fluid::Twist& impulse);

    std::vector<BodyParams> params_;
    double spacing_ = 0;
    RigidWorld world_;
    std::vector<Rigid> rigid_;
    std::vector<std::optional<SoftBody>> soft_;
    Step step_;
    const collision::Walls* fixed_ = nullptr;
    collision::Walls walls_;
    std::vector<fluid::Twist> impulses_;
    Ledger ledger_;
    Vec3d momentum_before_{};
};

}  // namespace spindrift::bodies
