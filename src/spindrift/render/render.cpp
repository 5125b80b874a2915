#include "spindrift/render/render.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/core/random.h"
#include "spindrift/render/annotations.h"
#include "spindrift/render/box_edges.h"
#include "spindrift/render/color_map.h"
#include "spindrift/render/floor.h"
#include "spindrift/render/glass.h"
#include "spindrift/render/light_layers.h"
#include "spindrift/render/liquid.h"
#include "spindrift/render/stage.h"
#include "spindrift/render/studio.h"
#include "spindrift/render/surface_color.h"

namespace spindrift::render {

namespace {

constexpr int tile_size = 32;

/// Rays to the sun and to the sky from each sample; large smooth surfaces show grain that beads hide.
constexpr std::uint32_t particle_rays = 1, flat_rays = 3;

/// Share of the ground that the haze before the horizon takes, by how flat the view is on it.
float haze(Vec3f direction) {
    return std::exp(direction.y / 0.07f);
}

struct Pair {
    float u, v;
};

/// Points of the R2 sequence (Roberts 2018), an even spread of the unit square for any number of them, in exact integer
/// arithmetic. The start is drawn from a counter.
class Sequence {
  public:
    Sequence(std::uint64_t item, std::uint64_t draw) {
        const std::uint64_t bits = hash_counter(0x70726576, item, draw);
        u_ = static_cast<std::uint32_t>(bits), v_ = static_cast<std::uint32_t>(bits >> 32);
    }
    Pair operator()(std::uint32_t i) const { return {unit(u_ + i * 3242174889u), unit(v_ + i * 2447445414u)}; }

  private:
    static float unit(std::uint32_t bits) { return static_cast<float>(bits >> 8) * 0x1p-24f; }
    std::uint32_t u_, v_;
};

/// Cosine-weighted direction about a normal.
Vec3f hemisphere(Vec3f normal, Pair p) {
    const float z = 1 - 2 * p.u, r = std::sqrt(std::max(0.f, 1 - z * z));
    const float angle = 2 * std::numbers::pi_v<float> * p.v;
    const Vec3f d = normal + Vec3f{r * std::cos(angle), r * std::sin(angle), z};
    const float size = length(d);
    return size > 1e-3f ? d / size : normal;
}

/// Direction to a place on the sun's disc.
Vec3f toward_sun(Pair p) {
    static const Vec3f side = normalize(cross(sun_direction, Vec3f{0, 0, 1})), top = cross(side, sun_direction);
    const float r = sun_radius * std::sqrt(p.u), angle = 2 * std::numbers::pi_v<float> * p.v;
    return normalize(sun_direction + side * (r * std::cos(angle)) + top * (r * std::sin(angle)));
}

/// Fills the layers of one picture, sample by sample.
class Painter {
  public:
    Painter(const RenderScene& scene, const View& view, const RenderParams& params, std::array<double, 2> range)
        : scene_(scene),
          view_(view),
          stage_(scene, view, params.ground ? scene.ground : std::nullopt, params.slice),
          map_(color_map(params.color)),
          range_(range),
          samples_(static_cast<std::uint32_t>(std::max(1, params.samples.value_or(4)))) {}

    LightLayers paint() const {
        LightLayers layers(view_.width(), view_.height());
        const int columns = (view_.width() + tile_size - 1) / tile_size;
        const int rows = (view_.height() + tile_size - 1) / tile_size;
        parallel_chunks(static_cast<std::size_t>(columns * rows), [&](std::size_t tile) {
            const int x0 = static_cast<int>(tile) % columns * tile_size;
            const int y0 = static_cast<int>(tile) / columns * tile_size;
            for (int y = y0; y < std::min(y0 + tile_size, view_.height()); ++y) {
                for (int x = x0; x < std::min(x0 + tile_size, view_.width()); ++x)
                    layers.at(x, y) = pixel(x, y);
            }
        });
        return layers;
    }

  private:
    /// Numbers of the shadow and sky rays of one sample: even over the samples of a block of four by four pixels, which
    /// is what the smoothing of the layers averages.
    struct RayNumbers {
        Sequence sun, sky;
        std::uint32_t first;
    };

    LitPixel pixel(int x, int y) const {
        const auto place = static_cast<std::uint64_t>(y) * 65536 + static_cast<std::uint64_t>(x);
        const auto block = static_cast<std::uint64_t>(y / 4) * 65536 + static_cast<std::uint64_t>(x / 4);
        static constexpr std::uint32_t order[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
        const Sequence lens(place, 0);
        RayNumbers rays{{block, 1}, {block, 2}, order[y % 4][x % 4] * samples_};
        LitPixel pixel;
        for (std::uint32_t k = 0; k < samples_; ++k, ++rays.first) {
            const Pair at = lens(k);
            add_sample(pixel, view_.ray(static_cast<float>(x) + at.u, static_cast<float>(y) + at.v), rays);
        }
        return average(pixel);
    }

    LitPixel average(LitPixel pixel) const {
        const float share = 1 / static_cast<float>(samples_);
        if (pixel.coverage > 0) pixel.depth /= pixel.coverage;
        pixel.emitted *= share, pixel.sunlight *= share, pixel.skylight *= share;
        pixel.ground *= share, pixel.coverage *= share;
        return pixel;
    }

    void add_sample(LitPixel& pixel, Vec3f direction, const RayNumbers& rays) const {
        const Hit hit = stage_.trace({{}, direction});
        const Glass glass = look_through_glass(scene_, stage_, direction, hit);
        pixel.emitted += glass.light;
        if (hit.body == Body::none) {
            pixel.emitted += background(direction) * glass.clear;
            return;
        }
        const Vec3f point = direction * hit.distance;
        const bool is_ground = hit.body == Body::ground;
        (is_ground ? pixel.ground : pixel.coverage) += 1;
        if (!is_ground) pixel.depth += view_.depth(point);
        if (hit.body == Body::liquid && scene_.liquids[hit.mesh].is_clear())
            add_liquid(pixel, hit, direction, glass.clear, rays);
        else
            add_body(pixel, {hit, point, direction, Vec3f{1, 1, 1} * glass.clear, hit.distance}, rays);
    }

    void add_liquid(LitPixel& pixel, const Hit& hit, Vec3f direction, float clear, const RayNumbers& rays) const {
        const LiquidView view = look_at_liquid(scene_, stage_, direction, hit);
        pixel.emitted += view.light * clear;
        for (LiquidView::End end : view.seen()) {
            end.weight *= clear;
            add_body(pixel, end, rays);
        }
    }

    void add_body(LitPixel& pixel, LiquidView::End seen, const RayNumbers& rays) const {
        const float veil = seen.hit.body == Body::ground ? haze(seen.direction) : 0;
        pixel.emitted += product(horizon_color, seen.weight) * veil;
        seen.weight *= 1 - veil;
        if (veil < 0.99f) add_light(pixel, seen, rays);
    }

    void add_light(LitPixel& pixel, const LiquidView::End& seen, const RayNumbers& rays) const {
        const Hit& hit = seen.hit;
        const Vec3f color = product(albedo(seen), seen.weight);
        pixel.emitted += product(color, eye_color) * std::max(0.f, -dot(hit.normal, seen.direction));
        pixel.skylight += product(color, open_skylight(hit.normal));
        const std::uint32_t count = hit.body == Body::particle ? particle_rays : flat_rays;
        const float facing = dot(hit.normal, sun_direction);
        if (facing > 0)
            pixel.sunlight += product(sun_color, color * facing + product(gloss(hit, seen.direction), seen.weight));
        const float weight = std::max({seen.weight.x, seen.weight.y, seen.weight.z});
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t number = rays.first * count + i;
            const Vec3f to_sky = hemisphere(hit.normal, rays.sky(number));
            pixel.sky_weight += weight;
            pixel.sky_seen += weight * stage_.light_from(seen.point, hit.face, to_sky);
            if (facing <= 0) continue;
            pixel.sun_weight += weight;
            pixel.sun_seen += weight * stage_.light_from(seen.point, hit.face, toward_sun(rays.sun(number)));
        }
    }

    Vec3f albedo(const LiquidView::End& seen) const {
        const Hit& hit = seen.hit;
        if (hit.body == Body::ground) return floor_at(seen);
        if (hit.body == Body::solid) return solid_albedo;
        if (hit.body == Body::mesh) return surface_color(scene_.meshes[hit.mesh], hit);
        if (hit.body == Body::liquid) return liquid_color(scene_.liquids[hit.mesh], hit);
        if (!scene_.colors.empty()) return scene_.colors[hit.index];
        return scene_.values.empty() ? water_color : map_(map_to_range(scene_.values[hit.index], range_));
    }

    Vec3f floor_at(const LiquidView::End& seen) const {
        const Vec3d place = vec_cast<double>(seen.point) + view_.eye() - scene_.tiles_at;
        const float blur = view_.pixel() * seen.distance / std::max(0.01f, -seen.direction.y);
        return floor_color(place.x, place.z, scene_.tiles, blur);
    }

    /// Of a matte liquid.
    Vec3f liquid_color(const LiquidBody& body, const Hit& hit) const {
        if (body.matte) return face_color(body, hit);
        const geometry::Triangle& corners = body.mesh->triangles[hit.index];
        const std::array<float, 3> weights{1 - hit.u - hit.v, hit.u, hit.v};
        float value = 0;
        Vec3f color;
        for (std::size_t k = 0; k < 3; ++k) {
            if (!body.point_colors.empty())
                color += body.point_colors[corners[k]] * weights[k];
            else
                value += body.values[corners[k]] * weights[k];
        }
        return body.point_colors.empty() ? map_(map_to_range(value, range_)) : color;
    }

    /// A small highlight that makes beads of the particles.
    static Vec3f gloss(const Hit& hit, Vec3f direction) {
        if (hit.body != Body::particle) return {};
        const float aligned = std::max(0.f, dot(hit.normal, normalize(sun_direction - direction)));
        const float strength = 0.18f * std::pow(aligned, 40.f);
        return {strength, strength, strength};
    }

    const RenderScene& scene_;
    const View& view_;
    Stage stage_;
    const ColorMap& map_;
    std::array<double, 2> range_;
    std::uint32_t samples_;
};

}  // namespace

Picture render(const RenderScene& scene, const Camera& camera, const RenderParams& params) {
    const auto fits = [&](std::size_t size) { return size == 0 || size == scene.positions.size(); };
    SPINDRIFT_CHECK(fits(scene.radii.size()) && fits(scene.values.size()) && fits(scene.colors.size()));
    const View view(camera, params.resolution);
    const auto mapped =
        std::ranges::find_if(scene.liquids, [](const LiquidBody& each) { return !each.values.empty(); });
    const ConstChannel<float> values =
        scene.values.empty() && mapped != scene.liquids.end() ? mapped->values : scene.values;
    const auto own_range = [&] { return scene.range ? *scene.range : automatic_range(values); };
    const std::array<double, 2> range = params.range ? *params.range : own_range();
    const LightLayers layers = Painter(scene, view, params, range).paint();
    Layers known(view.width(), view.height());
    for (int y = 0; y < view.height(); ++y) {
        for (int x = 0; x < view.width(); ++x) {
            const LitPixel& pixel = layers.at(x, y);
            const std::size_t i = known.index(x, y);
            known.alpha[i] = pixel.coverage + pixel.ground;
            if (pixel.coverage > 0) known.depth[i] = pixel.depth, known.id[i] = body_id::other;
        }
    }
    Picture picture{layers.compose(6 * scene.radius), {}};
    known.light = picture.image;
    if (scene.domain) draw_box_edges(picture.image, known, view, *scene.domain, 3 * scene.radius);
    Annotations notes{.label = scene.label, .swatches = scene.swatches};
    if (!values.empty()) notes.legend = Legend{scene.legend, range, &color_map(params.color), scene.whole};
    annotate(picture.image, notes);
    picture.layers = std::make_shared<Layers>(std::move(known));
    return picture;
}

}  // namespace spindrift::render
