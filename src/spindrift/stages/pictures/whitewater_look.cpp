#include "spindrift/stages/pictures/whitewater_look.h"

#include <algorithm>

#include <fmt/format.h>

#include "spindrift/core/parallel.h"
#include "spindrift/io/npz.h"
#include "spindrift/neighbors/particle_cells.h"
#include "spindrift/stages/pictures/particle_look.h"
#include "spindrift/stages/whitewater/birth_places.h"

namespace spindrift::stages {

namespace {

using whitewater::Kind;

/// The entry of a kind, if it was made of these particles.
const io::FrameEntry* find_kind(const Scene& scene, const cache::Cache& cache, const io::FrameEntry& particles,
                                Kind kind) {
    const auto& drawn = scene.render.whitewater;
    if (std::find(drawn.begin(), drawn.end(), kind) == drawn.end()) return nullptr;
    const io::FrameEntry* entry =
        cache.find(fmt::format("{}/{}", cache::series::whitewater, word(kind)), particles.frame);
    const bool fits = entry && cache::Inputs::of(*entry).hash("particles") == particles.hash && cache.is_there(*entry);
    return fits ? entry : nullptr;
}

WhitewaterCloud read_cloud(const std::filesystem::path& path, Kind kind) {
    const ChannelSet channels = io::read_npz(path);
    WhitewaterCloud cloud{.kind = kind};
    const ChannelArray* p = channels.find("P");
    if (!p || p->type().width != 3)
        throw IoError(IoError::Kind::corrupt, path,
                      "expected the channel P of whitewater; make it again with `spindrift whitewater`");
    for (std::size_t i = 0; i < p->size(); ++i)
        cloud.places.push_back({p->value(i, 0), p->value(i, 1), p->value(i, 2)});
    cloud.velocities = particle_velocities(channels);
    cloud.radii = particle_radii(channels);
    const ChannelArray* id = channels.find("id");
    const bool has_ids = id && id->type() == ChannelType{ScalarType::i64, 1};
    for (std::size_t i = 0; i < cloud.places.size(); ++i)
        cloud.ids.push_back(has_ids ? id->as<std::int64_t>()[i] : static_cast<std::int64_t>(i));
    cloud.velocities.resize(cloud.places.size());
    cloud.radii.resize(cloud.places.size(), 1e-3f);
    return cloud;
}

/// Points of the picture's surfaces with their normals, to find the nearest of a place.
class SurfacePoints {
  public:
    SurfacePoints(const render::RenderScene& picture, double spacing) {
        for (const render::LiquidBody& liquid : picture.liquids) {
            if (!liquid.mesh) continue;
            const geometry::Attribute* normals = liquid.mesh->find("N");
            if (!normals || normals->values.size() != 3 * liquid.mesh->points.size()) continue;
            for (std::size_t i = 0; i < liquid.mesh->points.size(); ++i) {
                x_.push_back(vec_cast<float>(liquid.pose.to_world(vec_cast<double>(liquid.mesh->points[i]))));
                n_.push_back({normals->values[3 * i], normals->values[3 * i + 1], normals->values[3 * i + 2]});
            }
        }
        if (!x_.empty()) cells_.sort({.x = x_, .origin = {}, .liquid = {}, .spacing = {0.5 * spacing}});
    }

    /// Moves a place along the normal of the nearest point onto the surface; false if there is none within two
    /// spacings.
    bool put_on(Vec3f& place) const {
        if (x_.empty()) return false;
        const Vec3f p = place / static_cast<float>(cells_.unit());
        float nearest = 4;
        std::size_t found = x_.size();
        cells_.for_runs({p, p}, 2, 0, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                const Vec3f way = cells_.x()[i].xyz() - p;
                if (dot(way, way) >= nearest) continue;
                nearest = dot(way, way);
                found = cells_.source(i);
            }
        });
        if (found == x_.size()) return false;
        place -= n_[found] * dot(place - x_[found], n_[found]);
        return true;
    }

  private:
    std::vector<Vec3f> x_, n_;
    neighbors::ParticleCells cells_;
};

/// Foam that has a surface becomes a layer on it; what has none stays in the cloud.
std::unique_ptr<render::Foam> make_layer(WhitewaterCloud& cloud, const render::RenderScene& picture,
                                         const Scene& scene) {
    const double spacing = finest_spacing(scene);
    const SurfacePoints surface(picture, spacing);
    std::vector<std::uint8_t> rides(cloud.positions.size());
    parallel_for(rides.size(), [&](Range range) {
        for (const std::size_t i : range)
            rides[i] = surface.put_on(cloud.positions[i]);
    });
    WhitewaterCloud loose{.kind = cloud.kind};
    std::vector<Vec3f> x;
    std::vector<float> r;
    std::vector<std::int64_t> ids;
    for (std::size_t i = 0; i < rides.size(); ++i) {
        if (rides[i]) {
            x.push_back(cloud.positions[i]);
            r.push_back(2 * cloud.radii[i]);
            ids.push_back(cloud.ids[i]);
            continue;
        }
        loose.positions.push_back(cloud.positions[i]);
        loose.velocities.push_back(cloud.velocities[i]);
        loose.radii.push_back(cloud.radii[i]);
    }
    cloud = std::move(loose);
    const double own = scene.whitewater ? scene.whitewater->spacing : whitewater::WhitewaterParams{}.spacing;
    return std::make_unique<render::Foam>(
        render::Foam::Setup{.positions = x, .radii = r, .ids = ids, .least = static_cast<float>(1.25 * own * spacing)});
}

/// Mist as the water that its particles stand for, in drops of their size: drops of radius r that hold a volume V of
/// water take 3 V / (2 r) off the light.
std::unique_ptr<render::Fog> make_fog(const WhitewaterCloud& cloud, const Scene& scene) {
    const whitewater::MistParams mist = scene.whitewater.value_or(whitewater::WhitewaterParams{}).mist;
    const double water = mist.water * whitewater_volume(scene);
    std::vector<float> taken(cloud.radii.size());
    for (std::size_t i = 0; i < taken.size(); ++i) {
        const double radius = static_cast<double>(cloud.radii[i]) / mist.size;
        taken[i] = radius > 0 ? static_cast<float>(1.5 * water / radius) : 0.f;
    }
    const double cell = mist.voxel.value_or(2 * scene.liquid.front().spacing);
    return std::make_unique<render::Fog>(cloud.positions, taken, static_cast<float>(cell));
}

}  // namespace

std::string whitewater_hash(const Scene& scene, const cache::Cache& cache, const io::FrameEntry& particles) {
    std::string all;
    for (std::size_t k = 0; k < whitewater::kind_count; ++k) {
        if (const io::FrameEntry* entry = find_kind(scene, cache, particles, static_cast<Kind>(k))) all += entry->hash;
    }
    return all;
}

std::optional<WhitewaterLook> read_whitewater_look(const Scene& scene, const cache::Cache& cache,
                                                   const io::FrameEntry& particles) {
    WhitewaterLook look;
    for (std::size_t k = 0; k < whitewater::kind_count; ++k) {
        const auto kind = static_cast<Kind>(k);
        if (const io::FrameEntry* entry = find_kind(scene, cache, particles, kind))
            look.clouds.push_back(read_cloud(cache.path(*entry), kind));
    }
    if (look.clouds.empty()) return {};
    return look;
}

void WhitewaterLook::add_to(render::RenderScene& picture, const Scene& scene, Vec3d origin) {
    for (WhitewaterCloud& cloud : clouds) {
        cloud.positions.resize(cloud.places.size());
        for (std::size_t i = 0; i < cloud.places.size(); ++i)
            cloud.positions[i] = vec_cast<float>(cloud.places[i] - origin);
        if (cloud.kind == Kind::foam && !picture.liquids.empty()) {
            foam = make_layer(cloud, picture, scene);
            for (render::LiquidBody& liquid : picture.liquids)
                liquid.foam = foam.get();
        }
        if (cloud.kind == Kind::mist) {
            fog = make_fog(cloud, scene);
            picture.fog = fog.get();
            continue;
        }
        picture.clouds.push_back({.positions = cloud.positions,
                                  .radius = 1e-3f,
                                  .radii = cloud.radii,
                                  .velocities = cloud.velocities,
                                  .color = {0.92f, 0.94f, 0.95f},
                                  .hollow = cloud.kind == Kind::bubbles});
    }
}

}  // namespace spindrift::stages
