#pragma once
// A tree of plain values, each with the place it came from. Scene files, command lines and Python meet in this form;
// params/read.h turns it into structs and params/write.h turns structs into it.
//
//   Value solver = Value::table();
//   solver.set("iterations", Value(std::int64_t{8}));
//   const Value* n = solver.find("iterations");

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "spindrift/core/errors.h"

namespace spindrift {

struct Value {
    struct Member;
    struct Null {
        friend bool operator==(const Null&, const Null&) = default;
    };
    using Array = std::vector<Value>;
    using Table = std::vector<Member>;  ///< in the order of the source

    /// In the order of the alternatives of `data`.
    enum class Kind { null, boolean, integer, number, text, array, table };

    std::variant<Null, bool, std::int64_t, double, std::string, Array, Table> data;
    SourceLocation where;

    Value();
    explicit Value(bool value);
    explicit Value(std::int64_t value);
    explicit Value(double value);
    explicit Value(std::string value);
    explicit Value(std::string_view value);
    explicit Value(const char* value);
    explicit Value(Array value);
    static Value table();

    // Out of line, where members are complete.
    ~Value();
    Value(const Value&);
    Value(Value&&) noexcept;
    Value& operator=(const Value&);
    Value& operator=(Value&&) noexcept;

    Kind kind() const { return static_cast<Kind>(data.index()); }
    bool is(Kind kind) const { return this->kind() == kind; }
    const Array* as_array() const { return std::get_if<Array>(&data); }
    Array* as_array() { return std::get_if<Array>(&data); }
    const Table* as_table() const { return std::get_if<Table>(&data); }
    Table* as_table() { return std::get_if<Table>(&data); }
    const std::string* as_text() const { return std::get_if<std::string>(&data); }

    /// The member of that name, nullptr if there is none or this is not a table.
    const Value* find(std::string_view key) const;
    Value* find(std::string_view key);
    /// Replaces the member of that name or adds one; this must be a table.
    Value& set(std::string_view key, Value value);

    /// A list whose entries are tables.
    bool is_table_list() const;
    /// Gives this and everything in it one place.
    void place(const SourceLocation& at);

    /// Same content; places do not count.
    friend bool operator==(const Value& a, const Value& b);
};

struct Value::Member {
    std::string key;
    SourceLocation where;  ///< of the key
    Value value;

    friend bool operator==(const Member& a, const Member& b) { return a.key == b.key && a.value == b.value; }
};

/// What was found, for messages: "a string", "a list of 3", "4.5".
std::string describe_value(const Value& value);

/// Shortest text that reads back as the same double: 24, 0.1, 1e-06.
std::string format_number(double value);

/// 'word', shortened and with control characters made visible, so that any input can stand in a message.
std::string in_quotes(std::string_view text);

}  // namespace spindrift
