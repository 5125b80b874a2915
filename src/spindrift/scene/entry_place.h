#pragma once
// Where something stands in the source of a scene, for problems with it.
//
//   problems.add(entry_place(tree, "liquid", 1, "spacing"), "too fine");

#include <cstddef>
#include <string_view>

#include "spindrift/params/value.h"

namespace spindrift {

/// `name` of the entry `index` of the list `key`, or the entry or the list if it is not there.
inline const SourceLocation& entry_place(const Value& table, std::string_view key, std::size_t index,
                                         std::string_view name) {
    const Value* entry = table.find(key);
    if (!entry) return table.where;
    if (const auto* items = entry->as_array(); items && index < items->size()) entry = &(*items)[index];
    const Value* member = entry->find(name);
    return member ? member->where : entry->where;
}

}  // namespace spindrift
