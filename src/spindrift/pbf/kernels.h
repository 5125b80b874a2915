#pragma once
// The pair loops, compiled per instruction set. Each handles a range of clusters: eight particles in the lanes, their
// common neighbour list walked once. All lengths in the largest support radius, unless they say otherwise.

#include <cstdint>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/core/isa.h"
#include "spindrift/fluid/per_particle.h"
#include "spindrift/neighbors/cluster_lists.h"
#include "spindrift/pbf/params.h"

namespace spindrift::pbf {

/// Walls in support radii of one class.
struct WallView {
    const collision::WallBox* boxes;
    std::uint32_t box_count;
    const collision::WallPlane* planes;
    std::uint32_t plane_count;
    const collision::WallField* fields;
    std::uint32_t field_count;
};

/// Distance and direction of a field for eight particles: what density finds out, the correction of the same positions
/// uses again.
inline constexpr std::size_t contact_floats = 32;

/// Moves of eight particles that a body caused in a step so far, along three axes.
inline constexpr std::size_t push_floats = 24;

/// Entry of ContactView::push for a contact with something that does not care.
inline constexpr std::int32_t no_push = -1;

/// The fields that clusters are near; a contact is a cluster and one of those.
struct ContactView {
    const std::uint32_t* starts = nullptr;  ///< number of each cluster's first contact, one more than clusters; nullptr
                                            ///< if there are no fields
    const std::uint16_t* field = nullptr;   ///< of each contact
    const std::int32_t* push = nullptr;     ///< which of the pushes each contact has; nullptr if there are no bodies
    float* known = nullptr;                 ///< contact_floats for each contact

    bool any(std::uint32_t cluster) const { return starts && starts[cluster] < starts[cluster + 1]; }
};

/// Constants of pairs from class a with neighbours of class b. V are the particles' volumes, h the larger radius and
/// V_h the volume of the class that has it.
struct PairScale {
    float h = 0, h2 = 0;
    float density = 0;     ///< of (h^2 - r^2)^3 in C + 1: s V_b / V_h / h^6
    float correction = 0;  ///< of (h - r)^2: V_b / V_h / h^3
    float stiffness = 0;   ///< of (h - r)^4: V_b / (V_h h)^2 / h^4
};

/// A fine particle sees coarse ones under their larger kernel, which reaches farther than its own: beside a plane of
/// them it would count more than its support holds. From the share it sees follows where the plane is, and from that
/// the share under its own kernel: a table over shares 0 to 1.
inline constexpr int share_steps = 64;
struct ShareTable {
    float value[share_steps + 1];
};

/// Constants of a liquid of density 1; lengths in the largest support radius.
struct LiquidScale {
    std::uint32_t resolution = 0;
    float h = 1;
    float multiplier = 0;  ///< of C in w
    float stiffness = 0;   ///< of the sum over weighted squares of gradients, relative to that of the filled lattice
};

/// What the loops know of the liquids.
struct FluidView {
    const std::uint8_t* liquid;  ///< of each particle; nullptr if there is one
    const LiquidScale* scales;
    const PairScale* pairs;        ///< most_resolutions of them for each class
    const ShareTable* shares;      ///< the same
    const float* density;          ///< of each particle, relative to the densest liquid; nullptr if all are one
    const float* inverse_density;  ///< the same
    const WallView* walls;         ///< for each class
    ContactView contacts;

    const LiquidScale& of(std::uint32_t particle) const { return scales[liquid ? liquid[particle] : 0]; }
    const PairScale* pairs_of(const LiquidScale& own) const {
        return pairs + own.resolution * neighbors::most_resolutions;
    }
};

struct DensityPass {
    neighbors::ListView lists;
    FluidView fluid;
    Float4* x;               ///< in: positions, out: w = multiplier * max(C, 0) / (1 + C)^2
    const float* stiffness;  ///< of each particle, in place of LiquidScale::multiplier; nullptr if all are alike
    float wall_gain;         ///< gamma of the boundary density
    float* constraint;       ///< C of each particle, or nullptr
    float* errors;           ///< sum of max(C, 0) over the particles of each cluster
    const std::uint32_t* active = nullptr;  ///< indices of the clusters that the range counts; nullptr if it counts all
};

/// Stiffness of each particle where liquids or radii meet.
struct StiffnessPass {
    neighbors::ListView lists;
    FluidView fluid;
    const Float4* x;
    float* stiffness;
};

/// What a correction adds to the multipliers of a pair.
enum class PairTerm {
    none,
    separation,  ///< keeps particles from pairing up, within 0.9 spacings
    tension,     ///< surface tension: attraction beyond the rest spacing, stiffness within; in place of multipliers
};

struct CorrectionPass {
    neighbors::ListView lists{};
    FluidView fluid{};
    const std::uint32_t* active = nullptr;  ///< as DensityPass
    const Float4* x = nullptr;              ///< positions and multipliers
    const Float4* x_before = nullptr;       ///< the iterate before, for the accelerated step
    Float4* x_next = nullptr;
    float omega = 1;            ///< Chebyshev factor, 1 for a plain step
    bool knows_fields = false;  ///< density has just found the contacts of these positions
    PairTerm term = PairTerm::none;
    fluid::PerParticle term_strength{};  ///< a pair takes the smaller
    fluid::PerParticle attraction{};     ///< of tension, between particles of the same liquid: the smaller, too
    float wall_multiplier = 0;           ///< multiplier per unit of w for walls: the pair factor's share is divided out
    float wall_separation = 0;           ///< strength of the separation from walls
    float largest_move = 0;              ///< of one iteration, beside walls only; in support radii
    float body_move = 1;                 ///< share of that beside bodies
    const float* pushes = nullptr;       ///< moves by bodies that x holds, push_floats each; nullptr without bodies
    const float* pushes_before = nullptr;  ///< the same of x_before
    float* pushes_next = nullptr;          ///< and of x_next
};

struct ViscosityPass {
    neighbors::ListView lists;
    FluidView fluid;
    const Float4* x;
    const Float4* v;
    Float4* v_next;
    bool central;                  ///< only the part along the line between two particles: keeps angular momentum
    float sign;                    ///< 1 adds what diffuses in, -1 takes it off (the operator of the implicit solve)
    const float* coefficient;      ///< by class of a pair (as PairScale) for unit viscosity
    fluid::PerParticle viscosity;  ///< a pair takes the smaller
    fluid::PerParticle wall_drag;  ///< the share that a wall of friction 1 around the particle would take
    float wall_motion;             ///< 1 if walls drag along, 0 for the linear part alone
};

struct VorticityPass {
    neighbors::ListView lists;
    FluidView fluid;
    const Float4* x;
    const Float4* v;
    float scale;  ///< of (1 - r)^2 on a lattice of one class
    Vec3f* vorticity;
};

/// One over the share of its support that each particle sees filled, walls not counted.
struct FilledPass {
    neighbors::ListView lists;
    FluidView fluid;
    const Float4* x;
    float* inverse_share;
};

/// What particles exchange of what they are mixed of.
struct MixingPass {
    neighbors::ListView lists;
    FluidView fluid;
    const Float4* x;
    const float* inverse_share;  ///< see FilledPass; far below zero for who exchanges nothing
    const Float4* walls;  ///< normal of the nearest wall and distance from it; nullptr if none is between particles
    const Float4* v;      ///< m/s; nullptr without eddies
    const Float4* const* groups;  ///< shares, four components in each
    Float4* const* next;
    std::uint32_t nobody;  ///< index that pads lists
    int components;
    const float*
        coefficient;  ///< by class of a pair (as PairScale): of what spreads by 1 m2/s, or by D if all do alike
    bool unlike;      ///< components spread unlike each other, or by eddies
    const float* diffusivity;  ///< m2/s, of each component, where they are unlike
    float largest_diffusivity;
    float eddies;        ///< of |v_ij| / r_ij h^2
    bool exact;          ///< rounded to quanta, so that nothing is lost
    float factor = 1;    ///< of what is exchanged
    float momentum = 0;  ///< share of what the iterate before, in `next`, had more: a stage of a super-step
    float* weights;      ///< of each cluster, the largest share that a particle exchanges
};

/// What particles exchange because some of it sinks or rises.
struct SettlingPass {
    neighbors::ListView lists;
    FluidView fluid;
    const Float4* x;
    const float* inverse_share;  ///< as MixingPass
    const Float4* walls;         ///< the same
    /// Of each component, grains first: shares, what they come to, and slips in m/s along gravity, four floats from
    /// one particle to the next. There are eight, and those beyond the components are zeros.
    const float* const* share;
    float* const* next;
    const float* const* slip;
    const float* room;  ///< of each particle, how much of its filling is free over the largest of the weights; huge
                        ///< behind the last
    float empty_room;   ///< of who has no grains
    int components;
    int grains;                ///< how many sink or rise
    const bool* rises;         ///< of each component
    const float* filling;      ///< one over the largest share of each component, 0 for those that carry
    const float* coefficient;  ///< by class of a pair (as PairScale), of shares for 1 m/s
    Vec3f down;                ///< of length 1
    float* weights;            ///< of each cluster, the largest sum over the pairs of a particle, for settling_weights
};

/// Ways of particles through a step, against fields.
struct MeetingPass {
    const collision::WallField* fields;
    std::uint32_t field_count;
    const Float4 *from, *to;  ///< in the largest support radius
    std::uint32_t count;      ///< of particles
    std::uint8_t* meets;      ///< one bit for each, may be set for more than meet
};

struct Kernels {
    void (*density)(const DensityPass&, std::uint32_t first, std::uint32_t last);
    void (*stiffness)(const StiffnessPass&, std::uint32_t first, std::uint32_t last);
    void (*correct)(const CorrectionPass&, std::uint32_t first, std::uint32_t last);
    void (*viscosity)(const ViscosityPass&, std::uint32_t first, std::uint32_t last);
    void (*vorticity)(const VorticityPass&, std::uint32_t first, std::uint32_t last);
    void (*filled_shares)(const FilledPass&, std::uint32_t first, std::uint32_t last);
    void (*exchange)(const MixingPass&, std::uint32_t first, std::uint32_t last);
    void (*settling_weights)(const SettlingPass&, std::uint32_t first, std::uint32_t last);
    void (*settle)(const SettlingPass&, std::uint32_t first, std::uint32_t last);
    void (*find_meetings)(const MeetingPass&);
    /// Pairs within h of the clusters' particles, themselves not counted.
    std::uint64_t (*count_pairs)(const neighbors::ListView&, const FluidView&, const Float4* x, std::uint32_t first,
                                 std::uint32_t last);
};

SPINDRIFT_DISPATCH(Kernels, kernels)

/// The fastest loops of this machine, or those whose bits all machines with fused products share. Throws UsageError if
/// this one has none.
Kernels kernels_for(Bits bits);

}  // namespace spindrift::pbf
