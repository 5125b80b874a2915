#pragma once
// A struct with a member of every kind that parameters may have.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/params/animated.h"
#include "spindrift/params/checker.h"
#include "spindrift/params/info.h"
#include "spindrift/params/number_table.h"

namespace spindrift {

enum class Fruit { apple, pear };
constexpr std::array<std::string_view, 2> enum_words(Fruit) {
    return {"apple", "pear"};
}

struct Inner {
    double weight = 1;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("weight", self.weight, {.text = "Weight", .unit = "kg", .limits = above(0), .required = true});
    }
};

struct Sample {
    bool flag = false;
    int count = 3;
    double length = 0.5;
    std::string label = "none";
    Fruit fruit = Fruit::apple;
    Vec3d point{};
    Box3d box{};
    std::array<int, 2> pair = {1, 2};
    std::optional<double> maybe{};
    std::vector<Fruit> basket{};
    std::optional<Inner> inner{};
    std::vector<Inner> parts{};
    Animated<double> level = 0.5;
    Animated<Vec3d> path{};
    std::optional<Animated<double>> tide{};
    Numbers mixed{{0}};
    NumberTable names{};

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("flag", self.flag, {.text = "Flag"});
        v("count", self.count, {.text = "Count", .limits = between(1, 10)});
        v("length", self.length, {.text = "Length", .unit = "m", .limits = at_least(0)});
        v("label", self.label, {.text = "Label"});
        v("fruit", self.fruit, {.text = "Fruit"});
        v("point", self.point, {.text = "Point", .unit = "m"});
        v("box", self.box, {.text = "Box"});
        v("pair", self.pair, {.text = "Pair", .one_for_both = true});
        v("maybe", self.maybe, {.text = "Maybe"});
        v("basket", self.basket, {.text = "Basket"});
        v("inner", self.inner, {.text = "Inner"});
        v("parts", self.parts, {.text = "Parts"});
        v("level", self.level, {.text = "Level", .unit = "m", .limits = between(0, 10)});
        v("path", self.path, {.text = "Path"});
        v("tide", self.tide, {.text = "Tide"});
        v("mixed", self.mixed, {.text = "Mixed", .limits = between(-10, 10)});
        v("names", self.names, {.text = "Names", .limits = between(-10, 10)});
    }

    void check(const Checker& checker) const {
        if (label.empty()) checker.problem("label", "must not be empty");
    }
};

inline Value numbers(std::initializer_list<double> values) {
    Value::Array items;
    for (const double value : values)
        items.emplace_back(value);
    return Value(std::move(items));
}

}  // namespace spindrift
