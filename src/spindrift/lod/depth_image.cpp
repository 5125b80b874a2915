#include "spindrift/lod/depth_image.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "spindrift/core/errors.h"

namespace spindrift::lod {

namespace {

/// Beyond each side, as a share of the picture: what comes into view before the next frame is drawn.
constexpr double margin = 0.05;

/// Pixels along a side: fewer see too little, more cost more than they save.
constexpr int fewest_pixels = 8, most_pixels = 2048;

geometry::Camera with_margin(geometry::Camera camera) {
    const double half = std::tan(std::clamp(camera.fov_deg, 1.0, 170.0) * std::numbers::pi / 360);
    camera.fov_deg = std::atan(half * (1 + 2 * margin)) * 360 / std::numbers::pi;
    return camera;
}

std::array<int, 2> resolution(const geometry::Camera& camera, double aspect, double pixel) {
    const double height = 2 * std::tan(std::clamp(camera.fov_deg, 1.0, 170.0) * std::numbers::pi / 360) / pixel;
    const auto side = [](double wanted) {
        return static_cast<int>(std::clamp(std::ceil(wanted), double{fewest_pixels}, double{most_pixels}));
    };
    return {side(height * aspect), side(height)};
}

}  // namespace

DepthImage::DepthImage(const geometry::Camera& camera, double aspect, double pixel, Vec3d origin)
    : view_(with_margin(camera), resolution(with_margin(camera), aspect, pixel)),
      eye_(vec_cast<float>(camera.position - origin)),
      pixels_(static_cast<std::size_t>(view_.width()) * static_cast<std::size_t>(view_.height()), unseen) {}

void DepthImage::add(const DepthImage& other) {
    SPINDRIFT_CHECK(other.pixels_.size() == pixels_.size());
    for (std::size_t pixel = 0; pixel < pixels_.size(); ++pixel)
        pixels_[pixel] = std::min(pixels_[pixel], other.pixels_[pixel]);
}

void DepthImage::see_past_edges() {
    const std::vector<float> before = pixels_;
    for (int y = 0; y < height(); ++y) {
        for (int x = 0; x < width(); ++x) {
            float& farthest = pixels_[index(x, y)];
            const auto look = [&](int i, int j) {
                if (i < 0 || j < 0 || i >= width() || j >= height()) return;
                const float there = before[index(i, j)];
                if (there != unseen) farthest = std::max(farthest, there);
            };
            if (farthest == unseen) continue;
            look(x - 1, y), look(x + 1, y), look(x, y - 1), look(x, y + 1);
        }
    }
}

void DepthImage::draw(Vec3f center, float radius) {
    const Vec3f local = center - eye_;
    const float z = view_.depth(local);
    // A sphere around the eye hides everything.
    if (dot(local, local) <= radius * radius) std::fill(pixels_.begin(), pixels_.end(), 0.f);
    if (!(z > 0)) return;
    const Vec3f at = view_.project(local);
    const float size = view_.pixel() * z, reach = std::min(radius / size, static_cast<float>(most_pixels));
    // Pixels whose centres are within reach; none if the first is behind the last.
    const auto first = [&](float a) { return static_cast<int>(std::max(0.f, a - reach + 0.5f)); };
    const auto last = [&](float a, int side) {
        return static_cast<int>(std::min(static_cast<float>(side), a + reach + 0.5f)) - 1;
    };
    const int x0 = first(at.x), x1 = last(at.x, width()), y0 = first(at.y), y1 = last(at.y, height());
    for (int y = y0; y <= y1; ++y) {
        const float dy = (static_cast<float>(y) + 0.5f - at.y) * size;
        for (int x = x0; x <= x1; ++x) {
            const float dx = (static_cast<float>(x) + 0.5f - at.x) * size;
            const float bulge2 = radius * radius - dx * dx - dy * dy;
            if (bulge2 > 0) keep_nearest(index(x, y), z - std::sqrt(bulge2));
        }
    }
}

}  // namespace spindrift::lod
