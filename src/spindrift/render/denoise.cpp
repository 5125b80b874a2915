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

/// One level of the wavelet: light and variance at this scale from those of the finer one.
class Level {
  public:
    Level(const Irradiance& scene, const std::vector<Vec3f>& light, const std::vector<float>& variance, int step)
        : scene_(scene), light_(light), variance_(variance), step_(step) {}

    void run(std::vector<Vec3f>& light, std::vector<float>& variance) const {
        parallel_for(static_cast<std::size_t>(scene_.height), 8, [&](Range rows) {
            for (const auto y : rows)
                for (int x = 0; x < scene_.width; ++x)
                    filter(x, static_cast<int>(y), light, variance);
        });
    }

  private:
    std::size_t index(int x, int y) const { return static_cast<std::size_t>(y * scene_.width + x); }

    /// Of the brightness, smoothed over the nearest pixels: single estimates from a few samples are too rough.
    float deviation(int x, int y) const {
        float sum = 0, weight = 0;
        for (int j = std::max(0, y - 1); j <= std::min(scene_.height - 1, y + 1); ++j) {
            for (int i = std::max(0, x - 1); i <= std::min(scene_.width - 1, x + 1); ++i) {
                const float w = spline[static_cast<std::size_t>(std::abs(i - x))] *
                                spline[static_cast<std::size_t>(std::abs(j - y))];
                if (scene_.footprint[index(i, j)] == 0) continue;
                sum += w * variance_[index(i, j)], weight += w;
            }
        }
        return weight > 0 ? std::sqrt(sum / weight) : 0;
    }

    void filter(int x, int y, std::vector<Vec3f>& light, std::vector<float>& variance) const {
        const std::size_t here = index(x, y);
        light[here] = light_[here], variance[here] = variance_[here];
        if (scene_.footprint[here] == 0) return;
        const float bright = luminance(light_[here]);
        constexpr float tolerance = 3;
        const float scale = 1 / (tolerance * deviation(x, y) + 1e-3f * bright + 1e-5f);
        const float flat = 1 / (2.5f * static_cast<float>(step_) * scene_.footprint[here]);
        Vec3f sum = light_[here] * (spline[0] * spline[0]);
        float weight = spline[0] * spline[0], squares = weight * weight * variance_[here];
        for (int dy = -2; dy <= 2; ++dy) {
            const int j = y + dy * step_;
            if (j < 0 || j >= scene_.height) continue;
            for (int dx = -2; dx <= 2; ++dx) {
                const int i = x + dx * step_;
                if ((dx == 0 && dy == 0) || i < 0 || i >= scene_.width) continue;
                const std::size_t there = index(i, j);
                if (scene_.footprint[there] == 0) continue;
                const float turned = dot(scene_.normal[here], scene_.normal[there]);
                if (turned < 0.5f) continue;
                const float off = std::abs(dot(scene_.point[there] - scene_.point[here], scene_.normal[here])) * flat;
                const float differs = std::abs(luminance(light_[there]) - bright) * scale;
                const float alike = turned * turned * turned * turned / ((1 + off * off) * (1 + differs * differs));
                const float w = spline[static_cast<std::size_t>(std::abs(dx))] *
                                spline[static_cast<std::size_t>(std::abs(dy))] * alike;
                sum += light_[there] * w, weight += w, squares += w * w * variance_[there];
            }
        }
        light[here] = sum / weight;
        variance[here] = squares / (weight * weight);
    }

    const Irradiance& scene_;
    const std::vector<Vec3f>& light_;
    const std::vector<float>& variance_;
    int step_;
};

}  // namespace

Irradiance::Irradiance(int width_, int height_) : width(width_), height(height_) {
    const std::size_t count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    light.resize(count), variance.resize(count), point.resize(count), normal.resize(count), footprint.resize(count);
}

void Irradiance::guess_variance() {
    constexpr int reach = 3;
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

std::vector<Vec3f> denoise(const Irradiance& noisy, int levels) {
    std::vector<Vec3f> light = noisy.light, next_light(light.size());
    std::vector<float> variance = noisy.variance, next_variance(variance.size());
    for (int level = 0; level < levels; ++level) {
        Level(noisy, light, variance, 1 << level).run(next_light, next_variance);
        std::swap(light, next_light);
        std::swap(variance, next_variance);
    }
    return light;
}

}  // namespace spindrift::render
