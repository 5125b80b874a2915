#include "spindrift/surface/calibrate.h"

#include <cmath>
#include <vector>

#include "spindrift/core/vec.h"

namespace spindrift::surface {

namespace {

double kernel(double r2) {
    const double q = 1 - r2;
    return q > 0 ? q * q * q : 0;
}

/// Particles at whole coordinates with y <= 0, lengths in spacings.
class HalfSpace {
  public:
    HalfSpace(double reach, bool normalized) : reach_(reach), side_(static_cast<int>(std::ceil(reach)) + 1) {
        for (int layer = 0; layer <= 2 * side_; ++layer)
            inverse_.push_back(1);
        if (!normalized) return;
        const std::vector<double> ones = inverse_;
        std::vector<double> inverse;
        for (int layer = 0; layer <= 2 * side_; ++layer)
            inverse.push_back(1 / sums({0, -static_cast<double>(layer), 0}).w);
        inverse_ = inverse;
    }

    struct Sums {
        double w = 0;
        Vec3d way{};  ///< sum of w times the way to the particle
    };

    Sums sums(Vec3d p) const {
        Sums out;
        const int x0 = static_cast<int>(std::round(p.x)), y0 = static_cast<int>(std::round(p.y)),
                  z0 = static_cast<int>(std::round(p.z));
        for (int y = y0 - side_; y <= std::min(0, y0 + side_); ++y) {
            const auto layer = std::min(static_cast<std::size_t>(-y), inverse_.size() - 1);
            for (int z = z0 - side_; z <= z0 + side_; ++z) {
                for (int x = x0 - side_; x <= x0 + side_; ++x) {
                    const Vec3d way = Vec3d{double(x), double(y), double(z)} - p;
                    const double w = inverse_[layer] * kernel(dot(way, way) / (reach_ * reach_));
                    out.w += w;
                    out.way += way * w;
                }
            }
        }
        return out;
    }

  private:
    double reach_;
    int side_;
    std::vector<double> inverse_;  ///< 1 / iso-density of each layer; the last counts for all below
};

double decay(double w) {
    if (w >= w_max) return 1;
    if (w <= w_min) return 0;
    const double s = (w - w_max) / (w_max - w_min), a = 1 - s * s;
    return a * a;
}

}  // namespace

double flat_level(Function function, double reach, double offset) {
    const HalfSpace space(reach, function == Function::normalized);
    // Mean over places between the particles.
    constexpr int places = 4;
    double sum = 0;
    for (int k = 0; k < places * places; ++k) {
        const Vec3d p{(k % places + 0.5) / places, offset, (k / places + 0.5) / places};
        const HalfSpace::Sums here = space.sums(p);
        if (function == Function::color_field) {
            sum += here.w;
            continue;
        }
        const Vec3d way = here.way / here.w;
        const double f = function == Function::normalized ? decay(space.sums(p + way).w) : 1;
        sum += length(way) / f;
    }
    return sum / (places * places);
}

double lattice_sum(double reach, bool sharp) {
    const int side = static_cast<int>(std::ceil(reach));
    double sum = 0;
    for (int z = -side; z <= side; ++z) {
        for (int y = -side; y <= side; ++y) {
            for (int x = -side; x <= side; ++x) {
                const double w = kernel((x * x + y * y + z * z) / (reach * reach));
                sum += sharp ? w * w : w;
            }
        }
    }
    return sum;
}

}  // namespace spindrift::surface
