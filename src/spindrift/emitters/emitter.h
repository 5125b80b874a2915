#pragma once
// A source of liquid in motion: decides which particles come in during a substep, and where they are at its end.
//
// Nozzle: sheets of points leave each time the liquid has travelled one layer. The way is integrated over the substep
// and each sheet is placed as if it had left at its exact moment, so a jet has no bursts, gaps or overlaps whatever the
// substeps are. Volume: every lattice site without a particle near it gets one; the lattice moves with the flow, so
// what comes in follows what went out at the right distance. Surface: sheets leave all over it as they leave a nozzle,
// along its normals and from where it is at that moment.
//
//   Emitter tap(scene.emitter[0], liquid, spacing, seed);
//   for (const Birth& born : tap.emit({.frame = 2, .fps = 24, .dt = 1.0 / 240, .particles = &particles})) ...
//   EmitterState saved = tap.state;                         // all that changes from one substep to the next

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/emitters/emitter_skin.h"
#include "spindrift/emitters/fill.h"
#include "spindrift/emitters/nozzle.h"
#include "spindrift/emitters/params.h"
#include "spindrift/emitters/pose.h"
#include "spindrift/particles/channel_table.h"
#include "spindrift/particles/particle_store.h"

namespace spindrift::emitters {

/// Channel with the seconds from the first frame to a particle's birth (f64), and with its place on the nozzle (three
/// floats, see Birth::uv).
inline constexpr const char* birth_channel = channel_names::birth;
inline constexpr const char* uv_channel = "uv";

/// How deep points of a nozzle may lie in a wall, in spacings: one that is flush with a wall and tilted a little dips
/// into it. Deeper points give nothing.
inline constexpr double flush_depth = 0.5;

struct Birth {
    Vec3d left;      ///< where it left the emitter
    Vec3d position;  ///< where it is at the end of the substep, if nothing but its velocity moved it
    Vec3d velocity;
    double age = 0;  ///< seconds from when it left to the end of the substep
    /// 0 to 1 across the nozzle, or the texture coordinates of the surface, and the number of the sheet; 0 to 1 across
    /// the bounds of a volume.
    Vec3f uv{};
    /// Of a surface: where the place that it left is at the end of the substep, and the speed against the surface.
    std::optional<Vec3d> start_now{};
    double leaving = 0;
};

/// One substep.
struct Emission {
    double frame = 0;  ///< at the end of the substep
    double fps = 24;
    double dt = 0;
    const ParticleStore* particles = nullptr;                   ///< those there are; volumes look at them
    std::function<bool(Vec3d point, double gap)> is_free = {};  ///< no wall within `gap` metres; none at all if empty
};

struct EmitterState {
    double carried = 0;        ///< metres travelled since the last sheet; of a volume: m^3 due by its rate
    std::int64_t sheets = 0;   ///< that left the nozzle or surface
    std::int64_t emitted = 0;  ///< particles made
    Vec3d drift{};             ///< of a volume: how far its lattice has moved along with the flow, below one spacing
};

class Emitter {
  public:
    /// An emitter that is a surface needs it.
    Emitter(const EmitterParams& params, std::size_t liquid, double spacing, std::uint64_t seed,
            std::shared_ptr<EmitterSkin> surface = {});

    /// Particles that came in during the substep; the state goes on.
    std::vector<Birth> emit(const Emission& step);

    /// Of the liquid that comes in at a frame, 0 if none does.
    double speed(double frame, double fps) const;
    /// Index of the liquid.
    std::size_t liquid() const { return liquid_; }
    /// Without points if it is a volume or a surface.
    const Nozzle& nozzle() const { return nozzle_; }
    /// None if it is something else.
    const EmitterSkin* surface() const { return surface_.get(); }
    /// Whether particles come in sheets, a layer apart.
    bool sends_sheets() const { return params_.is_nozzle() || surface_; }
    double spacing() const { return spacing_; }

    EmitterState state;

  private:
    struct Site {
        std::size_t index;
        Vec3d local;
    };
    double nozzle_speed(double frame) const;
    double travel(double from, double to, double fps) const;
    double frame_of(double distance, double from, double to, double fps) const;
    std::vector<double> pieces(double from, double to) const;
    void emit_jet(const Emission& step, std::vector<Birth>& births);
    void emit_sheet(double frame, const Emission& step, std::vector<Birth>& births);
    double free_share(const Emission& step, const Pose& pose, Vec3d point) const;
    bool sends(double share, std::size_t point) const;
    void use_surface(double frame);
    void emit_skin(double frame, const Emission& step, std::vector<Birth>& births);
    void move_lattice(const Pose& pose, const Emission& step);
    std::vector<bool> occupied_sites(const Pose& pose, const ParticleStore& particles) const;
    std::vector<Site> free_sites(const Pose& pose, const Emission& step) const;
    std::vector<Site> due_sites(const Pose& pose, const Emission& step);
    void emit_volume(const Emission& step, std::vector<Birth>& births);
    bool exhausted() const { return params_.limit && state.emitted >= *params_.limit; }
    /// A number in [-1, 1) of the particle that is made next.
    double random(std::uint64_t draw) const;
    Vec3d jitter() const;
    Vec3d spread(Vec3d velocity) const;

    EmitterParams params_;
    std::size_t liquid_;
    double spacing_;
    std::uint64_t seed_;
    std::shared_ptr<EmitterSkin> surface_;
    Nozzle nozzle_;       ///< of a surface: area and layer of the frame that is used
    FillParams shape_;    ///< the volume
    Box3d bounds_{};      ///< of the volume, in its own coordinates
    Lattice lattice_;     ///< over the bounds, moved along with the flow
    Vec3d first_site_{};  ///< of the lattice where it started
};

}  // namespace spindrift::emitters
