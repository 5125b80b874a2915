#include "spindrift/render/annotate/annotations.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "spindrift/render/annotate/draw_legend.h"
#include "spindrift/render/annotate/font.h"
#include "spindrift/render/annotate/ticks.h"

namespace spindrift::render {

namespace {

/// In sizes of the letters.
constexpr double line_share = 1.3, title_share = 1.25, scale_bar_share = 0.22, end_share = 0.5;

/// The scale bar's part of the picture's width: the longest round length below it has half of it or more.
constexpr double bar_of_width = 0.25;

/// Letters that must be left of a line that is too long.
constexpr std::size_t fewest_letters = 12;

int pixels(double length) {
    return static_cast<int>(std::lround(length));
}

/// Lines that fit into the width; nothing if one of them has to be cut too short.
std::vector<std::string> fitting_lines(const std::string& text, double size, double width) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);
        lines.push_back(fit_text(line, size, width));
        if (lines.back().size() < std::min(line.size(), fewest_letters)) return {};
        begin = end + 1;
    }
    return lines;
}

bool is_left(Corner corner) {
    return corner == Corner::upper_left || corner == Corner::lower_left;
}
bool is_right(Corner corner) {
    return corner == Corner::upper_right || corner == Corner::lower_right;
}

/// Aligned with the side of the picture at which they are.
void draw_lines(Image& image, NotePanels& panels, Corner corner, const std::string& text, double size) {
    if (text.empty()) return;
    const std::vector<std::string> lines = fitting_lines(text, size, panels.most_width());
    if (lines.empty()) return;
    double width = 0;
    for (const std::string& line : lines)
        width = std::max(width, text_width(line, size));
    const double step = line_share * size, height = cap_height(size) + step * static_cast<double>(lines.size() - 1);
    const auto place = panels.add(corner, static_cast<int>(std::ceil(width)), pixels(height));
    if (!place) return;
    double baseline = place->y + cap_height(size);
    for (const std::string& line : lines) {
        const double room = width - text_width(line, size);
        const double x = place->x + (is_left(corner) ? 0 : is_right(corner) ? room : 0.5 * room);
        draw_text(image, x, baseline, line, {panel_ink, size});
        baseline += step;
    }
}

/// A line with strokes across at both ends, and its length above.
void draw_scale_bar(Image& image, NotePanels& panels, const ScaleBar& bar) {
    const double longest = bar.metres_per_pixel * bar_of_width * image.width;
    if (!(bar.metres_per_pixel > 0) || !std::isfinite(longest) || longest < 1e-9) return;
    const RoundLength length = round_length(longest);
    const double size = panels.size(), letters = text_width(length.text, size);
    const int line = pixels(length.metres / bar.metres_per_pixel), thickness = std::max(2, pixels(0.1 * size));
    const int width = std::max(line, static_cast<int>(std::ceil(letters)));
    const int text_height = pixels(cap_height(size)), ends = pixels(end_share * size);
    const int height = text_height + pixels(scale_bar_share * size) + ends;
    const auto place = panels.add(Corner::lower_right, width, height);
    if (!place) return;

    draw_text(image, place->x + 0.5 * (width - letters), place->y + text_height, length.text, {panel_ink, size});
    const int x = place->x + (width - line) / 2, top = place->y + height - ends;
    image.blend_rectangle(x, top + (ends - thickness) / 2, line, thickness, panel_ink, 1);
    image.blend_rectangle(x, top, thickness, ends, panel_ink, 1);
    image.blend_rectangle(x + line - thickness, top, thickness, ends, panel_ink, 1);
}

}  // namespace

bool has_fields(const std::array<double, 2>& range) {
    return range[0] == std::round(range[0]) && range[1] == std::round(range[1]) && range[1] >= range[0] &&
           range[1] - range[0] < most_fields;
}

void annotate(Image& image, const Annotations& notes) {
    NotePanels panels(image);
    const double size = panels.size();
    draw_lines(image, panels, Corner::upper_left, notes.label, size);
    if (!notes.swatches.empty())
        draw_swatches(image, panels, notes.swatches);
    else if (notes.legend)
        draw_legend(image, panels, *notes.legend);
    if (notes.scale_bar) draw_scale_bar(image, panels, *notes.scale_bar);
    draw_lines(image, panels, Corner::upper, notes.title, title_share * size);
    for (const Text& each : notes.texts)
        draw_lines(image, panels, each.corner, each.text, size);
}

}  // namespace spindrift::render
