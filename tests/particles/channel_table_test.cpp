#include "spindrift/particles/channel_table.h"

#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "spindrift/core/errors.h"
#include "spindrift/particles/particle_store.h"

namespace spindrift {
namespace {

TEST(ChannelTable, has_each_name_once_and_all_that_solvers_ask_for) {
    std::set<std::string_view> names;
    for (const ChannelInfo& each : channel_table()) {
        EXPECT_TRUE(names.insert(each.name).second) << each.name;
        EXPECT_FALSE(each.text.empty()) << each.name;
        EXPECT_EQ(find_channel_info(each.name), &each);
    }
    using namespace channel_names;
    for (const char* name : {phase, birth, level, affine, surface_flag})
        EXPECT_TRUE(names.contains(name)) << name;
    EXPECT_EQ(find_channel_info("temperature"), nullptr);
}

TEST(ChannelTable, is_the_page_of_channels) {
    std::ifstream file(std::string(SPINDRIFT_SOURCE_DIR) + "/docs/channels.md");
    std::stringstream page;
    page << file.rdbuf();
    EXPECT_NE(page.str().find(channel_page()), std::string::npos) << "docs/channels.md should hold\n" << channel_page();
}

TEST(ChannelTable, channels_are_given_with_their_type_and_never_with_another) {
    ParticleStore particles;
    particles.append(3);
    EXPECT_EQ(particles.request_channel(channel_names::affine).type(), (ChannelType{ScalarType::f32, 9}));
    EXPECT_EQ(&particles.request_channel(channel_names::affine), particles.find_channel(channel_names::affine));
    particles.add_channel(channel_names::level, {ScalarType::f32, 1});
    try {
        particles.request_channel(channel_names::level);
        FAIL() << "a solver would write beyond it";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::input);
        EXPECT_STREQ(error.what(), "the channel 'lod' holds f32, expected u8: the name is the program's own");
    }
}

}  // namespace
}  // namespace spindrift
