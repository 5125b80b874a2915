#pragma once
// Cameras: as scenes describe them, and from places in the world to places in the picture and back.
//
//   CameraParams moving{.position = {3, 1.6, 3}, .target = {1, 0.4, 0.5}};
//   Camera camera = moving.at(12.5);        // frames may be fractions; or automatic_camera(bounds, 16.0 / 9)
//   View view(camera, {960, 540});
//   Vec3f direction = view.ray(480.f, 270.f);

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/params/animated.h"
#include "spindrift/params/checker.h"
#include "spindrift/params/info.h"

namespace spindrift::geometry {

/// A camera at one moment.
struct Camera {
    Vec3d position{};
    Vec3d target{};
    Vec3d up{0, 1, 0};
    double fov_deg = 40;
};

struct CameraParams {
    std::string name = "camera";
    Animated<Vec3d> position{};
    Animated<Vec3d> target{};
    Animated<Vec3d> up = Camera{}.up;
    Animated<double> fov_deg = Camera{}.fov_deg;

    bool moves() const { return position.moves() || target.moves() || up.moves() || fov_deg.moves(); }
    Camera at(double frame) const { return {position.at(frame), target.at(frame), up.at(frame), fov_deg.at(frame)}; }

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("name", self.name, {.text = "Name, by which a picture is asked for"});
        v("position", self.position,
          {.text = "Where the camera stands", .unit = "m", .limits = coordinate_limits, .required = true});
        v("target", self.target,
          {.text = "What it looks at", .unit = "m", .limits = coordinate_limits, .required = true});
        v("up", self.up, {.text = "Direction that is up in the picture", .limits = coordinate_limits});
        v("fov_deg", self.fov_deg, {.text = "Vertical angle of view", .unit = "degrees", .limits = between(1, 170)});
    }

    void check(const Checker& checker) const {
        checker.direction("up", up);
        for (const double frame : key_frames()) {
            const Camera now = at(frame);
            const Vec3d view = now.target - now.position;
            if (length(view) == 0)
                return checker.problem("target", "the camera looks at the point where it stands" + when(frame) +
                                                     "; move 'target' or 'position'");
            if (length(cross(now.up, view)) <= 1e-9 * length(now.up) * length(view))
                return checker.problem(
                    "up", "points along the view" + when(frame) + "; choose another direction, such as [0, 0, 1]");
        }
    }

  private:
    /// Where the camera is looked at closely; between keys View copes with anything.
    std::vector<double> key_frames() const {
        std::vector<double> frames;
        for (const Animated<Vec3d>* curve : {&position, &target, &up}) {
            for (const auto& key : curve->keys)
                frames.push_back(key.frame);
        }
        if (frames.empty()) frames.push_back(0);
        std::sort(frames.begin(), frames.end());
        return frames;
    }
    std::string when(double frame) const {
        const bool moves = position.moves() || target.moves() || up.moves();
        return moves ? " at frame " + format_number(frame) : "";
    }
};

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

    /// render::Picture place (x, y) and distance along the view (z) of a local point, which must be in front of the
    /// eye.
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

}  // namespace spindrift::geometry
