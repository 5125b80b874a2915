#pragma once
// A described struct as data: the list of its parameters with types and defaults, for schema, reference and panels.
//
//   for (const ParamEntry& p : type_info<pbf::SolverParams>().members) use(p.name, p.info.unit, type_name(p.type));

#include <string>
#include <string_view>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/params/info.h"
#include "spindrift/params/value.h"
#include "spindrift/params/write.h"

namespace spindrift {

struct ParamEntry;

struct TypeInfo {
    enum class Kind {
        boolean,
        integer,
        number,
        text,
        word,
        vector,
        box,
        pair,
        animated,
        numbers,
        number_table,
        animated_table,
        list,
        table
    };

    Kind kind = Kind::text;
    std::vector<std::string> words;   ///< of a word
    std::vector<TypeInfo> item;       ///< one: the type of the items of a list or pair, of the value of an animation
    std::vector<ParamEntry> members;  ///< of a table

    bool animatable() const { return kind == Kind::animated || kind == Kind::animated_table; }
};

struct ParamEntry {
    std::string name;
    ParamInfo info;
    TypeInfo type;
    Value fallback;  ///< the default; null if there is none
};

/// "number", "[x, y, z]", "list of words".
std::string type_name(const TypeInfo& type);

template <class T>
TypeInfo type_info();

namespace params_detail {

/// Visitor that lists the members of a struct in its initial state.
struct Lister {
    std::vector<ParamEntry> entries;

    template <class T>
    void operator()(std::string_view name, const T& member, const ParamInfo& info) {
        Value fallback = info.required || holds_struct<T> ? Value() : write_param(member, WriteScope::all);
        entries.push_back({std::string(name), info, type_info<T>(), std::move(fallback)});
    }
};

template <class T>
constexpr TypeInfo::Kind simple_kind() {
    if constexpr (std::same_as<T, bool>)
        return TypeInfo::Kind::boolean;
    else if constexpr (WholeNumber<T>)
        return TypeInfo::Kind::integer;
    else if constexpr (std::same_as<T, double>)
        return TypeInfo::Kind::number;
    else if constexpr (std::same_as<T, Vec3d>)
        return TypeInfo::Kind::vector;
    else if constexpr (std::same_as<T, Box3d>)
        return TypeInfo::Kind::box;
    else if constexpr (std::same_as<T, Numbers>)
        return TypeInfo::Kind::numbers;
    else if constexpr (std::same_as<T, NumberTable>)
        return TypeInfo::Kind::number_table;
    else if constexpr (std::same_as<T, AnimatedTable>)
        return TypeInfo::Kind::animated_table;
    else
        return TypeInfo::Kind::text;
}

}  // namespace params_detail

template <class T>
TypeInfo type_info() {
    using Kind = TypeInfo::Kind;
    TypeInfo type;
    if constexpr (Described<T>) {
        params_detail::Lister lister;
        const T initial{};
        T::describe(initial, lister);
        type.kind = Kind::table;
        type.members = std::move(lister.entries);
    } else if constexpr (is_optional<T>) {
        type = type_info<typename T::value_type>();
    } else if constexpr (is_animated<T>) {
        type.kind = Kind::animated;
        type.item.push_back(type_info<decltype(T::constant)>());
    } else if constexpr (is_vector<T> || is_pair<T>) {
        type.kind = is_pair<T> ? Kind::pair : Kind::list;
        type.item.push_back(type_info<typename T::value_type>());
    } else if constexpr (Worded<T>) {
        type.kind = Kind::word;
        type.words = all_words<T>();
    } else {
        type.kind = params_detail::simple_kind<T>();
    }
    return type;
}

}  // namespace spindrift
