#pragma once
// How bodies that hold each other answer to impulses: one linear system for all that touch.
//
// Equations: K v = J; K has the bodies' masses and, for each row G of a contact or hinge that holds, a stiff penalty
//   k G^T G, so that nearly no velocity is left along G.
// Symbols: J impulses, G = (d, r x d) for a direction d at an arm r from the centre.
// Differs: contacts hold both ways until let_go() says which of them would have to pull, or to hold more than friction
//   can.
//
//   ContactIslands islands(bodies, contacts);
//   islands.solve(impulses, velocities);
//   while (islands.let_go(velocities)) islands.solve(impulses, velocities);

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "spindrift/bodies/body_state.h"
#include "spindrift/bodies/params.h"
#include "spindrift/bodies/rigid/mass_properties.h"
#include "spindrift/bodies/soft/envelope_matrix.h"
#include "spindrift/fluid/coupling.h"

namespace spindrift::bodies {

/// Velocity or impulse of one body: linear, then angular.
using Six = std::array<double, 6>;
/// A row at a body: what a velocity means along a direction at a point.
Six contact_row(Vec3d direction, Vec3d arm);
Six to_six(const fluid::Twist& twist);
fluid::Twist to_twist(const Six& six);
double dot(const Six& a, const Six& b);

class ContactIslands {
  public:
    struct Body {
        double mass = 0;  ///< 0 if no force moves it
        Inertia inertia{};
        Vec3d center{};
        double grip = 0;
        std::optional<HingeParams> hinge{};
    };
    using Block = std::array<Six, 6>;

    ContactIslands() = default;
    ContactIslands(std::span<const Body> bodies, std::span<const BodyContact> contacts);

    /// What impulses do; nothing to bodies that no force moves.
    void solve(std::span<const fluid::Twist> impulses, std::span<fluid::Twist> velocities) const;
    /// The same while mass clings to the bodies, a symmetric block for each.
    void solve_with(std::span<const Block> clinging, std::span<const fluid::Twist> impulses,
                    std::span<fluid::Twist> velocities) const;

    /// Opens contacts that pull at velocities that solve() found, and lets those slide whose friction does not hold
    /// them. Whether there were any.
    bool let_go(std::span<const fluid::Twist> velocities);

    /// What one of the contacts gives along its normal at velocities that solve() found, N s; negative if it pulls.
    double impulse(const BodyContact& contact, std::span<const fluid::Twist> velocities) const;

  private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    enum class Hold : std::uint8_t { nothing, along_normal, wholly };

    struct Pair {
        std::size_t a, b;
    };
    /// Bodies of the contacts that press; none for the world.
    Pair pair_of(const BodyContact& contact) const;
    /// The penalty of a contact's rows.
    double penalty(const Pair& pair) const;
    Six row(std::size_t body, const BodyContact& contact, Vec3d direction) const;
    double friction(const BodyContact& contact) const;
    /// What a contact's penalty gives along a direction.
    double held(const BodyContact& contact, Vec3d direction, std::span<const fluid::Twist> velocities) const;
    Hold hold_after(std::size_t contact, std::span<const fluid::Twist> velocities) const;
    void assemble();
    void put_in_order();
    std::vector<std::size_t> envelope() const;
    void add_masses();
    void add_contact(std::size_t contact);
    void add_hinge(std::size_t body, const HingeParams& hinge);
    /// k G^T G; the row at b has the other sign.
    void add_row(double k, std::size_t a, const Six& at_a, std::size_t b, const Six& at_b);
    void add_block(std::size_t a, std::size_t b, double k, const Six& at_a, const Six& at_b);
    void solve_factored(const EnvelopeMatrix& matrix, std::span<const fluid::Twist> impulses,
                        std::span<fluid::Twist> velocities) const;

    std::vector<Body> bodies_{};
    std::vector<BodyContact> contacts_{};
    std::vector<Hold> holds_{};         ///< by contact
    std::vector<std::size_t> place_{};  ///< of each body in the system, or none
    std::vector<bool> crowded_{};       ///< whether its island is too large to be solved as one
    EnvelopeMatrix matrix_{}, factored_{};
};

}  // namespace spindrift::bodies
