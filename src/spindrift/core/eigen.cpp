#include "spindrift/core/eigen.h"

#include <cmath>
#include <utility>

namespace spindrift {

namespace {

/// Sweeps converge quadratically; from well-scaled matrices five are enough, and the rest costs nothing.
constexpr int most_sweeps = 12;

/// Turns the plane of axes p and q so that m[p][q] becomes 0.
void rotate(double m[3][3], double axes[3][3], int p, int q) {
    const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
    const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::sqrt(theta * theta + 1));
    const double c = 1 / std::sqrt(t * t + 1), s = t * c;
    const int r = 3 - p - q;
    const double off = m[p][q], mrp = m[r][p], mrq = m[r][q];
    m[p][p] -= t * off;
    m[q][q] += t * off;
    m[p][q] = m[q][p] = 0;
    m[r][p] = m[p][r] = c * mrp - s * mrq;
    m[r][q] = m[q][r] = s * mrp + c * mrq;
    for (int k = 0; k < 3; ++k) {
        const double ap = axes[k][p], aq = axes[k][q];
        axes[k][p] = c * ap - s * aq;
        axes[k][q] = s * ap + c * aq;
    }
}

}  // namespace

Eigen3 eigen_of(const Symmetric3& a) {
    double m[3][3] = {{a[0], a[1], a[2]}, {a[1], a[3], a[4]}, {a[2], a[4], a[5]}};
    double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
        const double off = std::abs(m[0][1]) + std::abs(m[0][2]) + std::abs(m[1][2]);
        // Below this the rotations would not change the last bit of anything.
        if (!(off > 1e-17 * (std::abs(m[0][0]) + std::abs(m[1][1]) + std::abs(m[2][2])))) break;
        for (const auto& [p, q] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}})
            if (m[p][q] != 0) rotate(m, axes, p, q);
    }
    int order[3] = {0, 1, 2};
    const auto put_larger_first = [&](int i, int j) {
        if (m[order[i]][order[i]] < m[order[j]][order[j]]) std::swap(order[i], order[j]);
    };
    put_larger_first(0, 1);
    put_larger_first(1, 2);
    put_larger_first(0, 1);
    Eigen3 out{};
    for (std::size_t k = 0; k < 3; ++k) {
        const int column = order[k];
        out.value[k] = m[column][column];
        out.axis[k] = {axes[0][column], axes[1][column], axes[2][column]};
    }
    if (dot(cross(out.axis[0], out.axis[1]), out.axis[2]) < 0) out.axis[2] = -out.axis[2];
    return out;
}

}  // namespace spindrift
