#include "spindrift/render/annotate/box_edges.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace spindrift::render {

namespace {

constexpr Vec3f line_color{0.03f, 0.035f, 0.05f};

struct Segment {
    Vec3f a, b;
};

/// The part of a segment that lies in front of the eye.
std::optional<Segment> cut_at_eye(Segment s, const geometry::View& view) {
    float za = view.depth(s.a), zb = view.depth(s.b);
    const float nearest = 1e-3f * std::max(std::abs(za), std::abs(zb));
    if (za > zb) std::swap(za, zb), std::swap(s.a, s.b);
    if (!(zb > nearest)) return {};
    if (za < nearest) s.a = s.a + (s.b - s.a) * ((nearest - za) / (zb - za));
    return s;
}

/// Reaches beyond the picture by this many pixels are cut, so that a line needs few steps.
std::optional<Segment> cut_at_picture(Segment s, const geometry::View& view) {
    const float size[] = {static_cast<float>(view.width()), static_cast<float>(view.height())};
    float first = 0, last = 1;
    for (int axis = 0; axis < 2; ++axis) {
        const float from = s.a[axis], along = s.b[axis] - from;
        if (along == 0) {
            if (from < 0 || from > size[axis]) return {};
            continue;
        }
        const float t0 = -from / along, t1 = (size[axis] - from) / along;
        first = std::max(first, std::min(t0, t1));
        last = std::min(last, std::max(t0, t1));
    }
    if (!(first < last)) return {};
    return Segment{s.a + (s.b - s.a) * first, s.a + (s.b - s.a) * last};
}

/// Draws a line in picture places whose z is one over the depth, which changes evenly along the picture.
class LinePainter {
  public:
    LinePainter(Image& image, const Layers& layers, float depth_tolerance)
        : image_(image), layers_(layers), depth_tolerance_(depth_tolerance) {}

    void draw(const Segment& s) {
        const Vec3f along = s.b - s.a;
        const bool steep = std::abs(along.y) > std::abs(along.x);
        const int steps = std::max(1, static_cast<int>(std::ceil(std::abs(steep ? along.y : along.x))));
        for (int i = 0; i <= steps; ++i) {
            const Vec3f p = s.a + along * (static_cast<float>(i) / static_cast<float>(steps));
            // The two pixels beside the line share its ink by how near their centres are.
            const float across = (steep ? p.x : p.y) - 0.5f;
            const int near = static_cast<int>(std::floor(across));
            const int major = static_cast<int>(std::floor(steep ? p.y : p.x));
            for (int side = 0; side < 2; ++side) {
                const float share = side ? across - static_cast<float>(near) : 1 - (across - static_cast<float>(near));
                paint(steep ? near + side : major, steep ? major : near + side, 1 / p.z, share);
            }
        }
    }

  private:
    void paint(int x, int y, float depth, float share) {
        if (!image_.contains(x, y)) return;
        constexpr float strength = 0.75f, through = 0.12f;
        const std::size_t pixel = layers_.index(x, y);
        const bool behind = depth > layers_.depth[pixel] + depth_tolerance_;
        const bool covered = behind && layers_.id[pixel] != body_id::floor;
        const float visible = covered ? 1 - layers_.alpha[pixel] * (1 - through) : 1;
        image_.blend(x, y, line_color, strength * share * visible);
    }

    Image& image_;
    const Layers& layers_;
    float depth_tolerance_;
};

Vec3f with_inverse_depth(Vec3f p) {
    return {p.x, p.y, 1 / p.z};
}

}  // namespace

void draw_box_edges(Image& image, const Layers& layers, const geometry::View& view, const Box3d& box,
                    float depth_tolerance) {
    LinePainter painter(image, layers, depth_tolerance);
    for (int axis = 0; axis < 3; ++axis) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (int corner = 0; corner < 4; ++corner) {
            Vec3d a = box.lo, b = box.lo;
            a[u] = b[u] = (corner & 1 ? box.hi : box.lo)[u];
            a[v] = b[v] = (corner & 2 ? box.hi : box.lo)[v];
            b[axis] = box.hi[axis];
            const auto seen = cut_at_eye({view.to_local(a), view.to_local(b)}, view);
            if (!seen) continue;
            const Segment flat{with_inverse_depth(view.project(seen->a)), with_inverse_depth(view.project(seen->b))};
            if (const auto cut = cut_at_picture(flat, view)) painter.draw(*cut);
        }
    }
}

}  // namespace spindrift::render
