#include "spindrift/params/value.h"

#include <charconv>
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "spindrift/core/random.h"

namespace spindrift {
namespace {

double parse(const std::string& text) {
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

TEST(ValueTest, tables_keep_their_order_and_replace_members) {
    Value table = Value::table();
    table.set("b", Value(1.0));
    table.set("a", Value(2.0));
    table.set("b", Value("three"));
    EXPECT_EQ(table.as_table()->front().key, "b");
    EXPECT_EQ(*table.find("b")->as_text(), "three");
    EXPECT_EQ(table.find("c"), nullptr);
    EXPECT_EQ(Value(1.0).find("c"), nullptr);
}

TEST(ValueTest, equality_ignores_places) {
    Value a(1.5), b(1.5);
    b.where = {"a.toml", 3, 1};
    EXPECT_EQ(a, b);
    EXPECT_FALSE(a == Value(1.25));
}

TEST(ValueTest, numbers_are_printed_in_their_shortest_form) {
    EXPECT_EQ(format_number(24), "24");
    EXPECT_EQ(format_number(0.1), "0.1");
    EXPECT_EQ(format_number(-9.81), "-9.81");
    EXPECT_EQ(format_number(1e-6), "1e-06");
    EXPECT_EQ(format_number(1e22), "1e+22");
    EXPECT_EQ(format_number(-0.0), "-0.0");
    EXPECT_EQ(format_number(18446744073709551616.0), "18446744073709551616.0");
}

TEST(ValueTest, printed_numbers_read_back_with_the_same_bits) {
    for (std::uint64_t i = 0; i < 20000; ++i) {
        const std::uint64_t bits = hash_counter(7, i, 0);
        double value;
        std::memcpy(&value, &bits, sizeof value);
        if (!std::isfinite(value)) continue;
        const double back = parse(format_number(value));
        EXPECT_EQ(std::memcmp(&back, &value, sizeof value), 0) << format_number(value);
    }
}

TEST(ValueTest, quoting_makes_any_text_fit_for_a_message) {
    EXPECT_EQ(in_quotes("word"), "'word'");
    EXPECT_EQ(in_quotes("two\nlines"), "'two\\x0alines'");
    EXPECT_EQ(in_quotes(std::string(1000, 'a')), "'" + std::string(60, 'a') + "...'");
}

}  // namespace
}  // namespace spindrift
