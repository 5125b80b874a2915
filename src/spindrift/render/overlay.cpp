#include "spindrift/render/overlay.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "spindrift/render/font.h"

namespace spindrift::render {

namespace {

constexpr Vec3f line_color{0.03f, 0.035f, 0.05f};
constexpr Vec3f panel_color{0.86f, 0.88f, 0.90f};
constexpr Vec3f ink{0.012f, 0.016f, 0.024f};
constexpr float panel_strength = 0.6f;

/// Distances of the legend and the label in dots of the font.
constexpr int margin = 5, padding = 4, bar_width = 96, bar_height = 5, line_gap = 3, swatch_side = 8;

struct Segment {
    Vec3f a, b;
};

/// The part of a segment that lies in front of the eye.
std::optional<Segment> cut_at_eye(Segment s, const View& view) {
    float za = view.depth(s.a), zb = view.depth(s.b);
    const float nearest = 1e-3f * std::max(std::abs(za), std::abs(zb));
    if (za > zb) std::swap(za, zb), std::swap(s.a, s.b);
    if (!(zb > nearest)) return {};
    if (za < nearest) s.a = s.a + (s.b - s.a) * ((nearest - za) / (zb - za));
    return s;
}

/// Reaches beyond the picture by this many pixels are cut, so that a line needs few steps.
std::optional<Segment> cut_at_picture(Segment s, const View& view) {
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
    LinePainter(Image& image, const LightLayers& layers, float depth_tolerance)
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
        const LitPixel& pixel = layers_.at(x, y);
        const bool behind = depth > pixel.depth + depth_tolerance_;
        const float visible = behind ? 1 - pixel.coverage * (1 - through) : 1;
        image_.blend(x, y, line_color, strength * share * visible);
    }

    Image& image_;
    const LightLayers& layers_;
    float depth_tolerance_;
};

Vec3f with_inverse_depth(Vec3f p) {
    return {p.x, p.y, 1 / p.z};
}

struct Corner {
    int x, y;
};

/// A light panel in the lower left corner for content of this size, and the content's upper left corner; nothing if the
/// picture is too small.
std::optional<Corner> lay_panel(Image& image, int width, int height) {
    const int dot = text_scale(image.height), frame = padding * dot, border = margin * dot;
    if (width + 2 * (frame + border) > image.width || height + 2 * (frame + border) > image.height) return {};
    const int x = border + frame, top = image.height - border - frame - height;
    image.blend_rectangle(x - frame, top - frame, width + 2 * frame, height + 2 * frame, panel_color, panel_strength);
    return Corner{x, top};
}

std::string format_value(double value) {
    return fmt::format("{:.4g}", value);
}

}  // namespace

void draw_box_edges(Image& image, const LightLayers& layers, const View& view, const Box3d& box,
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

void draw_legend(Image& image, const Legend& legend) {
    const int dot = text_scale(image.height);
    const std::string low = format_value(legend.range[0]), high = format_value(legend.range[1]);
    const int title_width = text_width(legend.title, dot);
    const int width = std::max({bar_width * dot, title_width, text_width(low + "  " + high, dot)});
    const int height = (2 * glyph_height + bar_height + 2 * line_gap) * dot;
    const auto corner = lay_panel(image, width, height);
    if (!corner) return;

    const auto [x, top] = *corner;
    draw_text(image, x, top, legend.title, {ink, dot});
    const int bar = top + (glyph_height + line_gap) * dot;
    image.blend_rectangle(x - 1, bar - 1, width + 2, bar_height * dot + 2, ink, 1);
    for (int i = 0; i < width; ++i) {
        const Vec3f color = (*legend.map)((static_cast<float>(i) + 0.5f) / static_cast<float>(width));
        image.blend_rectangle(x + i, bar, 1, bar_height * dot, color, 1);
    }
    const int values = bar + (bar_height + line_gap) * dot;
    draw_text(image, x, values, low, {ink, dot});
    draw_text(image, x + width - text_width(high, dot), values, high, {ink, dot});
}

void draw_swatches(Image& image, std::span<const Swatch> swatches) {
    const int dot = text_scale(image.height), side = swatch_side * dot, line = (swatch_side + line_gap) * dot;
    const int indent = side + padding * dot, count = static_cast<int>(swatches.size());
    int text = 0;
    for (const Swatch& swatch : swatches)
        text = std::max(text, text_width(swatch.name, dot));
    const auto corner = lay_panel(image, indent + text, count * line - line_gap * dot);
    if (!corner) return;

    auto [x, y] = *corner;
    for (const Swatch& swatch : swatches) {
        image.blend_rectangle(x - 1, y - 1, side + 2, side + 2, ink, 1);
        image.blend_rectangle(x, y, side, side, swatch.color, 1);
        draw_text(image, x + indent, y + (swatch_side - glyph_height + 1) * dot / 2, swatch.name, {ink, dot});
        y += line;
    }
}

void draw_label(Image& image, const std::string& text) {
    const int dot = text_scale(image.height), frame = padding * dot, border = margin * dot;
    const int width = text_width(text, dot) + 2 * frame, height = (glyph_height - 1) * dot + 2 * frame;
    if (text.empty() || width + border > image.width || height + border > image.height) return;
    image.blend_rectangle(border, border, width, height, panel_color, panel_strength);
    draw_text(image, border + frame, border + frame, text, {ink, dot});
}

}  // namespace spindrift::render
