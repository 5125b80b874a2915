#include "spindrift/params/write.h"

#include "sample.h"
#include <gtest/gtest.h>

#include "spindrift/params/read.h"
#include "spindrift/params/type_info.h"

namespace spindrift {
namespace {

/// Every member differs from its default.
Sample changed_sample() {
    Sample sample;
    sample.flag = true;
    sample.count = 5;
    sample.length = 0.1;
    sample.label = "some";
    sample.fruit = Fruit::pear;
    sample.point = {1, 2, 3};
    sample.box = {{0, 0, 0}, {1, 2, 3}};
    sample.pair = {3, 4};
    sample.maybe = 0.3;
    sample.basket = {Fruit::pear, Fruit::apple};
    sample.inner = Inner{2};
    sample.parts = {Inner{3}, Inner{4}};
    sample.level = Animated<double>({{1, 0.0}, {24, 2.5}}, Interpolation::smooth);
    sample.path = Animated<Vec3d>({{-1.5, {0, 0, 0}}, {2, {1, 2, 3}}});
    sample.tide = 2.0;
    sample.mixed = {{1, 2, 3}};
    sample.names = {{{"one", {{1}}}, {"three", {{1, 2, 3}}}}};
    return sample;
}

TEST(WriteTest, what_was_written_reads_back_as_the_same) {
    const Value tree = write_struct(changed_sample(), WriteScope::all);
    Problems problems;
    Sample back;
    read_struct(tree, back, problems);
    problems.throw_if_any();
    EXPECT_EQ(write_struct(back, WriteScope::all), tree);
    EXPECT_EQ(tree.as_table()->size(), type_info<Sample>().members.size());
}

TEST(WriteTest, only_changed_values_are_written_when_asked) {
    EXPECT_TRUE(write_struct(Sample{}, WriteScope::changed).as_table()->empty());
    Sample sample;
    sample.count = 9;
    const Value tree = write_struct(sample, WriteScope::changed);
    ASSERT_EQ(tree.as_table()->size(), 1u);
    EXPECT_EQ(*tree.find("count"), Value(std::int64_t{9}));
}

TEST(WriteTest, required_values_and_optional_structs_are_always_written) {
    Sample sample;
    sample.inner = Inner{};
    const Value tree = write_struct(sample, WriteScope::changed);
    ASSERT_NE(tree.find("inner"), nullptr);
    EXPECT_NE(tree.find("inner")->find("weight"), nullptr);
}

TEST(TypeInfoTest, lists_names_types_and_defaults) {
    const TypeInfo type = type_info<Sample>();
    const auto entry = [&](std::string_view name) {
        for (const ParamEntry& e : type.members) {
            if (e.name == name) return e;
        }
        throw std::out_of_range(std::string(name));
    };
    EXPECT_EQ(type_name(entry("count").type), "whole number");
    EXPECT_EQ(entry("count").fallback, Value(std::int64_t{3}));
    EXPECT_EQ(type_name(entry("pair").type), "two whole numbers");
    EXPECT_EQ(type_name(entry("basket").type), "word or list of them");
    EXPECT_EQ(entry("fruit").type.words, (std::vector<std::string>{"apple", "pear"}));
    EXPECT_EQ(entry("parts").type.item.front().members.front().name, "weight");
    EXPECT_EQ(entry("maybe").fallback, Value());
    EXPECT_EQ(type_name(entry("mixed").type), "number or [x, y, z]");
    EXPECT_EQ(type_name(entry("names").type), "table of numbers and [x, y, z]");
}

}  // namespace
}  // namespace spindrift
