#include "spindrift/params/animated.h"

#include "sample.h"
#include <gtest/gtest.h>

#include "spindrift/params/read.h"
#include "spindrift/params/type_info.h"
#include "spindrift/params/write.h"

namespace spindrift {
namespace {

Value list(std::initializer_list<Value> items) {
    return Value(Value::Array(items));
}

Value key(double frame, Value value) {
    return list({Value(frame), std::move(value)});
}

Value curve(Value keys, const char* interpolation) {
    Value table = Value::table();
    table.set("keys", std::move(keys));
    table.set("interpolation", Value(interpolation));
    return table;
}

Sample read(std::string_view name, Value value) {
    Value tree = Value::table();
    tree.set(name, std::move(value));
    Problems problems;
    Sample sample;
    read_struct(tree, sample, problems);
    problems.throw_if_any();
    return sample;
}

std::string complaint(std::string_view name, Value value) {
    try {
        read(name, std::move(value));
    } catch (const SceneError& error) {
        return error.what();
    }
    return "";
}

TEST(AnimatedTest, a_plain_value_holds_at_every_frame) {
    const Animated<double> rate = 2.5;
    EXPECT_EQ(rate.at(-100), 2.5);
    EXPECT_EQ(rate.at(7.25), 2.5);
    EXPECT_FALSE(rate.moves());
    EXPECT_EQ(rate.rate(3), 0);
}

TEST(AnimatedTest, linear_keys_are_joined_by_lines_and_hold_at_the_ends) {
    const Animated<Vec3d> path({{1, {0, 0, 0}}, {5, {4, 8, 0}}, {9, {4, 0, 0}}});
    EXPECT_EQ(path.at(0), (Vec3d{0, 0, 0}));
    EXPECT_EQ(path.at(2.5), (Vec3d{1.5, 3, 0}));
    EXPECT_EQ(path.at(5), (Vec3d{4, 8, 0}));
    EXPECT_EQ(path.at(7), (Vec3d{4, 4, 0}));
    EXPECT_EQ(path.at(100), (Vec3d{4, 0, 0}));
    EXPECT_NEAR(path.rate(3).y, 2, 1e-9);  // rounding of a difference over a thousandth of a frame
}

TEST(AnimatedTest, smooth_curves_start_and_end_flat_and_stay_between_their_keys) {
    const Animated<double> tap({{0, 0.0}, {10, 1.0}, {20, 1.5}, {30, 0.5}}, Interpolation::smooth);
    // The second difference of a cubic over a thousandth of a frame.
    EXPECT_NEAR(tap.rate(1e-3), 0, 1e-4);
    EXPECT_NEAR(tap.rate(30 - 1e-3), 0, 1e-4);
    for (double frame = 0; frame < 30; frame += 0.125) {
        EXPECT_GE(tap.at(frame), frame <= 10 ? 0 : frame <= 20 ? 1 : 0.5);
        EXPECT_LE(tap.at(frame), frame <= 10 ? 1 : 1.5);
    }
    EXPECT_EQ(tap.at(10), 1);
    // No corner at a key: the slopes before and after it agree.
    EXPECT_NEAR(tap.rate(10 - 1e-3), tap.rate(10 + 1e-3), 1e-3);
}

TEST(AnimatedTest, is_read_from_a_value_a_table_or_a_list_of_keys) {
    EXPECT_EQ(read("level", Value(0.25)).level, Animated<double>(0.25));
    const Animated<double> linear({{1, 0.0}, {24, 2.5}});
    EXPECT_EQ(read("level", list({key(1, Value(std::int64_t{0})), key(24, Value(2.5))})).level, linear);
    const Value keys = list({key(1, numbers({0, 0, 0})), key(2.5, numbers({1, 2, 3}))});
    const Animated<Vec3d> smooth({{1, {0, 0, 0}}, {2.5, {1, 2, 3}}}, Interpolation::smooth);
    EXPECT_EQ(read("path", curve(keys, "smooth")).path, smooth);
    EXPECT_EQ(read("path", keys).path.interpolation, Interpolation::linear);
    EXPECT_EQ(read("path", numbers({1, 2, 3})).path, Animated<Vec3d>(1, 2, 3));
    EXPECT_EQ(read("tide", list({key(1, Value(3.0))})).tide->at(0), 3);
}

TEST(AnimatedTest, bad_keys_are_refused_with_a_reason) {
    EXPECT_EQ(complaint("level", list({key(30, Value(0.0)), key(24, Value(1.0))})),
              "level: the keys' frames must ascend: 24 comes after 30");
    EXPECT_EQ(complaint("level", list({key(2, Value(0.0)), key(2, Value(1.0))})),
              "level: the keys' frames must ascend: 2 comes after 2");
    EXPECT_EQ(complaint("level", list({numbers({1, 2, 3})})),
              "level: expected a key [frame, value], found a list of 3");
    EXPECT_EQ(complaint("level", numbers({1, 2, 3})),
              "level: expected keys [[frame, value], [frame, value]], found a list of 3");
    EXPECT_EQ(complaint("level", numbers({})),
              "level: expected keys [[frame, value], [frame, value]], found an empty list");
    EXPECT_EQ(complaint("path", numbers({})), "path: expected three numbers [x, y, z], found an empty list");
    EXPECT_EQ(complaint("path", list({key(1, Value(2.0))})), "path: expected three numbers [x, y, z], found 2");
    EXPECT_EQ(complaint("level", list({key(1, Value(1.0)), key(2, Value(11.0))})),
              "level: 11 m is out of range; allowed: 0 to 10 m");
    EXPECT_EQ(complaint("level", list({list({Value("one"), Value(1.0)})})),
              "level: frame of a key: expected a number, found a string");
    EXPECT_EQ(complaint("level", Value("high")), "level: expected a number, found a string");
}

TEST(AnimatedTest, bad_tables_of_keys_are_refused_with_a_reason) {
    const Value keys = list({key(1, Value(1.0))});
    EXPECT_EQ(complaint("level", curve(keys, "smoth")), "interpolation: unknown word 'smoth'; did you mean 'smooth'?");
    EXPECT_EQ(complaint("level", curve(numbers({}), "smooth")),
              "level: expected keys [[frame, value], [frame, value]], found an empty list");
    EXPECT_EQ(complaint("level", Value::table()),
              "level: 'keys' is missing; write level = { keys = [[frame, value], [frame, value]] }");
    Value misspelt = Value::table();
    misspelt.set("key", keys);
    EXPECT_EQ(complaint("level", misspelt), "unknown key 'key'; did you mean 'keys'?");
}

TEST(AnimatedTest, the_type_tells_what_is_animatable) {
    int animatable = 0;
    for (const ParamEntry& entry : type_info<Sample>().members)
        animatable += entry.type.animatable();
    EXPECT_EQ(animatable, 3);
    EXPECT_EQ(type_name(type_info<Animated<double>>()), "number, animatable");
    EXPECT_EQ(type_name(type_info<Animated<Vec3d>>()), "[x, y, z], animatable");
}

TEST(AnimatedTest, linear_is_written_only_when_everything_is) {
    Sample sample;
    sample.level = Animated<double>({{1, 0.0}, {2, 1.0}});
    EXPECT_EQ(write_struct(sample, WriteScope::changed).find("level")->as_table()->size(), 1u);
    EXPECT_EQ(write_struct(sample, WriteScope::all).find("level")->as_table()->size(), 2u);
}

}  // namespace
}  // namespace spindrift
