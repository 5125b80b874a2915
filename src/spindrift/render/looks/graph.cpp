#include "spindrift/render/looks/graph.h"

#include <algorithm>
#include <map>
#include <utility>

#include "spindrift/params/read.h"
#include "spindrift/params/write.h"

namespace spindrift::render {

namespace {

/// Writes modules out flat, with names in place of links.
class Unfolder {
  public:
    explicit Unfolder(std::span<const GraphParams> graphs) {
        for (const GraphParams& graph : graphs)
            graphs_[graph.name] = &graph;
    }

    /// One of the scene's modules and all that is in it.
    void add(const ModuleParams& module, std::size_t origin) {
        origin_ = origin;
        add(module, "", {});
    }

    Graph in_order() {
        for (std::size_t i = 0; i < flat_.size(); ++i)
            places_[flat_[i].name()] = i;
        placed_.assign(flat_.size(), unplaced);
        for (std::size_t i = 0; i < flat_.size(); ++i)
            place(i);
        return std::move(graph_);
    }

  private:
    using Names = std::map<std::string, std::string>;
    static constexpr std::size_t unplaced = static_cast<std::size_t>(-1);

    /// `ports` are the full names of what the inputs of the graph around the module stand for.
    void add(const ModuleParams& module, const std::string& prefix, const Names& ports) {
        Module copy;
        copy.params = module;
        copy.params.name = prefix + module.name;
        copy.origin = origin_;
        for (std::string& input : copy.params.inputs) {
            const auto port = ports.find(input);
            input = port == ports.end() ? prefix + input : port->second;
        }
        if (const KindInfo* kind = find_kind(module.kind)) {
            copy.kind = kind->kind;
            flat_.push_back(std::move(copy));
        } else {
            add_graph(copy.params, *graphs_.at(module.kind));
        }
    }

    void add_graph(const ModuleParams& user, const GraphParams& graph) {
        Names ports;
        for (std::size_t i = 0; i < graph.inputs.size(); ++i)
            ports[graph.inputs[i]] = user.inputs.at(i);
        const std::string prefix = user.name + ".";
        stands_for_[user.name] = prefix + graph.output;
        for (const ModuleParams& module : graph.module)
            add(module, prefix, ports);
    }

    /// The module whose picture a name means; that of a sub-graph means its output.
    std::size_t find(std::string name) const {
        for (auto it = stands_for_.find(name); it != stands_for_.end(); it = stands_for_.find(name))
            name = it->second;
        return places_.at(name);
    }

    /// Puts a module behind its inputs; there are no rings.
    std::size_t place(std::size_t i) {
        if (placed_[i] != unplaced) return placed_[i];
        Module module = flat_[i];
        for (std::string& input : module.params.inputs) {
            module.inputs.push_back(place(find(input)));
            input = graph_.modules[module.inputs.back()].name();
        }
        const KindInfo& kind = kind_info(module.kind);
        module.gives = kind.keeps_layers ? graph_.modules[module.inputs[0]].gives : kind.gives;
        graph_.modules.push_back(std::move(module));
        return placed_[i] = graph_.modules.size() - 1;
    }

    std::map<std::string, const GraphParams*> graphs_;
    std::vector<Module> flat_;
    Names stands_for_;
    std::map<std::string, std::size_t> places_;  ///< in `flat_`
    std::vector<std::size_t> placed_;            ///< where in the graph, of each of `flat_`
    Graph graph_;
    std::size_t origin_ = 0;
};

/// A movie and a sheet are made of the pictures that can be seen everywhere, which are all that there is without
/// layers.
std::vector<EncodeFormat> usual_formats(const RenderParams& params, bool layered) {
    if (!layered) return {EncodeFormat::png, EncodeFormat::sheet, EncodeFormat::mp4};
    std::vector<EncodeFormat> formats;
    for (const PictureFormat format : params.formats) {
        formats.push_back(format == PictureFormat::exr ? EncodeFormat::exr : EncodeFormat::png);
        if (format == PictureFormat::png) formats.insert(formats.end(), {EncodeFormat::sheet, EncodeFormat::mp4});
    }
    return formats;
}

std::vector<ModuleParams> usual_modules(const std::string& name) {
    ModuleParams view, files;
    // A dot keeps it apart from whatever name the files have.
    view.name = ".view";
    view.kind = word(ModuleKind::beauty);
    files.name = name;
    files.kind = word(ModuleKind::encode);
    files.inputs = {view.name};
    return {view, files};
}

}  // namespace

std::vector<std::size_t> Graph::encodes() const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < modules.size(); ++i) {
        if (modules[i].kind == ModuleKind::encode) found.push_back(i);
    }
    return found;
}

std::vector<std::size_t> Graph::needed_for(std::size_t module) const {
    std::vector<bool> needed(modules.size());
    needed.at(module) = true;
    for (std::size_t i = module + 1; i-- > 0;) {
        if (!needed[i]) continue;
        for (const std::size_t input : modules[i].inputs)
            needed[input] = true;
    }
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < modules.size(); ++i) {
        if (needed[i]) found.push_back(i);
    }
    return found;
}

Graph unfold(std::span<const ModuleParams> modules, std::span<const GraphParams> graphs) {
    Unfolder unfolder(graphs);
    for (std::size_t i = 0; i < modules.size(); ++i)
        unfolder.add(modules[i], i);
    return unfolder.in_order();
}

Graph make_graph(const RenderParams& params, const std::string& name) {
    const Value tree = write_struct(params, WriteScope::changed);
    Problems problems;
    RenderParams again;
    read_struct(tree, again, problems);
    problems.throw_if_any();
    Graph graph = params.module.empty() ? unfold(usual_modules(name), {}) : unfold(params.module, params.graph);
    for (const std::size_t encode : graph.encodes()) {
        ModuleParams& files = graph.modules[encode].params;
        const bool layered = graph.modules[graph.modules[encode].inputs[0]].gives == Port::layered_picture;
        if (files.formats.empty()) files.formats = usual_formats(params, layered);
    }
    return graph;
}

}  // namespace spindrift::render
