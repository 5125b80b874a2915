#include "spindrift/params/read.h"

#include <limits>

#include "sample.h"
#include <gtest/gtest.h>

namespace spindrift {
namespace {

Sample read(const Value& tree) {
    Problems problems;
    Sample sample;
    read_struct(tree, sample, problems);
    problems.throw_if_any();
    return sample;
}

Value table_with(std::string_view key, Value value) {
    Value table = Value::table();
    table.set(key, std::move(value));
    return table;
}

std::string complaint(std::string_view key, Value value) {
    try {
        read(table_with(key, std::move(value)));
    } catch (const SceneError& error) {
        return error.what();
    }
    return "";
}

TEST(ReadTest, members_that_are_not_given_keep_their_values) {
    const Sample sample = read(Value::table());
    EXPECT_EQ(sample.count, 3);
    EXPECT_FALSE(sample.maybe);
    EXPECT_FALSE(sample.inner);
}

TEST(ReadTest, null_counts_as_not_given) {
    EXPECT_EQ(read(table_with("count", Value())).count, 3);
}

TEST(ReadTest, a_number_may_be_written_as_an_integer) {
    EXPECT_EQ(read(table_with("length", Value(std::int64_t{2}))).length, 2);
}

TEST(ReadTest, one_number_may_stand_for_both_of_a_pair) {
    EXPECT_EQ(read(table_with("pair", Value(std::int64_t{7}))).pair, (std::array<int, 2>{7, 7}));
}

TEST(ReadTest, one_entry_may_stand_for_a_list) {
    EXPECT_EQ(read(table_with("basket", Value("pear"))).basket, std::vector{Fruit::pear});
    EXPECT_EQ(read(table_with("parts", table_with("weight", Value(2.0)))).parts.at(0).weight, 2);
}

TEST(ReadTest, wrong_types_say_what_was_expected_and_found) {
    EXPECT_EQ(complaint("length", Value("long")), "length: expected a number, found a string");
    EXPECT_EQ(complaint("count", Value(4.5)), "count: expected a whole number, found 4.5");
    EXPECT_EQ(complaint("flag", Value(std::int64_t{1})), "flag: expected true or false, found 1");
    EXPECT_EQ(complaint("label", Value(true)), "label: expected a string, found true");
    EXPECT_EQ(complaint("point", numbers({1, 2})), "point: expected three numbers [x, y, z], found a list of 2");
    EXPECT_EQ(complaint("box", numbers({})), "box: expected two corners [[x, y, z], [x, y, z]], found an empty list");
    EXPECT_EQ(complaint("pair", Value("1:2")), "pair: expected a number or a list of two, found a string");
    EXPECT_EQ(complaint("inner", Value(1.0)), "expected a table, found 1");
    EXPECT_EQ(complaint("fruit", Value(false)), "fruit: expected one of the words apple, pear, found false");
}

TEST(ReadTest, numbers_out_of_range_name_range_and_unit) {
    EXPECT_EQ(complaint("count", Value(std::int64_t{11})), "count: 11 is out of range; allowed: 1 to 10");
    EXPECT_EQ(complaint("length", Value(-0.5)), "length: -0.5 m is out of range; allowed: at least 0 m");
    EXPECT_EQ(complaint("inner", table_with("weight", Value(0.0))),
              "weight: 0 kg is out of range; allowed: more than 0 kg");
}

TEST(ReadTest, integers_that_do_not_fit_are_refused) {
    const Value big = Value(std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(complaint("pair", big).substr(0, 45), "pair: 9223372036854775807 is out of range; al");
}

TEST(ReadTest, numbers_that_are_not_finite_are_refused) {
    using Bounds = std::numeric_limits<double>;
    EXPECT_EQ(complaint("length", Value(Bounds::quiet_NaN())), "length: expected a finite number, found nan");
    EXPECT_EQ(complaint("point", numbers({0, Bounds::infinity(), 0})), "point: expected a finite number, found inf");
}

TEST(ReadTest, numbers_are_one_or_three) {
    EXPECT_EQ(read(table_with("mixed", Value(std::int64_t{2}))).mixed, (Numbers{{2}}));
    EXPECT_EQ(read(table_with("mixed", numbers({1, 2, 3}))).mixed, (Numbers{{1, 2, 3}}));
    EXPECT_EQ(complaint("mixed", numbers({1, 2})), "mixed: expected a number or [x, y, z], found a list of 2");
    EXPECT_EQ(complaint("mixed", numbers({1, 2, 30})), "mixed: 30 is out of range; allowed: -10 to 10");
}

TEST(ReadTest, tables_of_numbers_take_any_name) {
    Value table = table_with("one", Value(1.0));
    table.set("three", numbers({1, 2, 3}));
    const Sample sample = read(table_with("names", table));
    EXPECT_EQ(sample.names, (NumberTable{{{"one", {{1}}}, {"three", {{1, 2, 3}}}}}));
    EXPECT_EQ(sample.names.find("two"), nullptr);
    EXPECT_EQ(complaint("names", Value(1.0)), "names: expected a table { name = value }, found 1");
    EXPECT_EQ(complaint("names", table_with("one", Value(true))),
              "names.one: expected a number or [x, y, z], found true");
    EXPECT_EQ(complaint("names", table_with("one", Value(11.0))), "names.one: 11 is out of range; allowed: -10 to 10");
}

TEST(ReadTest, unknown_keys_suggest_the_nearest_or_list_all) {
    EXPECT_EQ(complaint("lenght", Value(1.0)), "unknown key 'lenght'; did you mean 'length'?");
    EXPECT_EQ(complaint("zzz", Value(1.0)),
              "unknown key 'zzz'; allowed keys: flag, count, length, label, fruit, point, box, pair, maybe, basket, "
              "inner, parts, level, path, tide, mixed, names");
}

TEST(ReadTest, unknown_words_suggest_the_nearest_or_list_all) {
    EXPECT_EQ(complaint("fruit", Value("aple")), "fruit: unknown word 'aple'; did you mean 'apple'?");
    EXPECT_EQ(complaint("fruit", Value("brick")), "fruit: unknown word 'brick'; allowed words: apple, pear");
}

TEST(ReadTest, missing_keys_are_named_with_their_meaning) {
    EXPECT_EQ(complaint("inner", Value::table()), "'weight' is missing: Weight, in kg");
}

TEST(ReadTest, every_problem_is_reported) {
    Value tree = table_with("count", Value("a"));
    tree.set("length", Value("b"));
    tree.set("nonsense", Value("c"));
    Problems problems;
    Sample sample;
    read_struct(tree, sample, problems);
    EXPECT_EQ(problems.count(), 3u);
}

TEST(ReadTest, rules_of_the_struct_are_checked_once_its_members_are_right) {
    EXPECT_EQ(complaint("label", Value("")), "label: must not be empty");
    Value tree = table_with("label", Value(""));
    tree.set("count", Value("many"));
    Problems problems;
    Sample sample;
    read_struct(tree, sample, problems);
    EXPECT_EQ(problems.count(), 1u);
}

TEST(ReadTest, lists_longer_than_any_scene_needs_are_refused) {
    EXPECT_EQ(complaint("basket", Value(Value::Array(20000, Value("pear")))),
              "basket: 20000 entries are too many; at most 10000 are allowed");
}

TEST(ProblemsTest, are_ordered_by_place_and_their_number_is_limited) {
    Problems problems;
    for (int line = 200; line > 0; --line)
        problems.add({"a.toml", line, 1}, "bad");
    try {
        problems.throw_if_any();
        FAIL();
    } catch (const SceneError& error) {
        EXPECT_EQ(error.problems().size(), 51u);
        EXPECT_LT(error.problems()[0].where.line, error.problems()[1].where.line);
        EXPECT_EQ(error.problems().back().text, "and 150 more");
    }
}

}  // namespace
}  // namespace spindrift
