#include "spindrift/render/annotate/contact_sheet.h"

#include <algorithm>

#include "spindrift/core/errors.h"
#include "spindrift/render/annotate/font.h"

namespace spindrift::render {

Image contact_sheet(std::span<const Image> shots, std::span<const std::string> labels, int columns) {
    SPINDRIFT_CHECK(!shots.empty() && columns > 0 && (labels.empty() || labels.size() == shots.size()));
    constexpr Vec3f paper{0.9f, 0.9f, 0.9f}, ink{0.01f, 0.01f, 0.015f};
    const int count = static_cast<int>(shots.size());
    const int tallest = std::ranges::max(shots, {}, &Image::height).height;
    const int strip = labels.empty() ? 0 : sheet_strip(tallest);
    const int cell_width = std::ranges::max(shots, {}, &Image::width).width + sheet_gap;
    const int cell_height = tallest + strip + sheet_gap;
    const int used_columns = std::min(columns, count), rows = (count + columns - 1) / columns;

    Image sheet(used_columns * cell_width + sheet_gap, rows * cell_height + sheet_gap, paper);
    for (int i = 0; i < count; ++i) {
        const auto shot = static_cast<std::size_t>(i);
        const int x = sheet_gap + i % columns * cell_width, y = sheet_gap + i / columns * cell_height;
        sheet.paste(shots[shot], x, y);
        if (labels.empty()) continue;
        const double size = sheet_text_size(tallest), room = cell_width - sheet_gap;
        const std::string label = fit_text(labels[shot], size, room);
        const double indent = 0.5 * (room - text_width(label, size));
        draw_text(sheet, x + indent, y + tallest + 0.5 * (strip + cap_height(size)), label, {ink, size});
    }
    return sheet;
}

}  // namespace spindrift::render
