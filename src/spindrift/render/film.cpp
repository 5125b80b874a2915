#include "spindrift/render/film.h"

#include <algorithm>
#include <cmath>

#include "spindrift/core/parallel.h"
#include "spindrift/render/denoise.h"
#include "spindrift/render/light.h"

namespace spindrift::render {

namespace {

using image::luminance;

/// With fewer samples than this their spread says nothing.
constexpr std::uint32_t telling = 6;

/// What is darker tells nothing of the light on it.
constexpr float least_albedo = 1e-6f;

/// Light before it was coloured. Colours that a surface has nothing of are taken to be as bright as the others.
Vec3f uncolored(Vec3f light, Vec3f albedo) {
    Vec3f white;
    float known = 0, count = 0;
    for (int c = 0; c < 3; ++c) {
        if (!(albedo[c] > least_albedo)) continue;
        white[c] = light[c] / albedo[c];
        known += white[c], count += 1;
    }
    for (int c = 0; c < 3; ++c)
        if (count > 0 && !(albedo[c] > least_albedo)) white[c] = known / count;
    return white;
}

/// How many samples' worth of light came from elsewhere than matte surfaces.
float clear_share(const Film::Pixel& pixel, float count) {
    return std::max(0.01f * count, count - pixel.sum.weight);
}

}  // namespace

void Film::Pixel::add(const Sample& sample) {
    sum.clear += sample.clear, sum.matte += sample.matte, sum.albedo += sample.albedo;
    sum.point += sample.point, sum.normal += sample.normal, sum.weight += sample.weight;
    sum.unlit += sample.unlit;
    const float bright = luminance(sample.matte);
    brightness += bright, squares += bright * bright;
    const float clear = luminance(sample.clear);
    clear_brightness += clear, clear_squares += clear * clear;
}

std::vector<Vec3f> Film::smooth_light(const geometry::View& view, std::uint32_t samples) const {
    Irradiance noisy(width_, height_);
    const float count = static_cast<float>(samples);
    parallel_for(pixels_.size(), [&](Range range) {
        for (const auto i : range) {
            const Pixel& pixel = pixels_[i];
            noisy.light[i] = uncolored(pixel.sum.matte, pixel.sum.albedo);
            const float size = length(pixel.sum.normal);
            const float color = luminance(pixel.sum.albedo) / count;
            if (!(pixel.sum.weight > 0) || !(size > 0) || !(color > least_albedo)) continue;
            noisy.normal[i] = pixel.sum.normal / size;
            noisy.point[i] = pixel.sum.point / pixel.sum.weight;
            noisy.footprint[i] = view.pixel() * length(noisy.point[i]);
            const float mean = pixel.brightness / count;
            const float spread = std::max(0.f, pixel.squares / count - mean * mean) / std::max(1.f, count - 1);
            noisy.variance[i] = spread / (color * color);
        }
    });
    if (samples < telling) noisy.guess_variance();
    return denoise(noisy, 5, samples < telling);
}

/// Mirrored and bent light has details of its own: only what chance has brought in is smoothed, and not far. As with
/// colours, the share of it in a pixel is kept sharp, and rims before the sky are left as they are.
std::vector<Vec3f> Film::smooth_clear(const geometry::View& view, std::uint32_t samples) const {
    Irradiance noisy(width_, height_);
    const float count = static_cast<float>(samples);
    parallel_for(pixels_.size(), [&](Range range) {
        for (const auto i : range) {
            const Pixel& pixel = pixels_[i];
            const float share = clear_share(pixel, count);
            noisy.light[i] = pixel.sum.clear / share;
            const float size = length(pixel.normal);
            if (!(size > 0) || !(pixel.clear_brightness > 0) || pixel.id == body_id::floor) continue;
            if (pixel.sum.unlit > 0 || count - pixel.sum.weight < share) continue;
            noisy.normal[i] = pixel.normal / size;
            noisy.point[i] = pixel.point;
            noisy.footprint[i] = view.pixel() * length(pixel.point);
            const float mean = pixel.clear_brightness / count;
            const float spread = std::max(0.f, pixel.clear_squares / count - mean * mean);
            noisy.variance[i] = spread * count * count / (share * share * std::max(1.f, count - 1));
        }
    });
    if (samples < telling) noisy.guess_variance();
    return denoise(noisy, 2, samples < telling);
}

Layers Film::layers(const geometry::View& view, std::uint32_t samples, bool smooth) const {
    Layers layers(width_, height_);
    const std::vector<Vec3f> light = smooth ? smooth_light(view, samples) : std::vector<Vec3f>{};
    const std::vector<Vec3f> clear = smooth ? smooth_clear(view, samples) : std::vector<Vec3f>{};
    const float share = 1 / static_cast<float>(samples);
    parallel_for(pixels_.size(), [&](Range range) {
        for (const auto i : range) {
            const Pixel& pixel = pixels_[i];
            const Vec3f matte = smooth ? product(light[i], pixel.sum.albedo) : pixel.sum.matte;
            const Vec3f other = smooth ? clear[i] * clear_share(pixel, static_cast<float>(samples)) : pixel.sum.clear;
            layers.light.pixels[i] = (other + matte) * share;
            layers.alpha[i] = 1 - pixel.sum.unlit * share;
            const float white = std::max(0.f, 1 - pixel.sum.weight * share);
            layers.albedo[i] = pixel.sum.albedo * share + Vec3f{white, white, white};
            layers.normal[i] = pixel.normal * share;
            layers.depth[i] = pixel.depth;
            layers.id[i] = pixel.id;
        }
    });
    return layers;
}

}  // namespace spindrift::render
