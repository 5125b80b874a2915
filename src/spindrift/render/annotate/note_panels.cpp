#include "spindrift/render/annotate/note_panels.h"

#include <algorithm>
#include <cmath>

#include "spindrift/render/annotate/font.h"

namespace spindrift::render {

namespace {

constexpr Vec3f panel_color{0.88f, 0.90f, 0.92f};
constexpr float panel_strength = 0.72f;

/// In sizes of the letters.
constexpr double margin_share = 0.7, padding_share = 0.5, radius_share = 0.35, gap_share = 0.35;

/// More of a picture's height than this must not be hidden by one panel.
constexpr double most_height_share = 0.5;

int pixels(double length) {
    return static_cast<int>(std::lround(length));
}

}  // namespace

bool NotePanels::Rectangle::overlaps(const Rectangle& other, int gap) const {
    return x < other.x + other.width + gap && other.x < x + width + gap && y < other.y + other.height + gap &&
           other.y < y + height + gap;
}

NotePanels::NotePanels(Image& image)
    : image_(image),
      size_(text_size(std::min(image.width, image.height))),
      margin_(pixels(margin_share * size_)),
      padding_(pixels(padding_share * size_)) {}

int NotePanels::most_width() const {
    return image_.width - 2 * (margin_ + padding_);
}

/// Moves a panel inwards past those that are there; false if it leaves the picture.
bool NotePanels::make_room(Rectangle& panel, bool upper) const {
    const int gap = pixels(gap_share * size_);
    const auto in_the_way = [&](const Rectangle& other) { return panel.overlaps(other, gap); };
    for (auto other = std::ranges::find_if(taken_, in_the_way); other != taken_.end();
         other = std::ranges::find_if(taken_, in_the_way))
        panel.y = upper ? other->y + other->height + gap : other->y - gap - panel.height;
    return panel.y >= margin_ && panel.y + panel.height <= image_.height - margin_;
}

std::optional<NotePanels::Place> NotePanels::add(Corner corner, int width, int height) {
    Rectangle panel{margin_, margin_, width + 2 * padding_, height + 2 * padding_};
    if (width > most_width() || panel.height > most_height_share * image_.height) return {};
    const int room_x = image_.width - panel.width, room_y = image_.height - panel.height;
    if (corner == Corner::upper || corner == Corner::lower) panel.x = room_x / 2;
    if (corner == Corner::upper_right || corner == Corner::lower_right) panel.x = room_x - margin_;
    const bool upper = corner == Corner::upper_left || corner == Corner::upper || corner == Corner::upper_right;
    if (!upper) panel.y = room_y - margin_;
    if (!make_room(panel, upper)) return {};
    taken_.push_back(panel);
    blend_round_rectangle(image_, panel.x, panel.y, panel.width, panel.height, radius_share * size_, panel_color,
                          panel_strength);
    return Place{panel.x + padding_, panel.y + padding_};
}

void blend_round_rectangle(Image& image, double x, double y, double width, double height, double radius, Vec3f color,
                           float alpha) {
    const double half_width = 0.5 * width, half_height = 0.5 * height;
    const int bottom = static_cast<int>(std::ceil(y + height)), right = static_cast<int>(std::ceil(x + width));
    for (int j = std::max(0, static_cast<int>(y)); j < std::min(image.height, bottom); ++j) {
        for (int i = std::max(0, static_cast<int>(x)); i < std::min(image.width, right); ++i) {
            const double from_x = std::abs(i + 0.5 - x - half_width) - half_width + radius;
            const double from_y = std::abs(j + 0.5 - y - half_height) - half_height + radius;
            const double outside = std::hypot(std::max(from_x, 0.0), std::max(from_y, 0.0)) +
                                   std::min(std::max(from_x, from_y), 0.0) - radius;
            const double coverage = std::clamp(0.5 - outside, 0.0, 1.0);
            image.blend(i, j, color, alpha * static_cast<float>(coverage));
        }
    }
}

}  // namespace spindrift::render
