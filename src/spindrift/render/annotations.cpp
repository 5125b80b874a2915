#include "spindrift/render/annotations.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "spindrift/render/font.h"

namespace spindrift::render {

namespace {

constexpr Vec3f panel_color{0.86f, 0.88f, 0.90f};
constexpr Vec3f ink{0.012f, 0.016f, 0.024f};
constexpr float panel_strength = 0.6f;

/// Distances of the legend and the label in dots of the font.
constexpr int margin = 5, padding = 4, bar_width = 96, bar_height = 5, line_gap = 3, swatch_side = 8;

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

}  // namespace

void annotate(Image& image, const Annotations& notes) {
    if (!notes.swatches.empty())
        draw_swatches(image, notes.swatches);
    else if (notes.legend)
        draw_legend(image, *notes.legend);
    draw_label(image, notes.label);
}

}  // namespace spindrift::render
