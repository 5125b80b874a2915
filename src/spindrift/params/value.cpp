#include "spindrift/params/value.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace spindrift {

namespace {

template <class Table>
auto find_member(Table* table, std::string_view key) -> decltype(&table->front().value) {
    if (!table) return nullptr;
    const auto at = std::find_if(table->begin(), table->end(), [&](const auto& m) { return m.key == key; });
    return at == table->end() ? nullptr : &at->value;
}

}  // namespace

Value::Value() = default;
Value::Value(bool value) : data(value) {}
Value::Value(std::int64_t value) : data(value) {}
Value::Value(double value) : data(value) {}
Value::Value(std::string value) : data(std::move(value)) {}
Value::Value(std::string_view value) : data(std::string(value)) {}
Value::Value(const char* value) : data(std::string(value)) {}
Value::Value(Array value) : data(std::move(value)) {}
Value::~Value() = default;
// A variant of libstdc++ 12 that finds no memory while it is made as a copy destroys what is not there; assigned to, it
// does not.
Value::Value(const Value& other) : where(other.where) {
    data = other.data;
}
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(const Value&) = default;
Value& Value::operator=(Value&&) noexcept = default;

Value Value::table() {
    Value value;
    value.data = Table{};
    return value;
}

const Value* Value::find(std::string_view key) const {
    return find_member(as_table(), key);
}
Value* Value::find(std::string_view key) {
    return find_member(as_table(), key);
}

Value& Value::set(std::string_view key, Value value) {
    SPINDRIFT_CHECK(is(Kind::table));
    if (Value* present = find(key)) return *present = std::move(value);
    SourceLocation place = value.where;
    return as_table()->emplace_back(Member{std::string(key), std::move(place), std::move(value)}).value;
}

bool Value::is_table_list() const {
    const Array* items = as_array();
    return items && !items->empty() && items->front().is(Kind::table);
}

void Value::place(const SourceLocation& at) {
    where = at;
    if (Array* items = as_array()) {
        for (Value& item : *items)
            item.place(at);
    }
    if (Table* members = as_table()) {
        for (Member& member : *members) {
            member.where = at;
            member.value.place(at);
        }
    }
}

bool operator==(const Value& a, const Value& b) {
    return a.data == b.data;
}

std::string describe_value(const Value& value) {
    switch (value.kind()) {
        case Value::Kind::null:
            return "nothing";
        case Value::Kind::boolean:
            return std::get<bool>(value.data) ? "true" : "false";
        case Value::Kind::integer:
            return fmt::format("{}", std::get<std::int64_t>(value.data));
        case Value::Kind::number:
            return format_number(std::get<double>(value.data));
        case Value::Kind::text:
            return "a string";
        case Value::Kind::array:
            return value.as_array()->empty() ? "an empty list" : fmt::format("a list of {}", value.as_array()->size());
        case Value::Kind::table:
            return "a table";
    }
    return "";
}

std::string format_number(double value) {
    // Whole numbers read best without a point; where it would be taken for an integer too large or lose the sign of -0,
    // the point stays.
    const bool negative_zero = value == 0 && std::signbit(value);
    if (value == std::trunc(value) && std::abs(value) < 1e15 && !negative_zero) return fmt::format("{:.0f}", value);
    char text[32];
    const std::string number(text, std::to_chars(text, text + sizeof text, value).ptr);
    return number.find_first_of(".en") == std::string::npos ? number + ".0" : number;
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t longest = 60;
    std::string shown;
    for (const char c : text.substr(0, longest)) {
        const auto code = static_cast<unsigned char>(c);
        shown += code < 0x20 || code == 0x7f ? fmt::format("\\x{:02x}", code) : std::string(1, c);
    }
    // A cut must not leave half a UTF-8 character.
    if (text.size() > longest) {
        while (!shown.empty() && (static_cast<unsigned char>(shown.back()) & 0x80))
            shown.pop_back();
        shown += "...";
    }
    return fmt::format("'{}'", shown);
}

}  // namespace spindrift
