#include "spindrift/render/graph_images.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/random.h"
#include "spindrift/render/annotate/annotations.h"
#include "spindrift/render/annotate/contact_sheet.h"

namespace spindrift::render {

namespace {

Vec3f grey(float value) {
    return {value, value, value};
}

/// The nearest and the farthest of what is seen. The floor, which goes on to the horizon, counts if there is nothing
/// else.
std::array<double, 2> depths_of(const Layers& layers) {
    const auto between = [&](bool with_floor) {
        std::array<double, 2> ends{std::numeric_limits<double>::infinity(), 0};
        for (std::size_t i = 0; i < layers.depth.size(); ++i) {
            const double depth = layers.depth[i];
            if (!std::isfinite(depth) || (!with_floor && layers.id[i] == body_id::floor)) continue;
            ends = {std::min(ends[0], depth), std::max(ends[1], depth)};
        }
        return ends;
    };
    const std::array<double, 2> bodies = between(false);
    return bodies[0] < bodies[1] ? bodies : between(true);
}

/// Even steps of depth look even.
Vec3f depth_color(float depth, const std::array<double, 2>& depths) {
    if (!std::isfinite(depth)) return {};
    const double share = depths[0] < depths[1] ? (depth - depths[0]) / (depths[1] - depths[0]) : 0;
    constexpr double darkest = 0.05;  // so that far things are not sky
    return grey(srgb_decode(static_cast<float>(1 - (1 - darkest) * std::clamp(share, 0.0, 1.0))));
}

/// As display values, which is how normals are looked at everywhere.
Vec3f normal_color(Vec3f normal) {
    if (length(normal) == 0) return {};
    const auto channel = [](float x) { return srgb_decode(std::clamp(0.5f + 0.5f * x, 0.f, 1.f)); };
    return {channel(normal.x), channel(normal.y), channel(normal.z)};
}

/// Bright enough to be told from the sky.
Vec3f id_color(std::uint32_t id) {
    if (id == body_id::sky) return {};
    const auto channel = [&](std::uint64_t n) { return 0.1f + 0.9f * uniform(hash_counter(0, id, n)); };
    return {channel(0), channel(1), channel(2)};
}

Vec3f mixed(Vec3f a, Vec3f b, float share) {
    return a * (1 - share) + b * share;
}

/// The picture's value at a place between centres of pixels; the border goes on outside.
Vec3f sample(const Image& image, float x, float y) {
    const float px = std::clamp(x - 0.5f, 0.f, static_cast<float>(image.width - 1));
    const float py = std::clamp(y - 0.5f, 0.f, static_cast<float>(image.height - 1));
    const int x0 = static_cast<int>(px), y0 = static_cast<int>(py);
    const int x1 = std::min(x0 + 1, image.width - 1), y1 = std::min(y0 + 1, image.height - 1);
    const float u = px - static_cast<float>(x0), v = py - static_cast<float>(y0);
    return mixed(mixed(image.at(x0, y0), image.at(x1, y0), u), mixed(image.at(x0, y1), image.at(x1, y1), u), v);
}

Image enlarged(const Image& image, int width, int height) {
    Image result(width, height);
    const float step_x = static_cast<float>(image.width) / static_cast<float>(width);
    const float step_y = static_cast<float>(image.height) / static_cast<float>(height);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x)
            result.at(x, y) =
                sample(image, (static_cast<float>(x) + 0.5f) * step_x, (static_cast<float>(y) + 0.5f) * step_y);
    }
    return result;
}

void check_size(const char* what, long long width, long long height) {
    if (width * height <= image::most_pixels) return;
    throw UsageError(fmt::format("{} would make a picture of {} x {} pixels; up to {} million pixels can be handled",
                                 what, width, height, image::most_pixels / 1'000'000));
}

}  // namespace

Image show_layer(const Layers& layers, LayerName layer, std::optional<std::array<double, 2>> depths) {
    Image image(layers.width(), layers.height());
    if (layer == LayerName::depth && !depths) depths = depths_of(layers);
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
        switch (layer) {
            case LayerName::depth:
                image.pixels[i] = depth_color(layers.depth[i], *depths);
                break;
            case LayerName::normal:
                image.pixels[i] = normal_color(layers.normal[i]);
                break;
            case LayerName::albedo:
                image.pixels[i] = layers.albedo[i];
                break;
            case LayerName::id:
                image.pixels[i] = id_color(layers.id[i]);
                break;
            case LayerName::alpha:
                image.pixels[i] = grey(srgb_decode(std::clamp(layers.alpha[i], 0.f, 1.f)));
                break;
        }
    }
    return image;
}

Image composite(const Picture& first, const Picture& second, CompositeMode mode, std::optional<double> amount) {
    const Image &a = first.image, &b = second.image;
    if (a.width != b.width || a.height != b.height)
        throw UsageError(
            fmt::format("a composite needs two pictures of one size, and they have {} x {} and {} x {} "
                        "pixels; give both views the same resolution, or put a scale module before one",
                        a.width, a.height, b.width, b.height));
    const bool halves = mode == CompositeMode::mix || mode == CompositeMode::wipe;
    const auto share = static_cast<float>(amount.value_or(halves ? 0.5 : 1));
    const int edge = static_cast<int>(std::lround(share * static_cast<float>(a.width)));
    Image image(a.width, a.height);
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
        const Vec3f x = a.pixels[i], y = b.pixels[i];
        switch (mode) {
            case CompositeMode::over:
                image.pixels[i] = mixed(y, x, share * std::clamp(first.layers->alpha[i], 0.f, 1.f));
                break;
            case CompositeMode::mix:
                image.pixels[i] = mixed(x, y, share);
                break;
            case CompositeMode::multiply:
                image.pixels[i] = mixed(x, {x.x * y.x, x.y * y.y, x.z * y.z}, share);
                break;
            case CompositeMode::difference:
                image.pixels[i] = mixed(x, {std::abs(x.x - y.x), std::abs(x.y - y.y), std::abs(x.z - y.z)}, share);
                break;
            case CompositeMode::wipe:
                image.pixels[i] = static_cast<int>(i % static_cast<std::size_t>(a.width)) < edge ? x : y;
                break;
        }
    }
    return image;
}

Image scale_to_width(const Image& image, int width) {
    const long long height = std::max(1LL, std::llround(static_cast<double>(image.height) * width / image.width));
    check_size("scale", width, height);
    if (width == image.width) return image;
    const int rows = static_cast<int>(height);
    if (width < image.width && rows <= image.height) return image::downsample(image, width, rows);
    return enlarged(image, width, rows);
}

Image side_by_side(std::span<const Image> images, std::span<const std::string> labels, int columns) {
    long long width = 0, height = 0;
    for (const Image& each : images) {
        width = std::max<long long>(width, each.width);
        height = std::max<long long>(height, each.height);
    }
    const auto count = static_cast<long long>(images.size());
    const long long rows = (count + columns - 1) / columns;
    check_size("side_by_side", std::min<long long>(columns, count) * (width + sheet_gap),
               rows * (height + sheet_gap + sheet_strip(static_cast<int>(height))));
    return contact_sheet(images, labels, columns);
}

void write_words(Image& image, const std::string& text, Corner corner) {
    annotate(image, {.texts = {{text, corner}}});
}

}  // namespace spindrift::render
