#include "spindrift/grid/conjugate_gradients.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "spindrift/grid/leaf_loops.h"
#include "spindrift/grid/true_residual.h"

namespace spindrift::grid {

namespace {

/// Below it floats do not hold the solution well enough: its true residual ends near 1e-5.
constexpr double finest_float_tolerance = 1e-5;
/// Of each correction when refining.
constexpr double inner_tolerance = 1e-3;
/// Corrections in all; each brings two digits or more, or it is the last.
constexpr int most_corrections = 8;
/// No progress worth the name within so many iterations means that there is no solution.
constexpr int patience = 20;
constexpr double least_progress = 0.9;
/// What is left of a right-hand side that had nothing but means of closed parts.
constexpr double rounding_of_means = 1e-6;

template <class Body>
double sum_cells(const LeafSet& leaves, const std::vector<std::int32_t>& active, const Body& body) {
    return sum_leaves(leaves.ranks(), active.size(), [&](Range range, double* sums) {
        for (const std::size_t k : range)
            sums[k] = body(static_cast<std::size_t>(active[k]));
    });
}

/// Of the 512 values of a leaf, in eight sums.
double squares_of_leaf(const float* values) {
    double sums[leaf_width] = {};
    for (int c = 0; c < leaf_cells; c += leaf_width) {
        for (int lane = 0; lane < leaf_width; ++lane)
            sums[lane] += double{values[c + lane]} * double{values[c + lane]};
    }
    return std::accumulate(sums, sums + leaf_width, 0.0);
}

double squares_of(const LeafSet& leaves, const std::vector<std::int32_t>& active, const Field<float>& field) {
    return sum_cells(leaves, active, [&](std::size_t leaf) { return squares_of_leaf(field.leaf(leaf)); });
}

/// Largest size of a value at an unknown; not finite if one of them is not.
double largest_of(const LeafSet& leaves, const std::vector<std::int32_t>& active, const Field<float>& values,
                  const Field<float>& inverse) {
    const auto worse = [](float a, float b) { return a < b || std::isnan(b) ? b : a; };
    const auto body = [&](Range range) {
        float most[leaf_width] = {}, wrong[leaf_width] = {};
        for (const std::size_t k : range) {
            const float *value = values.leaf(active[k]), *unknown = inverse.leaf(active[k]);
            for (int c = 0; c < leaf_cells; c += leaf_width) {
                for (int lane = 0; lane < leaf_width; ++lane) {
                    const float size = unknown[c + lane] != 0 ? std::abs(value[c + lane]) : 0.f;
                    most[lane] = most[lane] < size ? size : most[lane];
                    wrong[lane] += size - size;
                }
            }
        }
        float all = 0;
        for (int lane = 0; lane < leaf_width; ++lane)
            all = worse(all, most[lane] + wrong[lane]);
        return all;
    };
    double largest = double{parallel_reduce(active.size(), leaf_chunk, 0.f, body, worse)};
    leaves.ranks().most({&largest, 1});
    return largest;
}

}  // namespace

SolveReport PoissonSolver::solve(const LeafSet& leaves, const Stencil& stencil, const Field<float>& rhs,
                                 Field<float>& x, const SolveOptions& options) {
    Problem problem{leaves, stencil, rhs, x, options};
    problem.refines = options.tolerance < finest_float_tolerance;
    prepare(problem);
    closed_.find(leaves, stencil, cycle_.active(), cycle_.bits(), ClosedParts::Search::groups);
    if (options.addition) drop_held_parts(problem);
    if (!set_right_hand_side(problem)) {
        clear(problem);
        return problem.report;
    }
    Outcome outcome = solve_balanced(problem);
    if (outcome != Outcome::done && std::isfinite(problem.report.residual)) {
        const std::size_t known = closed_.size();
        closed_.find(leaves, stencil, cycle_.active(), cycle_.bits(), ClosedParts::Search::everywhere);
        if (options.addition) drop_held_parts(problem);
        if (closed_.size() != known && set_right_hand_side(problem)) outcome = solve_balanced(problem);
    }
    problem.report.converged = problem.report.residual <= options.tolerance;
    finish(problem, std::isfinite(problem.report.residual));
    return problem.report;
}

/// The preconditioner, and memory for everything.
void PoissonSolver::prepare(Problem& problem) {
    cycle_.set_up(problem.leaves, problem.stencil);
    for (Field<float>* field : {&b_, &r_, &z_, &p_, &q_, &problem.x})
        field->resize(problem.leaves.size(), 0.f);
    // What a leaf reads of those beside it.
    for (Field<float>* field : {&z_, &p_})
        cycle_.clear_idle(*field);
}

void PoissonSolver::clear(Problem& problem) {
    for_leaves(problem.leaves.size(),
               [&](Range range) { std::fill_n(problem.x.leaf(range.first), range.size() * leaf_cells, 0.f); });
}

/// From here on x is a correction to the sum in precise_.
void PoissonSolver::start_refining(Problem& problem) {
    problem.refines = true;
    precise_.resize(problem.leaves.size(), 0.0);
    precise_.fill(0.0);
}

/// A part that a constant pressure would set in motion is not free.
void PoissonSolver::drop_held_parts(const Problem& problem) {
    if (closed_.empty()) return;
    p_.fill(0.f);
    for (std::size_t part = closed_.size(); part-- > 0;) {
        q_.fill(0.f);
        closed_.mark(part, p_, 1.f);
        const double held = problem.options.addition->add(p_, q_);
        closed_.mark(part, p_, 0.f);
        // A body all around which the liquid is feels rounding only.
        if (held > 1e-3 * std::sqrt(squares_of(problem.leaves, cycle_.active(), q_))) closed_.drop(part);
    }
    q_.fill(0.f);
}

/// b of order one, without the means of closed parts. False, with the report, if there is nothing to solve.
bool PoissonSolver::set_right_hand_side(Problem& problem) {
    const std::vector<std::int32_t>& active = cycle_.active();
    problem.report = {};
    problem.largest = largest_of(problem.leaves, active, problem.rhs, cycle_.inverse());
    if (!std::isfinite(problem.largest)) {
        problem.report.residual = 1;
        return false;
    }
    const double scale = problem.largest > 0 ? 1 / problem.largest : 0;
    const double whole = std::sqrt(sum_cells(problem.leaves, active, [&](std::size_t leaf) {
        const float *from = problem.rhs.leaf(leaf), *unknown = cycle_.inverse().leaf(leaf);
        float* to = b_.leaf(leaf);
        for (int c = 0; c < leaf_cells; ++c) {
            const auto scaled = static_cast<float>(double{from[c]} * scale);
            to[c] = unknown[c] != 0 ? scaled : 0.f;
        }
        return squares_of_leaf(to);
    }));
    closed_.balance(b_);
    problem.norm = closed_.empty() ? whole : std::sqrt(squares_of(problem.leaves, active, b_));
    problem.report.converged = problem.norm <= (closed_.empty() ? 0 : rounding_of_means) * whole;
    return !problem.report.converged;
}

/// Corrections until the true residual is small enough.
PoissonSolver::Outcome PoissonSolver::solve_balanced(Problem& problem) {
    const std::vector<std::int32_t>& active = cycle_.active();
    clear(problem);
    if (problem.refines) start_refining(problem);
    for_leaves(active.size(), [&](Range range) {
        for (const std::size_t k : range)
            std::copy_n(b_.leaf(active[k]), leaf_cells, r_.leaf(active[k]));
    });
    double& residual = problem.report.residual;
    residual = 1;
    for (int k = 0; k < most_corrections; ++k) {
        const double target = problem.options.tolerance * 0.9;
        const double before = residual;
        const Outcome outcome =
            iterate(problem, problem.norm * (problem.refines ? std::max(target, before * inner_tolerance) : target));
        residual = update_residual(problem) / problem.norm;
        if (residual > problem.options.tolerance && outcome == Outcome::done && !problem.refines) {
            // The recursion is there and the solution is not: a float is too short for it.
            start_refining(problem);
            residual = update_residual(problem) / problem.norm;
        }
        if (residual <= problem.options.tolerance) return Outcome::done;
        if (outcome != Outcome::done) return outcome;
        if (!(residual < 0.5 * before)) return Outcome::stagnant;
    }
    return Outcome::stagnant;
}

/// From r_ on, adds to x until the recursive residual is below the target.
PoissonSolver::Outcome PoissonSolver::iterate(Problem& problem, double target) {
    const StencilKernels kernels = stencil_kernels();
    const std::vector<std::int32_t>& active = cycle_.active();
    const std::size_t zero = 0;
    double rz = 0, best = 0;
    int since_best = 0;
    for (int k = 0;; ++k) {
        if (problem.report.iterations >= problem.options.most_iterations) return Outcome::out_of_iterations;
        const double next = cycle_.apply(r_, z_);
        const TurnPass turn{active.data(), z_.leaf(zero), p_.leaf(zero), k == 0 ? 0.f : static_cast<float>(next / rz)};
        for_leaves(active.size(), [&](Range r) { kernels.turn(turn, r.first, r.last); });
        rz = next;
        double pq = 0;
        const double norm = step(problem, rz, pq);
        ++problem.report.iterations;
        if (!std::isfinite(norm) || !(pq > 0)) return Outcome::stagnant;
        if (norm <= target) return Outcome::done;
        since_best = k == 0 || norm < least_progress * best ? 0 : since_best + 1;
        if (since_best == 0) best = norm;
        if (since_best >= patience) return Outcome::stagnant;
    }
}

/// Along p_; returns the norm of the residual there.
double PoissonSolver::step(const Problem& problem, double rz, double& pq) {
    const StencilKernels kernels = stencil_kernels();
    const std::vector<std::int32_t>& active = cycle_.active();
    const std::size_t zero = 0;
    refresh(problem.leaves, p_);
    const ApplyPass apply{cycle_.view(), p_.leaf(zero), q_.leaf(zero)};
    pq = sum_leaves(problem.leaves.ranks(), active.size(),
                    [&](Range r, double* sums) { kernels.apply(apply, r.first, r.last, sums); });
    if (problem.options.addition) pq += problem.options.addition->add(p_, q_);
    if (!(pq > 0) || !std::isfinite(rz)) return std::sqrt(squares_of(problem.leaves, active, r_));
    const AdvancePass advance{active.data(),        p_.leaf(zero), q_.leaf(zero),
                              problem.x.leaf(zero), r_.leaf(zero), static_cast<float>(rz / pq)};
    return std::sqrt(sum_leaves(problem.leaves.ranks(), active.size(),
                                [&](Range r, double* sums) { kernels.advance(advance, r.first, r.last, sums); }));
}

/// r_ = b_ - A x of all corrections so far, and its norm.
double PoissonSolver::update_residual(Problem& problem) {
    const std::vector<std::int32_t>& active = cycle_.active();
    closed_.balance(problem.x);
    if (problem.refines) {
        for_leaves(active.size(), [&](Range range) {
            for (const std::size_t k : range) {
                float* correction = problem.x.leaf(active[k]);
                double* sum = precise_.leaf(active[k]);
                for (int c = 0; c < leaf_cells; ++c)
                    sum[c] += double{std::exchange(correction[c], 0.f)};
            }
        });
        refresh(problem.leaves, precise_);
        double squares = true_residual(problem.leaves, active, problem.stencil, b_, precise_, r_);
        if (problem.options.addition) squares = subtract_addition(problem);
        if (closed_.empty()) return std::sqrt(squares);
    } else {
        const std::size_t zero = 0;
        const StencilKernels kernels = stencil_kernels();
        refresh(problem.leaves, problem.x);
        const ApplyPass apply{cycle_.view(), problem.x.leaf(zero), q_.leaf(zero)};
        for_leaves(active.size(), [&](Range r) { kernels.apply(apply, r.first, r.last, nullptr); });
        if (problem.options.addition) problem.options.addition->add(problem.x, q_);
        const double squares = sum_cells(problem.leaves, active, [&](std::size_t leaf) {
            const float *b = b_.leaf(leaf), *q = q_.leaf(leaf);
            float* r = r_.leaf(leaf);
            for (int c = 0; c < leaf_cells; ++c)
                r[c] = b[c] - q[c];
            return squares_of_leaf(r);
        });
        if (closed_.empty()) return std::sqrt(squares);
    }
    closed_.balance(r_);
    return std::sqrt(squares_of(problem.leaves, active, r_));
}

/// Takes what the addition makes of the precise solution from r_: first of its upper digits, then of the lower.
double PoissonSolver::subtract_addition(const Problem& problem) {
    const std::vector<std::int32_t>& active = cycle_.active();
    for (const bool lower : {false, true}) {
        for (const std::int32_t leaf : active) {
            for (int c = 0; c < leaf_cells; ++c) {
                const double value = precise_.leaf(leaf)[c];
                const float upper = static_cast<float>(value);
                p_.leaf(leaf)[c] = lower ? static_cast<float>(value - double{upper}) : upper;
                q_.leaf(leaf)[c] = 0;
            }
        }
        problem.options.addition->add(p_, q_);
        for (const std::int32_t leaf : active) {
            for (int c = 0; c < leaf_cells; ++c)
                r_.leaf(leaf)[c] -= q_.leaf(leaf)[c];
        }
    }
    return squares_of(problem.leaves, active, r_);
}

/// In the units of the right-hand side.
void PoissonSolver::finish(Problem& problem, bool usable) {
    if (!usable) {
        problem.x.fill(0.f);
        if (problem.refines) precise_.fill(0.0);
        return;
    }
    const std::vector<std::int32_t>& active = cycle_.active();
    for_leaves(active.size(), [&](Range range) {
        for (const std::size_t k : range) {
            float* x = problem.x.leaf(active[k]);
            double* precise = problem.refines ? precise_.leaf(active[k]) : nullptr;
            for (int c = 0; c < leaf_cells; ++c) {
                if (precise) precise[c] *= problem.largest;
                x[c] = static_cast<float>(precise ? precise[c] : double{x[c]} * problem.largest);
            }
        }
    });
}

}  // namespace spindrift::grid
