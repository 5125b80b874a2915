// Particles to faces and back without anything in between: what each method keeps of a turning ball.

#include <cmath>

#include "liquid_fixture.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "spindrift/mac/transfer_kernels.h"

namespace spindrift::flip {
namespace {

struct Momenta {
    Vec3d linear{}, angular{};
};

/// A ball whose particles stay where they are while their velocities go to the grid and back.
class Transfer {
  public:
    Transfer(fluid::Method method, double blend, const TransferKernels& kernels = transfer_kernels())
        : method_(method), blend_(static_cast<float>(blend)), kernels_(kernels) {
        add_ball(particles_, {0.013, -0.021, 0.007}, 8.3 * spacing);
        const std::size_t n = particles_.size();
        affine_.assign(affine_floats * n, 0.f);
        std::vector<Float4> x(n + ParticleStore::padding), v(n + ParticleStore::padding);
        sorted_.sort(n, particles_.position().data(), particles_.velocity().data(), x.data(), v.data());
        std::copy_n(x.begin(), n, particles_.position().begin());
        std::copy_n(v.begin(), n, particles_.velocity().begin());
        cells_.count(sorted_, particles_.position().data(), 0);
        grid_.make_leaves(sorted_, cells_);
        // It turns about a skew axis and moves along.
        turn({3, 5, -2});
        set_velocity(particles_, [](Vec3d at) { return cross(Vec3d{3, 5, -2}, at) + Vec3d{0.4, -0.3, 0.2}; });
    }

    const ParticleStore& particles() const { return particles_; }

    void cycle() {
        scatter();
        gather();
    }

    /// Of unit masses. An affine velocity turns about its particle with the spread of the weights around it, which is
    /// f (1 - f) of a cell squared on each axis, f being where the particle is between two faces (Jiang et al. 2015).
    Momenta momenta() const {
        Momenta sum;
        for (std::size_t i = 0; i < particles_.size(); ++i) {
            const Vec3d x = vec_cast<double>(particles_.position()[i].xyz());
            const Vec3d v = vec_cast<double>(particles_.velocity()[i].xyz());
            sum.linear += v;
            sum.angular += cross(x, v);
            const float* gradient = affine_.data() + affine_floats * particles_.slot(i);
            for (int axis = 0; axis < 3 && method_ == fluid::Method::apic; ++axis) {
                Vec3d arm{}, along{};
                along[axis] = 1;
                for (int a = 0; a < 3; ++a) {
                    const double s = x[a] / cell - (a == axis ? 0 : 0.5), f = s - std::floor(s);
                    arm[a] = cell * f * (1 - f) * static_cast<double>(gradient[3 * axis + a]);
                }
                sum.angular += cross(arm, along);
            }
        }
        return sum;
    }

  private:
    void turn(Vec3d w) {
        const double rows[9] = {0, -w.z, w.y, w.z, 0, -w.x, -w.y, w.x, 0};
        for (std::size_t k = 0; k < affine_.size(); ++k)
            affine_[k] = static_cast<float>(cell * rows[k % affine_floats]);
    }

    template <class Body>
    void for_leaves(const Body& body) {
        for (std::size_t l = 1; l < grid_.leaves.size(); ++l) {
            if (grid_.sorted[l] >= 0) body(l, static_cast<std::size_t>(grid_.sorted[l]));
        }
    }

    void scatter() {
        std::vector<std::int32_t> buffer_of(grid_.leaves.size(), -1);
        std::vector<float> buffers;
        for_leaves([&](std::size_t l, std::size_t own) {
            buffer_of[l] = static_cast<std::int32_t>(buffers.size() / scatter_floats);
            buffers.resize(buffers.size() + scatter_floats, 0.f);
            const ScatterPass pass{.x = particles_.position().data(),
                                   .v = particles_.velocity().data(),
                                   .affine = method_ == fluid::Method::apic ? affine_.data() : nullptr,
                                   .corner = vec_cast<float>(sorted_.leaves()[own].coord * grid::leaf_width),
                                   .per_cell = per_cell_,
                                   .buffer = buffers.data() + buffers.size() - scatter_floats};
            cells_.for_each_run(own, cells_.wet(own),
                                [&](std::uint32_t first, std::uint32_t last) { kernels_.scatter(pass, first, last); });
        });
        CombinePass combine{};
        combine.buffers = buffers.data();
        combine.buffer_of = buffer_of.data();
        combine.leaves = &grid_.leaves;
        for (int axis = 0; axis < 3; ++axis) {
            combine.velocity[axis] = grid_.velocity[axis].leaf(std::size_t{0});
            combine.layer[axis] = grid_.layer[axis].leaf(std::size_t{0});
        }
        for (std::size_t l = 1; l < grid_.leaves.size(); ++l)
            kernels_.combine(combine, l);
    }

    void gather() {
        for_leaves([&](std::size_t l, std::size_t own) {
            const float* const fields[3] = {grid_.velocity.x.leaf(std::size_t{0}),
                                            grid_.velocity.y.leaf(std::size_t{0}),
                                            grid_.velocity.z.leaf(std::size_t{0})};
            std::vector<float> copy(copy_floats);
            kernels_.copy(grid_.leaves, fields, l, copy_margin, copy.data());
            const AdvectPass pass{.x = particles_.position().data(),
                                  .v = particles_.velocity().data(),
                                  .affine = method_ == fluid::Method::apic ? affine_.data() : nullptr,
                                  .corner = vec_cast<float>(sorted_.leaves()[own].coord * grid::leaf_width),
                                  .per_cell = per_cell_,
                                  .velocity = copy.data(),
                                  .change_from = method_ == fluid::Method::flip ? copy.data() : nullptr,
                                  .blend = blend_,
                                  .dt = 0};
            cells_.for_each_run(own, cells_.wet(own),
                                [&](std::uint32_t first, std::uint32_t last) { kernels_.advect(pass, first, last); });
        });
    }

    fluid::Method method_;
    float blend_, per_cell_ = static_cast<float>(1 / cell);
    TransferKernels kernels_;
    ParticleStore particles_;
    std::vector<float> affine_;
    neighbors::LeafGrid sorted_{neighbors::Resolutions{.h = {static_cast<float>(cell)}}};
    Cells cells_;
    MacGrid grid_;
};

struct Kept {
    double linear_change;  ///< relative
    double angular;        ///< share of the angular momentum that is left
};

Kept after(int cycles, fluid::Method method, double blend = 0) {
    Transfer transfer(method, blend);
    const Momenta before = transfer.momenta();
    for (int k = 0; k < cycles; ++k)
        transfer.cycle();
    const Momenta now = transfer.momenta();
    const Kept kept{length(now.linear - before.linear) / length(before.linear),
                    1 - length(now.angular - before.angular) / length(before.angular)};
    fmt::print("{} cycles of method {} with blend {}: momentum {:.1e}, angular momentum {:.7f}\n", cycles,
               static_cast<int>(method), blend, kept.linear_change, kept.angular);
    return kept;
}

/// What good transfers have in a thousand cycles of floats; the best have 1e-6. Measured are 7e-5 with APIC: particles
/// that stand still are rounded the same way each time, by 7e-8.
constexpr double rounding = 1e-4;

TEST(Transfer, every_method_keeps_linear_momentum) {
    EXPECT_LT(after(1000, fluid::Method::apic).linear_change, rounding);
    EXPECT_LT(after(1000, fluid::Method::pic).linear_change, rounding);
    EXPECT_LT(after(1000, fluid::Method::flip, 0.97).linear_change, rounding);
}

TEST(Transfer, apic_keeps_angular_momentum) {
    EXPECT_NEAR(after(1000, fluid::Method::apic).angular, 1, rounding);
}

TEST(Transfer, pic_loses_angular_momentum_and_flip_loses_the_share_that_is_pic) {
    // The ball is four cells in radius: smoothing over a cell takes some percent of its turning.
    const double pic = after(1, fluid::Method::pic).angular, flip = after(1, fluid::Method::flip, 0.97).angular;
    EXPECT_LT(pic, 0.99);
    EXPECT_NEAR(1 - flip, 0.03 * (1 - pic), 1e-5);
    EXPECT_LT(after(1000, fluid::Method::pic).angular, 0.2);
    EXPECT_NEAR(after(1000, fluid::Method::flip, 1).angular, 1, rounding);
}

#ifndef SPINDRIFT_PINNED_ISA
TEST(Transfer, every_instruction_set_gives_the_same_velocities) {
    std::vector<TransferKernels> sets = {mac::sse42::transfer_kernels()};
    if (active_isa() >= Isa::avx2) sets.push_back(mac::avx2::transfer_kernels());
    if (active_isa() >= Isa::avx512) sets.push_back(mac::avx512::transfer_kernels());
    for (const fluid::Method method : {fluid::Method::flip, fluid::Method::apic, fluid::Method::pic}) {
        Transfer first(method, 0.97, sets[0]);
        first.cycle();
        for (const TransferKernels& set : sets) {
            Transfer other(method, 0.97, set);
            other.cycle();
            // Sets round differently; speeds are up to 1.5 m/s.
            for (std::size_t i = 0; i < first.particles().size(); ++i)
                ASSERT_LT(length(other.particles().velocity()[i].xyz() - first.particles().velocity()[i].xyz()), 1e-5f);
        }
    }
}
#endif

}  // namespace
}  // namespace spindrift::flip
