#include "bench/bench_rays.h"

#include <array>
#include <limits>
#include <span>
#include <vector>

#include "bench/bench.h"

#include "spindrift/core/parallel.h"
#include "spindrift/render/sampling.h"

namespace spindrift::cli {

namespace {

using geometry::View;
using render::Ray;
using render::RayScene;

constexpr int tile_size = 16;

/// Pixels in squares, as pictures are made.
struct Tiles {
    int width, height, columns;
    std::size_t count;

    explicit Tiles(const View& view)
        : width(view.width()),
          height(view.height()),
          columns((width + tile_size - 1) / tile_size),
          count(static_cast<std::size_t>(columns) * static_cast<std::size_t>((height + tile_size - 1) / tile_size)) {}

    /// Makes the rays of a tile; returns how many.
    std::size_t rays(std::size_t tile, const View& view, std::span<Ray> rays) const {
        const int left = static_cast<int>(tile % static_cast<std::size_t>(columns)) * tile_size;
        const int top = static_cast<int>(tile / static_cast<std::size_t>(columns)) * tile_size;
        std::size_t made = 0;
        for (int y = top; y < std::min(height, top + tile_size); ++y) {
            for (int x = left; x < std::min(width, left + tile_size); ++x) {
                const render::Pair lens = render::PixelSampler(x, y, 1).pair(0, 0);
                rays[made++] = {{}, view.ray(static_cast<float>(x) + lens.u, static_cast<float>(y) + lens.v), 0.5f};
            }
        }
        return made;
    }
};

using TileRays = std::array<Ray, tile_size * tile_size>;

double our_seconds(const RayScene& stage, const View& view, const Tiles& tiles) {
    return wall_seconds([&] {
        parallel_chunks(tiles.count, [&](std::size_t tile) {
            TileRays rays;
            std::array<render::Met, tile_size * tile_size> met;
            const std::size_t count = tiles.rays(tile, view, rays);
            stage.trace({rays.data(), count}, {met.data(), count});
        });
    });
}

/// Rays as the ray tracer takes them, in the order of tiles.
struct Prepared {
    std::vector<RTCRayHit8> packets{};
    std::vector<RTCRayHit> singles{};
    std::vector<std::array<int, 8>> valid{};
};

RTCRayHit single_ray(const Ray& from) {
    RTCRayHit ray{};
    ray.ray.org_x = from.origin.x, ray.ray.org_y = from.origin.y, ray.ray.org_z = from.origin.z;
    ray.ray.dir_x = from.direction.x, ray.ray.dir_y = from.direction.y, ray.ray.dir_z = from.direction.z;
    ray.ray.tfar = std::numeric_limits<float>::infinity();
    ray.ray.time = from.time, ray.ray.mask = render::all_bodies;
    ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    return ray;
}

void put(RTCRayHit8& packet, std::size_t k, const RTCRayHit& single) {
    packet.ray.org_x[k] = single.ray.org_x, packet.ray.org_y[k] = single.ray.org_y,
    packet.ray.org_z[k] = single.ray.org_z;
    packet.ray.dir_x[k] = single.ray.dir_x, packet.ray.dir_y[k] = single.ray.dir_y,
    packet.ray.dir_z[k] = single.ray.dir_z;
    packet.ray.tfar[k] = single.ray.tfar, packet.ray.time[k] = single.ray.time, packet.ray.mask[k] = single.ray.mask;
    packet.hit.geomID[k] = single.hit.geomID;
}

Prepared prepare(const View& view, const Tiles& tiles) {
    Prepared made;
    for (std::size_t tile = 0; tile < tiles.count; ++tile) {
        TileRays rays;
        const std::size_t count = tiles.rays(tile, view, rays);
        for (std::size_t i = 0; i < count; ++i) {
            if (i % 8 == 0) {
                made.packets.push_back({});
                made.valid.push_back({});
            }
            made.singles.push_back(single_ray(rays[i]));
            put(made.packets.back(), i % 8, made.singles.back());
            made.valid.back()[i % 8] = -1;
        }
    }
    return made;
}

/// Rays that were traced know what they have met: each pass takes copies, which cost no time that counts.
double packet_seconds(RTCScene scene, const Prepared& made) {
    std::vector<RTCRayHit8> packets = made.packets;
    return wall_seconds([&] {
        parallel_for(packets.size(), 32, [&](Range range) {
            RTCIntersectContext context;
            rtcInitIntersectContext(&context);
            context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
            for (const auto i : range) {
                alignas(32) const std::array<int, 8> valid = made.valid[i];
                rtcIntersect8(valid.data(), scene, &context, &packets[i]);
            }
        });
    });
}

double single_seconds(RTCScene scene, const Prepared& made) {
    std::vector<RTCRayHit> singles = made.singles;
    return wall_seconds([&] {
        parallel_for(singles.size(), 256, [&](Range range) {
            RTCIntersectContext context;
            rtcInitIntersectContext(&context);
            context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
            for (const auto i : range)
                rtcIntersect1(scene, &context, &singles[i]);
        });
    });
}

}  // namespace

RayFigures measure_rays(const RayScene& stage, const View& view, int repeats, int threads) {
    const ThreadLimit limit(threads);
    const Tiles tiles(view);
    const Prepared made = prepare(view, tiles);
    RayFigures best{.threads = thread_count()};
    const auto rate = [&](double seconds) { return static_cast<double>(made.singles.size()) / seconds; };
    // In turn, and once more than counts: the first pass fetches everything from memory.
    for (int k = 0; k <= 3 * repeats; ++k) {
        const RayFigures now{.ours = rate(our_seconds(stage, view, tiles)),
                             .packets = rate(packet_seconds(stage.scene_of_rays(), made)),
                             .single = rate(single_seconds(stage.scene_of_rays(), made))};
        if (k == 0) continue;
        best.ours = std::max(best.ours, now.ours);
        best.packets = std::max(best.packets, now.packets);
        best.single = std::max(best.single, now.single);
    }
    return best;
}

}  // namespace spindrift::cli
