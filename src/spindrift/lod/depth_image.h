#pragma once
// How far a camera sees: particles drawn as spheres, nothing in front of them.
//
//   DepthImage image(camera, 16.0 / 9, pixel_angle, origin);
//   DepthImage::Spot spot = image.find(x[i]);
//   image.draw_center(spot, radius);                      // of all particles; then of those in front:
//   if (image.depth_behind(spot, radius) < radius) image.draw(x[i], radius);
//   float behind = image.depth_behind(spot, radius);      // of the visible surface, along the view ray

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/geometry/camera.h"

namespace spindrift::lod {

class DepthImage {
  public:
    /// What a camera sees with some margin, in pixels of about this size at distance 1. Points are relative to
    /// `origin`.
    DepthImage(const geometry::Camera& camera, double aspect, double pixel, Vec3d origin);

    int width() const { return view_.width(); }
    int height() const { return view_.height(); }

    /// Where a point is in the picture.
    struct Spot {
        float depth = 0;          ///< along the view direction; not positive behind the eye
        float stretch = 1;        ///< length of the ray per unit of depth
        std::int32_t pixel = -1;  ///< -1 outside of the picture
    };
    Spot find(Vec3f center) const {
        const Vec3f local = center - eye_;
        Spot spot{.depth = view_.depth(local)};
        if (!(spot.depth > 0)) return spot;
        const Vec3f at = view_.project(local);
        if (at.x >= 0 && at.y >= 0 && at.x < static_cast<float>(width()) && at.y < static_cast<float>(height()))
            spot.pixel = static_cast<std::int32_t>(index(static_cast<int>(at.x), static_cast<int>(at.y)));
        spot.stretch = length(local) / spot.depth;
        return spot;
    }

    /// Draws a sphere; the nearest one wins, in whatever order they come.
    void draw(Vec3f center, float radius);
    /// The same for the one pixel that shows its centre: enough to tell which spheres are hidden.
    void draw_center(const Spot& center, float radius) {
        if (center.pixel >= 0) keep_nearest(static_cast<std::size_t>(center.pixel), center.depth - radius);
    }

    /// How far the front of a sphere that was drawn is behind the surface, along the ray through its centre; 0 if it is
    /// visible there, `unseen` if it is outside of the picture.
    float depth_behind(const Spot& center, float radius) const {
        if (center.pixel < 0) return unseen;
        return std::max(0.f, center.depth - radius - pixels_[static_cast<std::size_t>(center.pixel)]) * center.stretch;
    }
    static constexpr float unseen = std::numeric_limits<float>::infinity();

    /// Takes over what is nearer in an image of the same size.
    void add(const DepthImage& other);

    /// Lets each pixel see as far as its neighbours, where they see anything: of a surface at a grazing angle a pixel
    /// shows many particles, and one would hide the others.
    void see_past_edges();

    /// Distance from the eye, along the view direction, of what was drawn at a pixel; infinite if nothing was.
    float depth(int x, int y) const { return pixels_[index(x, y)]; }

  private:
    std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width()) + static_cast<std::size_t>(x);
    }
    void keep_nearest(std::size_t pixel, float depth) {
        if (depth < pixels_[pixel]) pixels_[pixel] = std::max(0.f, depth);
    }

    geometry::View view_;
    Vec3f eye_;                  ///< from the origin
    std::vector<float> pixels_;  ///< depths
};

}  // namespace spindrift::lod
