#include <limits>

#include "io_test_support.h"

#include "spindrift/cache/frame_path.h"

namespace spindrift::io {
namespace {

TEST(FramePath, frames_have_at_least_four_digits_and_may_be_negative) {
    EXPECT_EQ(cache::frame_path("cache", "particles", "water", 42, "npz"), "cache/particles/water.0042.npz");
    EXPECT_EQ(cache::frame_path("cache", "mesh", "water", 123456, "ply"), "cache/mesh/water.123456.ply");
    EXPECT_EQ(cache::frame_path("cache", "mesh", "water", -7, "ply"), "cache/mesh/water.-0007.ply");
    EXPECT_EQ(cache::frame_path("", "particles", "water", 0, "npz"), "particles/water.0000.npz");
    EXPECT_EQ(cache::frame_path("", "s", "n", std::numeric_limits<int>::min(), "x"), "s/n.-2147483648.x");
}

TEST(CreateFolder, folders_above_are_made_and_an_existing_one_is_fine) {
    const TestFolder folder;
    cache::create_folder(folder / "a/b/c");
    cache::create_folder(folder / "a/b/c");
    EXPECT_TRUE(std::filesystem::is_directory(folder / "a/b/c"));
}

TEST(CreateFolder, a_file_in_the_way_is_named) {
    const TestFolder folder;
    put_file(folder / "file", "");
    expect_io_error(IoError::Kind::other, "a file of that name is in the way",
                    [&] { cache::create_folder(folder / "file"); });
    expect_io_error(IoError::Kind::other, "is a file, not a folder",
                    [&] { cache::create_folder(folder / "file/below"); });
}

}  // namespace
}  // namespace spindrift::io
