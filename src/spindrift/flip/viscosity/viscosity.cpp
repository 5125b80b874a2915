#include "spindrift/flip/viscosity/viscosity.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "spindrift/core/errors.h"
#include "spindrift/flip/viscosity/viscosity_pointers.h"
#include "spindrift/grid/leaf_loops.h"

namespace spindrift::flip {

namespace {

using grid::for_leaves;
using grid::leaf_cells;
using grid::sum_leaves;

/// From this nu dt / cell^2 on a cycle of Multigrid costs less than the iterations it saves; docs/decisions/0020.
constexpr float strong = 2;
/// How often iterations begin anew because the residual is not what the recursion says.
constexpr int most_starts = 4;

}  // namespace

grid::SolveReport Viscosity::apply(MacGrid& grid, const Step& step) {
    leaves_ = &grid.leaves;
    SPINDRIFT_CHECK(step.solids != nullptr);
    grid::SolveReport report{.converged = true};
    bodies_.clear();
    const float strength = strength_ = find_shares(grid, step);
    if (active_.empty() || strength == 0) return report;
    multigrid_ = step.preconditioner == Preconditioner::multigrid ||
                 (step.preconditioner == Preconditioner::by_strength && strength > strong);
    const double held = hold_walls(grid, *step.solids);
    find_unknowns(grid.leaves);
    clear(grid.leaves);
    bodies_.list(grid.leaves, *step.solids, {cell_, edge_, kind_},
                 {step.coupling, step.cell, step.density * step.cell * step.cell * step.cell});

    // The diagonal makes smooth errors look small, by as much as it is larger than the mass.
    const double reference = std::sqrt(held + energy(grid.velocity));
    const double unseen = multigrid_ ? 1 : std::sqrt(1 + 12 * static_cast<double>(strength));
    const double allowed = step.tolerance * reference / unseen;
    set_residual(grid.velocity, false);
    report.converged = false;
    for (int start = 0; start < most_starts && !report.converged; ++start) {
        iterate(report, 0.9 * allowed, step.most_iterations);
        set_residual(grid.velocity, true);
        const double error = std::sqrt(precondition());
        report.residual = reference > 0 ? error * unseen / reference : error;
        report.converged = error <= allowed;
        if (!std::isfinite(error)) {
            bodies_.clear();
            return report;
        }
    }
    for_leaves(active_.size(), [&](Range range) {
        for (const std::size_t k : range) {
            for (int axis = 0; axis < 3; ++axis) {
                const float* change = x_[axis].leaf(active_[k]);
                float* u = grid.velocity[axis].leaf(active_[k]);
                for (int n = 0; n < leaf_cells; ++n)
                    u[n] += change[n];
            }
        }
    });
    return report;
}

void Viscosity::clear(const grid::LeafSet& leaves) {
    for (Faces* faces : {&normal_, &shear_, &x_, &r_, &z_, &p_, &q_})
        faces->resize(leaves.size(), 0);
    // Beyond the liquid there is nothing; within it iterations begin with nothing.
    for (int axis = 0; axis < 3; ++axis) {
        for (const std::int32_t l : idle_) {
            for (Faces* faces : {&normal_, &shear_, &x_, &z_, &p_})
                std::fill_n((*faces)[axis].leaf(l), leaf_cells, 0.f);
        }
        for_leaves(active_.size(), [&](Range range) {
            for (const std::size_t k : range) {
                for (Faces* faces : {&x_, &z_, &p_, &q_})
                    std::fill_n((*faces)[axis].leaf(active_[k]), leaf_cells, 0.f);
            }
        });
    }
}

double Viscosity::energy(const grid::AxisFields<float>& velocity) const {
    return sum_leaves(leaves_->ranks(), active_.size(), [&](Range range, double* sums) {
        for (const std::size_t k : range) {
            double sum = 0;
            for (int axis = 0; axis < 3; ++axis) {
                const float *u = velocity[axis].leaf(active_[k]), *mass = mass_[axis].leaf(active_[k]);
                for (int n = 0; n < leaf_cells; ++n) {
                    if (mass[n] > 0) sum += static_cast<double>(mass[n] * u[n]) * static_cast<double>(u[n]);
                }
            }
            sums[k] = sum;
        }
    });
}

double Viscosity::force(const grid::AxisFields<float>& in, grid::AxisFields<float>& out, float inertia, float sign) {
    const ViscosityKernels kernels = viscosity_kernels();
    StressPass stress{};
    stress.matrix = view();
    point_to(in, stress.u);
    point_to(normal_, stress.normal);
    point_to(shear_, stress.shear);
    for_leaves(active_.size(), [&](Range r) { kernels.stress(stress, r.first, r.last); });
    refresh(*leaves_, normal_);
    refresh(*leaves_, shear_);
    ForcePass pass{};
    pass.matrix = stress.matrix;
    point_to(std::as_const(normal_), pass.normal);
    point_to(std::as_const(shear_), pass.shear);
    point_to(in, pass.u);
    point_to(out, pass.out);
    pass.inertia = inertia;
    pass.sign = sign;
    return sum_leaves(leaves_->ranks(), active_.size(),
                      [&](Range r, double* sums) { kernels.force(pass, r.first, r.last, sums); });
}

std::span<const fluid::Twist> Viscosity::impulses() const {
    if (bodies_.empty()) return {};
    return bodies_.impulses();
}

double Viscosity::multiply(const grid::AxisFields<float>& in, grid::AxisFields<float>& out) {
    return force(in, out, 1, 1);
}

void Viscosity::set_residual(const grid::AxisFields<float>& velocity, bool with_x) {
    force(velocity, r_, 0, -1);
    bodies_.set_residual({normal_, shear_});
    if (!with_x) return;
    refresh(*leaves_, x_);
    bodies_.put(x_);
    force(x_, q_, 1, 1);
    bodies_.subtract({normal_, shear_});
    for_leaves(active_.size(), [&](Range range) {
        for (const std::size_t k : range) {
            for (int axis = 0; axis < 3; ++axis) {
                for (int n = 0; n < leaf_cells; ++n)
                    r_[axis].leaf(active_[k])[n] -= q_[axis].leaf(active_[k])[n];
            }
        }
    });
}

double Viscosity::precondition() {
    // The diagonal needs no z_; its product comes with the step along nothing.
    return (multigrid_ ? cycle() : advance(0)) + bodies_.precondition();
}

double Viscosity::cycle() {
    double product = 0;
    for (int axis = 0; axis < 3; ++axis)
        product += cycles_[static_cast<std::size_t>(axis)].apply(r_[axis], z_[axis]);
    return product;
}

/// Adds to x_ until the residual, as the recursion has it, is small enough.
void Viscosity::iterate(grid::SolveReport& report, double target, int most_iterations) {
    double rz = precondition(), beta = 0;
    while (std::sqrt(rz) > target && report.iterations < most_iterations) {
        turn(beta);
        refresh(*leaves_, p_);
        bodies_.turn(beta, p_);
        const double pq = force(p_, q_, 1, 1) + bodies_.multiply({normal_, shear_});
        if (!(pq > 0) || !std::isfinite(pq)) return;
        const double alpha = rz / pq, by_diagonal = advance(alpha);
        bodies_.advance(alpha);
        const double next = (multigrid_ ? cycle() : by_diagonal) + bodies_.precondition();
        beta = next / rz;
        rz = next;
        ++report.iterations;
    }
}

/// Returns the new r_ . r_ / diagonal.
double Viscosity::advance(double alpha) {
    ViscousAdvance pass{};
    pass.matrix = view();
    point_to(std::as_const(p_), pass.p);
    point_to(std::as_const(q_), pass.q);
    point_to(x_, pass.x);
    point_to(r_, pass.r);
    pass.alpha = static_cast<float>(alpha);
    const ViscosityKernels kernels = viscosity_kernels();
    return sum_leaves(leaves_->ranks(), active_.size(),
                      [&](Range r, double* sums) { kernels.advance(pass, r.first, r.last, sums); });
}

void Viscosity::turn(double beta) {
    const ViscosityKernels kernels = viscosity_kernels();
    if (!multigrid_) {
        ViscousTurn pass{};
        pass.matrix = view();
        point_to(std::as_const(r_), pass.r);
        point_to(p_, pass.p);
        pass.beta = static_cast<float>(beta);
        return for_leaves(active_.size(), [&](Range r) { kernels.turn(pass, r.first, r.last); });
    }
    for (int axis = 0; axis < 3; ++axis) {
        const grid::TurnPass pass{active_.data(), z_[axis].leaf(std::size_t{0}), p_[axis].leaf(std::size_t{0}),
                                  static_cast<float>(beta)};
        const grid::StencilKernels solver = grid::stencil_kernels();
        for_leaves(active_.size(), [&](Range r) { solver.turn(pass, r.first, r.last); });
    }
}

}  // namespace spindrift::flip
