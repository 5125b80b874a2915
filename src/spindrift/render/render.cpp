#include "spindrift/render/render.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include "spindrift/core/errors.h"
#include "spindrift/core/interruption.h"
#include "spindrift/core/parallel.h"
#include "spindrift/render/annotate/annotations.h"
#include "spindrift/render/annotate/box_edges.h"
#include "spindrift/render/film.h"

namespace spindrift::render {

namespace {

constexpr int tile_size = 16;

double since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Light light_of(const RenderScene& scene, const RenderParams& params) {
    return scene.uniform_light ? Light(*scene.uniform_light) : Light(params.sky, params.sun);
}

/// The camera while the shutter is open.
class Shutter {
  public:
    Shutter(const RenderScene& scene, const geometry::View& view, std::array<int, 2> resolution) : view_(view) {
        if (!scene.camera_move || !(scene.shutter > 0)) return;
        for (const geometry::Camera& camera : *scene.camera_move)
            ends_.emplace_back(camera, resolution);
    }

    Ray ray(float x, float y, float time) const {
        if (ends_.empty()) return {{}, view_.ray(x, y), time};
        const Vec3d eye = ends_[0].eye() * (1 - time) + ends_[1].eye() * time;
        const Vec3f direction = ends_[0].ray(x, y) * (1 - time) + ends_[1].ray(x, y) * time;
        return {view_.to_local(eye), normalize(direction), time};
    }

  private:
    const geometry::View& view_;
    std::vector<geometry::View> ends_;
};

/// Makes one picture, pass by pass.
class Painter {
  public:
    Painter(const RenderScene& scene, const geometry::View& view, const RenderParams& params,
            std::array<double, 2> range, RenderStatistics& statistics)
        : scene_(scene),
          view_(view),
          effort_(effort_of(params)),
          statistics_(statistics),
          light_(light_of(scene, params)),
          paint_(scene, view, image::color_map(params.color), range),
          shutter_(scene, view, params.resolution),
          film_(view.width(), view.height()) {
        const auto start = std::chrono::steady_clock::now();
        rays_.emplace(scene, view,
                      RaySceneParams{params.ground ? scene.ground : std::nullopt, params.slice, effort_.quick_build});
        statistics.build_seconds = since(start);
        const auto built = std::chrono::steady_clock::now();
        photons_ = PhotonMap(*rays_, light_, paint_, photon_count());
        statistics.photon_seconds = since(built);
        statistics.rays = photons_.rays();
        const Inside eye = inside_at(*rays_, {});
        statistics.eye_in_liquid = eye.liquid != air_medium;
        tracer_.emplace(*rays_, light_, paint_, photons_, effort_, eye);
    }

    std::uint32_t samples() const { return effort_.samples; }

    /// Adds samples until there are `last` of each pixel.
    void paint(std::uint32_t first, std::uint32_t last, const std::function<void(double)>& tell_share) {
        const auto start = std::chrono::steady_clock::now();
        const int columns = (view_.width() + tile_size - 1) / tile_size;
        const int rows = (view_.height() + tile_size - 1) / tile_size;
        const auto tiles = static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows);
        std::vector<std::uint64_t> rays(tiles);
        std::atomic<std::size_t> painted{0};
        parallel_chunks(tiles, [&](std::size_t tile) {
            const int x = static_cast<int>(tile % static_cast<std::size_t>(columns)) * tile_size;
            const int y = static_cast<int>(tile / static_cast<std::size_t>(columns)) * tile_size;
            for (std::uint32_t k = first; k < last; ++k) {
                stop_if_interrupted();
                rays[tile] += paint_tile(x, y, k);
            }
            const double part = static_cast<double>(++painted) / static_cast<double>(tiles);
            if (tell_share) tell_share((first + part * (last - first)) / effort_.samples);
        });
        for (const std::uint64_t count : rays)
            statistics_.rays += count;
        const auto pixels = static_cast<std::uint64_t>(view_.width()) * static_cast<std::uint64_t>(view_.height());
        statistics_.primary_rays += (last - first) * pixels;
        statistics_.trace_seconds += since(start);
    }

    Layers layers(std::uint32_t count) const { return film_.layers(view_, count, effort_.denoise); }

  private:
    std::uint64_t paint_tile(int left, int top, std::uint32_t k) {
        std::array<Ray, tile_size * tile_size> rays;
        std::array<Met, tile_size * tile_size> met;
        const int width = std::min(tile_size, view_.width() - left), height = std::min(tile_size, view_.height() - top);
        const auto count = static_cast<std::size_t>(width * height);
        for (std::size_t i = 0; i < count; ++i) {
            const int x = left + static_cast<int>(i) % width, y = top + static_cast<int>(i) / width;
            Decisions decisions(PixelSampler(x, y, effort_.samples), k);
            const Pair lens = decisions.next();
            const float time = scene_.shutter > 0 ? decisions.next().u : 0.5f;
            rays[i] = shutter_.ray(static_cast<float>(x) + lens.u, static_cast<float>(y) + lens.v, time);
        }
        rays_->trace({rays.data(), count}, {met.data(), count});
        std::uint64_t traced = count;
        for (std::size_t i = 0; i < count; ++i) {
            const int x = left + static_cast<int>(i) % width, y = top + static_cast<int>(i) / width;
            const PixelSampler sampler(x, y, effort_.samples);
            Decisions decisions(sampler, k);
            decisions.next();
            if (scene_.shutter > 0) decisions.next();
            const Hit hit = rays_->hit_of(met[i], rays[i]);
            Film::Pixel& pixel = film_.at(x, y);
            pixel.add(tracer_->follow(rays[i], hit, decisions, traced));
            pixel.normal += hit.normal;
            if (k > 0 || hit.body == Body::none) continue;
            pixel.point = rays[i].origin + rays[i].direction * hit.distance;
            pixel.depth = view_.depth(pixel.point);
            pixel.id = paint_.id(hit);
        }
        return traced;
    }

    std::size_t photon_count() const {
        constexpr float least = 20'000, most = 2e7f;
        const float pixels = static_cast<float>(view_.width()) * static_cast<float>(view_.height());
        return static_cast<std::size_t>(std::clamp(pixels * effort_.photons, least, most));
    }

    const RenderScene& scene_;
    const geometry::View& view_;
    Effort effort_;
    RenderStatistics& statistics_;
    Light light_;
    Paint paint_;
    Shutter shutter_;
    Film film_;
    std::optional<RayScene> rays_;
    PhotonMap photons_;
    std::optional<PathTracer> tracer_;
};

/// Values that colours stand for, and their ends.
struct Values {
    ConstChannel<float> all;
    std::array<double, 2> range{};
};

Values values_of(const RenderScene& scene, const RenderParams& params) {
    const auto mapped =
        std::ranges::find_if(scene.liquids, [](const LiquidBody& each) { return !each.values.empty(); });
    Values values{scene.values.empty() && mapped != scene.liquids.end() ? mapped->values : scene.values};
    values.range = params.range ? *params.range : scene.range ? *scene.range : image::automatic_range(values.all);
    return values;
}

Picture finish(Layers layers, const RenderScene& scene, const geometry::Camera& camera, const geometry::View& view,
               const RenderParams& params, const Values& values) {
    Picture picture{develop(layers.light, params.exposure), std::make_shared<Layers>(std::move(layers))};
    if (scene.domain) draw_box_edges(picture.image, *picture.layers, view, *scene.domain, 3 * scene.radius);
    Annotations notes{.label = scene.label, .swatches = scene.swatches};
    if (!values.all.empty())
        notes.legend = Legend{scene.legend, values.range, &image::color_map(params.color), scene.whole};
    if (params.scale_bar) notes.scale_bar = ScaleBar{view.pixel() * length(camera.target - camera.position)};
    annotate(picture.image, notes);
    return picture;
}

}  // namespace

Picture render(const RenderScene& scene, const geometry::Camera& camera, const RenderParams& params,
               const RenderHooks& hooks) {
    const auto fits = [&](std::size_t size) { return size == 0 || size == scene.positions.size(); };
    SPINDRIFT_CHECK(fits(scene.radii.size()) && fits(scene.values.size()) && fits(scene.colors.size()));
    RenderStatistics statistics;
    const geometry::View view(camera, params.resolution);
    const Values values = values_of(scene, params);
    Painter painter(scene, view, params, values.range, statistics);
    Picture picture;
    for (std::uint32_t done = 0; done < painter.samples();) {
        const std::uint32_t next =
            hooks.progress ? std::min(painter.samples(), std::max(1u, 2 * done)) : painter.samples();
        painter.paint(done, next, hooks.share);
        done = next;
        const auto start = std::chrono::steady_clock::now();
        picture = finish(painter.layers(done), scene, camera, view, params, values);
        statistics.finish_seconds += since(start);
        if (hooks.progress) hooks.progress(picture);
    }
    if (hooks.statistics) *hooks.statistics = statistics;
    return picture;
}

}  // namespace spindrift::render
