// A net hung by its upper edge holds a jet of water back. The net is a second liquid whose particles are joined to
// their neighbours; pins hold its upper row.
//
//   example_constraints [folder]      with a folder it also writes the particles of every frame

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "spindrift/cache/frame_path.h"
#include "spindrift/constraints/distance.h"
#include "spindrift/constraints/pin.h"
#include "spindrift/io/npz.h"
#include "spindrift/sim/simulation.h"

namespace {

using namespace spindrift;

constexpr double spacing = 0.02;
constexpr int last_frame = 25;

constexpr const char* scene_text = R"(
    [domain]
    box = [[-0.6, 0, 0], [0.6, 0.8, 0.4]]
    [[liquid]]
    name = "water"
    spacing = 0.02
    fill = { box = [[-0.6, 0.25, 0.1], [-0.2, 0.45, 0.3]], velocity = [2, 0.5, 0] }
    [[liquid]]
    name = "net"
    density = 1500
    spacing = 0.02
    fill = { box = [[-0.01, 0.16, 0.04], [0.01, 0.66, 0.36]] }
)";
constexpr std::size_t net = 1;

struct Knot {
    std::int64_t id;
    Vec3d at;
};

/// The net's particles in the order of their ids, so that everything made of them is the same in every run.
std::vector<Knot> find_knots(const sim::Simulation& simulation) {
    const ParticleStore& particles = simulation.particles();
    const auto ids = particles.find_channel("id")->as<std::int64_t>();
    std::vector<Knot> knots;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        if (simulation.liquid_of(i) != net) continue;
        const Vec3d at = vec_cast<double>(particles.position()[i].xyz()) + particles.origin;
        knots.push_back({ids[particles.slot(i)], at});
    }
    std::sort(knots.begin(), knots.end(), [](const Knot& a, const Knot& b) { return a.id < b.id; });
    return knots;
}

std::vector<constraints::DistanceLink> join_neighbors(const std::vector<Knot>& knots) {
    std::vector<constraints::DistanceLink> links;
    for (std::size_t a = 0; a < knots.size(); ++a) {
        for (std::size_t b = a + 1; b < knots.size(); ++b) {
            const double distance = length(knots[a].at - knots[b].at);
            if (distance < 1.1 * spacing) links.push_back({knots[a].id, knots[b].id, distance});
        }
    }
    return links;
}

std::vector<constraints::Pin> pin_upper_row(const std::vector<Knot>& knots) {
    double top = 0;
    for (const Knot& knot : knots)
        top = std::max(top, knot.at.y);
    std::vector<constraints::Pin> pins;
    for (const Knot& knot : knots) {
        if (knot.at.y > top - 0.5 * spacing) pins.push_back({.id = knot.id, .point = knot.at});
    }
    return pins;
}

/// The largest share by which a link is longer or shorter than it should be.
double measure_stretch(const sim::Simulation& simulation, const std::vector<constraints::DistanceLink>& links) {
    const std::vector<Knot> knots = find_knots(simulation);
    double largest = 0;
    for (const constraints::DistanceLink& link : links) {
        const auto at = [&](std::int64_t id) { return knots[static_cast<std::size_t>(id - knots[0].id)].at; };
        largest = std::max(largest, std::abs(length(at(link.a) - at(link.b)) / link.length - 1));
    }
    return largest;
}

}  // namespace

int main(int count, char** arguments) {
    sim::Simulation simulation(parse_scene(scene_text, "net.toml"));
    simulation.fill();
    const std::vector<Knot> knots = find_knots(simulation);
    const std::vector<constraints::DistanceLink> links = join_neighbors(knots);
    // Both come after density; pins come last.
    simulation.add_constraint(std::make_shared<constraints::DistanceConstraint>(links, 0.0, 10), 10);
    simulation.add_constraint(std::make_shared<constraints::PinConstraint>(pin_upper_row(knots)), 20);
    fmt::print("{} particles, {} in the net, {} links\n", simulation.particle_count(), knots.size(), links.size());

    double largest = 0;
    const SilentProgress quiet;
    while (simulation.frame() < last_frame) {
        simulation.advance_frame(quiet);
        const double stretch = measure_stretch(simulation, links);
        fmt::print("frame {:2}: links are off by at most {:.2f} %\n", simulation.frame(), 100 * stretch);
        largest = std::max(largest, stretch);
        if (count < 2) continue;
        const auto path = cache::frame_path(arguments[1], "particles", "net", simulation.frame(), "npz");
        cache::create_folder(path.parent_path());
        io::write_npz(path, simulation.view());
    }
    fmt::print("{}\n", largest < 0.05 ? "the net holds" : "the net stretched by more than 5 %");
    return largest < 0.05 ? 0 : 1;
}
