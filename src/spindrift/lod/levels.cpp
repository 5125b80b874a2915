#include "spindrift/lod/levels.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "spindrift/core/errors.h"
#include "spindrift/core/exact_sum.h"
#include "spindrift/core/parallel.h"
#include "spindrift/lod/depth_image.h"

namespace spindrift::lod {

namespace {

/// Of the spheres that are drawn, in spacings: more than half of the diagonal between four, so that a calm surface has
/// no holes.
constexpr double sphere_radius = 0.75;

/// Size of a pixel at the mean distance of the particles, in spacings.
constexpr double pixel_size = 1;

/// Distances chosen for a frame leave out this share of the particles on each side.
constexpr double strays = 0.01;

/// Where the lowest level begins on the way from the nearest to the farthest particle, if the scene does not say.
constexpr float far_share = 0.5f;

/// Detail behind the visible surface, in spacings: all of it in the layers that a ruffled surface shows, then falling.
constexpr double visible_layers = 1.5, last_layer = 4;

struct Extremes {
    float least = std::numeric_limits<float>::infinity(), most = 0;
};

Extremes extremes_of(ConstChannel<float> values) {
    return parallel_reduce(
        values.size(), default_chunk, Extremes{},
        [&](Range range) {
            Extremes e;
            for (std::size_t i : range) {
                if (!std::isfinite(values[i])) continue;
                e.least = std::min(e.least, values[i]);
                e.most = std::max(e.most, values[i]);
            }
            return e;
        },
        [](const Extremes& a, const Extremes& b) {
            return Extremes{std::min(a.least, b.least), std::max(a.most, b.most)};
        });
}

/// The values that `strays` of the finite ones are below and above: counts do not depend on the order of particles.
Extremes without_strays(ConstChannel<float> values) {
    constexpr std::size_t bins = 1024;
    using Counts = std::array<std::uint32_t, bins>;
    const Extremes all = extremes_of(values);
    if (!(all.least < all.most)) return all;
    const float scale = static_cast<float>(bins) / (all.most - all.least);
    constexpr std::size_t chunk = 1 << 16;
    const Counts counts = parallel_reduce(
        values.size(), chunk, Counts{},
        [&](Range range) {
            Counts part{};
            for (std::size_t i : range) {
                if (std::isfinite(values[i]))
                    part[std::min(bins - 1, static_cast<std::size_t>((values[i] - all.least) * scale))] += 1;
            }
            return part;
        },
        [](Counts a, const Counts& b) {
            for (std::size_t k = 0; k < bins; ++k)
                a[k] += b[k];
            return a;
        });
    double total = 0, below = 0;
    for (const std::uint32_t count : counts)
        total += count;
    Extremes kept = all;
    for (std::size_t k = 0; k < bins; ++k) {
        const auto low = all.least + static_cast<float>(k) / scale,
                   high = all.least + static_cast<float>(k + 1) / scale;
        if (below <= strays * total) kept.least = low;
        if (below < (1 - strays) * total) kept.most = high;
        below += counts[k];
    }
    return kept;
}

double mean_of(std::size_t n, const std::function<double(std::size_t)>& value) {
    const double sum = exact_item_sums<1>(n, [&](std::size_t i) { return std::array{value(i)}; })[0];
    return n == 0 ? 0 : sum / static_cast<double>(n);
}

double mean_spacing(const Crowd& crowd) {
    return crowd.spacing_of ? mean_of(crowd.position.size(), crowd.spacing_of) : crowd.spacing;
}

}  // namespace

float Falloff::detail(float distance) const {
    if (distance <= near) return 1;
    return distance < far ? (far - distance) / (far - near) : 0;
}

Falloff choose_falloff(const LodParams& params, ConstChannel<float> distances, double spacing) {
    Falloff falloff{static_cast<float>(visible_layers * spacing), static_cast<float>(last_layer * spacing)};
    if (params.model == Model::dtc && !(params.near && params.far)) {
        const Extremes found = without_strays(distances);
        falloff = {found.least, found.least + far_share * (found.most - found.least)};
    }
    if (params.near) falloff.near = static_cast<float>(*params.near);
    if (params.far) falloff.far = static_cast<float>(*params.far);
    return falloff;
}

void LevelChooser::choose(const LodParams& params, const Onlookers& onlookers, const Crowd& crowd, LevelRange range,
                          Channel<std::uint8_t> levels) {
    SPINDRIFT_CHECK(!onlookers.cameras.empty() && levels.size() == crowd.position.size());
    const double spacing = mean_spacing(crowd);
    const auto count = static_cast<float>(onlookers.cameras.size());
    detail_.resize(levels.size());
    bool first = true;
    for (const geometry::Camera& camera : onlookers.cameras) {
        const ConstChannel<float> all = distances(params.model, camera, onlookers.aspect, crowd);
        const Falloff falloff = choose_falloff(params, all, spacing);
        parallel_for(all.size(), [&, detail = detail_.data()](Range r) {
            for (std::size_t i : r) {
                const float own = falloff.detail(all[i]), before = first ? 0 : detail[i];
                detail[i] = params.blend == Blend::max ? std::max(before, own) : before + own / count;
            }
        });
        first = false;
    }
    const auto span = static_cast<float>(range.most - range.fewest);
    parallel_for(levels.size(), [span, fewest = range.fewest, from = detail_.data(), to = levels.data()](Range r) {
        for (std::size_t i : r)
            to[i] = static_cast<std::uint8_t>(fewest + static_cast<int>(span * from[i] + 0.5f));
    });
}

ConstChannel<float> LevelChooser::distances(Model model, const geometry::Camera& camera, double aspect,
                                            const Crowd& crowd) {
    SPINDRIFT_CHECK(model != Model::none);
    distances_.resize(crowd.position.size());
    if (model == Model::dtc)
        measure_to_camera(camera, crowd);
    else
        measure_behind_surface(camera, aspect, crowd);
    return {distances_.data(), crowd.position.size()};
}

void LevelChooser::measure_to_camera(const geometry::Camera& camera, const Crowd& crowd) {
    const Vec3f eye = vec_cast<float>(camera.position - crowd.origin);
    parallel_for(crowd.position.size(), [&, to = distances_.data()](Range range) {
        for (std::size_t i : range)
            to[i] = length(crowd.position[i].xyz() - eye);
    });
}

/// Calls draw(image, index) for all indices; each thread has an image of its own.
template <class Draw>
const DepthImage& LevelChooser::draw(const DepthImage& start, std::size_t n, const Draw& draw) {
    images_.assign(static_cast<std::size_t>(thread_count()), start);
    parallel_for(n, [&](Range range) {
        DepthImage& own = images_[static_cast<std::size_t>(thread_index())];
        for (std::size_t i : range)
            draw(own, i);
    });
    for (std::size_t k = 1; k < images_.size(); ++k)
        images_[0].add(images_[k]);
    return images_[0];
}

void LevelChooser::measure_behind_surface(const geometry::Camera& camera, double aspect, const Crowd& crowd) {
    const std::size_t n = crowd.position.size();
    const auto [x, y, z] = exact_item_sums<3>(n, [&](std::size_t i) {
        const Vec3d p = vec_cast<double>(crowd.position[i].xyz());
        return std::array{p.x, p.y, p.z};
    });
    const Vec3d middle = Vec3d{x, y, z} / static_cast<double>(std::max<std::size_t>(1, n)) + crowd.origin;
    const double spacing = mean_spacing(crowd), distance = std::max(spacing, length(middle - camera.position));
    const auto same = crowd.spacing_of ? 0.f : static_cast<float>(sphere_radius * crowd.spacing);
    const auto radius = [&, same](std::size_t i) {
        return same > 0 ? same : static_cast<float>(sphere_radius * crowd.spacing_at(i));
    };
    spots_.resize(n);
    DepthImage::Spot* const spots = spots_.data();
    const DepthImage centers = draw(DepthImage(camera, aspect, pixel_size * spacing / distance, crowd.origin), n,
                                    [&, spots](DepthImage& image, std::size_t i) {
                                        spots[i] = image.find(crowd.position[i].xyz());
                                        image.draw_center(spots[i], radius(i));
                                    });
    // Most are hidden by others, which the centres tell already.
    draw(centers, n, [&, spots](DepthImage& image, std::size_t i) {
        const float r = radius(i);
        if (spots[i].pixel < 0 || centers.depth_behind(spots[i], r) < 2 * r) image.draw(crowd.position[i].xyz(), r);
    });
    images_[0].see_past_edges();
    parallel_for(n, [&, spots, to = distances_.data(), &surface = images_[0]](Range range) {
        for (std::size_t i : range)
            to[i] = surface.depth_behind(spots[i], radius(i));
    });
}

}  // namespace spindrift::lod
