// Viscosities of particles as cells have them.

#include "spindrift/flip/viscosity/viscosity_field.h"

#include <gtest/gtest.h>

#include "spindrift/particles/particle_store.h"

namespace spindrift::flip {

namespace {

/// Eight particles in each cell of a cube of 12 x 12 x 12 cells of width 1/4, sorted.
struct Cube {
    static constexpr float cell = 0.25f;
    ParticleStore particles;
    neighbors::LeafGrid sorted{neighbors::Resolutions{.h = {cell}}};
    std::vector<Float4> x, v;
    Cells cells;
    MacGrid grid;

    Cube() {
        constexpr int side = 24;
        particles.append(side * side * side);
        for (int i = 0; i < side * side * side; ++i) {
            const Vec3f at{static_cast<float>(i % side), static_cast<float>(i / side % side),
                           static_cast<float>(i / (side * side))};
            const Vec3f p = (at + Vec3f{0.5f, 0.5f, 0.5f}) * (cell / 2);
            particles.position()[static_cast<std::size_t>(i)] = {p.x, p.y, p.z, 0};
        }
        x.resize(particles.size() + ParticleStore::padding);
        v = x;
        sorted.sort(particles.size(), particles.position().data(), particles.velocity().data(), x.data(), v.data());
        cells.count(sorted, x.data(), 6);
        grid.make_leaves(sorted, cells);
    }
    float at(const grid::Field<float>& field, Vec3i c) const {
        return field.leaf(
            grid.leaves.find({c.x >> 3, c.y >> 3, c.z >> 3}))[grid::cell_index(c.x & 7, c.y & 7, c.z & 7)];
    }
};

}  // namespace

TEST(viscosity_field, cells_have_the_mean_of_their_particles) {
    Cube cube;
    // The layer of each particle, which its slot tells: the order before the sort.
    std::vector<float> layer(cube.particles.size());
    for (std::size_t i = 0; i < layer.size(); ++i)
        layer[i] = static_cast<float>(ParticleStore::slot_of(cube.v[i]) / 24 % 24);
    grid::Field<float> nu;
    average_viscosity(cube.grid, cube.cells, {.x = cube.x.data(), .viscosity = layer.data()}, nu);
    for (int y = 0; y < 12; ++y)
        EXPECT_EQ(cube.at(nu, {3, y, 9}), 2 * static_cast<float>(y) + 0.5f);
    // Beside the cube: what is around; farther away: nothing.
    EXPECT_EQ(cube.at(nu, {3, 12, 9}), 22.5f);
    EXPECT_EQ(cube.at(nu, {-1, 5, 9}), 10.5f);
    EXPECT_EQ(cube.at(nu, {3, 13, 9}), -1.f);
}

}  // namespace spindrift::flip
