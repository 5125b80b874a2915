#include "spindrift/scene/validate_solver.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/log.h"
#include "spindrift/core/text.h"
#include "spindrift/scene/entry_place.h"

namespace spindrift {

namespace {

/// What is not in particles has no liquid of its own, and nobody kills it.
void check_band(const Scene& scene, const Value& tree, Problems& problems) {
    if (!scene.solver.info().grid || scene.flip.narrow_band == 0) return;
    const Value* flip = tree.find("flip");
    const Value* band = flip ? flip->find("narrow_band") : nullptr;
    const SourceLocation where = band ? band->where : tree.where;
    if (scene.flip.narrow_band < 3)
        problems.add(where, "a band thinner than three cells would tear; write narrow_band = 3, or 0 for none");
    if (scene.liquid.size() > 1)
        problems.add(where, "a narrow band knows one liquid; write narrow_band = 0, or take the other liquids out");
    if (!scene.flip.viscosity_channel.empty())
        problems.add(where,
                     "particles carry flip.viscosity_channel, and a narrow band has none inside; write "
                     "narrow_band = 0, or give the liquid one viscosity");
    if (!scene.killer.empty())
        problems.add(where,
                     "a killer takes particles, and a narrow band has none inside; write narrow_band = 0, or "
                     "take [[killer]] out");
}

/// What liquids must have in common for a method that cannot tell them apart.
void check_alike(const Scene& scene, const Value& tree, Problems& problems) {
    const fluid::MethodInfo& method = scene.solver.info();
    const LiquidParams& first = scene.liquid[0];
    for (std::size_t i = 1; i < scene.liquid.size(); ++i) {
        const LiquidParams& other = scene.liquid[i];
        if (!method.spacings && other.spacing != first.spacing) {
            problems.add(
                entry_place(tree, "liquid", i, "spacing"),
                fmt::format("solver = \"{}\" has one grid for all liquids: give {} the spacing of {}, {} m, "
                            "or write solver = \"pbf\"",
                            method.word, in_quotes(other.name), in_quotes(first.name), format_number(first.spacing)));
        }
        if (!method.densities && other.properties().density != first.properties().density) {
            problems.add(entry_place(tree, "liquid", i, "density"),
                         fmt::format("solver = \"{}\" moves liquids of one density: give {} the density of {}, {} "
                                     "kg/m^3, or write solver = \"pbf\"",
                                     method.word, in_quotes(other.name), in_quotes(first.name),
                                     format_number(first.properties().density)));
        }
        if (!method.tensions && (other.tension != first.tension || other.surface_tension != first.surface_tension)) {
            problems.add(entry_place(tree, "liquid", i, other.surface_tension ? "surface_tension" : "tension"),
                         fmt::format("solver = \"{}\" knows one surface, against the air: give {} the surface tension "
                                     "of {}, or write solver = \"pbf\"",
                                     method.word, in_quotes(other.name), in_quotes(first.name)));
        }
    }
}

void check_viscosities(const Scene& scene, const Value& tree, Problems& problems) {
    const std::string& channel = scene.viscosity_channel();
    const auto is_meant = [&](const ChannelParams& each) {
        return each.name == channel && each.type == ChannelForm::scalar;
    };
    if (!channel.empty() && std::none_of(scene.channel.begin(), scene.channel.end(), is_meant)) {
        const Value* settings = tree.find(scene.solver.info().settings);
        const Value* name = settings ? settings->find("viscosity_channel") : nullptr;
        problems.add(name ? name->where : tree.where,
                     fmt::format("there is no channel {} of numbers; add [[channel]] with name = \"{}\" and "
                                 "default = 1e-3",
                                 in_quotes(channel), channel));
    }
}

/// Says which settings belong to another method than the scene's: they do nothing.
void warn_of_unused_settings(const Scene& scene, const Value& tree) {
    const fluid::MethodInfo& method = scene.solver.info();
    for (const std::string_view table : {"solver", "flip"}) {
        const Value* const given = tree.find(table);
        const Value::Table* const keys = given ? given->as_table() : nullptr;
        if (table == method.settings || !keys) continue;
        for (const Value::Member& member : *keys) {
            if (table == "solver" && (member.key == "method" || member.key == "substeps")) continue;
            const SceneProblem warning{member.where,
                                       fmt::format("{}.{} is not used by solver = \"{}\"; its settings are those of "
                                                   "[{}]{}",
                                                   table, member.key, method.word, method.settings,
                                                   method.settings == "solver" ? "" : ", and solver.substeps")};
            log_warning(warning.message());
        }
    }
}

/// Grids are written by solvers that have one.
void check_output_grids(const Scene& scene, const Value& tree, Problems& problems) {
    if (scene.output.grids.empty() || scene.solver.info().grid) return;
    const Value* output = tree.find("output");
    const Value* grids = output ? output->find("grids") : nullptr;
    problems.add(
        grids ? grids->where : tree.where,
        "grids: position based fluids have no grid to write; write solver = \"flip\" (or \"apic\", \"pic\") at "
        "the top of the scene, or take output.grids out");
}

/// Levels of detail need somebody who looks.
void check_levels(const Scene& scene, const Value& tree, Problems& problems) {
    if (scene.lod.model == lod::Model::none) return;
    const Value* table = tree.find("lod");
    if (!scene.solver.info().iterates) {
        return problems.add(table ? table->where : tree.where,
                            fmt::format("levels of detail are iterations of position based fluids, which solver = "
                                        "\"{}\" does not have; take [lod] out, or write solver = \"pbf\"",
                                        scene.solver.info().word));
    }
    const auto place = [&](std::string_view key) -> const SourceLocation& {
        const Value* value = table ? table->find(key) : nullptr;
        return value ? value->where : table ? table->where : tree.where;
    };
    if (scene.camera.empty()) {
        problems.add(place("model"),
                     fmt::format("levels of detail by {} need a camera, and the scene has none; add [[camera]] with "
                                 "position and target, or write model = \"none\"",
                                 word(scene.lod.model)));
    }
    if (scene.lod.fewest.value_or(1) > scene.solver.iterations) {
        problems.add(place("fewest"),
                     fmt::format("the fewest iterations are more than the most, which are {}; make it smaller, or "
                                 "solver.iterations larger",
                                 scene.solver.iterations));
    }
}

}  // namespace

void check_solver(const Scene& scene, const Value& tree, Problems& problems) {
    check_alike(scene, tree, problems);
    check_viscosities(scene, tree, problems);
    check_band(scene, tree, problems);
    check_output_grids(scene, tree, problems);
    check_levels(scene, tree, problems);
    warn_of_unused_settings(scene, tree);
}

}  // namespace spindrift
