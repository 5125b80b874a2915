#include "spindrift/params/checker.h"

#include <algorithm>

#include <fmt/format.h>

namespace spindrift {

Checker Checker::entry(std::string_view key, std::size_t index) const {
    const Value* value = source_.find(key);
    if (!value) return *this;
    // A single table stands for a list of one.
    const Value::Array* items = value->as_array();
    if (!items) return {*value, problems_};
    return index < items->size() ? Checker((*items)[index], problems_) : *this;
}

void Checker::problem(std::string_view key, std::string text) const {
    const Value* value = source_.find(key);
    problems_.add(value ? value->where : source_.where, fmt::format("{}: {}", key, text));
}

void Checker::exactly_one(std::initializer_list<std::pair<std::string_view, bool>> alternatives) const {
    std::string all, present;
    int count = 0;
    for (const auto& [name, there] : alternatives) {
        all += fmt::format("{}'{}'", all.empty() ? "" : ", ", name);
        if (!there) continue;
        present += fmt::format("{}'{}'", count++ ? " and " : "", name);
    }
    if (count == 0) problem(fmt::format("no shape is given; give one of {}", all));
    if (count > 1) problem(fmt::format("{} are given; give only one", present));
}

void Checker::box(std::string_view key, const Box3d& box) const {
    static constexpr char axes[] = "xyz";
    for (int a = 0; a < 3; ++a) {
        if (box.lo[a] < box.hi[a]) continue;
        const bool empty = box.lo[a] == box.hi[a];
        problem(key, fmt::format("the box {} along {}, from {} to {}; write [[low x, y, z], [high x, y, z]]",
                                 empty ? "is empty" : "is inverted", axes[a], format_number(box.lo[a]),
                                 format_number(box.hi[a])));
    }
}

void Checker::direction(std::string_view key, const Animated<Vec3d>& direction) const {
    const std::vector<Vec3d> all = direction.values();
    if (std::any_of(all.begin(), all.end(), [](Vec3d d) { return length(d) == 0; }))
        problem(key, "a direction must not be [0, 0, 0]");
}

}  // namespace spindrift
