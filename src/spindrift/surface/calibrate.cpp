#include "spindrift/surface/calibrate.h"

#include <cmath>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/surface/anisotropy.h"

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

/// The sum of shaped kernels over a block of particles, as the field takes it.
class ShapedBlock {
  public:
    explicit ShapedBlock(double reach) : reach_(reach) {
        std::vector<Vec3f> x;
        for (int z = -side; z <= side; ++z) {
            for (int y = -depth; y <= 0; ++y) {
                for (int i = -side; i <= side; ++i)
                    x.push_back(vec_cast<float>(Vec3i{i, y, z}));
            }
        }
        cells_.sort({.x = x, .spacing = {1}});
        shapes_ = make_anisotropy(cells_, reach);
    }

    double sum(Vec3d p) const {
        double s = 0;
        for (std::size_t i = 0; i < cells_.size(); ++i) {
            const Vec3f q = transform(shapes_.G[i], vec_cast<float>(p / cells_.unit()) - shapes_.center[i]);
            s += shape_weight(shapes_.G[i], static_cast<float>(reach_ / cells_.unit())) * kernel(dot(q, q));
        }
        return s;
    }

  private:
    // Beyond what any kernel, its covariance and its shifted centre see of the block's other sides.
    static constexpr int side = 11, depth = 11;

    double reach_;
    neighbors::ParticleCells cells_;
    Anisotropy shapes_;
};

/// Mean of f over places between the particles, `height` above the outermost.
template <class F>
double mean_over_places(double height, const F& f) {
    constexpr int places = 4;
    double sum = 0;
    for (int k = 0; k < places * places; ++k)
        sum += f(Vec3d{(k % places + 0.5) / places, height, (k / places + 0.5) / places});
    return sum / (places * places);
}

/// Level and slope of a sum of kernels.
template <class F>
FlatLevel level_of_sum(double offset, const F& sum) {
    constexpr double step = 0.1;
    const double slope = (mean_over_places(offset - step, sum) - mean_over_places(offset + step, sum)) / (2 * step);
    return {mean_over_places(offset, sum), slope};
}

}  // namespace

FlatLevel flat_level(Function function, double reach, double offset) {
    if (function == Function::anisotropic) {
        const ShapedBlock block(reach);
        return level_of_sum(offset, [&](Vec3d p) { return block.sum(p); });
    }
    const HalfSpace space(reach, function == Function::normalized);
    if (function == Function::color_field) return level_of_sum(offset, [&](Vec3d p) { return space.sums(p).w; });
    const double value = mean_over_places(offset, [&](Vec3d p) {
        const HalfSpace::Sums here = space.sums(p);
        const Vec3d way = here.way / here.w;
        return length(way) / (function == Function::normalized ? decay(space.sums(p + way).w) : 1);
    });
    return {value, 1};
}

float shape_weight(const std::array<float, 6>& g, float reach) {
    const float det =
        g[0] * (g[3] * g[5] - g[4] * g[4]) - g[1] * (g[1] * g[5] - g[4] * g[2]) + g[2] * (g[1] * g[4] - g[3] * g[2]);
    return det * reach * reach * reach;
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
