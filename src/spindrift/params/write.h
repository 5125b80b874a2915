#pragma once
// Turns a described struct into a tree of values, in the order of its description.
//
//   Value tree = write_struct(solver, WriteScope::changed);   // only what differs from the defaults

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/params/animated.h"
#include "spindrift/params/info.h"
#include "spindrift/params/number_table.h"
#include "spindrift/params/value.h"

namespace spindrift {

enum class WriteScope {
    all,      ///< every parameter that has a value
    changed,  ///< those that differ from their defaults, and required ones
};

template <Described T>
Value write_struct(const T& source, WriteScope scope);

namespace params_detail {

inline Value triple(Vec3d v) {
    return Value(Value::Array{Value(v.x), Value(v.y), Value(v.z)});
}

/// A number stands for itself, three are a list.
inline Value write_numbers(const Numbers& source) {
    if (source.values.size() == 1) return Value(source.values.front());
    Value::Array items;
    for (const double value : source.values)
        items.emplace_back(value);
    return Value(std::move(items));
}

inline Value write_number_table(const NumberTable& source) {
    Value table = Value::table();
    for (const NumberTable::Entry& entry : source.entries)
        table.set(entry.name, write_numbers(entry.value));
    return table;
}

template <class T>
Value write_param(const T& source, WriteScope scope);

/// The plain value, or a table of keys.
template <class T>
Value write_animated(const Animated<T>& source, WriteScope scope) {
    if (source.keys.empty()) return write_param(source.constant, scope);
    Value::Array keys;
    for (const auto& key : source.keys)
        keys.emplace_back(Value::Array{Value(key.frame), write_param(key.value, scope)});
    Value curve = Value::table();
    curve.set("keys", Value(std::move(keys)));
    if (scope == WriteScope::all || source.interpolation != Interpolation::linear)
        curve.set("interpolation", Value(word(source.interpolation)));
    return curve;
}

inline Value write_animated_table(const AnimatedTable& source, WriteScope scope) {
    Value table = Value::table();
    for (const AnimatedTable::Entry& entry : source.entries)
        table.set(entry.name, write_animated(entry.value, scope));
    return table;
}

/// Null for an optional without value.
template <class T>
Value write_param(const T& source, WriteScope scope) {
    if constexpr (Described<T>) {
        return write_struct(source, scope);
    } else if constexpr (is_optional<T>) {
        return source ? write_param(*source, scope) : Value();
    } else if constexpr (is_animated<T>) {
        return write_animated(source, scope);
    } else if constexpr (is_vector<T> || is_pair<T>) {
        Value::Array items;
        for (const auto& item : source)
            items.push_back(write_param(item, scope));
        return Value(std::move(items));
    } else if constexpr (Worded<T>) {
        return Value(word(source));
    } else if constexpr (WholeNumber<T>) {
        return Value(static_cast<std::int64_t>(source));
    } else if constexpr (std::same_as<T, Vec3d>) {
        return triple(source);
    } else if constexpr (std::same_as<T, Box3d>) {
        return Value(Value::Array{triple(source.lo), triple(source.hi)});
    } else if constexpr (std::same_as<T, Numbers>) {
        return write_numbers(source);
    } else if constexpr (std::same_as<T, NumberTable>) {
        return write_number_table(source);
    } else if constexpr (std::same_as<T, AnimatedTable>) {
        return write_animated_table(source, scope);
    } else {
        return Value(source);
    }
}

/// Visitor of one struct.
class Writer {
  public:
    explicit Writer(WriteScope scope) : scope_(scope) {}

    template <class T>
    void operator()(std::string_view name, const T& member, const ParamInfo& info) {
        Value value = write_param(member, scope_);
        const bool empty = value.is(Value::Kind::table) && value.as_table()->empty();
        const bool kept = scope_ == WriteScope::all || !empty || info.required || is_optional<T>;
        if (kept && !value.is(Value::Kind::null)) result.set(name, std::move(value));
        if (info.required) required_.emplace_back(name);
    }
    /// Takes away what equals the defaults.
    void drop_defaults(const Value& defaults) {
        Value changed = Value::table();
        for (Value::Member& member : *result.as_table()) {
            const Value* value = defaults.find(member.key);
            const bool required = std::find(required_.begin(), required_.end(), member.key) != required_.end();
            if (!value || *value != member.value || required) changed.set(member.key, std::move(member.value));
        }
        result = std::move(changed);
    }

    Value result = Value::table();

  private:
    WriteScope scope_;
    std::vector<std::string> required_;
};

}  // namespace params_detail

template <Described T>
Value write_struct(const T& source, WriteScope scope) {
    params_detail::Writer writer(scope);
    T::describe(source, writer);
    if (scope == WriteScope::changed) {
        params_detail::Writer defaults(scope);
        const T initial{};
        T::describe(initial, defaults);
        writer.drop_defaults(defaults.result);
    }
    return std::move(writer.result);
}

}  // namespace spindrift
