#include "bench/bench_scenes.h"

#include <algorithm>
#include <cmath>

namespace spindrift::cli {

namespace {

constexpr double gravity = 9.81;

/// Particles along the edge of a cube of that many.
double edge_of(double particles) {
    return std::max(2.0, std::round(std::cbrt(particles)));
}

void add_fill(LiquidParams& liquid, const Box3d& box) {
    liquid.fill.emplace_back();
    liquid.fill.back().box = box;
}

LiquidParams& add_liquid(Scene& scene, const char* name, double density, double spacing) {
    LiquidParams& liquid = scene.liquid.emplace_back();
    liquid.name = name;
    liquid.density = density;
    liquid.spacing = spacing;
    return liquid;
}

Scene empty_scene(const Box3d& domain, int iterations) {
    Scene scene;
    scene.domain.emplace();
    scene.domain->box = domain;
    scene.solver.iterations = iterations;
    return scene;
}

/// Where a cube of liquid of this edge breaks.
Box3d dam_box(double edge) {
    return {{0, 0, 0}, {2.5 * edge, 2 * edge, edge}};
}

}  // namespace

Scene bench_scene(const Box3d& domain, const Box3d& liquid, double spacing) {
    Scene scene = empty_scene(domain, Scene().solver.iterations);
    scene.liquid.emplace_back();
    scene.liquid[0].spacing = spacing;
    add_fill(scene.liquid[0], liquid);
    return scene;
}

Scene dam_break_scene(std::size_t particles, int iterations) {
    const double a = bench_spacing * edge_of(static_cast<double>(particles));
    Scene scene = bench_scene(dam_box(a), {{0, 0, 0}, {a, a, a}}, bench_spacing);
    scene.solver.iterations = iterations;
    return scene;
}

Scene two_phase_scene(std::size_t particles, int iterations) {
    const double n = edge_of(static_cast<double>(particles)), a = bench_spacing * n;
    Scene scene = empty_scene(dam_box(a), iterations);
    add_liquid(scene, "heavy", 1000, bench_spacing);
    add_liquid(scene, "light", 500, bench_spacing);
    const double slabs = std::min(8.0, n);
    for (int k = 0; k < static_cast<int>(slabs); ++k) {
        // Whole layers of particles, so that none is lost where slabs meet.
        const double low = bench_spacing * std::round(k * n / slabs),
                     high = bench_spacing * std::round((k + 1) * n / slabs);
        add_fill(scene.liquid[static_cast<std::size_t>(k % 2)], {{0, 0, low}, {a, a, high}});
    }
    return scene;
}

Scene two_resolutions_scene(std::size_t particles, int iterations) {
    // n = V / 2 / d^3 * (1 + 1/10)
    const double fine = bench_spacing, coarse = fine * std::cbrt(10.0);
    const double a = fine * edge_of(static_cast<double>(particles) * 2 / 1.1);
    Scene scene = empty_scene(dam_box(a), iterations);
    add_fill(add_liquid(scene, "fine", 1000, fine), {{0, 0, 0}, {a, a, 0.5 * a}});
    add_fill(add_liquid(scene, "coarse", 1000, coarse), {{0, 0, 0.5 * a}, {a, a, a}});
    return scene;
}

Scene fountain_scene(const FountainSize& size) {
    constexpr double d = bench_spacing;
    const double n = edge_of(static_cast<double>(size.particles)), a = n * d, depth = std::floor(0.5 * n) * d;
    Scene scene = bench_scene({{0, 0, 0}, {2 * a, 2 * a, a}}, {{0, 0, 0}, {2 * a, depth, a}}, d);
    scene.solver.iterations = size.iterations;

    // The step that gravity and the speed of the jet allow tells how large the nozzle must be.
    const double speed = std::abs(size.speed);
    const double by_speed = scene.solver.cfl * 2 * d / speed;
    const double dt = std::min(std::sqrt(scene.solver.fall * d / gravity), by_speed);
    // Shorter steps where the jet falls would make fewer particles each.
    scene.solver.substeps[1] = static_cast<int>(std::ceil(1 / (scene.fps * dt)));
    const double area = size.births * n * n * n * d * d * d / (speed * dt);
    const double width = std::clamp(std::sqrt(0.5 * area), d, 0.95 * a);
    emitters::EmitterParams& nozzle = scene.emitter.emplace_back();
    nozzle.rectangle.emplace();
    nozzle.rectangle->size = {2 * width, width};
    nozzle.position = Vec3d{a, depth + 4 * d, 0.5 * a};
    // A jet straight up would fall back on itself.
    nozzle.direction = size.speed > 0 ? Vec3d{0.2, 1, 0} : Vec3d{0, -1, 0};
    nozzle.speed = speed;
    scene.killer.emplace_back();
    scene.killer[0].most = static_cast<std::int64_t>(std::round(2 * n * depth / d * n));
    return scene;
}

Scene rayleigh_taylor_scene(std::size_t particles, int iterations) {
    constexpr double d = bench_spacing;
    const double n = edge_of(static_cast<double>(particles)), width = n * d,
                 depth = std::max(1.0, std::round(0.5 * n)) * d;
    Scene scene = empty_scene({{0, 0, 0}, {width, 2 * width, depth}}, iterations);
    LiquidParams light, heavy;
    const double middle = std::round(0.5 * n) * d, step = std::max(1.0, std::round(0.05 * n)) * d;
    for (const bool left : {true, false}) {
        const double low = left ? 0 : middle, high = left ? middle : width;
        const double interface = left ? width - step : width + step;
        add_fill(light, {{low, 0, 0}, {high, interface, depth}});
        add_fill(heavy, {{low, interface, 0}, {high, 2 * width, depth}});
    }
    add_liquid(scene, "light", 100, d).fill = light.fill;
    add_liquid(scene, "heavy", 1000, d).fill = heavy.fill;
    return scene;
}

Scene unit_box_scene(int resolution, fluid::Method method) {
    Scene scene = bench_scene({{0, 0, 0}, {1, 1, 1}}, {{0, 0, 0}, {0.4, 0.5, 1}}, 0.5 / resolution);
    scene.solver.method = method;
    scene.fps = 24;
    scene.flip.cfl = 4;
    scene.flip.tolerance = 1e-4;
    return scene;
}

}  // namespace spindrift::cli
