// What a frame's statistics tell of bodies.

#include "spindrift/sim/simulation.h"

namespace spindrift::sim {

/// Forces are impulses of the liquid over the time in which they were given.
void Simulation::describe_bodies(io::FrameStatistics& statistics) const {
    const double seconds = elapsed_ > 0 ? elapsed_ : frame_seconds();
    const Vec3d g = scene_.gravity.at(frame_number(elapsed_));
    const Vec3d up = length(g) > 0 ? normalize(g) * -1.0 : Vec3d{};
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        io::BodyStatistics body;
        body.name = scene_.body[i].name;
        body.kind = word(scene_.body[i].kind);
        body.mass = bodies_.mass(i);
        body.force = bodies_.impulse(i).linear * (1 / seconds);
        body.torque = bodies_.impulse(i).angular * (1 / seconds);
        body.buoyancy = dot(body.force, up);
        body.drag = length(body.force - up * body.buoyancy);
        const bodies::BodyState whole = bodies_.as_whole(i);
        body.position = whole.center;
        body.velocity = whole.velocity;
        body.spin = whole.spin;
        statistics.bodies.push_back(std::move(body));
    }
    const bodies::Ledger& ledger = bodies_.ledger();
    statistics.ledger = {ledger.given, ledger.received, ledger.gravity, ledger.held, bodies_.momentum()};
}

}  // namespace spindrift::sim
