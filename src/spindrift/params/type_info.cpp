#include "spindrift/params/type_info.h"

#include <fmt/format.h>

namespace spindrift {

std::string type_name(const TypeInfo& type) {
    switch (type.kind) {
        case TypeInfo::Kind::boolean:
            return "true or false";
        case TypeInfo::Kind::integer:
            return "whole number";
        case TypeInfo::Kind::number:
            return "number";
        case TypeInfo::Kind::text:
            return "string";
        case TypeInfo::Kind::word:
            return "word";
        case TypeInfo::Kind::vector:
            return "[x, y, z]";
        case TypeInfo::Kind::box:
            return "[[x, y, z], [x, y, z]]";
        case TypeInfo::Kind::pair:
            return fmt::format("two {}s", type_name(type.item.front()));
        case TypeInfo::Kind::animated:
            return fmt::format("{}, animatable", type_name(type.item.front()));
        case TypeInfo::Kind::numbers:
            return "number or [x, y, z]";
        case TypeInfo::Kind::number_table:
            return "table of numbers and [x, y, z]";
        case TypeInfo::Kind::animated_table:
            return "table of numbers, animatable";
        case TypeInfo::Kind::list:
            return fmt::format("{} or list of them", type_name(type.item.front()));
        case TypeInfo::Kind::table:
            return "table";
    }
    return "";
}

}  // namespace spindrift
