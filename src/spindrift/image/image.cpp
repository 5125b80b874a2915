#include "spindrift/image/image.h"

#include <algorithm>
#include <cmath>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"

namespace spindrift::image {

Image::Image(int width_, int height_, Vec3f fill) : width(width_), height(height_) {
    SPINDRIFT_CHECK(width > 0 && height > 0);
    pixels.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), fill);
}

void Image::blend(int x, int y, Vec3f color, float alpha) {
    if (contains(x, y)) at(x, y) = at(x, y) * (1 - alpha) + color * alpha;
}

void Image::blend_rectangle(int x, int y, int w, int h, Vec3f color, float alpha) {
    for (int j = std::max(y, 0); j < std::min(y + h, height); ++j) {
        for (int i = std::max(x, 0); i < std::min(x + w, width); ++i)
            blend(i, j, color, alpha);
    }
}

void Image::paste(const Image& other, int x, int y) {
    for (int j = std::max(0, -y); j < std::min(other.height, height - y); ++j) {
        for (int i = std::max(0, -x); i < std::min(other.width, width - x); ++i)
            at(x + i, y + j) = other.at(i, j);
    }
}

namespace {

/// One direction of the area average: line i of the result covers [i, i + 1) * from / to of the source.
template <class Add>
void for_covered(int i, int from, int to, const Add& add) {
    const double scale = static_cast<double>(from) / to;
    const double first = i * scale, last = first + scale;
    for (int j = static_cast<int>(first); j < from && j < last; ++j) {
        const double covered = std::min(last, j + 1.0) - std::max(first, static_cast<double>(j));
        add(j, static_cast<float>(covered / scale));
    }
}

}  // namespace

Image downsample(const Image& image, int width, int height) {
    SPINDRIFT_CHECK(width <= image.width && height <= image.height);
    Image rows(width, image.height);
    parallel_for(static_cast<std::size_t>(image.height), 16, [&](Range r) {
        for (const auto row : r) {
            const int y = static_cast<int>(row);
            for (int x = 0; x < width; ++x) {
                for_covered(x, image.width, width, [&](int j, float w) { rows.at(x, y) += image.at(j, y) * w; });
            }
        }
    });
    Image result(width, height);
    parallel_for(static_cast<std::size_t>(height), 16, [&](Range r) {
        for (const auto row : r) {
            const int y = static_cast<int>(row);
            for_covered(y, image.height, height, [&](int j, float w) {
                for (int x = 0; x < width; ++x)
                    result.at(x, y) += rows.at(x, j) * w;
            });
        }
    });
    return result;
}

}  // namespace spindrift::image
