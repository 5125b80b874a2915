#include "spindrift/render/contact_sheet.h"

#include <algorithm>

#include "spindrift/core/errors.h"
#include "spindrift/render/font.h"

namespace spindrift::render {

Image contact_sheet(std::span<const Image> shots, std::span<const std::string> labels, int columns) {
    SPINDRIFT_CHECK(!shots.empty() && columns > 0 && (labels.empty() || labels.size() == shots.size()));
    constexpr Vec3f paper{0.9f, 0.9f, 0.9f}, ink{0.02f, 0.02f, 0.03f};
    constexpr int label_scale = 2;
    const int count = static_cast<int>(shots.size());
    const int strip = labels.empty() ? 0 : sheet_strip;
    const int cell_width = std::ranges::max(shots, {}, &Image::width).width + sheet_gap;
    const int cell_height = std::ranges::max(shots, {}, &Image::height).height + strip + sheet_gap;
    const int used_columns = std::min(columns, count), rows = (count + columns - 1) / columns;

    Image sheet(used_columns * cell_width + sheet_gap, rows * cell_height + sheet_gap, paper);
    for (int i = 0; i < count; ++i) {
        const auto shot = static_cast<std::size_t>(i);
        const int x = sheet_gap + i % columns * cell_width, y = sheet_gap + i / columns * cell_height;
        sheet.paste(shots[shot], x, y);
        if (labels.empty()) continue;
        const auto fitting = static_cast<std::size_t>((cell_width - sheet_gap) / (glyph_advance * label_scale));
        const std::string label = labels[shot].substr(0, fitting);
        const int indent = (cell_width - sheet_gap - text_width(label, label_scale)) / 2;
        draw_text(sheet, x + indent, y + cell_height - sheet_gap - strip + 4, label, {ink, label_scale});
    }
    return sheet;
}

}  // namespace spindrift::render
