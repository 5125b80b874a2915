#include "spindrift/scene/validate_components.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/log.h"
#include "spindrift/core/text.h"
#include "spindrift/fluid/mixture.h"
#include "spindrift/scene/entry_place.h"
#include "spindrift/scene/mixed_liquid.h"

namespace spindrift {

namespace {

/// An entry of a list, which may be written without the list; the table if it is not there.
const Value& entry_of(const Value& table, std::string_view key, std::size_t index) {
    const Value* entry = table.find(key);
    if (!entry) return table;
    const Value::Array* items = entry->as_array();
    return items && index < items->size() ? (*items)[index] : *entry;
}

class MixChecks {
  public:
    MixChecks(const Scene& scene, Problems& problems) : scene_(scene), problems_(problems) {}

    /// Of an entry that may have one. `moves` says whether it may change over time.
    void look(const AnimatedTable& mix, const Value& entry, bool moves) {
        if (mix.empty()) return;
        const Value* source = entry.find("mix");
        const Value& place = source ? *source : entry;
        if (scene_.component.empty()) {
            problems_.add(place.where, "mix: there are no components to mix; add [[component]] with name = \"" +
                                           mix.entries.front().name + "\"");
            return;
        }
        const std::size_t before = problems_.count();
        for (const AnimatedTable::Entry& share : mix.entries)
            check_share(share, place, moves);
        if (problems_.count() > before) return;
        if (const std::string problem = mix_problem(scene_.component, mix); !problem.empty())
            problems_.add(place.where, problem);
    }

  private:
    void check_share(const AnimatedTable::Entry& share, const Value& place, bool moves) {
        const Value* given = place.find(share.name);
        const SourceLocation where = given ? given->where : place.where;
        std::vector<std::string> names;
        for (const ComponentParams& component : scene_.component)
            names.push_back(component.name);
        if (std::ranges::find(names, share.name) == names.end()) {
            const std::string near = suggestion(share.name, names);
            problems_.add(where,
                          fmt::format("mix: there is no component {}{}", in_quotes(share.name),
                                      near.empty() ? fmt::format("; there are: {}", fmt::join(names, ", ")) : near));
        } else if (!moves && !share.value.keys.empty()) {
            problems_.add(where,
                          fmt::format("mix.{}: what is there at the start has one mix; keys over frames are for the "
                                      "mix of an [[emitter]]",
                                      share.name));
        }
    }

    const Scene& scene_;
    Problems& problems_;
};

/// Whether some of a liquid's particles have no mix but the liquid's own.
bool needs_mix(const Scene& scene, std::size_t index) {
    const LiquidParams& liquid = scene.liquid[index];
    const auto without = [](const auto& source) { return source.mix.empty(); };
    return std::ranges::any_of(liquid.fill, without) ||
           std::ranges::any_of(scene.emitter, [&](const emitters::EmitterParams& emitter) {
               const bool ours = emitter.liquid.empty() ? index == 0 : emitter.liquid == liquid.name;
               return ours && without(emitter);
           });
}

void check_mixes(const Scene& scene, const Value& tree, Problems& problems) {
    MixChecks checks(scene, problems);
    for (std::size_t i = 0; i < scene.liquid.size(); ++i) {
        const LiquidParams& liquid = scene.liquid[i];
        const Value& entry = entry_of(tree, "liquid", i);
        checks.look(liquid.mix, entry, false);
        for (std::size_t k = 0; k < liquid.fill.size(); ++k)
            checks.look(liquid.fill[k].mix, entry_of(entry, "fill", k), false);
        if (scene.component.empty() || !liquid.mix.empty() || !needs_mix(scene, i)) continue;
        problems.add(entry.where, fmt::format("'mix' is missing: what {} is made of; add mix = {{ {} = 1 }}",
                                              in_quotes(liquid.name), scene.component[0].name));
    }
    for (std::size_t i = 0; i < scene.emitter.size(); ++i)
        checks.look(scene.emitter[i].mix, entry_of(tree, "emitter", i), true);
}

/// A channel of the user's cannot have the name of a component's.
void check_channel_names(const Scene& scene, const Value& tree, Problems& problems) {
    for (std::size_t i = 0; i < scene.channel.size(); ++i) {
        for (const ComponentParams& component : scene.component) {
            if (scene.channel[i].name != share_channel(component.name)) continue;
            problems.add(entry_place(tree, "channel", i, "name"),
                         fmt::format("{} holds the shares of the component {}; choose another name",
                                     in_quotes(scene.channel[i].name), in_quotes(component.name)));
        }
    }
}

/// What a mixture looks like its components say.
void check_colors(const Scene& scene, const Value& tree, Problems& problems) {
    if (scene.component.empty()) return;
    const auto refuse = [&](const char* list, std::size_t i) {
        problems.add(entry_place(tree, list, i, "color"),
                     fmt::format("color: a mixture has the colours of its components; write color for [[component]] {} "
                                 "or another, and take it out here",
                                 in_quotes(scene.component[0].name)));
    };
    for (std::size_t i = 0; i < scene.liquid.size(); ++i) {
        if (scene.liquid[i].color) refuse("liquid", i);
    }
    for (std::size_t i = 0; i < scene.emitter.size(); ++i) {
        if (scene.emitter[i].color) refuse("emitter", i);
    }
}

/// Grains know one liquid that they sink in. Says which are too coarse for Stokes.
void check_grains(const Scene& scene, const Value& tree, Problems& problems) {
    const fluid::Carrier carrier = carrier_of(scene);
    for (std::size_t k = 0; k < scene.component.size(); ++k) {
        const ComponentParams& component = scene.component[k];
        if (!component.grain || component.settling_speed) continue;
        for (const LiquidParams& liquid : scene.liquid) {
            const MaterialProperties other = liquid.properties();
            if (other.density == carrier.density && other.viscosity == carrier.viscosity) continue;
            problems.add(
                entry_place(tree, "component", k, "grain"),
                fmt::format("grain: the liquids {} and {} differ, and grains know one that they sink in; write "
                            "settling_speed in m/s in place of grain",
                            in_quotes(scene.liquid[0].name), in_quotes(liquid.name)));
            break;
        }
        if (scene.mixture.settling != fluid::SettlingLaw::stokes) continue;
        const std::optional<fluid::Grains> grains = grains_of(scene.liquid[0], component, scene.frames[0]);
        const double speed =
            fluid::settling_speed(*grains, carrier, length(scene.gravity.at(scene.frames[0])), scene.mixture.settling);
        const double reynolds = fluid::reynolds_number(*grains, carrier, speed);
        if (!(reynolds > 1)) continue;
        log_warning(SceneProblem{entry_place(tree, "component", k, "grain"),
                                 fmt::format("grain: the Reynolds number of {} is {:.3g}, and Stokes' law is for less "
                                             "than 1; write settling = \"ferguson_church\" in [mixture]",
                                             in_quotes(component.name), reynolds)}
                        .message());
    }
}

/// What solvers on a grid cannot do with components so far.
void check_grid_solver(const Scene& scene, const Value& tree, Problems& problems) {
    const std::string_view method = scene.solver.info().word;
    const LiquidParams& liquid = scene.liquid.at(0);
    const ComponentParams& first = scene.component[0];
    constexpr int most_contrast = 10;
    double least = liquid.properties().density;
    for (const ComponentParams& component : scene.component)
        least = std::min(least, of_one_component(liquid, component).properties().density);
    const auto tension_of = [&](const LiquidParams& each) { return each.surface_tension; };
    for (std::size_t k = 0; k < scene.component.size(); ++k) {
        const ComponentParams& component = scene.component[k];
        const LiquidParams pure = of_one_component(liquid, component);
        const double density = pure.properties().density;
        if (density > most_contrast * least)
            problems.add(entry_place(tree, "component", k, "density"),
                         fmt::format("solver = \"{}\" moves densities of up to {} to 1 together: make that of {}, {} "
                                     "kg/m^3, smaller, or write solver = \"pbf\"",
                                     method, most_contrast, in_quotes(component.name), format_number(density)));
        if (tension_of(pure) != tension_of(liquid))
            problems.add(
                entry_place(tree, "component", k, "surface_tension"),
                fmt::format("solver = \"{}\" knows one surface, against the air: take it out, or write solver = "
                            "\"pbf\"",
                            method));
        if (component.diffusivity != first.diffusivity)
            problems.add(entry_place(tree, "component", k, "diffusivity"),
                         fmt::format("solver = \"{}\" spreads all components alike: give {} the diffusivity of {}, {} "
                                     "m^2/s, or write solver = \"pbf\"",
                                     method, in_quotes(component.name), in_quotes(first.name),
                                     format_number(first.diffusivity)));
    }
    const auto place = [&](std::string_view table, std::string_view key) {
        const Value* entry = tree.find(table);
        const Value* value = entry ? entry->find(key) : nullptr;
        return value ? value->where : tree.where;
    };
    if (scene.mixture.eddies > 0)
        problems.add(
            place("mixture", "eddies"),
            fmt::format("solver = \"{}\" has no eddies between cells: give components a larger diffusivity, or "
                        "write solver = \"pbf\"",
                        method));
    if (scene.flip.narrow_band > 0)
        problems.add(place("flip", "narrow_band"),
                     "particles carry components, and a narrow band has none inside; write narrow_band = 0, or take "
                     "[[component]] out");
}

}  // namespace

void check_components(const Scene& scene, const Value& tree, Problems& problems) {
    if (scene.component.size() > fluid::most_components) {
        problems.add(entry_place(tree, "component", fluid::most_components, "name"),
                     fmt::format("there are {} components; up to {} can be mixed", scene.component.size(),
                                 fluid::most_components));
        return;
    }
    check_channel_names(scene, tree, problems);
    check_mixes(scene, tree, problems);
    check_colors(scene, tree, problems);
    if (!scene.liquid.empty()) check_grains(scene, tree, problems);
    if (!scene.component.empty() && scene.solver.info().grid) check_grid_solver(scene, tree, problems);
}

}  // namespace spindrift
