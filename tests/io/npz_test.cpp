#include "spindrift/io/npz.h"

#include <cstdlib>

#include "npz_test_support.h"
#include <fmt/format.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/parallel.h"

namespace spindrift::io {
namespace {

TEST(Npz, every_type_comes_back_with_the_same_bits) {
    const TestFolder folder;
    const ChannelSet channels = sample_channels(1000);
    write_npz(folder / "x.npz", channels);
    expect_equal(read_npz(folder / "x.npz"), channels);
    EXPECT_EQ(folder.file_count(), 1u);
}

TEST(Npz, no_particles_and_no_channels_are_frames_too) {
    const TestFolder folder;
    for (const ChannelSet& channels : {sample_channels(0), ChannelSet{}}) {
        write_npz(folder / "x.npz", channels);
        expect_equal(read_npz(folder / "x.npz"), channels);
    }
}

TEST(Npz, equal_channels_give_equal_bytes_for_any_number_of_threads) {
    const TestFolder folder;
    const std::size_t several_chunks = 400000;
    const ChannelSet channels = sample_channels(several_chunks);
    const std::string hash = content_hash(write_npz(folder / "a.npz", channels));
    const std::string bytes = read_file(folder / "a.npz");
    for (const int threads : {1, 3}) {
        const ThreadLimit limit(threads);
        EXPECT_EQ(content_hash(write_npz(folder / "b.npz", channels)), hash);
        EXPECT_TRUE(read_file(folder / "b.npz") == bytes);
    }
    expect_equal(read_npz(folder / "a.npz"), channels);
}

TEST(Npz, channels_that_are_made_while_writing_give_the_same_bytes) {
    const TestFolder folder;
    constexpr std::size_t more_than_a_write = 6'000'000;
    ChannelSet packed;
    const Channel<float> kept = packed.add("heat", {ScalarType::f32, 1}, more_than_a_write).as<float>();
    for (std::size_t i = 0; i < kept.size(); ++i)
        kept[i] = static_cast<float>(i);
    write_npz(folder / "kept.npz", packed);
    const auto value = [](std::size_t i) { return static_cast<float>(i); };
    write_npz(folder / "made.npz",
              FrameView({made_channel<float>("heat", {ScalarType::f32, 1}, more_than_a_write, value)},
                        std::make_shared<std::uint64_t>(0)));
    EXPECT_TRUE(read_file(folder / "made.npz") == read_file(folder / "kept.npz"));
}

TEST(Npz, listing_tells_types_and_lengths_and_equals_what_writing_returned) {
    const TestFolder folder;
    const std::vector<NpzEntry> written = write_npz(folder / "x.npz", sample_channels(7));
    const std::vector<NpzEntry> listed = list_npz(folder / "x.npz");
    EXPECT_EQ(listed, written);
    ASSERT_EQ(listed.size(), 12u);
    EXPECT_EQ(listed[0].name, "P");
    EXPECT_EQ(listed[0].type, (ChannelType{ScalarType::f32, 3}));
    EXPECT_EQ(listed[0].size, 7u);
    EXPECT_EQ(dtype_name(listed[0].type.scalar), "float32");
}

TEST(Npz, the_content_hash_changes_with_one_bit_and_with_a_name) {
    const TestFolder folder;
    ChannelSet channels = sample_channels(100);
    std::vector<NpzEntry> entries = write_npz(folder / "x.npz", channels);
    const std::string hash = content_hash(entries);
    channels.find("P")->data()[57] ^= std::byte{1};
    EXPECT_NE(content_hash(write_npz(folder / "x.npz", channels)), hash);
    std::swap(entries[0].name, entries[1].name);
    EXPECT_NE(content_hash(entries), hash);
}

TEST(Npz, names_beyond_ascii_are_kept) {
    const TestFolder folder;
    ChannelSet channels;
    channels.add("température", {ScalarType::f32, 1}, 2).as<float>()[0] = 1;
    channels.channels[0].as<float>()[1] = 2;
    write_npz(folder / "x.npz", channels);
    expect_equal(read_npz(folder / "x.npz"), channels);
}

TEST(Npz, sets_that_are_no_frame_are_our_mistake) {
    const TestFolder folder;
    ChannelSet uneven = sample_channels(3);
    uneven.channels.back().resize(2);
    EXPECT_THROW(write_npz(folder / "x.npz", uneven), std::logic_error);
    ChannelSet twice = sample_channels(3);
    twice.add("P", {ScalarType::f32, 1}, 3);
    EXPECT_THROW(write_npz(folder / "x.npz", twice), std::logic_error);
    EXPECT_EQ(folder.file_count(), 0u);
}

TEST(Npz, a_full_disk_keeps_the_old_frame) {
    const TestFolder folder;
    write_npz(folder / "x.npz", sample_channels(5));
    {
        const FileSizeLimit limit(100000);
        expect_io_error(IoError::Kind::disk_full, "kB were needed; earlier frames are intact",
                        [&] { write_npz(folder / "x.npz", sample_channels(10000)); });
    }
    expect_equal(read_npz(folder / "x.npz"), sample_channels(5));
    EXPECT_EQ(folder.file_count(), 1u);
}

/// Writes 4.4 GB; run with --gtest_also_run_disabled_tests after changes of the zip64 records.
TEST(Npz, DISABLED_frames_beyond_4_gb_are_written_and_read) {
    const TestFolder folder;
    const std::size_t n = 550'000'000;
    ChannelSet channels;
    channels.add("mass", {ScalarType::f64, 1}, n);
    channels.add("phase", {ScalarType::u8, 1}, n);
    for (ChannelArray& channel : channels.channels) {
        std::memset(channel.data(), 0, channel.size_bytes());
        channel.data()[channel.size_bytes() - 1] = std::byte{1};
    }
    write_npz(folder / "x.npz", channels);
    expect_equal(read_npz(folder / "x.npz"), channels);
    const std::string script = "import sys, zipfile; assert zipfile.ZipFile(sys.argv[1]).testzip() is None";
    EXPECT_EQ(std::system(fmt::format("/usr/bin/python3 -c '{}' {}", script, (folder / "x.npz").string()).c_str()), 0);
}

}  // namespace
}  // namespace spindrift::io
