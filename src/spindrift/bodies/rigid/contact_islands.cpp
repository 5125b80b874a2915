#include "spindrift/bodies/rigid/contact_islands.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "spindrift/bodies/rigid/contact_body.h"

namespace spindrift::bodies {

namespace {

/// Penalty by mass: a box at rest keeps less than a thousandth of what gravity gives it in a step.
constexpr double stiffness = 1e4;
/// Bodies of larger islands are held by the world alone: the work grows faster than their number.
constexpr std::size_t most_bodies = 100;

/// Two directions at right angles to a third, the same for the same.
std::array<Vec3d, 2> directions_across(Vec3d n) {
    const Vec3d other = std::abs(n.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    const Vec3d t = normalize(cross(n, other));
    return {t, cross(n, t)};
}

using Lists = std::vector<std::vector<std::size_t>>;

/// All that can be reached, nearest first (Cuthill and McKee without their sort by degree).
std::vector<std::size_t> walk(const Lists& neighbors, std::size_t from) {
    std::vector<std::size_t> order{from};
    std::vector<bool> seen(neighbors.size(), false);
    seen[from] = true;
    for (std::size_t k = 0; k < order.size(); ++k) {
        for (const std::size_t next : neighbors[order[k]]) {
            if (seen[next]) continue;
            seen[next] = true;
            order.push_back(next);
        }
    }
    return order;
}

}  // namespace

Six contact_row(Vec3d direction, Vec3d arm) {
    return to_six({direction, cross(arm, direction)});
}

Six to_six(const fluid::Twist& t) {
    return {t.linear.x, t.linear.y, t.linear.z, t.angular.x, t.angular.y, t.angular.z};
}

fluid::Twist to_twist(const Six& s) {
    return {{s[0], s[1], s[2]}, {s[3], s[4], s[5]}};
}

double dot(const Six& a, const Six& b) {
    double sum = 0;
    for (std::size_t i = 0; i < 6; ++i)
        sum += a[i] * b[i];
    return sum;
}

ContactIslands::ContactIslands(std::span<const Body> bodies, std::span<const BodyContact> contacts)
    : bodies_(bodies.begin(), bodies.end()), contacts_(contacts.begin(), contacts.end()), holds_(contacts.size()) {
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
        const auto [a, b] = pair_of(contacts_[k]);
        const bool presses = contacts_[k].impulse > 0 && a != b;
        holds_[k] = !presses ? Hold::nothing : friction(contacts_[k]) > 0 ? Hold::wholly : Hold::along_normal;
    }
    assemble();
}

void ContactIslands::assemble() {
    put_in_order();
    matrix_ = EnvelopeMatrix(envelope());
    add_masses();
    for (std::size_t k = 0; k < contacts_.size(); ++k)
        add_contact(k);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        if (place_[i] != none && bodies_[i].hinge) add_hinge(i, *bodies_[i].hinge);
    }
    factored_ = matrix_;
    factored_.factor();
}

ContactIslands::Pair ContactIslands::pair_of(const BodyContact& contact) const {
    const auto side = [&](int body) {
        const auto i = static_cast<std::size_t>(body);
        return body < 0 || i >= bodies_.size() || bodies_[i].mass == 0 ? none : i;
    };
    return {side(contact.a), side(contact.b)};
}

/// Bodies that touch stand close together in the system, so that its envelope is narrow.
void ContactIslands::put_in_order() {
    Lists neighbors(bodies_.size());
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
        const auto [a, b] = pair_of(contacts_[k]);
        if (holds_[k] == Hold::nothing || a == none || b == none) continue;
        neighbors[a].push_back(b);
        neighbors[b].push_back(a);
    }
    place_.assign(bodies_.size(), none);
    crowded_.assign(bodies_.size(), false);
    std::size_t next = 0;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        if (bodies_[i].mass == 0 || place_[i] != none) continue;
        if (neighbors[i].empty()) {
            place_[i] = next++;
            continue;
        }
        // Begun at an end, the walk meets fewer bodies at a time.
        const std::vector<std::size_t> island = walk(neighbors, walk(neighbors, i).back());
        for (const std::size_t body : island) {
            place_[body] = next++;
            crowded_[body] = island.size() > most_bodies;
        }
    }
}

std::vector<std::size_t> ContactIslands::envelope() const {
    std::vector<std::size_t> lowest;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        if (place_[i] != none) lowest.push_back(lowest.size());
    }
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
        const auto [a, b] = pair_of(contacts_[k]);
        if (holds_[k] == Hold::nothing || a == none || b == none || crowded_[a]) continue;
        const auto [low, high] = std::minmax(place_[a], place_[b]);
        lowest[high] = std::min(lowest[high], low);
    }
    std::vector<std::size_t> first(6 * lowest.size());
    for (std::size_t row = 0; row < first.size(); ++row)
        first[row] = 6 * lowest[row / 6];
    return first;
}

void ContactIslands::add_masses() {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        if (place_[i] == none) continue;
        const Body& body = bodies_[i];
        for (int k = 0; k < 3; ++k) {
            Vec3d axis{};
            axis[k] = 1;
            add_block(i, i, body.mass, to_six({axis, {}}), to_six({axis, {}}));
            const Six turn = to_six({{}, body.inertia.axis[static_cast<std::size_t>(k)]});
            add_block(i, i, body.inertia.moment[k], turn, turn);
        }
    }
}

void ContactIslands::add_contact(std::size_t k) {
    const BodyContact& contact = contacts_[k];
    const auto [a, b] = pair_of(contact);
    if (holds_[k] == Hold::nothing || (a != none && b != none && crowded_[a])) return;
    const double stiff = penalty({a, b});
    add_row(stiff, a, row(a, contact, contact.normal), b, row(b, contact, contact.normal));
    if (holds_[k] == Hold::along_normal) return;
    for (const Vec3d& t : directions_across(contact.normal))
        add_row(stiff, a, row(a, contact, t), b, row(b, contact, t));
}

double ContactIslands::friction(const BodyContact& contact) const {
    const auto grip = [&](int body) { return body < 0 ? obstacle_grip : bodies_[static_cast<std::size_t>(body)].grip; };
    return std::sqrt(grip(contact.a) * grip(contact.b));
}

ContactIslands::Hold ContactIslands::hold_after(std::size_t k, std::span<const fluid::Twist> velocities) const {
    const BodyContact& contact = contacts_[k];
    const auto [a, b] = pair_of(contact);
    if (holds_[k] == Hold::nothing || (a != none && b != none && crowded_[a])) return holds_[k];
    const double pressed = impulse(contact, velocities);
    if (pressed < 0) return Hold::nothing;
    if (holds_[k] == Hold::along_normal) return holds_[k];
    double across = 0;
    for (const Vec3d& t : directions_across(contact.normal))
        across += std::pow(held(contact, t, velocities), 2);
    return std::sqrt(across) > friction(contact) * pressed ? Hold::along_normal : Hold::wholly;
}

bool ContactIslands::let_go(std::span<const fluid::Twist> velocities) {
    std::vector<Hold> after(holds_.size());
    for (std::size_t k = 0; k < holds_.size(); ++k)
        after[k] = hold_after(k, velocities);
    if (after == holds_) return false;
    holds_ = std::move(after);
    assemble();
    return true;
}

double ContactIslands::penalty(const Pair& pair) const {
    const double a = pair.a == none ? 0 : bodies_[pair.a].mass, b = pair.b == none ? 0 : bodies_[pair.b].mass;
    return stiffness * (a == 0 ? b : b == 0 ? a : a * b / (a + b));
}

Six ContactIslands::row(std::size_t body, const BodyContact& contact, Vec3d direction) const {
    return body == none ? Six{} : contact_row(direction, contact.point - bodies_[body].center);
}

double ContactIslands::held(const BodyContact& contact, Vec3d direction,
                            std::span<const fluid::Twist> velocities) const {
    const Pair pair = pair_of(contact);
    double speed = 0;
    if (pair.a != none) speed += dot(row(pair.a, contact, direction), to_six(velocities[pair.a]));
    if (pair.b != none) speed -= dot(row(pair.b, contact, direction), to_six(velocities[pair.b]));
    return -penalty(pair) * speed;
}

double ContactIslands::impulse(const BodyContact& contact, std::span<const fluid::Twist> velocities) const {
    return held(contact, contact.normal, velocities);
}

void ContactIslands::add_hinge(std::size_t body, const HingeParams& hinge) {
    const Body& held = bodies_[body];
    const Vec3d arm = hinge.point - held.center, axis = normalize(hinge.axis);
    for (int k = 0; k < 3; ++k) {
        Vec3d direction{};
        direction[k] = 1;
        add_row(stiffness * held.mass, body, contact_row(direction, arm), none, {});
    }
    const double moment = std::max({held.inertia.moment.x, held.inertia.moment.y, held.inertia.moment.z});
    for (const Vec3d& across : directions_across(axis))
        add_row(stiffness * (moment + held.mass * dot(arm, arm)), body, to_six({{}, across}), none, {});
}

void ContactIslands::add_row(double k, std::size_t a, const Six& at_a, std::size_t b, const Six& at_b) {
    if (a != none) add_block(a, a, k, at_a, at_a);
    if (b != none) add_block(b, b, k, at_b, at_b);
    if (a == none || b == none) return;
    if (place_[a] > place_[b])
        add_block(a, b, -k, at_a, at_b);
    else
        add_block(b, a, -k, at_b, at_a);
}

void ContactIslands::add_block(std::size_t a, std::size_t b, double k, const Six& at_a, const Six& at_b) {
    for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j < (a == b ? i + 1 : 6); ++j)
            matrix_.at(6 * place_[a] + i, 6 * place_[b] + j) += k * at_a[i] * at_b[j];
    }
}

void ContactIslands::solve(std::span<const fluid::Twist> impulses, std::span<fluid::Twist> velocities) const {
    solve_factored(factored_, impulses, velocities);
}

void ContactIslands::solve_with(std::span<const Block> clinging, std::span<const fluid::Twist> impulses,
                                std::span<fluid::Twist> velocities) const {
    EnvelopeMatrix matrix = matrix_;
    for (std::size_t body = 0; body < bodies_.size(); ++body) {
        if (place_[body] == none) continue;
        for (std::size_t i = 0; i < 6; ++i) {
            for (std::size_t j = 0; j <= i; ++j)
                matrix.at(6 * place_[body] + i, 6 * place_[body] + j) += clinging[body][i][j];
        }
    }
    matrix.factor();
    solve_factored(matrix, impulses, velocities);
}

void ContactIslands::solve_factored(const EnvelopeMatrix& matrix, std::span<const fluid::Twist> impulses,
                                    std::span<fluid::Twist> velocities) const {
    std::vector<double> x(matrix.size());
    for (std::size_t body = 0; body < bodies_.size(); ++body) {
        if (place_[body] == none) continue;
        const Six impulse = to_six(impulses[body]);
        std::copy(impulse.begin(), impulse.end(), x.begin() + static_cast<std::ptrdiff_t>(6 * place_[body]));
    }
    matrix.solve(x);
    for (std::size_t body = 0; body < bodies_.size(); ++body) {
        velocities[body] = {};
        if (place_[body] == none) continue;
        Six velocity{};
        std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(6 * place_[body]), 6, velocity.begin());
        velocities[body] = to_twist(velocity);
    }
}

}  // namespace spindrift::bodies
