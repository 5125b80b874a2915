#include "spindrift/render/annotate/draw_legend.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "spindrift/render/annotate/font.h"
#include "spindrift/render/annotate/ticks.h"

namespace spindrift::render {

namespace {

/// In sizes of the letters.
constexpr double bar_width = 13, bar_height = 0.75, title_gap = 0.5, tick_length = 0.22, number_gap = 0.28,
                 number_share = 0.88, letter_gap = 0.45, swatch_side = 0.9, line_step = 1.35, swatch_indent = 1.4;

constexpr int most_ticks = 6;
constexpr std::size_t fewest_ticks = 3;

/// How much longer a bar may become for long numbers.
constexpr double long_bar = 1.5;

int pixels(double length) {
    return static_cast<int>(std::lround(length));
}

int rounded_up(double length) {
    return static_cast<int>(std::ceil(length));
}

/// A number below the bar, and the middle of where it stands in pixels from the bar's left end.
struct Mark {
    std::string text;
    double x;
};

struct Marks {
    std::vector<Mark> marks{};
    std::string factor{};  ///< of all numbers, empty for 1
};

class LegendLayout {
  public:
    LegendLayout(const Legend& legend, double size)
        : legend_(legend),
          size_(size),
          number_size_(std::max(10.0, number_share * size)),
          fields_(legend.whole && has_fields(legend.range)) {
        bar_ = pixels(bar_width * size);
        if (fields_)
            place_fields();
        else
            place_ticks();
        for (const Mark& mark : below_.marks) {
            const double half = 0.5 * text_width(mark.text, number_size_);
            left_ = std::max(left_, rounded_up(half - mark.x));
            right_ = std::max(right_, rounded_up(mark.x + half - bar_));
        }
        const double factor = below_.factor.empty() ? 0 : text_width("  " + below_.factor, number_size_);
        right_ = std::max(right_, rounded_up(text_width(legend.title, size) + factor) - bar_);
    }

    int width() const { return left_ + bar_ + right_; }
    int height() const { return bar_top() + bar_thickness() + numbers_below() + pixels(cap_height(number_size_)); }

    void draw(Image& image, int x, int y) const {
        x += left_;
        const int title = y + pixels(cap_height(size_)), bar = y + bar_top(), end = bar + bar_thickness();
        draw_text(image, x, title, legend_.title, {panel_ink, size_});
        const double factor = text_width(below_.factor, number_size_);
        draw_text(image, x + bar_ + right_ - factor, title, below_.factor, {panel_ink, number_size_});
        image.blend_rectangle(x - 1, bar - 1, bar_ + 2, bar_thickness() + 2, panel_ink, 1);
        for (int i = 0; i < bar_; ++i)
            image.blend_rectangle(x + i, bar, 1, bar_thickness(), color_at(i), 1);
        const int thickness = std::max(1, pixels(size_ / 15));
        for (const Mark& mark : below_.marks) {
            const int middle = x + std::clamp(pixels(mark.x - 0.5 * thickness), 0, bar_ - thickness);
            if (!fields_) image.blend_rectangle(middle, end, thickness, pixels(tick_length * size_), panel_ink, 1);
            draw_text(image, x + mark.x - 0.5 * text_width(mark.text, number_size_),
                      end + numbers_below() + pixels(cap_height(number_size_)), mark.text, {panel_ink, number_size_});
        }
    }

  private:
    int bar_top() const { return pixels(cap_height(size_) + title_gap * size_); }
    int bar_thickness() const { return pixels(bar_height * size_); }
    int numbers_below() const { return pixels(((fields_ ? 0 : tick_length) + number_gap) * size_); }
    int field_count() const { return static_cast<int>(legend_.range[1] - legend_.range[0]) + 1; }

    Vec3f color_at(int i) const {
        if (!fields_) return (*legend_.map)((static_cast<float>(i) + 0.5f) / static_cast<float>(bar_));
        const int count = field_count(), field = i * count / bar_;
        return (*legend_.map)(count > 1 ? static_cast<float>(field) / static_cast<float>(count - 1) : 0.f);
    }

    /// Whether each number ends before the next begins.
    bool is_legible(const std::vector<Mark>& marks) const {
        for (std::size_t i = 1; i < marks.size(); ++i) {
            const double widths = text_width(marks[i - 1].text, number_size_) + text_width(marks[i].text, number_size_);
            if (marks[i].x - marks[i - 1].x < 0.5 * widths + letter_gap * number_size_) return false;
        }
        return true;
    }

    /// As many ticks as the bar has room for.
    void fill_bar() {
        for (int most = most_ticks; most > 0; --most) {
            const Ticks ticks = round_ticks(legend_.range, most);
            below_ = {{}, ticks.factor};
            for (std::size_t i = 0; i < ticks.values.size(); ++i)
                below_.marks.push_back(
                    {ticks.labels[i], bar_ * double{image::map_to_range(ticks.values[i], legend_.range)}});
            if (is_legible(below_.marks)) return;
        }
    }

    /// Long numbers get a longer bar.
    void place_ticks() {
        const std::size_t enough = std::min(fewest_ticks, round_ticks(legend_.range, most_ticks).values.size());
        fill_bar();
        if (below_.marks.size() >= enough) return;
        bar_ = pixels(long_bar * bar_width * size_);
        fill_bar();
    }

    /// Fields are all of one width, and wide enough for their numbers.
    void place_fields() {
        const int count = field_count();
        const auto text = [&](int i) {
            return round_ticks({legend_.range[0] + i, legend_.range[0] + i}, 1).labels.at(0);
        };
        double widest = 0;
        for (int i = 0; i < count; ++i)
            widest = std::max(widest, text_width(text(i), number_size_));
        const int field = std::max(bar_ / std::max(count, 6), rounded_up(widest + 0.5 * number_size_));
        bar_ = field * count;
        for (int i = 0; i < count; ++i)
            below_.marks.push_back({text(i), (i + 0.5) * field});
    }

    const Legend& legend_;
    double size_, number_size_;
    bool fields_;
    int bar_ = 0;               ///< width in pixels
    int left_ = 0, right_ = 0;  ///< how far numbers and title reach beyond the bar
    Marks below_{};
};

}  // namespace

void draw_legend(Image& image, NotePanels& panels, const Legend& legend) {
    const LegendLayout layout(legend, panels.size());
    if (const auto place = panels.add(Corner::lower_left, layout.width(), layout.height()))
        layout.draw(image, place->x, place->y);
}

void draw_swatches(Image& image, NotePanels& panels, std::span<const image::Swatch> swatches) {
    const double size = panels.size();
    double widest = 0;
    for (const image::Swatch& swatch : swatches)
        widest = std::max(widest, text_width(swatch.name, size));
    const int side = pixels(swatch_side * size), step = pixels(line_step * size), indent = pixels(swatch_indent * size);
    // More lines than there are pixels fit nowhere.
    const int count = static_cast<int>(std::min<std::size_t>(swatches.size(), static_cast<std::size_t>(image.height)));
    const auto place = panels.add(Corner::lower_left, indent + rounded_up(widest), (count - 1) * step + side);
    if (!place) return;
    int y = place->y;
    for (const image::Swatch& swatch : swatches) {
        blend_round_rectangle(image, place->x, y, side, side, 0.15 * size, panel_ink, 1);
        blend_round_rectangle(image, place->x + 1, y + 1, side - 2, side - 2, 0.15 * size - 1, swatch.color, 1);
        draw_text(image, place->x + indent, y + pixels(0.5 * (side + cap_height(size))), swatch.name,
                  {panel_ink, size});
        y += step;
    }
}

}  // namespace spindrift::render
