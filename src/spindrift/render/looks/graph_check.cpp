// What can be wrong between modules. Names first; rings and types only make sense where all names are right.

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spindrift/core/text.h"
#include "spindrift/render/looks/graph.h"
#include "spindrift/render/looks/graph_rings.h"

namespace spindrift::render {

namespace {

constexpr std::size_t longest_name = 60;

bool is_good_name(const std::string& name) {
    const auto fits = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'; };
    return !name.empty() && name.size() <= longest_name && std::all_of(name.begin(), name.end(), fits);
}

std::string nearest_or_all(const std::string& typed, const std::vector<std::string>& all) {
    const std::string near = suggestion(typed.substr(0, 200), all);
    if (!near.empty() || all.empty()) return near;
    constexpr std::size_t enough = 40;
    const std::vector<std::string> some(all.begin(),
                                        all.begin() + static_cast<std::ptrdiff_t>(std::min(enough, all.size())));
    return fmt::format("; there are: {}", fmt::join(some, ", "));
}

class GraphChecks {
  public:
    GraphChecks(std::span<const ModuleParams> modules, std::span<const GraphParams> graphs, const Checker& checker)
        : modules_(modules), graphs_(graphs), checker_(checker) {
        for (const GraphParams& each : graphs)
            by_name_[each.name] = &each;
    }

    void run() {
        if (!check_numbers()) return;
        check_graph_names();
        check_scope(modules_, {}, checker_);
        for (std::size_t g = 0; g < graphs_.size(); ++g)
            check_definition(graphs_[g], checker_.entry("graph", g));
        if (sound_) check_self_use();
        if (sound_) check_unfolded();
    }

  private:
    void complain(const Checker& at, std::string_view key, const std::string& text) {
        sound_ = false;
        at.problem(key, text);
    }

    /// So that what comes after takes no time and memory to speak of.
    bool check_numbers() {
        std::size_t most = std::max(modules_.size(), graphs_.size());
        for (const GraphParams& graph : graphs_)
            most = std::max({most, graph.module.size(), graph.inputs.size()});
        if (most <= most_modules) return true;
        checker_.problem(fmt::format("there are {} modules or graphs; up to {} can be run", most, most_modules));
        return false;
    }

    void check_graph_names() {
        std::set<std::string> seen;
        for (std::size_t g = 0; g < graphs_.size(); ++g) {
            const std::string& name = graphs_[g].name;
            const Checker at = checker_.entry("graph", g);
            check_name(name, at);
            if (find_kind(name))
                complain(at, "name", fmt::format("{} is a kind that is built in; choose another name", name));
            if (!name.empty() && !seen.insert(name).second)
                complain(at, "name", fmt::format("another graph is called {} already", in_quotes(name)));
        }
    }

    void check_name(const std::string& name, const Checker& at) {
        if (name.empty() && !at.given("name")) {
            sound_ = false;  // told already
        } else if (!is_good_name(name)) {
            complain(at, "name",
                     fmt::format("{} cannot be a name; use up to {} letters, digits, _ and -", in_quotes(name),
                                 longest_name));
        }
    }

    void check_definition(const GraphParams& graph, const Checker& at) {
        const std::set<std::string> ports(graph.inputs.begin(), graph.inputs.end());
        if (ports.size() < graph.inputs.size()) complain(at, "inputs", "two of them have the same name");
        for (const ModuleParams& module : graph.module) {
            if (ports.contains(module.name))
                complain(at, "inputs", fmt::format("a module is called {} as well", in_quotes(module.name)));
        }
        check_scope(graph.module, ports, at);
        std::vector<std::string> names = names_of(graph.module);
        const bool told = graph.output.empty() && !at.given("output");
        if (!told && std::find(names.begin(), names.end(), graph.output) == names.end())
            complain(at, "output",
                     fmt::format("the graph has no module {}{}", in_quotes(graph.output),
                                 nearest_or_all(graph.output, names)));
        sound_ = sound_ && !told;
    }

    static std::vector<std::string> names_of(std::span<const ModuleParams> modules) {
        std::vector<std::string> names;
        for (const ModuleParams& module : modules)
            names.push_back(module.name);
        return names;
    }

    /// Modules that see each other and the ports of the graph around them.
    void check_scope(std::span<const ModuleParams> modules, const std::set<std::string>& ports, const Checker& around) {
        std::vector<std::string> known = names_of(modules);
        known.insert(known.end(), ports.begin(), ports.end());
        std::set<std::string> seen;
        std::map<std::string, std::vector<std::string>> links;
        std::map<std::string, std::size_t> places;
        for (std::size_t i = 0; i < modules.size(); ++i) {
            const ModuleParams& module = modules[i];
            const Checker at = around.entry("module", i);
            check_name(module.name, at);
            if (!module.name.empty() && !seen.insert(module.name).second)
                complain(
                    at, "name",
                    fmt::format("another module is called {} already; give each its own name", in_quotes(module.name)));
            check_kind(module, at);
            check_inputs(module, known, at);
            links[module.name] = module.inputs;
            places[module.name] = i;
        }
        RingFinder rings(links);
        if (const std::string ring = rings.find(); !ring.empty())
            complain(around.entry("module", places[rings.start()]), "inputs",
                     fmt::format("modules take pictures from each other in a ring: {}", ring));
    }

    void check_kind(const ModuleParams& module, const Checker& at) {
        if (find_kind(module.kind)) return;
        if (module.kind.empty() && !at.given("kind")) {
            sound_ = false;  // told already
            return;
        }
        const auto graph = by_name_.find(module.kind);
        if (graph == by_name_.end()) {
            std::vector<std::string> kinds = all_words<ModuleKind>();
            for (const auto& [name, params] : by_name_)
                kinds.push_back(name);
            return complain(
                at, "kind",
                fmt::format("there is no kind {}{}", in_quotes(module.kind), nearest_or_all(module.kind, kinds)));
        }
        const std::vector<std::string>& ports = graph->second->inputs;
        if (module.inputs.size() != ports.size())
            complain(at, "inputs",
                     fmt::format("the graph {} takes {} ({}), and {} given", module.kind, ports.size(),
                                 fmt::join(ports, ", "), module.inputs.size()));
        check_no_other_keys(module, at);
    }

    /// What a module of a sub-graph's kind may say of itself.
    void check_no_other_keys(const ModuleParams& module, const Checker& at) {
        for (const std::string_view key : special_keys()) {
            if (!at.given(key)) continue;
            complain(at, key, fmt::format("the graph {} does not use it; change its modules instead", module.kind));
        }
    }

    void check_inputs(const ModuleParams& module, const std::vector<std::string>& known, const Checker& at) {
        for (const std::string& input : module.inputs) {
            if (std::find(known.begin(), known.end(), input) != known.end()) continue;
            complain(at, "inputs",
                     fmt::format("there is no module {}{}", in_quotes(input), nearest_or_all(input, known)));
        }
        const KindInfo* kind = find_kind(module.kind);
        // The module itself has told the numbers that it takes.
        if (kind && (module.inputs.size() < kind->fewest || module.inputs.size() > kind->most)) sound_ = false;
    }

    void check_self_use() {
        std::map<std::string, std::vector<std::string>> links;
        for (const GraphParams& graph : graphs_) {
            for (const ModuleParams& module : graph.module)
                links[graph.name].push_back(module.kind);
        }
        RingFinder rings(links);
        const std::string ring = rings.find();
        if (ring.empty()) return;
        for (std::size_t g = 0; g < graphs_.size(); ++g) {
            if (graphs_[g].name == rings.start())
                complain(checker_.entry("graph", g), "module", fmt::format("the graph uses itself: {}", ring));
        }
    }

    /// How many modules one makes, without making them.
    double count(const ModuleParams& module, std::map<std::string, double>& counts) const {
        if (find_kind(module.kind)) return 1;
        if (const auto known = counts.find(module.kind); known != counts.end()) return known->second;
        double sum = 1;
        for (const ModuleParams& inner : by_name_.at(module.kind)->module)
            sum += count(inner, counts);
        return counts[module.kind] = sum;
    }

    void check_unfolded() {
        std::map<std::string, double> counts;
        double total = 0;
        for (const ModuleParams& module : modules_)
            total += count(module, counts);
        if (total > static_cast<double>(most_modules))
            return complain(
                checker_, "graph",
                fmt::format("graphs within graphs make {:.0f} modules; up to {} can be run", total, most_modules));
        const Graph graph = unfold(modules_, graphs_);
        for (const Module& module : graph.modules)
            check_types(graph, module);
        if (!modules_.empty() && graph.encodes().empty())
            complain(checker_, "module",
                     "no module writes files; add one with kind = \"encode\" and the inputs it shall write");
    }

    void check_types(const Graph& graph, const Module& module) {
        const bool exr = std::find(module.params.formats.begin(), module.params.formats.end(), EncodeFormat::exr) !=
                         module.params.formats.end();
        const bool over = module.kind == ModuleKind::composite && module.params.mode == CompositeMode::over;
        for (std::size_t i = 0; i < module.inputs.size(); ++i) {
            const Module& from = graph.modules[module.inputs[i]];
            const Checker at = checker_.entry("module", module.origin);
            if (from.gives == Port::files) {
                complain(at, "inputs", fmt::format("{} writes files and gives no picture", in_quotes(from.name())));
                continue;
            }
            const bool needs_layers = kind_info(module.kind).takes == Port::layered_picture || exr || (over && i == 0);
            if (!needs_layers || from.gives == Port::layered_picture) continue;
            complain(at, "inputs",
                     fmt::format("{} ({}{}) needs a picture with layers, and that of {} ({}) has none; layers end at "
                                 "layer, composite, side_by_side and scale, so take an earlier one",
                                 in_quotes(module.name()), word(module.kind),
                                 exr    ? " to exr"
                                 : over ? " over"
                                        : "",
                                 in_quotes(from.name()), word(from.kind)));
        }
    }

    std::span<const ModuleParams> modules_;
    std::span<const GraphParams> graphs_;
    const Checker& checker_;
    std::map<std::string, const GraphParams*> by_name_;
    bool sound_ = true;
};

}  // namespace

void check_graph(std::span<const ModuleParams> modules, std::span<const GraphParams> graphs, const Checker& checker) {
    GraphChecks(modules, graphs, checker).run();
}

}  // namespace spindrift::render
