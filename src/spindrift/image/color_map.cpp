#include "spindrift/image/color_map.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <vector>

namespace spindrift::image {

namespace {

/// Linear RGB of a colour in Oklab, cut to what a display can show.
Vec3f oklab_to_linear(Vec3f lab) {
    const float l = std::pow(lab.x + 0.3963377774f * lab.y + 0.2158037573f * lab.z, 3.f);
    const float m = std::pow(lab.x - 0.1055613458f * lab.y - 0.0638541728f * lab.z, 3.f);
    const float s = std::pow(lab.x - 0.0894841775f * lab.y - 1.2914855480f * lab.z, 3.f);
    const Vec3f rgb{4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s,
                    -1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s,
                    -0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s};
    return min(max(rgb, Vec3f{}), Vec3f{1, 1, 1});
}

Vec3f to_oklab(const ColorStop& stop) {
    const float hue = stop.hue_deg * std::numbers::pi_v<float> / 180;
    return {stop.lightness, stop.chroma * std::cos(hue), stop.chroma * std::sin(hue)};
}

Vec3f interpolate(ConstChannel<ColorStop> stops, float t) {
    std::size_t i = 1;
    while (i + 1 < stops.size() && t > stops[i].position)
        ++i;
    const ColorStop &a = stops[i - 1], &b = stops[i];
    const float f = std::clamp((t - a.position) / (b.position - a.position), 0.f, 1.f);
    return oklab_to_linear(to_oklab(a) * (1 - f) + to_oklab(b) * f);
}

constexpr ColorStop water_stops[] = {
    {0.00f, 0.36f, 0.125f, 262}, {0.30f, 0.52f, 0.130f, 252}, {0.62f, 0.74f, 0.110f, 225}, {1.00f, 0.97f, 0.015f, 210}};
constexpr ColorStop violet_stops[] = {
    {0.00f, 0.30f, 0.130f, 300}, {0.33f, 0.50f, 0.100f, 240}, {0.66f, 0.70f, 0.130f, 165}, {1.00f, 0.92f, 0.160f, 102}};
constexpr ColorStop diverging_stops[] = {
    {0.00f, 0.42f, 0.140f, 258}, {0.50f, 0.94f, 0.000f, 0}, {1.00f, 0.48f, 0.170f, 28}};

/// The next number above of the form 1, 1.5, 2, 3, 4, 5, 6, 8 times a power of ten.
double round_up(double value) {
    const double power = std::pow(10, std::floor(std::log10(value)));
    for (const double digit : {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0}) {
        if (value <= digit * power * (1 + 1e-6)) return digit * power;
    }
    return 10 * power;
}

std::vector<float> finite_values(ConstChannel<float> values) {
    std::vector<float> finite;
    std::ranges::copy_if(values, std::back_inserter(finite), [](float v) { return std::isfinite(v); });
    return finite;
}

/// The value that one in 200 exceeds; changes the order.
float rarely_exceeded(std::vector<float>& values) {
    const auto high = values.end() - 1 - static_cast<std::ptrdiff_t>(values.size() / 200);
    std::ranges::nth_element(values, high);
    return *high;
}

}  // namespace

ColorMap::ColorMap(ConstChannel<ColorStop> stops) {
    for (std::size_t i = 0; i < table_.size(); ++i) {
        table_[i] = interpolate(stops, static_cast<float>(i) / static_cast<float>(table_.size() - 1));
    }
}

Vec3f ColorMap::operator()(float t) const {
    const float x = t > 0 ? std::min(t, 1.f) * static_cast<float>(table_.size() - 1) : 0.f;
    const auto i = std::min(static_cast<std::size_t>(x), table_.size() - 2);
    const float f = x - static_cast<float>(i);
    return table_[i] * (1 - f) + table_[i + 1] * f;
}

const ColorMap& color_map(std::string_view channel) {
    static const ColorMap water(water_stops), violet(violet_stops), diverging(diverging_stops);
    if (channel == "speed" || channel == "v" || channel == "auto") return water;
    if (channel == "density" || channel == "density_error" || channel == "divergence") return diverging;
    return violet;
}

float map_to_range(double value, const std::array<double, 2>& range) {
    const double width = range[1] - range[0];
    return width > 0 ? static_cast<float>(std::clamp((value - range[0]) / width, 0.0, 1.0)) : 0.f;
}

std::array<double, 2> automatic_range(ConstChannel<float> values) {
    std::vector<float> finite = finite_values(values);
    if (finite.empty()) return {0, 1};
    const float high = rarely_exceeded(finite);
    const double least = std::min(0.0, static_cast<double>(*std::ranges::min_element(finite)));
    return {least < 0 ? -round_up(-least) : 0, high > 0 ? round_up(high) : least < 0 ? 0 : 1};
}

std::array<double, 2> symmetric_range(ConstChannel<float> values, double least) {
    std::vector<float> finite = finite_values(values);
    const double high = finite.empty() ? least : std::max<double>(least, rarely_exceeded(finite));
    return {-round_up(high), round_up(high)};
}

}  // namespace spindrift::image
