#pragma once
// Frames of liquid made for tests and benchmarks: particles on a lattice where a shape says, with velocities as a
// function of place.
//
//   MadeLiquid tank(0.02, {{0, 0, 0}, {0.4, 0.2, 0.4}}, [](Vec3f) { return true; }, [](Vec3f) { return Vec3f{}; });
//   tank.look({});

#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/neighbors/particle_cells.h"
#include "spindrift/whitewater/emission.h"
#include "spindrift/whitewater/flow.h"
#include "spindrift/whitewater/potentials.h"

namespace spindrift::whitewater {

struct MadeLiquid {
    double spacing;
    std::vector<Vec3f> x{}, v{};
    std::vector<std::int64_t> id{};
    neighbors::ParticleCells cells{};
    collision::Walls walls{};
    Flow flow{};
    Rates rates{};
    Liquid liquid{};
    ChannelSet channels{};

    using Inside = std::function<bool(Vec3f)>;
    using Velocity = std::function<Vec3f(Vec3f)>;

    MadeLiquid(double d, const Box3f& box, const Inside& inside, const Velocity& velocity) : spacing(d) {
        const auto step = static_cast<float>(d);
        for (float z = box.lo.z + step / 2; z < box.hi.z; z += step) {
            for (float y = box.lo.y + step / 2; y < box.hi.y; y += step) {
                for (float a = box.lo.x + step / 2; a < box.hi.x; a += step) {
                    if (inside({a, y, z})) add({a, y, z}, velocity({a, y, z}));
                }
            }
        }
    }
    MadeLiquid(const MadeLiquid&) = delete;

    void add(Vec3f place, Vec3f velocity) {
        id.push_back(static_cast<std::int64_t>(x.size()));
        x.push_back(place);
        v.push_back(velocity);
    }

    /// Sorts it and finds its surface and what it gives.
    void look(const WhitewaterParams& params, double frame = 1) {
        sort();
        find_flow(params);
        find_what_it_gives(params, frame);
    }
    void sort() { cells.sort({.x = x, .origin = {}, .liquid = {}, .spacing = {spacing}}); }
    void find_flow(const WhitewaterParams& params) {
        flow.make({.cells = &cells, .v = v, .walls = &walls, .crest_length = crest_length(params, spacing)});
    }
    void find_what_it_gives(const WhitewaterParams& params, double frame) {
        liquid = {.cells = &cells,
                  .x = x,
                  .v = v,
                  .id = id,
                  .phase = {},
                  .color = {},
                  .walls = &walls,
                  .flow = &flow,
                  .channels = &channels,
                  .frame = frame};
        rates = find_rates(liquid, params);
    }

    std::size_t giving() const { return rates.giving; }
};

inline EmissionSetup between(const MadeLiquid& a, const MadeLiquid& b, double span, double whitewater_spacing) {
    return {.before = {a.liquid, &a.rates},
            .after = {b.liquid, &b.rates},
            .span = span,
            .volume = std::pow(whitewater_spacing, 3),
            .seed = 7,
            .is_allowed = {}};
}

}  // namespace spindrift::whitewater
