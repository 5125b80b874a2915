// Forces on some particles only, and forces of programs.

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "spindrift/forces/force_set.h"
#include "spindrift/particles/channel_table.h"

namespace spindrift::forces {
namespace {

constexpr std::size_t count = 150;  // more than two batches

/// Every third particle is of the second liquid, and each knows a share.
class SelectedForceTest : public testing::Test {
  protected:
    void SetUp() override {
        particles_.add_channel(channel_names::phase, {ScalarType::u16, 1});
        particles_.add_channel("share", {ScalarType::f32, 1});
        particles_.append(count);
        for (std::size_t i = 0; i < count; ++i)
            particles_.find_channel(channel_names::phase)->as<std::uint16_t>()[particles_.slot(i)] = i % 3 == 0;
        set_shares([](std::size_t i) { return static_cast<float>(i) / count; });
    }
    template <class ShareOf>
    void set_shares(const ShareOf& share_of) {
        for (std::size_t i = 0; i < count; ++i)
            particles_.find_channel("share")->as<float>()[particles_.slot(i)] = share_of(i);
    }
    /// Velocities along x after a second.
    std::vector<float> push(const ForceParams& params) {
        const std::vector<std::string> liquids{"water", "oil"};
        const ForceSet set = make_forces({}, std::vector<ForceParams>{params}, {}, {}, liquids);
        for (std::size_t i = 0; i < count; ++i)
            particles_.velocity()[i] = {0, 0, 0, particles_.velocity()[i].w};
        set.apply({.x = particles_.position().data(),
                   .v = particles_.velocity().data(),
                   .count = count,
                   .dt = 1,
                   .particles = &particles_});
        std::vector<float> speeds;
        for (std::size_t i = 0; i < count; ++i)
            speeds.push_back(particles_.velocity()[i].x);
        return speeds;
    }

    ParticleStore particles_;
};

TEST_F(SelectedForceTest, acts_on_the_liquid_that_it_names) {
    const std::vector<float> speeds = push({.acceleration = {4, 0, 0}, .liquid = "oil"});
    for (std::size_t i = 0; i < count; ++i)
        EXPECT_EQ(speeds[i], i % 3 == 0 ? 4 : 0) << i;
}

TEST_F(SelectedForceTest, acts_by_the_share_that_each_particle_has) {
    const std::vector<float> speeds = push({.acceleration = {4, 0, 0}, .mask = "share"});
    for (std::size_t i = 0; i < count; ++i)
        EXPECT_FLOAT_EQ(speeds[i], 4 * static_cast<float>(i) / count) << i;
}

TEST_F(SelectedForceTest, is_never_more_than_whole_nor_less_than_none) {
    const float odd[] = {-2, 3, std::nanf("")};
    set_shares([&](std::size_t i) { return odd[i % 3]; });
    const std::vector<float> speeds = push({.acceleration = {4, 0, 0}, .mask = "share"});
    for (std::size_t i = 0; i < count; ++i)
        EXPECT_EQ(speeds[i], i % 3 == 1 ? 4 : 0) << i;
}

TEST_F(SelectedForceTest, keeps_what_rides_beside_the_velocities) {
    std::vector<std::uint32_t> before, after;
    for (std::size_t i = 0; i < count; ++i)
        before.push_back(particles_.slot(i));
    push({.acceleration = {4, 0, 0}, .liquid = "oil", .mask = "share"});
    for (std::size_t i = 0; i < count; ++i)
        after.push_back(particles_.slot(i));
    EXPECT_EQ(before, after);
}

TEST_F(SelectedForceTest, without_a_selection_acts_on_all) {
    for (const float speed : push({.acceleration = {4, 0, 0}}))
        EXPECT_EQ(speed, 4);
}

}  // namespace
}  // namespace spindrift::forces
