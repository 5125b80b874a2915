#include "spindrift/render/annotate/font.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <mutex>

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_ADVANCES_H
#include FT_OUTLINE_H

#include "spindrift/core/errors.h"

extern "C" const unsigned char spindrift_font[], spindrift_font_end[];

namespace spindrift::render {

namespace {

constexpr char32_t replacement = 0xfffd;
constexpr double largest_size = 4096;

/// Letters at this many positions between two pixels; FreeType counts in these.
constexpr double steps_of_pixel = 64;

/// Blending in linear light makes dark strokes look thin; this many of those steps give them their weight back.
constexpr FT_Pos extra_weight = 14;

/// Bytes of a character that begins with this one, 0 if none does.
std::size_t sequence_length(unsigned char first) {
    if (first < 0x80) return 1;
    if (first < 0xc2 || first > 0xf4) return 0;
    return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

struct Character {
    char32_t code;
    std::size_t bytes;
};

/// The first character of a text that is not empty; a byte that begins none is a replacement.
Character first_character(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t length = sequence_length(byte(0));
    if (length == 0 || length > text.size()) return {replacement, 1};
    if (length == 1) return {byte(0) < 0x20 || byte(0) == 0x7f ? U' ' : byte(0), 1};
    char32_t code = byte(0) & (0xffu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return {replacement, 1};
        code = code << 6 | (byte(i) & 0x3f);
    }
    constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    if (code < least[length] || code > 0x10ffff || surrogate) return {replacement, 1};
    return {code, length};
}

/// The font as FreeType knows it. Whoever uses it holds the lock: FreeType's faces are for one thread at a time.
class Face {
  public:
    Face() {
        SPINDRIFT_CHECK(FT_Init_FreeType(&library_) == 0);
        const auto bytes = static_cast<FT_Long>(spindrift_font_end - spindrift_font);
        SPINDRIFT_CHECK(FT_New_Memory_Face(library_, spindrift_font, bytes, 0, &face_) == 0);
    }
    ~Face() { FT_Done_FreeType(library_); }
    Face(const Face&) = delete;
    Face& operator=(const Face&) = delete;

    std::mutex& lock() { return lock_; }
    double units_per_size() const { return face_->units_per_EM; }

    /// Calls visit(glyph, x, bytes before it) for each character and returns where the text ends, in units of the font;
    /// ends where visit returns false.
    template <class Visit>
    long walk(std::string_view text, const Visit& visit) const {
        long x = 0;
        FT_UInt before = 0;
        for (std::size_t i = 0; i < text.size();) {
            const Character character = first_character(text.substr(i));
            const FT_UInt glyph = find_glyph(character.code);
            x += kerning(before, glyph);
            if (!visit(glyph, x, i)) break;
            x += advance(glyph);
            before = glyph;
            i += character.bytes;
        }
        return x;
    }

    /// The coverage of a glyph whose origin is a share of a pixel to the right of the bitmap's; nothing for spaces.
    FT_GlyphSlot draw(FT_UInt glyph, double share) {
        if (FT_Load_Glyph(face_, glyph, FT_LOAD_TARGET_LIGHT | FT_LOAD_NO_BITMAP) != 0) return nullptr;
        FT_Outline& outline = face_->glyph->outline;
        FT_Outline_Embolden(&outline, extra_weight);
        FT_Outline_Translate(&outline, static_cast<FT_Pos>(share * steps_of_pixel) - extra_weight / 2,
                             -extra_weight / 2);
        return FT_Render_Glyph(face_->glyph, FT_RENDER_MODE_NORMAL) == 0 ? face_->glyph : nullptr;
    }

    void set_size(double size) {
        const auto height = static_cast<FT_F26Dot6>(std::lround(size * steps_of_pixel));
        SPINDRIFT_CHECK(FT_Set_Char_Size(face_, 0, height, 0, 0) == 0);
    }

  private:
    FT_UInt find_glyph(char32_t code) const {
        const FT_UInt glyph = FT_Get_Char_Index(face_, code);
        return glyph ? glyph : FT_Get_Char_Index(face_, replacement);
    }
    long advance(FT_UInt glyph) const {
        FT_Fixed units = 0;
        return FT_Get_Advance(face_, glyph, FT_LOAD_NO_SCALE, &units) == 0 ? units : 0;
    }
    long kerning(FT_UInt left, FT_UInt right) const {
        FT_Vector units{};
        return left && FT_Get_Kerning(face_, left, right, FT_KERNING_UNSCALED, &units) == 0 ? units.x : 0;
    }

    std::mutex lock_;
    FT_Library library_ = nullptr;
    FT_Face face_ = nullptr;
};

Face& the_face() {
    static Face face;
    return face;
}

double usable(double size) {
    return std::isfinite(size) ? std::clamp(size, 1.0, largest_size) : 1.0;
}

void blend_bitmap(Image& image, int left, int top, const FT_Bitmap& bitmap, Vec3f color) {
    for (int y = 0; y < static_cast<int>(bitmap.rows); ++y) {
        const unsigned char* row = bitmap.buffer + static_cast<std::ptrdiff_t>(y) * bitmap.pitch;
        for (int x = 0; x < static_cast<int>(bitmap.width); ++x) {
            if (row[x]) image.blend(left + x, top + y, color, static_cast<float>(row[x]) / 255);
        }
    }
}

}  // namespace

double text_width(std::string_view text, double size) {
    Face& face = the_face();
    const std::scoped_lock guard(face.lock());
    const auto all = [](FT_UInt, long, std::size_t) { return true; };
    return static_cast<double>(face.walk(text, all)) * usable(size) / face.units_per_size();
}

std::string fit_text(std::string_view text, double size, double width) {
    constexpr std::string_view ellipsis = "…";
    const double room = width - text_width(ellipsis, size);
    Face& face = the_face();
    const std::scoped_lock guard(face.lock());
    const double unit = usable(size) / face.units_per_size();
    std::size_t kept = 0;
    const long end = face.walk(text, [&](FT_UInt, long x, std::size_t bytes) {
        if (static_cast<double>(x) * unit <= room) kept = bytes;
        return static_cast<double>(x) * unit <= width;
    });
    if (static_cast<double>(end) * unit <= width) return std::string(text);
    while (kept > 0 && text[kept - 1] == ' ')
        --kept;
    return kept == 0 ? std::string() : std::string(text.substr(0, kept)).append(ellipsis);
}

void draw_text(Image& image, double x, double baseline, std::string_view text, const TextStyle& style) {
    const double size = usable(style.size);
    // Beyond these the text is far outside, and positions would not fit into integers.
    constexpr double far = 1e6;
    if (!(std::abs(x) < far && std::abs(baseline) < far)) return;
    Face& face = the_face();
    const std::scoped_lock guard(face.lock());
    face.set_size(size);
    const double unit = size / face.units_per_size();
    const int row = static_cast<int>(std::lround(baseline));
    face.walk(text, [&](FT_UInt glyph, long units, std::size_t) {
        const double place = x + static_cast<double>(units) * unit, whole = std::floor(place);
        if (place > image.width + size) return false;
        if (place < -2 * size) return true;
        if (const FT_GlyphSlot drawn = face.draw(glyph, place - whole))
            blend_bitmap(image, static_cast<int>(whole) + drawn->bitmap_left, row - drawn->bitmap_top, drawn->bitmap,
                         style.color);
        return true;
    });
}

}  // namespace spindrift::render
