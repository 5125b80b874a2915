#pragma once
// From places in the world to places in the picture and back.
//
//   Camera camera = automatic_camera(bounds, 16.0 / 9);
//   View view(camera, {960, 540});
//   Vec3f direction = view.ray(480.f, 270.f);

#include <array>

#include "spindrift/core/vec.h"
#include "spindrift/render/params.h"

namespace spindrift::render {

/// A three-quarter view from above that shows the whole box with some margin, for pictures of this width : height.
Camera automatic_camera(const Box3d& bounds, double aspect);

/// A camera and a picture size. Directions and places are relative to the eye, where floats are finest.
class View {
  public:
    /// A useless `up` (zero, along the view, not finite) is replaced by the next best axis, a missing direction by -z.
    View(const Camera& camera, std::array<int, 2> resolution);

    Vec3d eye() const { return eye_; }
    int width() const { return width_; }
    int height() const { return height_; }
    float pixel() const { return pixel_; }
    Vec3f forward() const { return forward_; }
    /// Relative to the eye, in double precision until the difference is small.
    Vec3f to_local(Vec3d world) const { return vec_cast<float>(world - eye_); }

    /// Unit direction through a place in the picture: pixels from the upper left corner, centres at .5.
    Vec3f ray(float px, float py) const;

    /// Picture place (x, y) and distance along the view (z) of a local point, which must be in front of the eye.
    Vec3f project(Vec3f local) const {
        const float z = depth(local), scale = 1 / (z * pixel_);
        return {0.5f * static_cast<float>(width_) + dot(local, right_) * scale,
                0.5f * static_cast<float>(height_) - dot(local, up_) * scale, z};
    }
    float depth(Vec3f local) const { return dot(local, forward_); }

  private:
    Vec3d eye_;
    int width_, height_;
    Vec3f forward_, right_, up_;
    float pixel_;  ///< size of a pixel at distance 1
};

}  // namespace spindrift::render
