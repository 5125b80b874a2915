#include "spindrift/flip/viscosity.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "spindrift/grid/leaf_loops.h"

namespace spindrift::flip {

namespace {

using grid::for_leaves;
using grid::leaf_cells;
using grid::sum_leaves;

/// From this nu dt / cell^2 on a cycle of Multigrid costs less than the iterations it saves; docs/decisions/0020.
constexpr float strong = 4;
/// Faces that are less open than this belong to a wall that liquid sticks to.
constexpr float held_open = 0.5f;
/// Normals this near to an axis are along it.
constexpr float straight = 0.99f;
/// How often iterations begin anew because the residual is not what the recursion says.
constexpr int most_starts = 4;

FaceKind kind_of(const WallFace& face) {
    if (face.friction > 0) return face.open < held_open ? rough_face : free_face;
    if (face.open > 0) return free_face;
    return std::abs(face.normal[face.axis]) > straight ? smooth_face : void_face;
}

void point_to(const grid::AxisFields<float>& fields, const float* (&out)[3]) {
    for (int axis = 0; axis < 3; ++axis)
        out[axis] = fields[axis].leaf(std::size_t{0});
}
void point_to(grid::AxisFields<float>& fields, float* (&out)[3]) {
    for (int axis = 0; axis < 3; ++axis)
        out[axis] = fields[axis].leaf(std::size_t{0});
}

/// Whether a leaf or one around it has faces of walls.
bool near_walls(const grid::LeafSet& leaves, const Solids& solids, std::size_t leaf) {
    const std::int32_t* near = leaves.neighbors(leaf);
    return std::any_of(near, near + 27,
                       [&](std::int32_t l) { return l > 0 && !solids.faces(static_cast<std::size_t>(l)).empty(); });
}

}  // namespace

grid::SolveReport Viscosity::apply(MacGrid& grid, const Step& step) {
    grid::SolveReport report{.converged = true};
    const float strength = find_shares(grid, step);
    if (active_.empty() || strength == 0) return report;
    multigrid_ = step.preconditioner == Preconditioner::multigrid ||
                 (step.preconditioner == Preconditioner::by_strength && strength > strong);
    const double held = hold_walls(grid, *step.solids);
    find_unknowns(grid.leaves);
    clear(grid.leaves);

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
        if (!std::isfinite(error)) return report;
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

float Viscosity::find_shares(const MacGrid& grid, const Step& step) {
    const std::size_t total = grid.leaves.size(), zero = 0;
    neighbors_ = grid.leaves.neighbors(0);
    cell_.resize(total, 0);
    edge_.resize(total, 0);
    mass_.resize(total, 0);
    strongest_.assign(total, -1);
    SharePass pass{};
    pass.leaves = &grid.leaves;
    pass.phi = grid.phi.leaf(zero);
    pass.viscosity = step.viscosity ? step.viscosity->leaf(zero) : nullptr;
    pass.scale = static_cast<float>((step.viscosity ? 1 : step.constant) * step.dt / (step.cell * step.cell));
    pass.cell = cell_.leaf(zero);
    pass.strongest = strongest_.data();
    point_to(edge_, pass.edge);
    point_to(mass_, pass.mass);
    const ShareKernel share = share_kernel();
    parallel_for(total - 1, 8, [&](Range range) {
        for (const std::size_t k : range)
            share(pass, k + 1);
    });
    active_.clear();
    idle_.clear();
    float largest = 0;
    for (std::size_t l = 0; l < total; ++l) {
        // What is no number is not negative either.
        const bool liquid = l > 0 && !(strongest_[l] < 0);
        (liquid ? active_ : idle_).push_back(static_cast<std::int32_t>(l));
        if (liquid && !(strongest_[l] <= largest)) largest = strongest_[l];
    }
    return largest;
}

double Viscosity::hold_walls(MacGrid& grid, const Solids& solids) {
    const std::size_t total = grid.leaves.size();
    kind_.resize(total, free_face);
    const double energy = sum_leaves(total, [&](Range range) {
        double sum = 0;
        for (const std::size_t l : range) {
            for (int axis = 0; axis < 3; ++axis)
                std::fill_n(kind_[axis].leaf(l), leaf_cells, static_cast<float>(free_face));
            if (l == 0) continue;
            for (const WallFace& face : solids.faces(l)) {
                const FaceKind kind = kind_of(face);
                kind_[face.axis].leaf(l)[face.cell] = kind;
                if (kind != rough_face && kind != smooth_face) continue;
                const float u = face.velocity[face.axis];
                grid.velocity[face.axis].leaf(l)[face.cell] = u;
                sum += static_cast<double>(mass_[face.axis].leaf(l)[face.cell]) * static_cast<double>(u * u);
            }
        }
        return sum;
    });
    WallPass pass{};
    pass.leaves = &grid.leaves;
    pass.cell = cell_.leaf(std::size_t{0});
    point_to(std::as_const(kind_), pass.kind);
    point_to(std::as_const(grid.open), pass.open);
    point_to(edge_, pass.edge);
    const ViscosityKernels kernels = viscosity_kernels();
    for_leaves(active_.size(), [&](Range range) {
        for (const std::size_t k : range) {
            const auto leaf = static_cast<std::size_t>(active_[k]);
            if (near_walls(grid.leaves, solids, leaf)) kernels.meet_walls(pass, leaf);
        }
    });
    return energy;
}

void Viscosity::find_unknowns(const grid::LeafSet& leaves) {
    const std::size_t total = leaves.size();
    inverse_.resize(total, 0);
    UnknownPass pass{};
    pass.matrix = view();
    point_to(std::as_const(kind_), pass.kind);
    point_to(mass_, pass.mass);
    point_to(inverse_, pass.inverse);
    for (std::size_t axis = 0; axis < 3 && multigrid_; ++axis) {
        grid::Stencil& stencil = stencils_[axis];
        stencil.resize(total);
        pass.diagonal[axis] = stencil.diagonal.leaf(std::size_t{0});
        point_to(stencil.coupling, pass.coupling[axis]);
        for (const std::int32_t l : idle_) {
            for (grid::Field<float>* field :
                 {&stencil.diagonal, &stencil.coupling.x, &stencil.coupling.y, &stencil.coupling.z})
                std::fill_n(field->leaf(l), leaf_cells, 0.f);
        }
    }
    const ViscosityKernels kernels = viscosity_kernels();
    for_leaves(active_.size(), [&](Range r) { kernels.find_unknowns(pass, r.first, r.last); });
    for (std::size_t axis = 0; axis < 3 && multigrid_; ++axis)
        cycles_[axis].set_up(leaves, stencils_[axis], grid::excess_of_masses);
}

void Viscosity::clear(const grid::LeafSet& leaves) {
    for (Faces* faces : {&normal_, &shear_, &x_, &r_, &z_, &p_, &q_})
        faces->resize(leaves.size(), 0);
    // Beyond the liquid there is nothing; within it iterations begin with nothing.
    for (int axis = 0; axis < 3; ++axis) {
        for (const std::int32_t l : idle_) {
            for (Faces* faces : {&normal_, &shear_, &x_, &p_})
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
    return sum_leaves(active_.size(), [&](Range range) {
        double sum = 0;
        for (const std::size_t k : range) {
            for (int axis = 0; axis < 3; ++axis) {
                const float *u = velocity[axis].leaf(active_[k]), *mass = mass_[axis].leaf(active_[k]);
                for (int n = 0; n < leaf_cells; ++n) {
                    if (mass[n] > 0) sum += static_cast<double>(mass[n] * u[n]) * static_cast<double>(u[n]);
                }
            }
        }
        return sum;
    });
}

ViscousView Viscosity::view() const {
    ViscousView view{};
    view.list = active_.data();
    view.neighbors = neighbors_;
    view.cell = cell_.leaf(std::size_t{0});
    point_to(edge_, view.edge);
    point_to(mass_, view.mass);
    point_to(inverse_, view.inverse);
    return view;
}

double Viscosity::force(const grid::AxisFields<float>& in, grid::AxisFields<float>& out, float inertia, float sign) {
    const ViscosityKernels kernels = viscosity_kernels();
    StressPass stress{};
    stress.matrix = view();
    point_to(in, stress.u);
    point_to(normal_, stress.normal);
    point_to(shear_, stress.shear);
    for_leaves(active_.size(), [&](Range r) { kernels.stress(stress, r.first, r.last); });
    ForcePass pass{};
    pass.matrix = stress.matrix;
    point_to(std::as_const(normal_), pass.normal);
    point_to(std::as_const(shear_), pass.shear);
    point_to(in, pass.u);
    point_to(out, pass.out);
    pass.inertia = inertia;
    pass.sign = sign;
    return sum_leaves(active_.size(), [&](Range r) { return kernels.force(pass, r.first, r.last); });
}

double Viscosity::multiply(const grid::AxisFields<float>& in, grid::AxisFields<float>& out) {
    return force(in, out, 1, 1);
}

void Viscosity::set_residual(const grid::AxisFields<float>& velocity, bool with_x) {
    force(velocity, r_, 0, -1);
    if (!with_x) return;
    force(x_, q_, 1, 1);
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
    if (!multigrid_) return advance(0);
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
        const double pq = force(p_, q_, 1, 1);
        if (!(pq > 0) || !std::isfinite(pq)) return;
        double next = advance(rz / pq);
        if (multigrid_) next = precondition();
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
    return sum_leaves(active_.size(), [&](Range r) { return kernels.advance(pass, r.first, r.last); });
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

void Viscosity::restrict_to_unknowns(grid::AxisFields<float>& faces) const {
    for (std::size_t l = 0; l < faces.x.leaves(); ++l) {
        const bool liquid = std::binary_search(active_.begin(), active_.end(), static_cast<std::int32_t>(l));
        for (int axis = 0; axis < 3; ++axis) {
            for (int n = 0; n < leaf_cells; ++n)
                faces[axis].leaf(l)[n] *= liquid && mass_[axis].leaf(l)[n] > 0 ? 1.f : 0.f;
        }
    }
}

std::size_t Viscosity::unknowns() const {
    std::size_t count = 0;
    for (const std::int32_t l : active_) {
        for (int axis = 0; axis < 3; ++axis) {
            const float* mass = mass_[axis].leaf(l);
            count += static_cast<std::size_t>(std::count_if(mass, mass + leaf_cells, [](float m) { return m > 0; }));
        }
    }
    return count;
}

}  // namespace spindrift::flip
