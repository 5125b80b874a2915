// Another program runs a scene by itself: embed [scene.toml]

#include <algorithm>
#include <iostream>

#include "spindrift/core/log.h"
#include "spindrift/core/parallel.h"
#include "spindrift/sim/simulation.h"

using namespace spindrift;

constexpr const char* dam = R"(
    frames = [1, 12]
    [domain]
    box = [[0, 0, 0], [0.6, 0.4, 0.2]]
    [[liquid]]
    spacing = 0.01
    fill = { box = [[0, 0, 0], [0.2, 0.2, 0.2]] }
)";

int main(int count, char** arguments) try {
    const ThreadLimit threads(2);
    const LogScope listen([](LogLevel, const std::string& text) { std::cerr << text << '\n'; });
    const Scene scene = count > 1 ? load_scene(arguments[1]) : parse_scene(dam, "dam.toml");
    sim::Simulation simulation(scene);
    simulation.fill();
    const SilentProgress progress;
    while (simulation.frame() < scene.frames[1] && simulation.advance_frame(progress)) {
        const io::FrameStatistics now = simulation.statistics();
        const ParticleStore& particles = simulation.particles();
        double front = 0;
        for (const Float4& x : particles.position())
            front = std::max(front, x.x + particles.origin.x);
        std::cout << "frame " << now.frame << ": " << now.particles << " particles, mean density error "
                  << 100 * now.mean_density_error << " %, the front is at " << front << " m\n";
    }
} catch (const Error& error) {
    std::cerr << error.what() << '\n';
    return static_cast<int>(error.code());
}
