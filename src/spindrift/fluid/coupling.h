#pragma once
// What a solver knows of bodies that liquid moves: how they answer to pressure, and whom to tell of each push.
//
// Source: Batty et al. 2007 for the answer to pressure; Alduan et al. 2017, section 5.3 for pushes.
// Within a step bodies move as their velocities at that moment say. The coarse pressure and the bodies' motion are
// found together (docs/decisions/0015). What single particles gave is handed over once, at the end, with everything a
// body needs to give way: it answers as if the liquid that pressed against it moved along.
//
//   walls = coupling.place();
//   coupling.respond(impulses, changes);     // what would happen
//   coupling.press(impulses);                // and now it does

#include <cstddef>
#include <cstdint>
#include <span>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/core/vec.h"

namespace spindrift::fluid {

/// A velocity and a spin (m/s, 1/s), or an impulse and an angular one (N s, N m s), about a body's centre.
struct Twist {
    Vec3d linear{}, angular{};

    Twist& operator+=(const Twist& b) {
        linear += b.linear;
        angular += b.angular;
        return *this;
    }
};

/// What a body took from one particle in a step.
struct BodyPush {
    std::uint32_t particle = 0;
    std::uint32_t body = 0;  ///< WallField::body
    Vec3f point{};           ///< m, from the particles' origin
    Vec3f impulse{};         ///< N s, on the body
    float mass = 0;          ///< of the particle, kg
    Vec3f returned{};        ///< m/s that the particle gets back because the body gave way; Coupling::take() fills it
    Vec3f shift{};           ///< m that it goes back with it, for pushes that were shifts; filled too
};

/// Bodies of a step, by the numbers that walls know them by (WallField::body). Positions in metres from the particles'
/// origin.
class Coupling {
  public:
    struct Body {
        Vec3d center{};
        Twist velocity{};
        bool answers = false;  ///< whether pressure moves it as a rigid whole
    };

    virtual ~Coupling() = default;

    virtual std::size_t size() const = 0;
    virtual Body body(std::size_t index) const = 0;
    /// How impulses on all bodies would change their velocities, with joints and contacts that hold them. Linear and
    /// symmetric.
    virtual void respond(std::span<const Twist> impulses, std::span<Twist> changes) const = 0;
    /// Whether bodies that were taken to hold each other let go under impulses: respond() and body() say something else
    /// from then on.
    virtual bool let_go(std::span<const Twist> impulses) {
        static_cast<void>(impulses);
        return false;
    }
    /// Gives impulses to all bodies.
    virtual void press(std::span<const Twist> impulses) = 0;
    /// The walls of this step with bodies where their velocities take them by its end. Valid until the next call.
    virtual const collision::Walls& place() = 0;
    /// Gives the pushes to the bodies and says what comes back: `returned` of each. In the order of the particles.
    virtual void take(std::span<BodyPush> pushes) = 0;
};

}  // namespace spindrift::fluid
