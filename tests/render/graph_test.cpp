#include "spindrift/render/looks/graph.h"

#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "spindrift/core/errors.h"
#include "spindrift/params/read.h"
#include "spindrift/render/looks/graph_text.h"

namespace spindrift::render {
namespace {

Value list(std::initializer_list<const char*> words) {
    Value::Array items;
    for (const char* each : words)
        items.emplace_back(each);
    return Value(std::move(items));
}

/// A module as a file has it.
Value module(const char* name, const char* kind, std::initializer_list<const char*> inputs = {},
             std::initializer_list<std::pair<const char*, Value>> keys = {}) {
    Value table = Value::table();
    table.set("name", Value(name));
    table.set("kind", Value(kind));
    if (inputs.size() > 0) table.set("inputs", list(inputs));
    for (const auto& [key, value] : keys)
        table.set(key, value);
    return table;
}

Value graph(const char* name, std::initializer_list<const char*> ports, const char* output, Value::Array modules) {
    Value table = Value::table();
    table.set("name", Value(name));
    table.set("inputs", list(ports));
    table.set("output", Value(output));
    table.set("module", Value(std::move(modules)));
    return table;
}

Value look(Value::Array modules, Value::Array graphs = {}) {
    Value table = Value::table();
    if (!modules.empty()) table.set("module", Value(std::move(modules)));
    if (!graphs.empty()) table.set("graph", Value(std::move(graphs)));
    return table;
}

RenderParams read(const Value& source) {
    Problems problems;
    RenderParams params;
    read_struct(source, params, problems);
    problems.throw_if_any();
    return params;
}

/// All complaints, empty if there are none.
std::string complaints(const Value& source) {
    try {
        read(source);
    } catch (const SceneError& error) {
        return error.what();
    }
    return "";
}

/// Complaints about modules beside a view and its files.
std::string about(Value::Array modules, Value::Array graphs = {}) {
    modules.push_back(module("view", "beauty"));
    modules.push_back(module("files", "encode", {"view"}));
    return complaints(look(std::move(modules), std::move(graphs)));
}

void expect_said(const std::string& all, const std::string& part) {
    EXPECT_NE(all.find(part), std::string::npos) << "said: " << all;
}

std::vector<std::string> names(const Graph& graph) {
    std::vector<std::string> all;
    for (const Module& each : graph.modules)
        all.push_back(each.name());
    return all;
}

Graph make(const Value& source) {
    return make_graph(read(source), "dam");
}

const Value words = module("words", "text", {"picture"}, {{"text", Value("frame {frame}")}});

TEST(Graph, without_modules_there_is_a_view_and_its_files) {
    const Graph usual = make(look({}));
    ASSERT_EQ(usual.modules.size(), 2u);
    EXPECT_EQ(usual.modules[0].kind, ModuleKind::beauty);
    EXPECT_EQ(usual.modules[1].name(), "dam");
    EXPECT_EQ(usual.modules[1].inputs, (std::vector<std::size_t>{0}));
    using enum EncodeFormat;
    EXPECT_EQ(usual.modules[1].params.formats, (std::vector{png, sheet, mp4}));
    Value exr_alone = look({});
    exr_alone.set("formats", list({"exr"}));
    EXPECT_EQ(make(exr_alone).modules[1].params.formats, (std::vector{exr}));
}

TEST(Graph, modules_come_after_what_they_take_in_whatever_order_they_are_written) {
    const Graph made = make(look({module("dailies", "encode", {"both"}), module("both", "side_by_side", {"b", "a"}),
                                  module("a", "beauty"), module("b", "beauty"), module("idle", "beauty")}));
    EXPECT_EQ(names(made), (std::vector<std::string>{"b", "a", "both", "dailies", "idle"}));
    EXPECT_EQ(made.modules[2].inputs, (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(made.encodes(), (std::vector<std::size_t>{3}));
    EXPECT_EQ(made.needed_for(3), (std::vector<std::size_t>{0, 1, 2, 3})) << "nobody needs the idle one";
}

TEST(Graph, sub_graphs_unfold_to_modules_with_names_joined_by_dots) {
    const Value labelled = graph("labelled", {"picture"}, "words", {words});
    const Value twice = graph("twice", {"left", "right"}, "row",
                              {module("row", "side_by_side", {"one", "right"}), module("one", "labelled", {"left"})});
    const Graph made = make(
        look({module("view", "beauty"), module("pair", "twice", {"view", "view"}), module("files", "encode", {"pair"})},
             {twice, labelled}));
    EXPECT_EQ(names(made), (std::vector<std::string>{"view", "pair.one.words", "pair.row", "files"}));
    EXPECT_EQ(made.modules[2].inputs, (std::vector<std::size_t>{1, 0}));
    EXPECT_EQ(made.modules[3].inputs, (std::vector<std::size_t>{2}));
    EXPECT_EQ(made.modules[1].origin, 1u);
    EXPECT_EQ(made.modules[1].gives, Port::layered_picture) << "text keeps the layers it is given";
    EXPECT_EQ(made.modules[2].gives, Port::picture);
}

TEST(Graph, a_sub_graph_may_write_files) {
    const Value out = graph("out", {"picture"}, "files", {words, module("files", "encode", {"words"})});
    const Graph made = make(look({module("view", "beauty"), module("dailies", "out", {"view"})}, {out}));
    EXPECT_EQ(made.modules.back().name(), "dailies.files");
    EXPECT_EQ(made.encodes().size(), 1u);
}

TEST(Graph, files_of_pictures_without_layers_have_none) {
    Value source = look({module("view", "beauty"), module("small", "scale", {"view"}), module("a", "encode", {"small"}),
                         module("b", "encode", {"view"})});
    source.set("formats", list({"exr"}));
    const Graph made = make(source);
    using enum EncodeFormat;
    EXPECT_EQ(made.modules[2].params.formats, (std::vector{png, sheet, mp4}));
    EXPECT_EQ(made.modules[3].params.formats, (std::vector{exr}));
}

TEST(GraphRules, kinds_are_known) {
    expect_said(about({module("a", "beuty")}), "kind: there is no kind 'beuty'; did you mean 'beauty'?");
    expect_said(about({module("a", "x9")}), "there are: beauty, false_color, layer, text, composite");
    expect_said(about({module("a", "labeled", {"view"})}, {graph("labelled", {"picture"}, "words", {words})}),
                "did you mean 'labelled'?");
    expect_said(complaints(look({Value::table()})), "'kind' is missing");
}

TEST(GraphRules, every_kind_has_its_row) {
    for (std::size_t i = 0; i < enum_words(ModuleKind{}).size(); ++i) {
        const auto kind = static_cast<ModuleKind>(i);
        EXPECT_EQ(kind_info(kind).kind, kind) << word(kind);
    }
}

TEST(GraphRules, inputs_are_known_and_as_many_as_the_kind_takes) {
    expect_said(about({module("a", "scale", {"veiw"})}), "inputs: there is no module 'veiw'; did you mean 'view'?");
    expect_said(about({module("a", "scale")}), "a module of kind scale takes one input, and 0 are given");
    expect_said(about({module("a", "composite", {"view"})}), "takes 2 inputs, and 1 is given");
    expect_said(about({module("a", "beauty", {"view"})}), "takes no inputs, since it shows the cache itself");
    expect_said(about({module("a", "side_by_side")}), "takes 1 to 64 inputs");
    expect_said(about({module("a", "labelled")}, {graph("labelled", {"picture"}, "words", {words})}),
                "the graph labelled takes 1 (picture), and 0 given");
}

TEST(GraphRules, keys_are_those_of_the_kind) {
    expect_said(about({module("a", "scale", {"view"}, {{"text", Value("hello")}})}),
                "text: a module of kind scale does not use it; it uses: width");
    expect_said(about({module("a", "false_color")}), "'channel' is missing; a module of kind false_color needs it");
    expect_said(about({module("a", "labelled", {"view"}, {{"text", Value("hello")}})},
                      {graph("labelled", {"picture"}, "words", {words})}),
                "text: the graph labelled does not use it");
    expect_said(about({module("a", "scale", {"view"}, {{"widht", Value(std::int64_t{9})}})}), "did you mean 'width'?");
    const Value range(Value::Array{Value(4.0), Value(0.0)});
    expect_said(about({module("a", "false_color", {}, {{"channel", Value("speed")}, {"range", range}})}),
                "range: the low end must be below the high end");
    expect_said(about({module("a", "side_by_side", {"view"}, {{"labels", list({"one", "two"})}})}),
                "labels: there are 2 for 1 pictures");
}

struct KeyCollector {
    std::set<std::string_view> names{};

    template <class T>
    void operator()(std::string_view name, const T&, const ParamInfo&) {
        names.insert(name);
    }
};

TEST(GraphRules, every_key_of_a_module_is_used_by_some_kind) {
    KeyCollector collector;
    const ModuleParams params;
    ModuleParams::describe(params, collector);
    std::set<std::string_view> used{"name", "kind", "inputs"};
    for (const std::string_view key : special_keys())
        used.insert(key);
    EXPECT_EQ(collector.names, used);
}

TEST(GraphRules, names_are_good_and_each_its_own) {
    expect_said(about({module("view", "beauty")}), "name: another module is called 'view' already");
    expect_said(about({module("", "beauty")}), "'' cannot be a name");
    expect_said(about({module("a", "")}), "there is no kind ''");
    expect_said(about({module("a.b", "beauty")}), "'a.b' cannot be a name; use up to 60 letters, digits, _ and -");
    expect_said(about({module("../up", "beauty")}), "cannot be a name");
    const Value one = graph("one", {"picture"}, "words", {words});
    expect_said(about({}, {one, one}), "another graph is called 'one' already");
    expect_said(about({}, {graph("text", {"picture"}, "words", {words})}), "text is a kind that is built in");
    expect_said(about({}, {graph("one", {"picture", "words"}, "words", {words})}),
                "a module is called 'words' as well");
    expect_said(about({}, {graph("one", {"picture", "picture"}, "words", {words})}), "two of them have the same name");
    expect_said(about({}, {graph("one", {"picture"}, "wrods", {words})}),
                "output: the graph has no module 'wrods'; did you mean 'words'?");
}

TEST(GraphRules, rings_are_named) {
    expect_said(about({module("a", "scale", {"b"}), module("b", "scale", {"c"}), module("c", "scale", {"b"})}),
                "in a ring: b -> c -> b");
    expect_said(about({module("a", "scale", {"a"})}), "in a ring: a -> a");
    expect_said(about({}, {graph("one", {"picture"}, "a", {module("a", "one", {"picture"})})}),
                "the graph uses itself: one -> one");
    expect_said(about({}, {graph("one", {"p"}, "a", {module("a", "two", {"p"})}),
                           graph("two", {"p"}, "a", {module("a", "one", {"p"})})}),
                "the graph uses itself: one -> two -> one");
}

TEST(GraphRules, pictures_fit_what_takes_them) {
    const Value row = module("row", "side_by_side", {"view", "view"});
    expect_said(about({row, module("a", "layer", {"row"})}),
                "'a' (layer) needs a picture with layers, and that of 'row' (side_by_side) has none");
    expect_said(about({row, module("a", "encode", {"row"}, {{"formats", list({"exr"})}})}),
                "'a' (encode to exr) needs a picture with layers");
    expect_said(about({row, module("a", "composite", {"row", "view"}, {{"mode", Value("over")}})}),
                "'a' (composite over) needs a picture with layers");
    EXPECT_EQ(about({row, module("a", "composite", {"view", "row"}, {{"mode", Value("over")}})}), "");
    expect_said(about({module("a", "scale", {"files"})}), "'files' writes files and gives no picture");
    EXPECT_EQ(about({module("t", "text", {"view"}, {{"text", Value("hello")}}), module("a", "layer", {"t"})}), "");
    const Value deep = graph("deep", {"picture"}, "l", {module("l", "layer", {"picture"})});
    expect_said(about({row, module("a", "deep", {"row"})}, {deep}), "'a.l' (layer) needs a picture with layers");
}

TEST(GraphRules, something_is_written) {
    expect_said(complaints(look({module("view", "beauty")})), "no module writes files");
    EXPECT_EQ(complaints(look({}, {graph("one", {"picture"}, "words", {words})})), "") << "nothing to run, by now";
}

TEST(GraphRules, graphs_within_graphs_take_no_absurd_memory) {
    Value::Array graphs{graph("g0", {"p"}, "a", {module("a", "scale", {"p"})})};
    for (int i = 1; i < 60; ++i) {
        const std::string inner = fmt::format("g{}", i - 1), name = fmt::format("g{}", i);
        graphs.push_back(
            graph(name.c_str(), {"p"}, "b", {module("a", inner.c_str(), {"p"}), module("b", inner.c_str(), {"a"})}));
    }
    expect_said(about({module("a", "g59", {"view"})}, graphs), "up to 1000 can be run");
    Value::Array many;
    for (int i = 0; i < 2000; ++i)
        many.push_back(module(fmt::format("m{}", i).c_str(), "beauty"));
    expect_said(about(many), "up to 1000 can be run");
}

TEST(GraphRules, a_graph_that_a_program_made_is_checked_as_well) {
    RenderParams params;
    params.module.emplace_back().kind = "beauty";
    EXPECT_THROW(make_graph(params, "dam"), SceneError);
}

TEST(GraphText, fields_are_filled_in) {
    const TextFields fields{.scene = "dam", .frame = 42, .time = 1.75, .particles = 512};
    EXPECT_EQ(fill_in("{scene}  frame {frame}  {time} s  {particles} particles", fields),
              "dam  frame 42  1.75 s  512 particles");
    EXPECT_EQ(fill_in("a } b { c {x}", fields), "a } b { c {x}");
    EXPECT_TRUE(has_field("{particles}", "particles"));
    EXPECT_FALSE(has_field("particles", "particles"));
    expect_said(about({module("a", "text", {"view"}, {{"text", Value("{frme}")}})}),
                "text: 'frme' in braces is nothing that can be filled in; did you mean 'frame'?");
}

}  // namespace
}  // namespace spindrift::render
