#include "spindrift/render/photons.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "spindrift/core/parallel.h"
#include "spindrift/render/crossing.h"

namespace spindrift::render {

namespace {

constexpr std::size_t photons_of_chunk = 4096;
constexpr int most_surfaces = 24;

/// Photons within the smaller radius where they arrive as they were sent.
constexpr float wanted = 11;
/// The larger radius over the smaller.
constexpr std::size_t wider = 3;

/// Where photons start: a rectangle across the sun's rays before the box of what is clear.
struct Window {
    Vec3f corner, side, top;
    float area;

    Window(const Box3f& box, Vec3f sun) {
        const Frame frame(sun);
        Vec3f low{1e30f, 1e30f, 1e30f}, high{-1e30f, -1e30f, -1e30f};
        for (int i = 0; i < 8; ++i) {
            const Vec3f p{(i & 1 ? box.hi : box.lo).x, (i & 2 ? box.hi : box.lo).y, (i & 4 ? box.hi : box.lo).z};
            const Vec3f at{dot(p, frame.side), dot(p, frame.top), dot(p, sun)};
            low = min(low, at), high = max(high, at);
        }
        const float before = high.z + 0.01f * (high.z - low.z) + 1e-4f;
        corner = frame.side * low.x + frame.top * low.y + sun * before;
        side = frame.side * (high.x - low.x), top = frame.top * (high.y - low.y);
        area = (high.x - low.x) * (high.y - low.y);
    }
};

}  // namespace

PhotonMap::PhotonMap(const RayScene& rays, const Light& light, const Paint& paint, std::size_t count) {
    if (!rays.clear_bounds() || !light.has_sun() || count == 0) return;
    const float area = Window(*rays.clear_bounds(), light.sun_direction()).area;
    if (!(area > 0) || !std::isfinite(area)) return;
    std::vector<Photon> photons;
    send(rays, light, paint, count, photons);
    const float radius = std::sqrt(wanted * area / (static_cast<float>(count) * std::numbers::pi_v<float>));
    fine_.fill(photons, radius, 1);
    coarse_.fill(photons, static_cast<float>(wider) * radius, wider * wider);
}

/// A photon on its way.
struct PhotonMap::Travel {
    Ray ray;
    Vec3f flux;
    std::vector<Photon>& found;
    Inside inside{};
    bool straight = true;  ///< from the sun, past nothing

    void note(const Hit& hit, Vec3f point, float share = 1) const {
        found.push_back({point, flux * share, hit.normal});
    }
    bool is_faint(float least) const { return std::max({flux.x, flux.y, flux.z}) < least; }
};

/// Absorbs, turns back or bends a photon at a surface; false at the end of its way, which is noted. `u` decides.
bool PhotonMap::step(const RayScene& rays, const Paint& paint, Travel& travel, const Hit& hit, float u) {
    const Border border = hit.clear ? border_at(rays, hit, travel.ray.direction, travel.inside) : Border{};
    absorb(travel.flux, rays, travel.inside.medium(), travel.ray, hit.distance);
    const Vec3f point = point_of(hit, travel.ray);
    Hit end = hit.clear ? Hit{} : hit;
    if (hit.clear && border.far == air_medium && hit.body == Body::liquid) end = rays.touching(hit, travel.ray);
    if (end.body != Body::none) {
        travel.note(end, point);
        return false;
    }
    if (hit.body == Body::mesh) travel.flux = product(travel.flux, paint.tint(hit));
    if (u < border.mirrored) {
        travel.ray = mirrored(rays, hit, travel.ray);
    } else {
        // What the sun reaches straight away is lit by rays that look for it.
        const float cloudy = cloudy_behind(rays, border, point).share;
        if (cloudy > 0 && !travel.straight) travel.note(hit, point, cloudy);
        travel.flux *= 1 - cloudy;
        travel.ray = passed(rays, hit, travel.ray, border.ratio);
        travel.inside = border.beyond;
    }
    travel.straight = false;
    return true;
}

void PhotonMap::send(const RayScene& rays, const Light& light, const Paint& paint, std::size_t count,
                     std::vector<Photon>& photons) {
    const Window window(*rays.clear_bounds(), light.sun_direction());
    const Vec3f flux = light.sun() * (window.area / static_cast<float>(count));
    const float faint = 0.003f * std::max({flux.x, flux.y, flux.z});
    const std::size_t chunks = chunk_count(count, photons_of_chunk);
    std::vector<std::vector<Photon>> found(chunks);
    std::vector<std::uint64_t> traced(chunks);
    parallel_chunks(chunks, [&](std::size_t c) {
        for (const auto i : chunk_range(c, count, photons_of_chunk)) {
            const auto number = static_cast<std::uint32_t>(i);
            const Pair at = sobol(number, hash_counter(0x70686f74, 0, 0));
            const Vec3f to_sun = light.toward_sun(sobol(scramble(number, 0x5bd1e995u), hash_counter(0x70686f74, 0, 1)));
            Travel travel{{window.corner + window.side * at.u + window.top * at.v, -to_sun, 0.5f}, flux, found[c]};
            for (int surface = 0; surface < most_surfaces && !travel.is_faint(faint); ++surface) {
                const Hit hit = rays.trace(travel.ray);
                traced[c] += 1;
                if (hit.body == Body::none || (travel.straight && !hit.clear)) break;
                const float u = uniform(hash_counter(0x70686f75, i, static_cast<std::uint64_t>(surface)));
                if (!step(rays, paint, travel, hit, u)) break;
            }
        }
    });
    for (std::size_t c = 0; c < chunks; ++c) {
        photons.insert(photons.end(), found[c].begin(), found[c].end());
        rays_ += traced[c];
    }
}

/// Neighbours stay neighbours, so that rays that go about the same way find photons in the processor's cache. Most lie
/// on floors.
std::uint32_t PhotonMap::Grid::slot(int x, int y, int z) const {
    const auto bits = [](int i, std::uint32_t count) { return static_cast<std::uint32_t>(i) & ((1u << count) - 1); };
    return bits(x, across) | bits(z, across) << across | bits(y, up) << 2 * across;
}

void PhotonMap::Grid::fill(const std::vector<Photon>& all, float reach, std::size_t share) {
    radius = reach;
    const std::size_t count = all.size() / share;
    across = 1;
    while (std::size_t{1} << (2 * across + up) < count / 2)
        across += 1;
    const std::size_t slots = std::size_t{1} << (2 * across + up);
    start.assign(slots + 1, 0);
    const float scale = 0.5f / radius;
    std::vector<std::uint32_t> slot_of(count);
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3f cell = all[i * share].point * scale;
        slot_of[i] = slot(static_cast<int>(std::floor(cell.x)), static_cast<int>(std::floor(cell.y)),
                          static_cast<int>(std::floor(cell.z)));
        start[slot_of[i] + 1] += 1;
    }
    for (std::size_t s = 0; s < slots; ++s)
        start[s + 1] += start[s];
    photons.resize(count), points.resize(count);
    box = {{1e30f, 1e30f, 1e30f}, {-1e30f, -1e30f, -1e30f}};
    std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t at = next[slot_of[i]]++;
        photons[at] = all[i * share];
        photons[at].flux *= static_cast<float>(share);
        points[at] = photons[at].point;
        box = {min(box.lo, points[at] - Vec3f{radius, radius, radius}),
               max(box.hi, points[at] + Vec3f{radius, radius, radius})};
    }
    mark_near();
}

std::array<int, 3> PhotonMap::Grid::block(Vec3f point) const {
    std::array<int, 3> place{};
    for (int c = 0; c < 3; ++c) {
        const float share = (point[c] - box.lo[c]) / (box.hi[c] - box.lo[c]);
        place[static_cast<std::size_t>(c)] = std::clamp(static_cast<int>(share * blocks), 0, blocks - 1);
    }
    return place;
}

bool PhotonMap::Grid::is_near(Vec3f point) const {
    for (int c = 0; c < 3; ++c)
        if (!(point[c] >= box.lo[c] && point[c] <= box.hi[c])) return false;
    const auto [x, y, z] = block(point);
    return occupied[static_cast<std::size_t>((z * blocks + y) * blocks + x)];
}

void PhotonMap::Grid::mark_near() {
    occupied.assign(static_cast<std::size_t>(blocks) * blocks * blocks, false);
    const Vec3f reach{radius, radius, radius};
    for (const Vec3f point : points) {
        const auto low = block(point - reach), high = block(point + reach);
        for (int z = low[2]; z <= high[2]; ++z)
            for (int y = low[1]; y <= high[1]; ++y)
                for (int x = low[0]; x <= high[0]; ++x)
                    occupied[static_cast<std::size_t>((z * blocks + y) * blocks + x)] = true;
    }
}

PhotonMap::Grid::Sum PhotonMap::Grid::gather(Vec3f point, Vec3f normal) const {
    Sum sum;
    if (!is_near(point)) return sum;
    const float scale = 0.5f / radius, squared = radius * radius;
    std::array<int, 3> low{};
    for (int c = 0; c < 3; ++c) {
        const float cell = point[c] * scale;
        low[static_cast<std::size_t>(c)] = static_cast<int>(std::floor(cell - 0.5f));
    }
    std::array<std::uint32_t, 8> seen;
    std::size_t count = 0;
    for (int i = 0; i < 8; ++i) {
        // Two cells may share a slot, whose photons count once.
        const std::uint32_t s = slot(low[0] + (i & 1), low[1] + (i >> 1 & 1), low[2] + (i >> 2));
        if (std::find(seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(count), s) !=
            seen.begin() + static_cast<std::ptrdiff_t>(count))
            continue;
        seen[count++] = s;
        for (std::uint32_t p = start[s]; p < start[s + 1]; ++p) {
            const Vec3f apart = points[p] - point;
            const float near = 1 - dot(apart, apart) / squared;
            if (!(near > 0) || dot(photons[p].normal, normal) < 0.5f) continue;
            sum.light += photons[p].flux * near;
            sum.count += 1;
        }
    }
    sum.light *= 2 / (std::numbers::pi_v<float> * squared);
    return sum;
}

Vec3f PhotonMap::at(Vec3f point, Vec3f normal) const {
    if (fine_.photons.empty()) return {};
    // Both find as many where light is even. A choice by one of the counts would favour its strays: by the fine one,
    // floors under a low sun were too bright by a twentieth. By the sum, the strays of both cancel.
    constexpr float enough = 6;
    const Grid::Sum near = fine_.gather(point, normal);
    if (near.count >= enough) return near.light;
    const Grid::Sum around = coarse_.gather(point, normal);
    const float share = std::min(1.f, (near.count + around.count) / (2 * enough));
    // A single photon tells nothing but makes a spot.
    const float known = std::min(1.f, (near.count + around.count) / 4);
    return mix(around.light, near.light, share * share) * known;
}

}  // namespace spindrift::render
