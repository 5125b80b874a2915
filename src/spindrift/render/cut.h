#pragma once
// What a slice takes away, in the eye's coordinates.
//
//   Cut cut(params.slice, view);
//   if (cut.takes(x)) ...
//   cut.shorten(origin, direction, near, far);        // the way from near to far that is left

#include <algorithm>
#include <optional>

#include "spindrift/geometry/camera.h"
#include "spindrift/render/looks/params.h"

namespace spindrift::render {

class Cut {
  public:
    Cut(const std::optional<SlicePlane>& slice, const geometry::View& view)
        : point_(slice ? view.to_local(slice->point) : Vec3f{}),
          normal_(slice ? vec_cast<float>(normalize(slice->normal)) : Vec3f{}),
          thickness_(slice ? static_cast<float>(slice->thickness) : 0) {}

    bool takes(Vec3f x) const {
        const float height = dot(x - point_, normal_);
        return height > 0 || (thickness_ > 0 && height < -thickness_);
    }

    /// Takes away what is cut of a ray's way. What is left is in one piece, or near is beyond far.
    void shorten(Vec3d origin, Vec3d direction, double& near, double& far) const {
        if (dot(normal_, normal_) == 0) return;
        const Vec3d normal = vec_cast<double>(normal_);
        const double height = dot(origin - vec_cast<double>(point_), normal), rise = dot(direction, normal);
        keep_below(-height, rise, near, far);
        if (thickness_ > 0) keep_below(height + thickness_, -rise, near, far);
    }

  private:
    /// Leaves where rise * t <= room.
    static void keep_below(double room, double rise, double& near, double& far) {
        if (rise > 0) {
            far = std::min(far, room / rise);
        } else if (rise < 0) {
            near = std::max(near, room / rise);
        } else if (room < 0) {
            far = -1;
        }
    }

    Vec3f point_, normal_;
    float thickness_;
};

}  // namespace spindrift::render
