#include "spindrift/scene/overrides.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spindrift/params/type_info.h"
#include "spindrift/scene/scene.h"
#include "spindrift/scene/toml.h"

namespace spindrift {

namespace {

/// The member that a word in place of a table of the scene stands for; empty if it stands for none.
std::string shorthand_of(std::string_view table) {
    for (const ParamEntry& entry : type_info<Scene>().members) {
        if (entry.name == table) return std::string(entry.info.shorthand);
    }
    return {};
}

std::vector<std::string> split_path(std::string_view path) {
    std::vector<std::string> steps;
    for (std::size_t from = 0; from <= path.size();) {
        const std::size_t to = std::min(path.find('.', from), path.size());
        steps.emplace_back(path.substr(from, to - from));
        from = to + 1;
    }
    return steps;
}

/// The text as a TOML value; as a string if it is none and does not look like one that was meant to be.
Value parse_setting(const std::string& text, const SourceLocation& where) {
    Value value;
    try {
        const Value document = parse_toml("value = " + text, where.file);
        if (document.as_table()->size() != 1) throw_problem(where, "expected one value");
        value = *document.find("value");
    } catch (const SceneError& error) {
        if (!text.empty() && std::string_view("\"'[{").find(text.front()) != std::string_view::npos)
            throw_problem(where, error.problems().front().text);
        value = Value(text);
    }
    value.place(where);
    return value;
}

bool is_named(const Value& value, const std::string& name) {
    const Value* given = value.find("name");
    return given && given->as_text() && *given->as_text() == name;
}

std::string entry_names(const Value::Array& items) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min<std::size_t>(items.size(), 20); ++i) {
        const Value* name = items[i].find("name");
        names.push_back(name && name->as_text() ? fmt::format("{} ({})", i, in_quotes(*name->as_text()))
                                                : fmt::format("{}", i));
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

/// The entry of a list by index or by name.
Value* find_entry(Value::Array& items, const std::string& step) {
    std::size_t index = 0;
    const auto [end, failure] = std::from_chars(step.data(), step.data() + step.size(), index);
    if (failure == std::errc() && end == step.data() + step.size())
        return index < items.size() ? &items[index] : nullptr;
    const auto at = std::find_if(items.begin(), items.end(), [&](const Value& item) { return is_named(item, step); });
    return at == items.end() ? nullptr : &*at;
}

/// Walks from the root to the place of one override, making tables on the way.
class Walk {
  public:
    Walk(Value& root, const SourceLocation& where) : at_(&root), where_(where) {}

    void step(const std::string& name, bool last) {
        if (auto* items = at_->as_array()) {
            if (Value* entry = find_entry(*items, name)) return go(*entry, name);
            if (!is_key_of_only_entry(*items, name, last)) return fail_entry(*items, name);
            at_ = &items->front();
        } else if (!path_.empty() && !at_->find(name) && (name == "0" || is_named(*at_, name))) {
            return go(*at_, name);  // the only entry of a list, written without the list
        }
        if (at_->is(Value::Kind::null)) at_->data = Value::Table{};
        if (!at_->is(Value::Kind::table))
            fail(fmt::format("{} is {}, not a table", in_quotes(path_), describe_value(*at_)));
        Value* member = at_->find(name);
        go(member ? *member : at_->set(name, placed()), name);
    }
    Value& target() { return *at_; }

  private:
    /// A list with a single entry may go without its index: liquid.spacing.
    static bool is_key_of_only_entry(const Value::Array& items, const std::string& name, bool last) {
        return items.size() == 1 && items.front().is(Value::Kind::table) && (last || items.front().find(name));
    }
    void go(Value& next, const std::string& name) {
        at_ = &next;
        path_ += (path_.empty() ? "" : ".") + name;
    }
    Value placed() const {
        Value value;
        value.where = where_;
        return value;
    }
    void fail_entry(const Value::Array& items, const std::string& name) const {
        fail(fmt::format("there is no entry {} in {}; there are: {}", in_quotes(name), in_quotes(path_),
                         entry_names(items)));
    }
    [[noreturn]] void fail(std::string text) const { throw_problem(where_, std::move(text)); }

    Value* at_;
    const SourceLocation& where_;
    std::string path_;
};

void apply(Value& tree, const std::string& setting, const SourceLocation& where) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
        throw_problem(where, "expected path=value, such as solver.iterations=8");
    Value value = parse_setting(setting.substr(equals + 1), where);
    std::vector<std::string> steps = split_path(std::string_view(setting).substr(0, equals));
    if (steps.size() == 1 && value.is(Value::Kind::text)) {
        if (const std::string member = shorthand_of(steps[0]); !member.empty()) steps.push_back(member);
    }
    constexpr std::size_t deepest = 16;
    if (steps.size() > deepest || std::find(steps.begin(), steps.end(), "") != steps.end())
        throw_problem(where, "expected a path of keys with points between, such as solver.iterations");

    Walk walk(tree, where);
    for (std::size_t i = 0; i < steps.size(); ++i)
        walk.step(steps[i], i + 1 == steps.size());
    walk.target() = std::move(value);
}

}  // namespace

void expand_shorthands(Value& tree) {
    for (Value::Member& member : *tree.as_table()) {
        if (!member.value.is(Value::Kind::text)) continue;
        const std::string inner = shorthand_of(member.key);
        if (inner.empty()) continue;
        Value table = Value::table();
        table.where = member.value.where;
        table.set(inner, std::move(member.value));
        member.value = std::move(table);
    }
}

void apply_override(Value& tree, const std::string& setting, Problems& problems) {
    const SourceLocation where{"--set " + setting, 0, 0};
    try {
        apply(tree, setting, where);
    } catch (const SceneError& error) {
        for (const SceneProblem& problem : error.problems())
            problems.add(problem.where, problem.text);
    }
}

}  // namespace spindrift
