#include "spindrift/io/statistics.h"

#include <cmath>
#include <limits>

#include "io_test_support.h"

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/log.h"

namespace spindrift::io {
namespace {

using Kind = IoError::Kind;

constexpr int mutations = 2000;

FrameStatistics sample(int frame) {
    FrameStatistics s;
    s.frame = frame;
    s.time = frame / 24.0;
    s.particles = 1234567;
    s.substeps = 3;
    s.iterations = 4.25;
    s.mean_density_error = 0.1 + 0.2;
    s.measured_volume = 1.0 / 3;
    s.max_density_error = 1e-300;
    s.kinetic_energy = 12.5;
    s.potential_energy = -3;
    s.volume = 0.6;
    s.momentum = {1, -2.5, 1.0 / 3};
    s.max_speed = 5;
    s.seconds = 0.75;
    s.phases = {{"solve", 0.5}, {"solve/density", 0.25}, {"advect", 0.1}};
    s.events = {"3 particles left the \"domain\"\n", "ünïcode"};
    return s;
}

class StatisticsFile : public testing::Test {
  protected:
    void append(int first, int last) {
        for (int frame = first; frame <= last; ++frame)
            append_statistics(path_, sample(frame));
    }
    std::vector<int> frames() {
        std::vector<int> numbers;
        for (const FrameStatistics& s : read_statistics(path_))
            numbers.push_back(s.frame);
        return numbers;
    }

    TestFolder folder_;
    std::filesystem::path path_ = folder_ / statistics_file;
};

TEST(StatisticsLine, every_number_comes_back_with_the_same_bits) {
    const std::string line = to_json_line(sample(-5));
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_EQ(parse_statistics(line), sample(-5));
}

TEST(StatisticsLine, bodies_and_their_ledger_come_back_and_lines_without_them_still_read) {
    FrameStatistics s = sample(2);
    EXPECT_EQ(to_json_line(s).find("bodies"), std::string::npos);
    BodyStatistics crate;
    crate.name = "the \"crate\"";
    crate.kind = "rigid";
    crate.mass = 1.0 / 3;
    crate.force = {0.1 + 0.2, -9.81, 1e-300};
    crate.torque = {1, 2, 3};
    crate.buoyancy = -0.5;
    crate.drag = 7;
    crate.position = {4, 5, 6};
    crate.velocity = {7, 8, 9};
    crate.spin = {-1, 0, 1};
    s.bodies = {crate, crate};
    s.ledger = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {0.1, 0.2, 0.3}, {-1, -2, -3}};
    EXPECT_EQ(parse_statistics(to_json_line(s)), s);
}

TEST(StatisticsLine, numbers_that_are_not_finite_come_back_as_nan) {
    FrameStatistics s = sample(1);
    s.max_speed = std::numeric_limits<double>::infinity();
    s.momentum.y = std::nan("");
    const FrameStatistics again = parse_statistics(to_json_line(s));
    EXPECT_TRUE(std::isnan(again.max_speed));
    EXPECT_TRUE(std::isnan(again.momentum.y));
}

TEST(StatisticsLine, wrong_types_are_named) {
    const auto error = [](const std::string& part, const std::string& replacement, const std::string& sentence) {
        std::string line = to_json_line(sample(1));
        line.replace(line.find(part), part.size(), replacement);
        expect_io_error(Kind::corrupt, sentence, [&] { parse_statistics(line, "run.jsonl"); });
    };
    error("\"frame\":1", "\"frame\":\"x\"", "run.jsonl: the line is damaged: 'frame' should be a whole number");
    error("1234567", "-1", "'particles' should be a whole number, not negative");
    error("[1.0,", "[", "'momentum' should be three numbers");
    error("\"solve\":0.5", "\"solve\":[]", "'phases.solve' should be a number");
    error("volume", "volumes", "'volume' is missing");
}

TEST_F(StatisticsFile, lines_are_appended_and_read_in_order) {
    append(1, 3);
    const std::vector<FrameStatistics> all = read_statistics(path_);
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[2], sample(3));
}

TEST_F(StatisticsFile, any_cut_within_the_last_line_is_ignored_and_mended_by_the_next_line) {
    append(1, 2);
    const std::string whole = read_file(path_);
    const std::size_t second = whole.find('\n') + 1;
    for (std::size_t length = second; length < whole.size(); length += 7) {
        put_file(path_, whole.substr(0, length));
        EXPECT_EQ(frames(), std::vector{1});
        append(9, 9);
        EXPECT_EQ(frames(), (std::vector{1, 9}));
    }
    put_file(path_, "{\"fra");
    EXPECT_TRUE(frames().empty());
    append(4, 4);
    EXPECT_EQ(frames(), std::vector{4});
}

TEST_F(StatisticsFile, damage_before_the_end_is_an_error_with_the_line) {
    append(1, 3);
    std::string text = read_file(path_);
    text[text.find('\n') + 1] = '?';
    put_file(path_, text);
    expect_io_error(Kind::corrupt, "line 2 is damaged: it is not JSON", [&] { read_statistics(path_); });
    EXPECT_EQ(read_file(path_), text);
}

TEST_F(StatisticsFile, damaged_lines_can_be_left_out_and_are_when_a_run_goes_on) {
    append(1, 5);
    std::string text = read_file(path_);
    text[text.find('\n') + 1] = '?';
    put_file(path_, text);
    std::vector<std::string> said;
    const LogScope listen([&](LogLevel, const std::string& warning) { said.push_back(warning); });
    EXPECT_EQ(read_statistics(path_, DamagedLines::leave_out).size(), 4u);
    drop_statistics_from(path_, 4);
    EXPECT_EQ(frames(), (std::vector{1, 3}));
    const std::string warning = path_.string() + ": line 2 is damaged: it is not JSON at line 1; it is left out";
    EXPECT_EQ(said, (std::vector{warning, warning}));
}

TEST_F(StatisticsFile, dropping_keeps_the_earlier_lines_as_they_are) {
    append(1, 2);
    const std::string before = read_file(path_);
    append(3, 5);
    drop_statistics_from(path_, 3);
    EXPECT_EQ(read_file(path_), before);
    drop_statistics_from(path_, -100);
    EXPECT_EQ(read_file(path_), "");
    EXPECT_EQ(folder_.file_count(), 1u);
}

TEST_F(StatisticsFile, a_missing_file_is_an_error_to_read_and_nothing_to_drop) {
    expect_io_error(Kind::missing, "there is no such file", [&] { read_statistics(path_); });
    drop_statistics_from(path_, 1);
    EXPECT_EQ(folder_.file_count(), 0u);
    expect_io_error(Kind::missing, "the folder does not exist",
                    [&] { append_statistics(folder_ / "no/x", sample(1)); });
}

TEST_F(StatisticsFile, a_full_device_is_said) {
    expect_io_error(Kind::disk_full, "no space left on the disk", [&] { append_statistics("/dev/full", sample(1)); });
}

TEST_F(StatisticsFile, random_changes_never_crash) {
    append(1, 3);
    const std::string valid = read_file(path_);
    for (int seed = 0; seed < mutations; ++seed) {
        put_file(path_, mutate(valid, static_cast<std::uint64_t>(seed)));
        try {
            read_statistics(path_);
        } catch (const IoError& error) {
            EXPECT_EQ(error.kind(), Kind::corrupt) << "seed " << seed << ": " << error.what();
        } catch (const std::exception& error) {
            ADD_FAILURE() << "seed " << seed << ": " << error.what();
        }
    }
}

}  // namespace
}  // namespace spindrift::io
