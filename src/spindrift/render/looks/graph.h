#pragma once
// A look as a graph without sub-graphs, in an order in which it can be run.
//
//   Graph graph = make_graph(scene.render, scene.output.name);
//   for (std::size_t encode : graph.encodes()) use(graph.modules[encode].name(), graph.needed_for(encode));

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spindrift/render/looks/graph_kinds.h"
#include "spindrift/render/looks/graph_params.h"
#include "spindrift/render/looks/params.h"

namespace spindrift::render {

/// The most that sub-graphs may unfold to.
inline constexpr std::size_t most_modules = 1000;

struct Module {
    ModuleParams params{};  ///< its name has those of the modules it is part of before it, with dots between
    ModuleKind kind{};
    std::vector<std::size_t> inputs{};  ///< places of modules before this one
    Port gives{};
    std::size_t origin = 0;  ///< of the scene's modules, that which it is or is part of

    const std::string& name() const { return params.name; }
};

struct Graph {
    std::vector<Module> modules{};  ///< each after those whose pictures it takes

    std::vector<std::size_t> encodes() const;
    /// The module and all that it takes pictures from, however far away, in order.
    std::vector<std::size_t> needed_for(std::size_t module) const;
};

/// Sub-graphs unfolded; what check_graph() complains about must not be in it.
Graph unfold(std::span<const ModuleParams> modules, std::span<const GraphParams> graphs);

/// The scene's graph or, if it has none, the view of the cache and its files, which are called `name`. Throws
/// SceneError if a program has made one that is not valid.
Graph make_graph(const RenderParams& params, const std::string& name);

}  // namespace spindrift::render
