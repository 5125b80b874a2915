#include "spindrift/particles/frame_view.h"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

namespace spindrift {
namespace {

constexpr ChannelType number{ScalarType::f32, 1}, vector{ScalarType::f32, 3};

TEST(FrameView, packed_strided_and_made_channels_copy_alike) {
    constexpr std::size_t n = 10000;  // several chunks
    ChannelSet packed;
    const Channel<Vec3f> p = packed.add("P", vector, n).as<Vec3f>();
    std::vector<Float4> wide(n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto a = static_cast<float>(i);
        p[i] = {a, 2 * a, 3 * a};
        wide[i] = {a, 2 * a, 3 * a, -1};
    }
    const FrameView strided({{.name = "P",
                              .type = vector,
                              .size = n,
                              .data = reinterpret_cast<const std::byte*>(wide.data()),
                              .stride = sizeof(Float4)}},
                            std::make_shared<std::uint64_t>(0));
    const FrameView made({made_channel<Vec3f>("P", vector, n, [&](std::size_t i) { return p[i]; })},
                         std::make_shared<std::uint64_t>(0));
    for (const FrameView& view : {FrameView(packed), strided, made}) {
        const ChannelSet copy = view.copy();
        ASSERT_EQ(copy.size(), n);
        const auto again = copy.find("P")->as<Vec3f>();
        EXPECT_TRUE(std::equal(again.begin(), again.end(), p.begin()));
        std::array<Vec3f, 2> some{};
        view.find("P")->copy({5000, 5002}, reinterpret_cast<std::byte*>(some.data()));
        EXPECT_EQ(some[1], p[5001]);
    }
    EXPECT_TRUE(FrameView(packed).find("P")->is_packed());
    EXPECT_FALSE(strided.find("P")->is_packed());
    EXPECT_EQ(strided.find("v"), nullptr);
}

TEST(FrameView, no_particles_are_a_frame_too) {
    ChannelSet none;
    none.add("density", number, 0);
    EXPECT_EQ(FrameView(none).size(), 0u);
    EXPECT_EQ(FrameView(none).copy().channels.size(), 1u);
    EXPECT_EQ(FrameView(ChannelSet{}).size(), 0u);
}

TEST(FrameView, a_view_of_a_moment_that_passed_says_so) {
    auto moment = std::make_shared<std::uint64_t>(0);
    const FrameView view({}, moment);
    EXPECT_NO_THROW(view.channels());
    ++*moment;
    EXPECT_THROW(view.channels(), UsageError);
    EXPECT_THROW(view.find("P"), UsageError);
    EXPECT_THROW(view.size(), UsageError);
    EXPECT_THROW(view.copy(), UsageError);
}

}  // namespace
}  // namespace spindrift
