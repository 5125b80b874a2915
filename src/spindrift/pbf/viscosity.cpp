#include "spindrift/pbf/viscosity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "spindrift/core/parallel.h"

namespace spindrift::pbf {

namespace {

/// 22 nu dt / h^2 makes XSPH with poly6 diffuse momentum at nu (checked by the shear-wave test).
constexpr double share_per_diffusion = 22;
/// The central form needs this much more to diffuse as fast (measured on jittered points; docs/decisions/0009).
constexpr double central_factor = 5 * 28.4 / 22;

/// Largest share of one explicit pass (Alduan et al. 2017, section 4.1, for XSPH), and the most passes: beyond these
/// the implicit solve is cheaper.
constexpr double largest_share(bool central) {
    return central ? 0.3 : 0.5;
}
constexpr int most_passes = 3;

/// Residual of the implicit solve relative to its start, and its most iterations.
constexpr double tolerance = 2e-2;
constexpr int most_iterations = 60;

}  // namespace

double ViscositySolver::largest_coefficient(const fluid::Properties& properties, double smoothing) const {
    double largest = 0;
    for (const Liquid& liquid : properties.rule().liquids()) {
        const double h = liquid.support_radius();
        largest = std::max(largest, properties.largest_viscosity_of(liquid) / (h * h));
    }
    return share_per_diffusion * largest * due.time + smoothing;
}

double ViscositySolver::wall_drag(double viscosity, double support_radius, double dt) {
    return share_per_diffusion * viscosity * dt / (support_radius * support_radius);
}

void ViscositySolver::give_back_memory() {
    product_.release();
    diffusion_.release();
    drag_.release();
}

/// Diffusion lengths squared, and what walls take.
ViscositySolver::Shares ViscositySolver::find_shares(const Input& input, double share) {
    const fluid::Properties& properties = input.properties;
    const auto diffusion = [&](std::size_t i) {
        const double h = properties.liquid_of(i).support_radius();
        const double physical = share_per_diffusion * static_cast<double>(properties.viscosity()[i]) * input.dt;
        return static_cast<float>(share * (physical + input.smoothing * h * h));
    };
    const auto drag = [&](std::size_t i) {
        const double h = properties.liquid_of(i).support_radius();
        return static_cast<float>(share * wall_drag(static_cast<double>(properties.viscosity()[i]), h, input.dt));
    };
    if (!properties.liquids() && !properties.viscosity().each) return {{.one = diffusion(0)}, {.one = drag(0)}};
    const std::size_t n = input.sorted.size();
    for (Buffer<float>* array : {&diffusion_, &drag_}) {
        array->resize(n + ParticleStore::padding);
        std::fill_n(array->data() + n, ParticleStore::padding, 0.f);
    }
    parallel_for(n, [&](Range range) {
        for (const std::size_t i : range) {
            diffusion_[i] = diffusion(i);
            drag_[i] = drag(i);
        }
    });
    return {{.each = diffusion_.data()}, {.each = drag_.data()}};
}

void ViscositySolver::multiply(const Input& input, const Shares& shares, const Float4* v, Float4* out, float sign,
                               float wall_motion) const {
    std::vector<float> coefficient;
    const double unit2 = input.tables.unit() * input.tables.unit() / (input.central ? central_factor : 1);
    for (const PairScale& pair : input.tables.pairs())
        coefficient.push_back(pair.h > 0 ? pair.density / (pair.h2 * static_cast<float>(unit2)) : 0.f);
    const ViscosityPass pass{.lists = input.lists,
                             .fluid = input.fluid,
                             .x = input.x,
                             .v = v,
                             .v_next = out,
                             .central = input.central,
                             .sign = sign,
                             .coefficient = coefficient.data(),
                             .viscosity = shares.diffusion,
                             .wall_drag = shares.drag,
                             .wall_motion = wall_motion};
    input.loops.viscosity(pass, input.cluster_count);
    out[input.sorted.size()] = {0, 0, 0, 0};
}

bool ViscositySolver::apply(const Input& input, Buffer<Float4>& v, Buffer<Float4>& spare, Buffer<Float4>& spare2) {
    const double wanted = largest_coefficient(input.properties, input.smoothing);
    const double passes = std::ceil(wanted / largest_share(input.central));
    if (passes > most_passes) return solve(input, v.data(), spare.data(), spare2.data());
    const Shares shares = find_shares(input, 1 / passes);
    for (int k = 0; k < static_cast<int>(passes); ++k) {
        multiply(input, shares, v.data(), spare.data(), 1, 1);
        input.sorted.refresh(spare.data());
        v.swap(spare);
    }
    return true;
}

/// Conjugate gradients for v + c L v = v_before, in the inner product weighted with masses, in which L is symmetric.
bool ViscositySolver::solve(const Input& input, Float4* v, Float4* residual, Float4* direction) {
    product_.resize(input.sorted.size() + ParticleStore::padding);
    const Shares shares = find_shares(input, 1);
    const auto mass = [&](std::size_t i) { return input.properties.mass(i); };
    const auto for_particles = [&](const auto& body) {
        return input.sorted.sums<1>([&](std::size_t, Range own) {
            double sum = 0;
            for (std::size_t i : own)
                sum += static_cast<double>(mass(i) * body(i));
            return std::array{sum};
        })[0];
    };
    const auto add = [](Float4& a, const Float4& b, float s) {
        a = {a.x + s * b.x, a.y + s * b.y, a.z + s * b.z, a.w};
    };
    const auto dot4 = [](const Float4& a, const Float4& b) { return a.x * b.x + a.y * b.y + a.z * b.z; };

    // Walls in motion belong to the right-hand side, that is to the first residual alone.
    multiply(input, shares, v, product_.data(), -1, 1);
    double rho = for_particles([&](std::size_t i) {
        residual[i] = {v[i].x - product_[i].x, v[i].y - product_[i].y, v[i].z - product_[i].z, 0};
        direction[i] = residual[i];
        return dot4(residual[i], residual[i]);
    });
    direction[input.sorted.size()] = {0, 0, 0, 0};
    const double goal = tolerance * tolerance * rho;
    for (int k = 0; k < most_iterations && rho > goal && rho > 0; ++k) {
        input.sorted.refresh(direction);
        multiply(input, shares, direction, product_.data(), -1, 0);
        const double curvature = for_particles([&](std::size_t i) { return dot4(direction[i], product_[i]); });
        if (!(curvature > 0)) return false;
        const auto alpha = static_cast<float>(rho / curvature);
        const double rho_next = for_particles([&](std::size_t i) {
            add(v[i], direction[i], alpha);
            add(residual[i], product_[i], -alpha);
            return dot4(residual[i], residual[i]);
        });
        const auto beta = static_cast<float>(rho_next / rho);
        parallel_for(input.sorted.owned().size(), [&, first = input.sorted.owned().first](Range range) {
            for (const std::size_t n : range) {
                const std::size_t i = first + n;
                const Float4 r = residual[i];
                direction[i] = {r.x + beta * direction[i].x, r.y + beta * direction[i].y, r.z + beta * direction[i].z,
                                0};
            }
        });
        rho = rho_next;
    }
    return rho <= goal;
}

}  // namespace spindrift::pbf
