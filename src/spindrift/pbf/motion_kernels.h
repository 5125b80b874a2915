#pragma once
// The loops of a step over particles one by one, beside those over pairs (kernels.h): each is a plain struct of
// pointers and numbers and a function over a range. Lengths are in the largest support radius, velocities in m/s,
// unless they say otherwise.
//
//   const VelocityPass pass{.x = x, .x_new = solved.x, .v = v, .mass = properties.masses(), .scale = h / dt};
//   KineticSums sums = update_velocities(pass, particles_of_a_leaf);

#include <array>
#include <cstdint>
#include <vector>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/core/parallel.h"
#include "spindrift/fluid/coupling.h"
#include "spindrift/fluid/liquid.h"
#include "spindrift/fluid/per_particle.h"
#include "spindrift/forces/force_set.h"
#include "spindrift/neighbors/leaf_grid.h"
#include "spindrift/pbf/kernels.h"
#include "spindrift/pbf/pair_loops.h"
#include "spindrift/pbf/prototype.h"

namespace spindrift::pbf {

/// The first layer of particles touches a wall.
inline constexpr float wall_contact = static_cast<float>(0.6 / support_ratio);

/// Where forces lead particles until walls stop them.
struct PredictPass {
    Float4* x;  ///< in: m from the origin; out: in support radii, with the bits of the liquid in the fourth number
    Float4* v;
    const std::uint16_t* phase;  ///< liquids by slot; nullptr if there is one
    const LiquidScale* scales;   ///< by liquid
    const forces::ForceSet* forces;
    const ParticleStore* particles;  ///< for forces that look at channels
    const collision::Walls* walls;
    const PairLoops* loops;
    float h, dt;  ///< m, s
};
void predict(const PredictPass& pass, Range range);

/// Which walls clusters are near.
struct ContactPass {
    neighbors::Cluster* clusters;
    const Float4* x;
    const LiquidScale* scales;   ///< by liquid
    const std::uint8_t* liquid;  ///< of each particle; nullptr if there is one
    const collision::Walls* walls;
};
/// Marks the clusters near boxes and planes.
void mark_near_plain(const ContactPass& pass, std::uint32_t first, std::uint32_t last);
/// Appends the fields that each cluster is near, and says how many those are: counts[n] of cluster n.
void list_near_fields(const ContactPass& pass, std::uint32_t first, std::uint32_t last,
                      std::vector<std::uint16_t>& fields, std::uint32_t* counts);

/// Velocities from what the iterations moved.
struct VelocityPass {
    const Float4 *x, *x_new;  ///< predicted and solved
    Float4* v;
    fluid::Masses mass;
    Vec3f rest{};     ///< of the change, what nobody caused
    float scale = 0;  ///< h / dt
};
/// Sums of m v^2 before and after, and of m.
struct KineticSums {
    double before = 0, after = 0, mass = 0;
};
KineticSums update_velocities(const VelocityPass& pass, Range range);

/// Sums of m (x_new - x) along three axes, and of m.
std::array<double, 4> momentum_of_moves(const VelocityPass& pass, Range range);

/// What walls that are rough or sticky take of the velocities beside them.
struct FrictionPass {
    const neighbors::Cluster* clusters;
    ContactView contacts;
    const Float4 *x, *x_new;
    Float4* v;
    const collision::Walls* walls;
    float scale;  ///< h / dt
    float dt;     ///< s
};
void rub_at_walls(const FrictionPass& pass, std::uint32_t first, std::uint32_t last);

/// What bodies did to the particles beside them, and what more they do now.
struct BodyPass {
    const neighbors::Cluster* clusters;
    ContactView contacts;
    const Float4* x;      ///< solved
    const float* pushes;  ///< moves by bodies that x holds
    Float4* v;
    fluid::Masses mass;
    double reference_mass;         ///< kg, of mass 1
    const LiquidScale* scales;     ///< by liquid
    fluid::PerParticle viscosity;  ///< m2/s
    const fluid::Liquid* liquids;
    const collision::WallField* fields;
    float h, dt;  ///< m, s
};
/// Changes the velocities beside bodies and lists what the bodies get for it, particle by particle.
void meet_bodies(const BodyPass& pass, std::uint32_t first, std::uint32_t last, std::vector<fluid::BodyPush>& pushes);
/// Sum of the moves that bodies caused times masses.
Vec3d momentum_of_pushes(const BodyPass& pass, std::uint32_t first, std::uint32_t last);

/// Positions back in metres, and what a leaf's particles came to.
struct FinishPass {
    const Float4* x_new;
    Float4* x;  ///< m from the origin
    const Float4* v;
    fluid::Masses mass;
    float h;               ///< m
    Vec3f* mean_velocity;  ///< by leaf
    float* fastest2;       ///< by leaf: the largest speed squared
};
/// Sum of m v^2 / 2.
double finish_leaf(const FinishPass& pass, std::size_t leaf, Range particles);

/// Speeds against what particles may meet.
struct SpeedPass {
    neighbors::GridView grid;
    const Float4* v;
    const Vec3f* mean_velocity;  ///< by leaf
    const collision::Walls* walls;
    float h, dt;  ///< m, s
};
/// The largest in a leaf: against walls if they are near, which may move themselves, else against its own and its
/// neighbours' mean.
float relative_speed(const SpeedPass& pass, std::size_t leaf);

}  // namespace spindrift::pbf
