// The parts of a simulation's state.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "spindrift/sim/body_frame.h"
#include "spindrift/sim/simulation.h"

namespace spindrift::sim {

namespace {

const ChannelSet& arrays_of(const PartData* data) {
    static const ChannelSet none;
    return data ? data->arrays : none;
}

/// Calls body(); what it says of arrays that do not fit is said of the frame.
template <class Body>
void load_checked(const std::filesystem::path& source, const Body& body) {
    try {
        body();
    } catch (const UsageError& error) {
        throw broken_frame(source, error.what());
    }
}

class BodiesPart : public StatePart {
  public:
    BodiesPart(const Scene& scene, bodies::Bodies& bodies)
        : StatePart("bodies", PartKind::arrays), scene_(scene), bodies_(bodies) {}

    PartData save() override { return {.arrays = body_arrays(scene_, frame_of(bodies_))}; }
    void load(const PartData* data, const std::filesystem::path& source) override {
        const bodies::BodiesState state = body_frame(scene_, arrays_of(data), source).state;
        load_checked(source, [&] { bodies_.restore(state); });
    }
    std::string lack() const override { return fmt::format("has no bodies, and the scene has {}", scene_.body.size()); }

  private:
    const Scene& scene_;
    bodies::Bodies& bodies_;
};

/// Of one collider.
class WetPart : public StatePart {
  public:
    WetPart(WetMaps& maps, std::size_t map)
        : StatePart("wet/" + maps.name(map), PartKind::square_map), maps_(maps), map_(map) {}

    PartData save() override {
        const std::vector<float>& values = maps_.values(map_);
        PartData data;
        const Channel<float> out = data.arrays.add("wet", {ScalarType::f32, 1}, values.size()).as<float>();
        std::copy(values.begin(), values.end(), out.begin());
        return data;
    }
    void load(const PartData* data, const std::filesystem::path&) override {
        if (!data) return maps_.dry(map_);
        const ConstChannel<float> values = data->arrays.channels.at(0).as<float>();
        maps_.set_values(map_, {values.begin(), values.end()});
    }

  private:
    WetMaps& maps_;
    std::size_t map_;
};

/// What a solver has on its grid alone, where a narrow band of particles leaves the inside empty.
class InteriorPart : public StatePart {
  public:
    InteriorPart(fluid::Solver& solver, const ParticleStore& particles)
        : StatePart("core", PartKind::arrays), solver_(solver), particles_(particles) {}

    PartData save() override {
        PartData data{.arrays = solver_.grid_state()};
        if (!data.empty()) data.arrays.add("origin", {ScalarType::f64, 3}, 1).as<Vec3d>()[0] = particles_.origin;
        return data;
    }
    void load(const PartData* data, const std::filesystem::path& source) override {
        load_checked(source, [&] { solver_.set_grid_state(arrays_of(data)); });
    }
    std::string lack() const override { return "was simulated without flip.narrow_band"; }

  private:
    fluid::Solver& solver_;
    const ParticleStore& particles_;
};

/// The grids that a scene asks for, each once, in the order of the words.
class GridsPart : public StatePart {
  public:
    GridsPart(const Scene& scene, Simulation& simulation)
        : StatePart("grids", PartKind::volumes), scene_(scene), simulation_(simulation) {}

    PartData save() override {
        PartData data;
        std::vector<grid::Volume> all = simulation_.volumes();
        for (std::size_t i = 0; i < enum_words(OutputGrid{}).size(); ++i) {
            const auto kind = static_cast<OutputGrid>(i);
            if (std::ranges::find(scene_.output.grids, kind) == scene_.output.grids.end()) continue;
            const auto volume = std::ranges::find(all, word(kind), &grid::Volume::name);
            SPINDRIFT_CHECK(volume != all.end());
            data.volumes.push_back(std::move(*volume));
        }
        return data;
    }
    void load(const PartData*, const std::filesystem::path&) override {}

  private:
    const Scene& scene_;
    Simulation& simulation_;
};

}  // namespace

IoError broken_frame(const std::filesystem::path& source, const std::string& what) {
    return {IoError::Kind::corrupt, source,
            fmt::format("cannot go on from this frame: {}; start again from an earlier one with --from", what)};
}

void Simulation::make_parts() {
    for (std::size_t map = 0; map < wet_maps_.size(); ++map)
        parts_.push_back(std::make_unique<WetPart>(wet_maps_, map));
    if (scene_.solver.info().grid && scene_.flip.narrow_band > 0)
        parts_.push_back(std::make_unique<InteriorPart>(*solver_, particles_));
    if (!bodies_.empty()) parts_.push_back(std::make_unique<BodiesPart>(scene_, bodies_));
    if (!scene_.output.grids.empty()) parts_.push_back(std::make_unique<GridsPart>(scene_, *this));
}

}  // namespace spindrift::sim
