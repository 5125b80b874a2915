#include "spindrift/scene/toml.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "spindrift/params/problems.h"

namespace spindrift {

namespace {

/// Refuses nesting that would take the parser's stack, before it sees the text. Knows just enough of the language to
/// tell brackets and dots of keys from those in strings and comments.
class NestingGuard {
  public:
    NestingGuard(std::string_view text, const std::string& file) : text_(text), file_(file) {}

    void check() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '#')
                at_ = std::min(text_.find('\n', at_), text_.size());
            else if (c == '"' || c == '\'')
                skip_string(c);
            else
                take(c);
        }
    }

  private:
    static constexpr int deepest = 32;

    void take(char c) {
        ++at_;
        if (c == '[' || c == '{') ++depth_;
        if (c == ']' || c == '}') --depth_;
        if (c == '.')
            ++dots_;
        else if (std::string_view("=,[]{}\n").find(c) != std::string_view::npos)
            dots_ = 0;
        if (depth_ > deepest || dots_ > deepest)
            throw_problem(place(), fmt::format("nested deeper than {} levels", deepest));
    }

    /// Past the string that begins here; an unfinished one ends with the line or the text, where the parser stops too.
    void skip_string(char quote) {
        const std::string fence(3, quote);
        const bool multi_line = text_.substr(at_, 3) == fence;
        for (at_ += multi_line ? 3 : 1; at_ < text_.size(); ++at_) {
            if (text_[at_] == '\\' && quote == '"')
                ++at_;
            else if (multi_line ? text_.substr(at_, 3) == fence : text_[at_] == quote || text_[at_] == '\n')
                break;
        }
        at_ += multi_line ? 3 : 1;
        // A multi-line string may end with up to two quotes of its own before the fence.
        for (int extra = 0; multi_line && extra < 2 && at_ < text_.size() && text_[at_] == quote; ++extra)
            ++at_;
    }

    SourceLocation place() const {
        const std::string_view before = text_.substr(0, at_);
        const auto line = 1 + std::count(before.begin(), before.end(), '\n');
        const std::size_t start = before.rfind('\n');
        return {file_, static_cast<int>(line), static_cast<int>(at_ - (start == before.npos ? 0 : start + 1))};
    }

    std::string_view text_;
    const std::string& file_;
    std::size_t at_ = 0;
    int depth_ = 0, dots_ = 0;
};

SourceLocation location(const toml::source_position& position, const std::string& file) {
    return {file, static_cast<int>(position.line), static_cast<int>(position.column)};
}

Value convert(const toml::node& node, const std::string& file);

Value convert_table(const toml::table& table, const std::string& file) {
    Value result = Value::table();
    auto& members = *result.as_table();
    for (const auto& [key, node] : table)
        members.push_back({std::string(key.str()), location(key.source().begin, file), convert(node, file)});
    // The library sorts by key; the file's order is that of the places.
    std::stable_sort(members.begin(), members.end(), [](const Value::Member& a, const Value::Member& b) {
        return std::tie(a.where.line, a.where.column) < std::tie(b.where.line, b.where.column);
    });
    return result;
}

Value convert_array(const toml::array& array, const std::string& file) {
    Value::Array items;
    items.reserve(array.size());
    for (const toml::node& node : array)
        items.push_back(convert(node, file));
    return Value(std::move(items));
}

Value convert_plain(const toml::node& node, const std::string& file) {
    if (const auto* value = node.as_boolean()) return Value(value->get());
    if (const auto* value = node.as_integer()) return Value(std::int64_t{value->get()});
    if (const auto* value = node.as_floating_point()) return Value(value->get());
    if (const auto* value = node.as_string()) return Value(value->get());
    throw_problem(location(node.source().begin, file), "dates and times are not used in scenes");
}

Value convert(const toml::node& node, const std::string& file) {
    Value value = node.is_table()   ? convert_table(*node.as_table(), file)
                  : node.is_array() ? convert_array(*node.as_array(), file)
                                    : convert_plain(node, file);
    value.where = location(node.source().begin, file);
    return value;
}

std::string toml_string(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            result += {'\\', c};
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            result += fmt::format("\\u{:04x}", static_cast<int>(c));
        else
            result += c;
    }
    return result + '"';
}

/// Keys of an animated parameter; they read best on its line.
bool is_curve(const Value& value) {
    const Value* keys = value.find("keys");
    return keys && keys->as_array();
}

std::string key_lines(const Value::Table& table) {
    std::string text;
    for (const auto& [key, where, value] : table)
        text += fmt::format("{} = {}\n", key, toml_value(value));
    return text;
}

struct InlineText {
    std::string operator()(Value::Null) const { return ""; }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
    std::string operator()(double value) const { return format_number(value); }
    std::string operator()(const std::string& value) const { return toml_string(value); }
    std::string operator()(const Value::Array& items) const {
        std::string text;
        for (const Value& item : items)
            text += (text.empty() ? "" : ", ") + toml_value(item);
        return fmt::format("[{}]", text);
    }
    std::string operator()(const Value::Table& members) const {
        std::string text;
        for (const auto& [key, where, value] : members)
            text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", key, toml_value(value));
        return text.empty() ? "{}" : fmt::format("{{ {} }}", text);
    }
};

/// Where bytes begin that are no character of UTF-8; nothing if there are none.
std::optional<std::size_t> find_foreign(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const auto first = static_cast<unsigned char>(text[i]);
        const std::size_t size = first < 0x80         ? 1
                                 : first >> 5 == 0x6  ? 2
                                 : first >> 4 == 0xe  ? 3
                                 : first >> 3 == 0x1e ? 4
                                                      : 0;
        if (size == 0 || i + size > text.size()) return i;
        for (std::size_t k = 1; k < size; ++k) {
            if ((static_cast<unsigned char>(text[i + k]) & 0xc0) != 0x80) return i;
        }
        i += size;
    }
    return {};
}

/// What other programs save texts as instead.
void check_encoding(std::string_view text, const std::string& file) {
    const bool is_wide = text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
    if (is_wide) throw_problem({file, 1, 1}, "this is UTF-16 text; save the file as UTF-8");
    const std::optional<std::size_t> at = find_foreign(text);
    if (!at) return;
    const std::string_view before = text.substr(0, *at);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t start = before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1;
    throw_problem({file, static_cast<int>(line), static_cast<int>(*at - start + 1)},
                  "this character is not UTF-8; save the file as UTF-8");
}

std::string_view line_of(std::string_view text, std::size_t number) {
    for (std::size_t line = 1; line < number; ++line) {
        const std::size_t end = text.find('\n');
        if (end == text.npos) return {};
        text.remove_prefix(end + 1);
    }
    return text.substr(0, text.find('\n'));
}

/// `0.05` of a line that says `spacing = 0,05`; empty if it does not.
std::string number_with_point(std::string_view line) {
    constexpr std::string_view digits = "0123456789";
    const std::size_t equals = line.find('=');
    const std::size_t begin = equals == line.npos ? line.npos : line.find_first_not_of(" \t+-", equals + 1);
    const std::size_t comma = begin == line.npos ? line.npos : line.find_first_not_of(digits, begin);
    if (comma == line.npos || comma == begin || line[comma] != ',') return {};
    const std::size_t end = std::min(line.find_first_not_of(digits, comma + 1), line.size());
    if (end == comma + 1) return {};
    return fmt::format("{}.{}", line.substr(begin, comma - begin), line.substr(comma + 1, end - comma - 1));
}

}  // namespace

Value parse_toml(std::string_view text, const std::string& file) {
    check_encoding(text, file);
    NestingGuard(text, file).check();
    try {
        return convert(toml::parse(text), file);
    } catch (const toml::parse_error& error) {
        const SourceLocation where = location(error.source().begin, file);
        const std::string meant = number_with_point(line_of(text, static_cast<std::size_t>(where.line)));
        throw_problem(where, meant.empty() ? std::string(error.description())
                                           : fmt::format("numbers have a point, not a comma; write {}", meant));
    }
}

std::string toml_value(const Value& value) {
    return std::visit(InlineText{}, value.data);
}

std::string toml_text(const Value& table) {
    std::string plain, sections;
    for (const auto& [key, where, value] : *table.as_table()) {
        if (const auto* members = value.as_table(); members && !is_curve(value)) {
            sections += fmt::format("\n[{}]\n{}", key, key_lines(*members));
        } else if (value.is_table_list()) {
            for (const Value& item : *value.as_array())
                sections += fmt::format("\n[[{}]]\n{}", key, key_lines(*item.as_table()));
        } else {
            plain += fmt::format("{} = {}\n", key, toml_value(value));
        }
    }
    return plain + sections;
}

}  // namespace spindrift
