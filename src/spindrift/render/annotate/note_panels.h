#pragma once
// Panels at the borders of a picture that never cover each other, for words and legends.
//
//   NotePanels panels(image);
//   if (const auto place = panels.add(Corner::upper_left, 120, 18)) draw_text(image, place->x, place->y + 14, "frame
//   42", {});

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "spindrift/image/image.h"

namespace spindrift::render {

using image::Image;

/// Where something is written on a picture.
enum class Corner { upper_left, upper, upper_right, lower_left, lower, lower_right };

constexpr std::array<std::string_view, 6> enum_words(Corner) {
    return {"upper_left", "upper", "upper_right", "lower_left", "lower", "lower_right"};
}

/// Linear RGB of what is written on panels.
inline constexpr Vec3f panel_ink{0.010f, 0.013f, 0.020f};

class NotePanels {
  public:
    explicit NotePanels(Image& image);

    /// Size of the letters that suit the picture, in pixels.
    double size() const { return size_; }
    /// The widest that a panel's content may be.
    int most_width() const;

    struct Place {
        int x, y;
    };
    /// Lays a light panel around content of this size in pixels and returns the content's upper left corner. What is in
    /// the way makes it move towards the middle; nothing is drawn if the picture is too small.
    std::optional<Place> add(Corner corner, int width, int height);

  private:
    struct Rectangle {
        int x, y, width, height;
        bool overlaps(const Rectangle& other, int gap) const;
    };
    bool make_room(Rectangle& panel, bool upper) const;

    Image& image_;
    double size_;
    int margin_, padding_;
    std::vector<Rectangle> taken_{};
};

/// A rectangle with round corners, smooth at its edge.
void blend_round_rectangle(Image& image, double x, double y, double width, double height, double radius, Vec3f color,
                           float alpha);

}  // namespace spindrift::render
