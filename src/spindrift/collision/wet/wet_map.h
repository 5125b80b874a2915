#pragma once
// A texture of where liquid has touched a collider: 0 is dry, 1 is wet through.
//
// A particle touches the surface when its distance to it is below 0.75 spacings of its liquid: the first layer of
// liquid at rest lies at half a spacing. It wets what is within 0.75 spacings of the nearest point of the surface, the
// least that leaves no dry dots under a layer of particles.
//
//   WetMap map({.resolution = 512, .wetting = 0.1, .drying = 10}, "rock.obj");
//   map.update(surface, particles, dt);
//   write_exr("rock.0042.exr", map.resolution(), map.resolution(), map.values());

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "spindrift/collision/walls/colliders.h"
#include "spindrift/collision/wet/wet_texels.h"

namespace spindrift::collision {

/// What may touch a surface.
struct WettingParticles {
    std::span<const Float4> position{};  ///< in metres from the origin
    Vec3d origin{};
    std::function<double(std::size_t)> spacing_of{};  ///< of its liquid in metres; 0 if the particle is gone
    double largest_spacing = 0;
};

class WetMap {
  public:
    /// All dry. `file` is that of the mesh, for messages.
    WetMap(const WetMapParams& params, std::filesystem::path file);

    /// dt seconds with the particles where they are. Throws IoError if the mesh has no UVs to lay a picture over.
    void update(const Colliders::Surface& surface, const WettingParticles& particles, double dt);

    int resolution() const { return params_.resolution; }
    /// Rows from the top.
    const std::vector<float>& values() const { return values_; }
    void set_values(std::vector<float> values);

  private:
    /// Some places that lie close together.
    struct Group {
        std::size_t first, last;
        Box3f box;
    };

    void follow(const Colliders::Surface& surface, double spacing);
    void make_groups(const geometry::Mesh& mesh, float size);
    void change(double dt);

    WetMapParams params_;
    std::filesystem::path file_;
    std::vector<float> values_;

    std::vector<WetTexel> places_;
    std::vector<Vec3f> positions_;  ///< of the places, in the mesh's space
    std::vector<Group> groups_;
    std::vector<std::uint8_t> touched_;  ///< which of the places
    std::vector<std::uint8_t> wet_;      ///< which of the pixels
    std::optional<int> version_;         ///< of the mesh that the places are on
    std::uint64_t layout_ = 0;           ///< hash of its triangles and UVs
};

}  // namespace spindrift::collision
