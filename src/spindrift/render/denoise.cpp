#include "spindrift/render/denoise.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "spindrift/core/parallel.h"
#include "spindrift/image/image.h"

namespace spindrift::render {

namespace {

using image::luminance;

constexpr std::array<float, 3> spline{6.f / 16, 4.f / 16, 1.f / 16};  ///< B3 spline, from its middle outwards

/// What stays the same from level to level, and what changes: each in one place of memory.
struct Spot {
    Vec3f point;
    float footprint;
    Vec3f normal;
    float unused;
};
struct Lit {
    Vec3f light;
    float variance;
};

/// One level of the wavelet: light and variance at this scale from those of the finer one.
class Level {
  public:
    Level(int width, int height, const std::vector<Spot>& spots, const std::vector<Lit>& lit, int step, int reach)
        : width_(width), height_(height), spots_(spots), lit_(lit), step_(step), reach_(reach) {}

    void run(std::vector<Lit>& smooth) const {
        parallel_for(static_cast<std::size_t>(height_), 8, [&](Range rows) {
            for (const auto y : rows)
                for (int x = 0; x < width_; ++x)
                    smooth[index(x, static_cast<int>(y))] = filtered(x, static_cast<int>(y));
        });
    }

  private:
    std::size_t index(int x, int y) const { return static_cast<std::size_t>(y * width_ + x); }

    /// Of the brightness, smoothed over the nearest pixels: single estimates from a few samples are too rough.
    float deviation(int x, int y) const {
        float sum = 0, weight = 0;
        for (int j = std::max(0, y - 1); j <= std::min(height_ - 1, y + 1); ++j) {
            for (int i = std::max(0, x - 1); i <= std::min(width_ - 1, x + 1); ++i) {
                const float w = spline[static_cast<std::size_t>(std::abs(i - x))] *
                                spline[static_cast<std::size_t>(std::abs(j - y))];
                if (spots_[index(i, j)].footprint == 0) continue;
                sum += w * lit_[index(i, j)].variance, weight += w;
            }
        }
        return weight > 0 ? std::sqrt(sum / weight) : 0;
    }

    Lit filtered(int x, int y) const {
        const Lit& lit = lit_[index(x, y)];
        const Spot& spot = spots_[index(x, y)];
        if (spot.footprint == 0) return lit;
        const float bright = luminance(lit.light);
        constexpr float tolerance = 3;
        const float scale = 1 / (tolerance * deviation(x, y) + 1e-3f * bright + 1e-5f);
        const float flat = 1 / (2.5f * static_cast<float>(step_) * spot.footprint);
        Vec3f sum = lit.light * (spline[0] * spline[0]);
        float weight = spline[0] * spline[0], squares = weight * weight * lit.variance;
        for (int dy = -reach_; dy <= reach_; ++dy) {
            const int j = y + dy * step_;
            if (j < 0 || j >= height_) continue;
            for (int dx = -reach_; dx <= reach_; ++dx) {
                const int i = x + dx * step_;
                if ((dx == 0 && dy == 0) || i < 0 || i >= width_) continue;
                const Spot& there = spots_[index(i, j)];
                if (there.footprint == 0) continue;
                const float turned = dot(spot.normal, there.normal);
                if (turned < 0.5f) continue;
                const Lit& other = lit_[index(i, j)];
                const float off = dot(there.point - spot.point, spot.normal) * flat;
                const float differs = (luminance(other.light) - bright) * scale;
                const float alike = turned * turned * turned * turned / ((1 + off * off) * (1 + differs * differs));
                const float w = spline[static_cast<std::size_t>(std::abs(dx))] *
                                spline[static_cast<std::size_t>(std::abs(dy))] * alike;
                sum += other.light * w, weight += w, squares += w * w * other.variance;
            }
        }
        return {sum / weight, squares / (weight * weight)};
    }

    int width_, height_;
    const std::vector<Spot>& spots_;
    const std::vector<Lit>& lit_;
    int step_, reach_;
};

}  // namespace

Irradiance::Irradiance(int width_, int height_) : width(width_), height(height_) {
    const std::size_t count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    light.resize(count), variance.resize(count), point.resize(count), normal.resize(count), footprint.resize(count);
}

void Irradiance::guess_variance() {
    constexpr int reach = 2;
    parallel_for(static_cast<std::size_t>(height), 8, [&](Range rows) {
        for (const auto row : rows) {
            const int y = static_cast<int>(row);
            for (int x = 0; x < width; ++x) {
                const std::size_t here = static_cast<std::size_t>(y * width + x);
                float count = 0, sum = 0, squares = 0;
                for (int j = std::max(0, y - reach); j <= std::min(height - 1, y + reach); ++j) {
                    for (int i = std::max(0, x - reach); i <= std::min(width - 1, x + reach); ++i) {
                        const std::size_t there = static_cast<std::size_t>(j * width + i);
                        if (footprint[there] == 0 || dot(normal[here], normal[there]) < 0.9f) continue;
                        const float bright = luminance(light[there]);
                        count += 1, sum += bright, squares += bright * bright;
                    }
                }
                if (count > 1) variance[here] = std::max(0.f, squares / count - sum * sum / (count * count));
            }
        }
    });
}

std::vector<Vec3f> denoise(const Irradiance& noisy, int levels, bool quick) {
    const std::size_t count = noisy.light.size();
    std::vector<Spot> spots(count);
    std::vector<Lit> lit(count), smooth(count);
    parallel_for(count, [&](Range range) {
        for (const auto i : range) {
            spots[i] = {noisy.point[i], noisy.footprint[i], noisy.normal[i], 0};
            lit[i] = {noisy.light[i], noisy.variance[i]};
        }
    });
    for (int level = 0; level < levels; ++level) {
        Level(noisy.width, noisy.height, spots, lit, 1 << level, quick ? 1 : 2).run(smooth);
        std::swap(lit, smooth);
    }
    std::vector<Vec3f> light(count);
    parallel_for(count, [&](Range range) {
        for (const auto i : range)
            light[i] = lit[i].light;
    });
    return light;
}

}  // namespace spindrift::render
