#include "spindrift/render/annotate/movie.h"

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "temporary_folder.h"
#include <gtest/gtest.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/log.h"
#include "spindrift/image/png_file.h"

namespace spindrift::render {
namespace {

using image::Image;

/// Sets PATH for one test.
class PathScope {
  public:
    explicit PathScope(const std::string& path) : before_(std::getenv("PATH")) { ::setenv("PATH", path.c_str(), 1); }
    ~PathScope() { ::setenv("PATH", before_.c_str(), 1); }
    PathScope(const PathScope&) = delete;
    PathScope& operator=(const PathScope&) = delete;

  private:
    std::string before_;
};

std::vector<std::filesystem::path> three_frames(const TemporaryFolder& folder, int width, int height) {
    std::vector<std::filesystem::path> frames;
    for (const int number : {1, 2, 7}) {
        frames.push_back(folder / ("it's 100% wet." + std::to_string(number) + ".png"));
        write_png(frames.back(), Image(width, height, {0.1f * static_cast<float>(number), 0.3f, 0.5f}));
    }
    return frames;
}

TEST(Movie, frames_of_odd_size_and_with_gaps_become_an_mp4) {
    const TemporaryFolder folder;
    const auto frames = three_frames(folder, 63, 35);
    if (!encode_mp4(frames, 24, folder / "movie.mp4")) GTEST_SKIP() << "no ffmpeg";
    std::ifstream file(folder / "movie.mp4", std::ios::binary);
    std::string head(12, '\0');
    file.read(head.data(), 12);
    EXPECT_EQ(head.substr(4, 4), "ftyp");
    EXPECT_EQ(folder.file_count(), 4u);
}

TEST(Movie, without_ffmpeg_nothing_is_written_and_the_log_says_so) {
    const TemporaryFolder folder;
    const PathScope path(folder / "no programs here");
    std::string said;
    const LogSink before = set_log_sink([&](LogLevel, const std::string& text) { said += text; });
    EXPECT_FALSE(encode_mp4(three_frames(folder, 8, 8), 24, folder / "movie.mp4"));
    set_log_sink(before);
    EXPECT_NE(said.find("ffmpeg"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(folder / "movie.mp4"));
}

TEST(Movie, a_failing_encoder_is_an_error_with_its_own_words) {
    const TemporaryFolder folder;
    const PathScope path(folder / "");
    const std::filesystem::path program = folder / "ffmpeg";
    std::ofstream(program) << "#!/bin/sh\necho 'encoder is on strike' >&2\nexit 3\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    try {
        encode_mp4(three_frames(folder, 400, 400), 24, folder / "movie.mp4");
        FAIL() << "no error";
    } catch (const IoError& error) {
        EXPECT_NE(std::string(error.what()).find("encoder is on strike"), std::string::npos) << error.what();
    }
    EXPECT_EQ(folder.file_count(), 4u);
}

TEST(Movie, a_missing_frame_is_an_error) {
    const TemporaryFolder folder;
    auto frames = three_frames(folder, 16, 16);
    std::filesystem::remove(frames[1]);
    try {
        if (!encode_mp4(frames, 24, folder / "movie.mp4")) GTEST_SKIP() << "no ffmpeg";
        FAIL() << "no error";
    } catch (const IoError& error) {
        EXPECT_EQ(error.kind(), IoError::Kind::missing);
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "movie.mp4"));
}

}  // namespace
}  // namespace spindrift::render
