#pragma once
// What a slice takes away, in the eye's coordinates.
//
//   Cut cut(params.slice, view);
//   if (cut.takes(x)) ...

#include <optional>

#include "spindrift/render/camera.h"
#include "spindrift/render/params.h"

namespace spindrift::render {

class Cut {
  public:
    Cut(const std::optional<SlicePlane>& slice, const View& view)
        : point_(slice ? view.to_local(slice->point) : Vec3f{}),
          normal_(slice ? vec_cast<float>(normalize(slice->normal)) : Vec3f{}),
          thickness_(slice ? static_cast<float>(slice->thickness) : 0) {}

    bool takes(Vec3f x) const {
        const float height = dot(x - point_, normal_);
        return height > 0 || (thickness_ > 0 && height < -thickness_);
    }

  private:
    Vec3f point_, normal_;
    float thickness_;
};

}  // namespace spindrift::render
