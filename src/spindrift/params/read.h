#pragma once
// Reads a tree of values into a described struct and collects every problem: unknown keys with a suggestion, wrong
// types, values out of range, missing keys, and what the struct's own check() finds.
//
//   Problems problems;
//   pbf::SolverParams solver;
//   read_struct(tree, solver, problems);
//   problems.throw_if_any();

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/params/animated.h"
#include "spindrift/params/checker.h"
#include "spindrift/params/info.h"
#include "spindrift/params/number_table.h"
#include "spindrift/params/problems.h"
#include "spindrift/params/value.h"

namespace spindrift {

template <Described T>
void read_struct(const Value& source, T& target, Problems& problems);

namespace params_detail {

/// The parameter being read, for messages.
struct Place {
    std::string_view name;
    const ParamInfo& info;
    Problems& problems;

    void expected(std::string_view what, const Value& found) const;
};

void read_number(const Value& value, const Place& place, double& target);
/// `fits` is the range of the target's type.
void read_whole_number(const Value& value, const Place& place, const Limits& fits, std::int64_t& target);
void read_bool(const Value& value, const Place& place, bool& target);
void read_text(const Value& value, const Place& place, std::string& target);
void read_vector(const Value& value, const Place& place, Vec3d& target);
void read_box(const Value& value, const Place& place, Box3d& target);
void read_numbers(const Value& value, const Place& place, Numbers& target);
void read_number_table(const Value& value, const Place& place, NumberTable& target);
/// Index of the word among those allowed; false if it is none of them.
bool read_word(const Value& value, const Place& place, const std::vector<std::string>& words, std::size_t& index);
/// The items of a list, or the value itself as the only item.
std::vector<const Value*> list_items(const Value& value, const Place& place);
/// The two items of a pair, or none after complaining.
std::vector<const Value*> pair_items(const Value& value, const Place& place);
/// Keys of an animated parameter whose values are not read yet.
struct Curve {
    struct Key {
        double frame;
        const Value* value;
    };
    std::vector<Key> keys;
    Interpolation interpolation = Interpolation::linear;
};
/// Whether the value is keys and not a plain value, which may be a list itself.
bool is_curve(const Value& value, bool plain_is_list);
/// No keys after complaining.
Curve read_curve(const Value& value, const Place& place);
void report_missing(const Value& source, const Place& place);
/// Whether there were none.
bool report_unknown_keys(const Value& source, const std::vector<std::string>& known, Problems& problems);

template <class T>
void read_param(const Value& value, const Place& place, T& target);

template <WholeNumber T>
void read_whole(const Value& value, const Place& place, T& target) {
    using Bounds = std::numeric_limits<T>;
    std::int64_t wide = target;
    read_whole_number(value, place, between(double(Bounds::min()), double(Bounds::max())), wide);
    target = static_cast<T>(wide);
}

template <class T>
void read_list(const Value& value, const Place& place, std::vector<T>& target) {
    target.clear();
    for (const Value* item : list_items(value, place))
        read_param(*item, place, target.emplace_back());
    if (target.empty() && place.info.required) report_missing(value, place);
}

template <class T>
void read_pair(const Value& value, const Place& place, std::array<T, 2>& target) {
    const std::vector<const Value*> items = pair_items(value, place);
    for (std::size_t i = 0; i < items.size(); ++i)
        read_param(*items[i], place, target[i]);
}

template <class T>
void read_animated(const Value& value, const Place& place, Animated<T>& target) {
    Animated<T> result;
    if (is_curve(value, std::same_as<T, Vec3d>)) {
        const Curve curve = read_curve(value, place);
        result.interpolation = curve.interpolation;
        for (const Curve::Key& key : curve.keys) {
            result.keys.push_back({key.frame, T{}});
            read_param(*key.value, place, result.keys.back().value);
        }
    } else {
        read_param(value, place, result.constant);
    }
    target = std::move(result);
}

inline void read_animated_table(const Value& value, const Place& place, AnimatedTable& target) {
    if (!value.is(Value::Kind::table)) return place.expected("a table { name = number }", value);
    target.entries.clear();
    for (const Value::Member& member : *value.as_table()) {
        const std::string name = std::string(place.name) + "." + member.key;
        Animated<double>& number = target.entries.emplace_back(AnimatedTable::Entry{member.key}).value;
        read_animated(member.value, {name, place.info, place.problems}, number);
    }
}

template <class T>
void read_param(const Value& value, const Place& place, T& target) {
    if constexpr (Described<T>) {
        read_struct(value, target, place.problems);
    } else if constexpr (is_optional<T>) {
        read_param(value, place, target.emplace());
    } else if constexpr (is_animated<T>) {
        read_animated(value, place, target);
    } else if constexpr (is_vector<T>) {
        read_list(value, place, target);
    } else if constexpr (is_pair<T>) {
        read_pair(value, place, target);
    } else if constexpr (Worded<T>) {
        std::size_t index = 0;
        if (read_word(value, place, all_words<T>(), index)) target = static_cast<T>(index);
    } else if constexpr (WholeNumber<T>) {
        read_whole(value, place, target);
    } else if constexpr (std::same_as<T, double>) {
        read_number(value, place, target);
    } else if constexpr (std::same_as<T, bool>) {
        read_bool(value, place, target);
    } else if constexpr (std::same_as<T, Vec3d>) {
        read_vector(value, place, target);
    } else if constexpr (std::same_as<T, Box3d>) {
        read_box(value, place, target);
    } else if constexpr (std::same_as<T, Numbers>) {
        read_numbers(value, place, target);
    } else if constexpr (std::same_as<T, NumberTable>) {
        read_number_table(value, place, target);
    } else if constexpr (std::same_as<T, AnimatedTable>) {
        read_animated_table(value, place, target);
    } else {
        static_assert(std::same_as<T, std::string>, "a type that parameters may not have");
        read_text(value, place, target);
    }
}

/// Visitor of one struct and the table it is read from.
class Reader {
  public:
    Reader(const Value& source, Problems& problems) : source_(source), problems_(problems) {}

    template <class T>
    void operator()(std::string_view name, T& member, const ParamInfo& info) {
        known_.emplace_back(name);
        const Place place{name, info, problems_};
        const Value* value = source_.find(name);
        const std::size_t before = problems_.count();
        if (value && !value->is(Value::Kind::null))
            read_param(*value, place, member);
        else if (info.required)
            report_missing(source_, place);
        if constexpr (!holds_struct<T>) clean_ = clean_ && problems_.count() == before;
    }
    /// Nothing was wrong with the struct's own members; those of structs in it do not count.
    bool clean() const { return clean_; }
    const std::vector<std::string>& known() const { return known_; }

  private:
    const Value& source_;
    Problems& problems_;
    std::vector<std::string> known_;
    bool clean_ = true;
};

}  // namespace params_detail

/// Members that are not in the source keep their values. The struct's check() runs only if its own members were right,
/// so that one mistake is reported once.
template <Described T>
void read_struct(const Value& source, T& target, Problems& problems) {
    if (!source.is(Value::Kind::table)) {
        problems.add(source.where, "expected a table, found " + describe_value(source));
        return;
    }
    params_detail::Reader reader(source, problems);
    T::describe(target, reader);
    const bool all_known = params_detail::report_unknown_keys(source, reader.known(), problems);
    if constexpr (requires(const Checker& checker) { target.check(checker); }) {
        if (all_known && reader.clean()) target.check(Checker(source, problems));
    }
}

}  // namespace spindrift
