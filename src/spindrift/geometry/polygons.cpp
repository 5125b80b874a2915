#include "spindrift/geometry/polygons.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

namespace spindrift::geometry {

namespace {

/// Ears are looked for in up to this many corners: the time grows with their third power.
constexpr std::size_t most_ears = 64;

using Point2 = std::array<double, 2>;

/// Twice the area of a triangle, positive if it runs counter-clockwise.
double area(Point2 a, Point2 b, Point2 c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

class PolygonCutter {
  public:
    PolygonCutter(Mesh& mesh, const Polygons& polygons) : mesh_(mesh), polygons_(polygons) {}

    void cut(std::size_t first, std::size_t last) {
        const std::size_t n = last - first;
        if (n < 3) return;
        first_ = first;
        if (n > 3 && n <= most_ears && project(n) && !is_convex())
            cut_ears();
        else
            cut_fan(n);
    }

  private:
    void emit(std::size_t a, std::size_t b, std::size_t c) {
        const std::size_t i = first_ + a, j = first_ + b, k = first_ + c;
        mesh_.triangles.push_back({polygons_.corners[i], polygons_.corners[j], polygons_.corners[k]});
        if (!polygons_.uv.empty()) mesh_.uv.push_back({polygons_.uv[i], polygons_.uv[j], polygons_.uv[k]});
    }

    void cut_fan(std::size_t n) {
        for (std::size_t k = 2; k < n; ++k)
            emit(0, k - 1, k);
    }

    /// Looks at the polygon along its mean normal, so that it runs counter-clockwise; false if it has bad corners.
    bool project(std::size_t n) {
        const auto corners = std::span(polygons_.corners).subspan(first_, n);
        if (std::ranges::max(corners) >= mesh_.points.size()) return false;
        const auto point = [&](std::size_t k) { return vec_cast<double>(mesh_.points[corners[k % n]]); };
        Vec3d normal;
        for (std::size_t k = 1; k + 1 < n; ++k)
            normal += cross(point(k) - point(0), point(k + 1) - point(0));
        if (!is_finite(normal)) return false;
        int axis = std::abs(normal.x) > std::abs(normal.y) ? 0 : 1;
        if (std::abs(normal.z) > std::abs(normal[axis])) axis = 2;
        const double sign = normal[axis] < 0 ? -1 : 1;
        flat_.clear();
        for (std::size_t k = 0; k < n; ++k)
            flat_.push_back({point(k)[(axis + 1) % 3], sign * point(k)[(axis + 2) % 3]});
        return true;
    }

    bool is_convex() const {
        const std::size_t n = flat_.size();
        for (std::size_t k = 0; k < n; ++k) {
            if (area(flat_[k], flat_[(k + 1) % n], flat_[(k + 2) % n]) < 0) return false;
        }
        return true;
    }

    /// Cuts off corners whose triangle has no other corner inside; of a polygon that cuts itself, just any.
    void cut_ears() {
        left_.resize(flat_.size());
        std::iota(left_.begin(), left_.end(), std::size_t{0});
        while (left_.size() > 3) {
            std::size_t ear = 0;
            while (ear < left_.size() && !is_ear(ear))
                ++ear;
            if (ear == left_.size()) ear = 0;
            emit(before(ear), left_[ear], after(ear));
            left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(ear));
        }
        emit(left_[0], left_[1], left_[2]);
    }

    std::size_t before(std::size_t k) const { return left_[(k + left_.size() - 1) % left_.size()]; }
    std::size_t after(std::size_t k) const { return left_[(k + 1) % left_.size()]; }

    bool is_ear(std::size_t k) const {
        const Point2 a = flat_[before(k)], b = flat_[left_[k]], c = flat_[after(k)];
        if (area(a, b, c) <= 0) return false;
        return std::ranges::none_of(left_, [&](std::size_t other) {
            const Point2 p = flat_[other];
            if (p == a || p == b || p == c) return false;
            return area(a, b, p) >= 0 && area(b, c, p) >= 0 && area(c, a, p) >= 0;
        });
    }

    Mesh& mesh_;
    const Polygons& polygons_;
    std::size_t first_ = 0;
    std::vector<Point2> flat_;
    std::vector<std::size_t> left_;
};

}  // namespace

void add_triangles(Mesh& mesh, const Polygons& polygons) {
    PolygonCutter cutter(mesh, polygons);
    std::size_t first = 0;
    for (const std::size_t last : polygons.ends) {
        cutter.cut(first, last);
        first = last;
    }
}

}  // namespace spindrift::geometry
