#pragma once
// Sunlight that comes through clear bodies or off them: the bright lines on the floor under waves.
//
//   PhotonMap photons(rays, light, paint, 1'000'000, seed);
//   Vec3f irradiance = photons.at(point, normal);
//
// Source: Jensen 1996. Differs: photons start on a rectangle before what is clear, evenly spread; two fixed radii take
// the place of a search for the nearest ones, the larger where few have come.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/render/light.h"
#include "spindrift/render/ray_scene.h"
#include "spindrift/render/surface_color.h"

namespace spindrift::render {

class PhotonMap {
  public:
    PhotonMap() = default;
    /// Sends about `count` photons. The same map for any number of threads.
    PhotonMap(const RayScene& rays, const Light& light, const Paint& paint, std::size_t count);

    /// Light on a surface point, per area.
    Vec3f at(Vec3f point, Vec3f normal) const;
    std::uint64_t rays() const { return rays_; }

  private:
    struct Photon {
        Vec3f point, flux, normal;
    };
    /// Photons in the order of cells, twice the radius wide.
    struct Grid {
        float radius = 0;
        Box3f box{};                            ///< beyond which there is none within the radius
        static constexpr std::uint32_t up = 3;  ///< bits of a slot for heights, and for both other axes
        std::uint32_t across = 1;
        std::vector<std::uint32_t> start{};  ///< of each slot of the table, and the end
        std::vector<Vec3f> points{};         ///< apart from the rest: most are too far away to count
        std::vector<Photon> photons{};

        /// Whether photons may be near, in a coarse grid of the box that stays in the processor's cache.
        static constexpr int blocks = 64;
        std::vector<bool> occupied{};
        std::array<int, 3> block(Vec3f point) const;
        bool is_near(Vec3f point) const;
        void mark_near();

        /// Takes one photon of each `share`, for all of them.
        void fill(const std::vector<Photon>& all, float reach, std::size_t share);
        std::uint32_t slot(int x, int y, int z) const;
        /// Light per area, and the number of photons it is the mean of.
        struct Sum {
            Vec3f light{};
            float count = 0;
        };
        Sum gather(Vec3f point, Vec3f normal) const;
    };

    struct Travel;
    static bool step(const RayScene& rays, const Paint& paint, Travel& travel, const Hit& hit, float u);
    void send(const RayScene& rays, const Light& light, const Paint& paint, std::size_t count,
              std::vector<Photon>& photons);

    Grid fine_, coarse_;
    std::uint64_t rays_ = 0;
};

}  // namespace spindrift::render
