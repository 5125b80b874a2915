#include "spindrift/flip/viscosity/viscous_bodies.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "spindrift/flip/viscosity/viscosity_kernels.h"
#include "spindrift/fluid/body_sums.h"

namespace spindrift::flip {

namespace {

using fluid::numbers_of;
using fluid::Twist;
using grid::leaf_cells;

Vec3i cell_of(int cell) {
    return {cell & 7, cell >> 3 & 7, cell >> 6};
}

/// Place of a cell of a leaf or of those around it among all values.
std::size_t place_of(const grid::LeafSet& leaves, std::size_t leaf, Vec3i c) {
    const std::int32_t other = leaves.neighbors(leaf)[grid::neighbor_index(c.x >> 3, c.y >> 3, c.z >> 3)];
    return static_cast<std::size_t>(other) * leaf_cells +
           static_cast<std::size_t>(grid::cell_index(c.x & 7, c.y & 7, c.z & 7));
}

double product(const std::vector<Twist>& a, const std::vector<Twist>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += dot(a[i].linear, b[i].linear) + dot(a[i].angular, b[i].angular);
    return sum;
}

/// a + s b
Twist sum_of(const Twist& a, double s, const Twist& b) {
    return {a.linear + b.linear * s, a.angular + b.angular * s};
}

using Vector6 = std::array<double, 6>;
using Matrix6 = std::array<Vector6, 6>;

Twist unit(std::size_t k, double size) {
    Twist t{};
    (k < 3 ? t.linear : t.angular)[static_cast<int>(k % 3)] = size;
    return t;
}

/// By elimination with pivots; `a` is not singular.
Matrix6 inverse(Matrix6 a) {
    Matrix6 out{};
    for (std::size_t i = 0; i < 6; ++i)
        out[i][i] = 1;
    for (std::size_t k = 0; k < 6; ++k) {
        std::size_t best = k;
        for (std::size_t i = k + 1; i < 6; ++i)
            best = std::abs(a[i][k]) > std::abs(a[best][k]) ? i : best;
        std::swap(a[k], a[best]);
        std::swap(out[k], out[best]);
        for (std::size_t i = 0; i < 6; ++i) {
            if (i == k) continue;
            const double f = a[i][k] / a[k][k];
            for (std::size_t j = 0; j < 6; ++j) {
                a[i][j] -= f * a[k][j];
                out[i][j] -= f * out[k][j];
            }
        }
    }
    for (std::size_t k = 0; k < 6; ++k) {
        for (double& value : out[k])
            value /= a[k][k];
    }
    return out;
}

/// How different answers of one body may be that others have no part in.
constexpr double rounding = 1e-9;

}  // namespace

void ViscousBodies::list(const grid::LeafSet& leaves, const Solids& solids, const Weights& weights,
                         const Setup& setup) {
    setup_ = setup;
    faces_.clear();
    const std::size_t count = setup.coupling ? setup.coupling->size() : 0, zero = 0;
    for (Twists* all : {&x_, &r_, &z_, &p_, &q_, &motion_x_, &motion_z_, &motion_p_})
        all->assign(count, {});
    stiffness_.assign(count, {});
    easing_.clear();
    if (count == 0) return;
    std::vector<fluid::Coupling::Body> bodies(count);
    for (std::size_t i = 0; i < count; ++i)
        bodies[i] = setup.coupling->body(i);
    const float* cell = weights.cell.leaf(zero);
    fluid::BodySums<36> sums(count);
    for (std::size_t l = 1; l < leaves.size(); ++l) {
        for (const WallFace& face : solids.faces(l)) {
            if (face.body < 0 || !bodies[static_cast<std::size_t>(face.body)].answers) continue;
            const int a = face.axis, b = (a + 1) % 3, c = (a + 2) % 3;
            const auto kind = static_cast<FaceKind>(weights.kind[a].leaf(l)[face.cell]);
            if (kind != rough_face && kind != smooth_face) continue;
            const Vec3i own = cell_of(face.cell);
            Vec3i before = own, behind_b = own, behind_c = own;
            before[a] -= 1;
            behind_b[b] += 1;
            behind_c[c] += 1;
            const std::size_t at = place_of(leaves, l, own), low = place_of(leaves, l, before);
            const std::size_t high_b = place_of(leaves, l, behind_b), high_c = place_of(leaves, l, behind_c);
            const float *edge_b = weights.edge[b].leaf(zero), *edge_c = weights.edge[c].leaf(zero);
            const float weight = (cell[at] + cell[low]) + (edge_c[at] + edge_c[high_b]) + (edge_b[at] + edge_b[high_c]);
            if (weight == 0) continue;
            Vec3d x = vec_cast<double>(leaves.coord(l) * grid::leaf_width + own) + Vec3d{0.5, 0.5, 0.5}, along{};
            x[a] -= 0.5;
            along[a] = 1;
            const Vec3d arm = x * setup.cell - bodies[static_cast<std::size_t>(face.body)].center;
            faces_.push_back({at, {low, high_b, high_c}, a, face.body, cross(arm, along)});
            const Vector6 row = numbers_of({along, cross(arm, along)});
            std::array<double, 36> stiffness;
            for (std::size_t i = 0; i < 36; ++i)
                stiffness[i] = row[i / 6] * row[i % 6] * static_cast<double>(weight) * setup.cell_mass;
            sums.add(l, static_cast<std::size_t>(face.body), stiffness);
        }
    }
    for (std::size_t body = 0; body < count; ++body) {
        const std::array<double, 36> total = sums.total(body);
        for (std::size_t i = 0; i < 36; ++i)
            stiffness_[body][i / 6][i % 6] = total[i];
    }
    if (!empty()) find_easing();
}

/// Asks for answers to impulses on all bodies at once. Another time each body's is as large as no other's is: who
/// answers in that proportion answers to its own alone.
void ViscousBodies::find_easing() {
    const std::size_t count = x_.size();
    std::vector<Matrix6> answer(count);
    std::vector<bool> alone(count, true);
    const auto size_of = [](std::size_t body) {
        return 1 + std::fmod(0.6180339887 * static_cast<double>(body + 1), 1);
    };
    for (std::size_t k = 0; k < 6; ++k) {
        for (std::size_t i = 0; i < count; ++i) {
            p_[i] = unit(k, 1);
            q_[i] = unit(k, size_of(i));
        }
        setup_.coupling->respond(p_, motion_p_);
        setup_.coupling->respond(q_, motion_x_);
        for (std::size_t i = 0; i < count; ++i) {
            const Vector6 one = numbers_of(motion_p_[i]), other = numbers_of(motion_x_[i]);
            double difference = 0, all = 0;
            for (std::size_t j = 0; j < 6; ++j) {
                answer[i][j][k] = one[j];
                all += one[j] * one[j];
                difference += (other[j] / size_of(i) - one[j]) * (other[j] / size_of(i) - one[j]);
            }
            alone[i] = alone[i] && difference <= rounding * rounding * all;
        }
    }
    easing_.assign(count, {});
    for (std::size_t i = 0; i < count; ++i) {
        Matrix6 m{};
        for (std::size_t r = 0; r < 6; ++r) {
            m[r][r] = 1;
            for (std::size_t c = 0; c < 6 && alone[i]; ++c) {
                for (std::size_t n = 0; n < 6; ++n)
                    m[r][c] += stiffness_[i][r][n] * answer[i][n][c];
            }
        }
        easing_[i] = inverse(m);
    }
    for (Twists* used : {&p_, &q_, &motion_p_, &motion_x_})
        used->assign(count, {});
}

void ViscousBodies::ease(const Twists& in, Twists& out) const {
    for (std::size_t i = 0; i < in.size(); ++i) {
        const Vector6 from = numbers_of(in[i]);
        Vector6 to{};
        for (std::size_t r = 0; r < 6; ++r) {
            for (std::size_t c = 0; c < 6; ++c)
                to[r] += easing_[i][r][c] * from[c];
        }
        out[i] = {{to[0], to[1], to[2]}, {to[3], to[4], to[5]}};
    }
}

void ViscousBodies::pull(const Stress& stress, double scale, Twists& out) const {
    const float *normal[3], *shear[3];
    for (int axis = 0; axis < 3; ++axis) {
        normal[axis] = stress.normal[axis].leaf(std::size_t{0});
        shear[axis] = stress.shear[axis].leaf(std::size_t{0});
    }
    fluid::TwistSums sums(out.size());
    for (const BodyFace& face : faces_) {
        const int a = face.axis, b = (a + 1) % 3, c = (a + 2) % 3;
        const float force = (normal[a][face.by[0]] - normal[a][face.at]) + (shear[c][face.at] - shear[c][face.by[1]]) +
                            (shear[b][face.at] - shear[b][face.by[2]]);
        const double impulse = static_cast<double>(force) * scale * setup_.cell_mass;
        Vec3d push{};
        push[a] = impulse;
        sums.add(face.at / leaf_cells, static_cast<std::size_t>(face.body), {push, face.turn * impulse});
    }
    sums.add_to(out);
}

void ViscousBodies::write(const Twists& motion, Faces& out) const {
    float* const values[3] = {out.x.leaf(std::size_t{0}), out.y.leaf(std::size_t{0}), out.z.leaf(std::size_t{0})};
    for (const BodyFace& face : faces_) {
        const Twist& own = motion[static_cast<std::size_t>(face.body)];
        values[face.axis][face.at] = static_cast<float>(own.linear[face.axis] + dot(face.turn, own.angular));
    }
}

void ViscousBodies::set_residual(const Stress& stress) {
    std::fill(r_.begin(), r_.end(), Twist{});
    pull(stress, -1, r_);
}

void ViscousBodies::put(Faces& x) {
    if (empty()) return;
    setup_.coupling->respond(x_, motion_x_);
    write(motion_x_, x);
}

void ViscousBodies::subtract(const Stress& stress_of_x) {
    pull(stress_of_x, -1, r_);
    for (std::size_t i = 0; i < r_.size(); ++i)
        r_[i] = sum_of(r_[i], -1, x_[i]);
}

double ViscousBodies::precondition() {
    if (empty()) return 0;
    ease(r_, z_);
    setup_.coupling->respond(z_, motion_z_);
    return product(r_, motion_z_) / setup_.cell_mass;
}

void ViscousBodies::turn(double beta, Faces& p) {
    for (std::size_t i = 0; i < p_.size(); ++i) {
        p_[i] = sum_of(z_[i], beta, p_[i]);
        motion_p_[i] = sum_of(motion_z_[i], beta, motion_p_[i]);
    }
    write(motion_p_, p);
}

double ViscousBodies::multiply(const Stress& stress_of_p) {
    if (empty()) return 0;
    q_ = p_;
    pull(stress_of_p, 1, q_);
    return product(motion_p_, q_) / setup_.cell_mass;
}

void ViscousBodies::advance(double alpha) {
    for (std::size_t i = 0; i < x_.size(); ++i) {
        x_[i] = sum_of(x_[i], alpha, p_[i]);
        r_[i] = sum_of(r_[i], -alpha, q_[i]);
    }
}

}  // namespace spindrift::flip
