#include "spindrift/cache/inputs.h"

#include <gtest/gtest.h>

namespace spindrift::cache {
namespace {

io::FrameEntry entry_with(const std::string& state) {
    io::FrameEntry entry;
    entry.state = state;
    return entry;
}

TEST(Inputs, are_an_object_in_their_order_and_what_is_not_there_is_left_out) {
    const Inputs inputs = Inputs().add("particles", "12").add("bodies", "").add("look", "ab");
    EXPECT_EQ(inputs.text(), R"({"particles":"12","look":"ab"})");
    EXPECT_EQ(inputs.text(R"("quality":{"points":3})"), R"({"particles":"12","look":"ab","quality":{"points":3}})");
    EXPECT_EQ(Inputs().text(), "{}");
    EXPECT_EQ(inputs.hash("look"), "ab");
    EXPECT_EQ(inputs.hash("bodies"), "");
}

TEST(Inputs, of_an_entry_are_its_texts_whatever_their_order) {
    const Inputs inputs = Inputs().add("particles", "12").add("inputs", "34");
    EXPECT_EQ(Inputs::of(entry_with(R"({"inputs":"34","particles":"12"})")), inputs);
    // As mesh entries had them before there was a type for it.
    EXPECT_EQ(Inputs::of(entry_with(R"({"particles":"12","inputs":"34","quality":{"volume":1.5}})")), inputs);
    EXPECT_NE(Inputs::of(entry_with(R"({"particles":"12","inputs":"34","before":"56"})")), inputs);
    EXPECT_NE(Inputs::of(entry_with(R"({"particles":"12"})")), inputs);
}

TEST(Inputs, of_what_is_no_object_are_none) {
    for (const char* state : {"", "[]", "12", "{\"particles\":"})
        EXPECT_TRUE(Inputs::of(entry_with(state)).empty()) << state;
}

}  // namespace
}  // namespace spindrift::cache
