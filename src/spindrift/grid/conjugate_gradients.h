#pragma once
// Solves a Stencil for its unknowns: conjugate gradients, preconditioned by a Multigrid.
//
// Parts that no excess holds are known up to a constant: the mean of the right-hand side over their cells is left out,
// and they get the solution of mean zero. Below a tolerance of 1e-5, or where floats turn out too short, the solution
// is kept in double and refined.
//
//   PoissonSolver solver;                                   // keep it: its memory is used again
//   const SolveReport report = solver.solve(leaves, stencil, rhs, x);
//   if (!report.converged) ...                              // x is the best there is, or zero if rhs is not finite

#include "spindrift/grid/closed_parts.h"
#include "spindrift/grid/multigrid.h"

namespace spindrift::grid {

struct SolveReport {
    int iterations = 0;
    double residual = 0;  ///< relative to the right-hand side, both as 2-norm; before the solution is rounded to floats
    bool converged = false;
};

/// A symmetric positive semidefinite term of low rank that is added to the matrix.
class Addition {
  public:
    virtual ~Addition() = default;
    /// out += term in; returns in . (what was added).
    virtual double add(const Field<float>& in, Field<float>& out) = 0;
};

struct SolveOptions {
    double tolerance = 1e-4;
    int most_iterations = 200;
    Addition* addition = nullptr;
};

class PoissonSolver {
  public:
    /// x is written everywhere, with zero where there is no unknown.
    SolveReport solve(const LeafSet& leaves, const Stencil& stencil, const Field<float>& rhs, Field<float>& x,
                      const SolveOptions& options = {});
    /// The last solution before it was rounded, if it was refined: always if its tolerance was below 1e-5.
    const Field<double>& precise() const { return precise_; }

  private:
    struct Problem {
        const LeafSet& leaves;
        const Stencil& stencil;
        const Field<float>& rhs;
        Field<float>& x;
        const SolveOptions& options;
        bool refines = false;  ///< precise_ holds the sum of the corrections in x
        double largest = 0;    ///< of the right-hand side, by which it is divided
        double norm = 0;       ///< of b_
        SolveReport report{};
    };
    enum class Outcome { done, out_of_iterations, stagnant };

    void prepare(Problem& problem);
    static void clear(Problem& problem);
    void start_refining(Problem& problem);
    void drop_held_parts(const Problem& problem);
    bool set_right_hand_side(Problem& problem);
    Outcome solve_balanced(Problem& problem);
    Outcome iterate(Problem& problem, double target);
    double step(const Problem& problem, double rz, double& pq);
    double update_residual(Problem& problem);
    double subtract_addition(const Problem& problem);
    void finish(Problem& problem, bool usable);

    Multigrid cycle_;
    ClosedParts closed_;
    Field<float> b_{"pressure"}, r_{"pressure"}, z_{"pressure"}, p_{"pressure"}, q_{"pressure"};
    Field<double> precise_{"pressure"};
};

}  // namespace spindrift::grid
