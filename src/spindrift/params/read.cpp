#include "spindrift/params/read.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spindrift/core/text.h"

namespace spindrift::params_detail {

namespace {

/// More liquids, shapes or cameras than any scene has; keeps pairwise checks affordable.
constexpr std::size_t longest_list = 10000;

bool is_number(const Value& value) {
    return value.is(Value::Kind::integer) || value.is(Value::Kind::number);
}

double to_double(const Value& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value.data)) return static_cast<double>(*whole);
    return std::get<double>(value.data);
}

bool check_limits(const Value& value, const Place& place, const Limits& limits) {
    if (limits.contains(to_double(value))) return true;
    const std::string unit = place.info.unit.empty() ? "" : fmt::format(" {}", place.info.unit);
    place.problems.add(value.where, fmt::format("{}: {}{} is out of range; allowed: {}", place.name,
                                                describe_value(value), unit, describe_limits(limits, place.info.unit)));
    return false;
}

std::string missing_hint(const ParamInfo& info) {
    if (!info.when_missing.empty()) return fmt::format("; {}", info.when_missing);
    return fmt::format(": {}{}", info.text, info.unit.empty() ? "" : fmt::format(", in {}", info.unit));
}

std::string nearest_or_all(std::string_view typed, const std::vector<std::string>& candidates, std::string_view what) {
    const std::string near = suggestion(typed.substr(0, 200), candidates);
    return near.empty() ? fmt::format("; {}: {}", what, fmt::join(candidates, ", ")) : near;
}

bool is_triple(const Value& value) {
    const auto* items = value.as_array();
    return items && items->size() == 3 && std::all_of(items->begin(), items->end(), is_number);
}

/// What to type, for messages about keys.
constexpr std::string_view keys_form = "keys [[frame, value], [frame, value]]";

void read_key(const Value& item, const Place& place, Curve& curve) {
    const auto* parts = item.as_array();
    if (!parts || parts->size() != 2) return place.expected("a key [frame, value]", item);
    const Value& at = parts->front();
    const std::string name = fmt::format("{}: frame of a key", place.name);
    const ParamInfo info{.limits = between(-1e6, 1e6)};
    double frame = 0;
    const std::size_t before = place.problems.count();
    read_number(at, {name, info, place.problems}, frame);
    if (place.problems.count() > before) return;
    if (!curve.keys.empty() && frame <= curve.keys.back().frame)
        return place.problems.add(at.where,
                                  fmt::format("{}: the keys' frames must ascend: {} comes after {}", place.name,
                                              format_number(frame), format_number(curve.keys.back().frame)));
    curve.keys.push_back({frame, &parts->back()});
}

void read_keys(const Value& value, const Place& place, Curve& curve) {
    const auto* items = value.as_array();
    if (!items || items->empty() || !items->front().as_array()) return place.expected(keys_form, value);
    for (const Value* item : list_items(value, place))
        read_key(*item, place, curve);
}

}  // namespace

void Place::expected(std::string_view what, const Value& found) const {
    problems.add(found.where, fmt::format("{}: expected {}, found {}", name, what, describe_value(found)));
}

void read_number(const Value& value, const Place& place, double& target) {
    if (!is_number(value)) return place.expected("a number", value);
    if (!std::isfinite(to_double(value))) return place.expected("a finite number", value);
    if (check_limits(value, place, place.info.limits)) target = to_double(value);
}

void read_whole_number(const Value& value, const Place& place, const Limits& fits, std::int64_t& target) {
    const auto* whole = std::get_if<std::int64_t>(&value.data);
    if (!whole) return place.expected("a whole number", value);
    const Limits& asked = place.info.limits;
    const Limits limits{std::max(asked.lo, fits.lo), std::min(asked.hi, fits.hi), asked.above_lo};
    if (check_limits(value, place, limits)) target = *whole;
}

void read_bool(const Value& value, const Place& place, bool& target) {
    if (!value.is(Value::Kind::boolean)) return place.expected("true or false", value);
    target = std::get<bool>(value.data);
}

void read_text(const Value& value, const Place& place, std::string& target) {
    if (!value.as_text()) return place.expected("a string", value);
    target = *value.as_text();
}

void read_vector(const Value& value, const Place& place, Vec3d& target) {
    if (!is_triple(value)) return place.expected("three numbers [x, y, z]", value);
    for (int a = 0; a < 3; ++a)
        read_number((*value.as_array())[static_cast<std::size_t>(a)], place, target[a]);
}

void read_box(const Value& value, const Place& place, Box3d& target) {
    const auto* corners = value.as_array();
    if (!corners || corners->size() != 2 || !std::all_of(corners->begin(), corners->end(), is_triple))
        return place.expected("two corners [[x, y, z], [x, y, z]]", value);
    read_vector(corners->front(), place, target.lo);
    read_vector(corners->back(), place, target.hi);
}

void read_numbers(const Value& value, const Place& place, Numbers& target) {
    if (!is_number(value) && !is_triple(value)) return place.expected("a number or [x, y, z]", value);
    const Value::Array* components = value.as_array();
    target.values.assign(components ? components->size() : 1, 0);
    for (std::size_t c = 0; c < target.values.size(); ++c)
        read_number(components ? (*components)[c] : value, place, target.values[c]);
}

void read_number_table(const Value& value, const Place& place, NumberTable& target) {
    if (!value.is(Value::Kind::table)) return place.expected("a table { name = value }", value);
    target.entries.clear();
    for (const Value::Member& member : *value.as_table()) {
        Numbers& numbers = target.entries.emplace_back(NumberTable::Entry{member.key}).value;
        const std::string name = fmt::format("{}.{}", place.name, member.key);
        read_numbers(member.value, {name, place.info, place.problems}, numbers);
    }
}

bool read_word(const Value& value, const Place& place, const std::vector<std::string>& words, std::size_t& index) {
    const std::string* typed = value.as_text();
    if (!typed) {
        place.expected(fmt::format("one of the words {}", fmt::join(words, ", ")), value);
        return false;
    }
    const auto at = std::find(words.begin(), words.end(), *typed);
    index = static_cast<std::size_t>(at - words.begin());
    if (at != words.end()) return true;
    place.problems.add(value.where, fmt::format("{}: unknown word {}{}", place.name, in_quotes(*typed),
                                                nearest_or_all(*typed, words, "allowed words")));
    return false;
}

std::vector<const Value*> list_items(const Value& value, const Place& place) {
    const auto* array = value.as_array();
    if (!array) return {&value};
    if (array->size() > longest_list) {
        place.problems.add(value.where, fmt::format("{}: {} entries are too many; at most {} are allowed", place.name,
                                                    array->size(), longest_list));
        return {};
    }
    std::vector<const Value*> items;
    for (const Value& item : *array)
        items.push_back(&item);
    return items;
}

std::vector<const Value*> pair_items(const Value& value, const Place& place) {
    const auto* array = value.as_array();
    if (array && array->size() == 2) return {&array->front(), &array->back()};
    if (place.info.one_for_both && is_number(value)) return {&value, &value};
    place.expected(place.info.one_for_both ? "a number or a list of two" : "a list of two numbers", value);
    return {};
}

bool is_curve(const Value& value, bool plain_is_list) {
    const auto* items = value.as_array();
    if (!items) return value.is(Value::Kind::table);
    return !plain_is_list || (!items->empty() && items->front().as_array());
}

Curve read_curve(const Value& value, const Place& place) {
    Curve curve;
    if (!value.is(Value::Kind::table)) {
        read_keys(value, place, curve);
        return curve;
    }
    if (!report_unknown_keys(value, {"keys", "interpolation"}, place.problems)) return curve;
    if (const Value* keys = value.find("keys"))
        read_keys(*keys, place, curve);
    else
        place.problems.add(value.where, fmt::format("{0}: 'keys' is missing; write {0} = {{ keys = [[frame, value], "
                                                    "[frame, value]] }}",
                                                    place.name));
    if (const Value* word = value.find("interpolation")) {
        const Place inner{"interpolation", place.info, place.problems};
        std::size_t index = 0;
        if (read_word(*word, inner, all_words<Interpolation>(), index))
            curve.interpolation = static_cast<Interpolation>(index);
    }
    return curve;
}

void report_missing(const Value& source, const Place& place) {
    place.problems.add(source.where, fmt::format("'{}' is missing{}", place.name, missing_hint(place.info)));
}

bool report_unknown_keys(const Value& source, const std::vector<std::string>& known, Problems& problems) {
    const std::size_t before = problems.count();
    for (const Value::Member& member : *source.as_table()) {
        if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
        problems.add(member.where, fmt::format("unknown key {}{}", in_quotes(member.key),
                                               nearest_or_all(member.key, known, "allowed keys")));
    }
    return problems.count() == before;
}

}  // namespace spindrift::params_detail
