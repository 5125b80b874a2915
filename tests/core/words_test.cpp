// Texts for people, errors, the log, the version and the choice of instruction set.
#include <cstdlib>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/isa.h"
#include "spindrift/core/log.h"
#include "spindrift/core/progress.h"
#include "spindrift/core/text.h"
#include "spindrift/core/version.h"

namespace spindrift {
namespace {

TEST(TextTest, misspelt_words_get_a_suggestion_and_strange_ones_none) {
    const std::vector<std::string> keys{"iterations", "viscosity", "mass", "spacing", "box"};
    EXPECT_EQ(nearest_word("iteration", keys), "iterations");
    EXPECT_EQ(nearest_word("visc", keys), "viscosity");
    EXPECT_EQ(nearest_word("spcaing", keys), "spacing");
    EXPECT_EQ(nearest_word("bx", keys), "box");
    EXPECT_EQ(nearest_word("temperature", keys), "");
    EXPECT_EQ(nearest_word("", keys), "");
    EXPECT_EQ(nearest_word("box", {}), "");
    EXPECT_EQ(suggestion("masss", keys), "; did you mean 'mass'?");
    EXPECT_EQ(suggestion("q", keys), "");
}

TEST(TextTest, sizes_are_read_at_a_glance) {
    EXPECT_EQ(format_bytes(0), "0 B");
    EXPECT_EQ(format_bytes(999), "999 B");
    EXPECT_EQ(format_bytes(1536), "1.5 kB");
    EXPECT_EQ(format_bytes(2.5e6), "2.5 MB");
    EXPECT_EQ(format_bytes(3.2e9), "3.2 GB");
    EXPECT_EQ(format_bytes(1.25e12), "1.25 TB");
    EXPECT_EQ(format_count(999), "999");
    EXPECT_EQ(format_count(5120), "5.12 k");
    EXPECT_EQ(format_count(2e6), "2 M");
}

TEST(TextTest, durations_are_read_at_a_glance) {
    EXPECT_EQ(format_duration(0.4), "0.4 s");
    EXPECT_EQ(format_duration(42), "42 s");
    EXPECT_EQ(format_duration(75.2), "1 min 15 s");
    EXPECT_EQ(format_duration(3599.7), "1 h 00 min");
    EXPECT_EQ(format_duration(2 * 3600 + 5 * 60), "2 h 05 min");
}

/// Rounding carries into the next unit.
TEST(TextTest, no_text_says_1000_of_a_unit_or_60_seconds) {
    EXPECT_EQ(format_bytes(999.7), "1.0 kB");
    EXPECT_EQ(format_bytes(999999), "1.0 MB");
    EXPECT_EQ(format_bytes(999.99e6), "1.0 GB");
    EXPECT_EQ(format_duration(59.7), "1 min 00 s");
    EXPECT_EQ(format_count(999999), "1 M");
}

TEST(TextTest, sparklines_run_from_the_lowest_to_the_highest_block) {
    const std::vector<double> rise{0, 1, 2, 3, 4, 5, 6, 7}, flat{3, 3, 3};
    EXPECT_EQ(sparkline(rise, 8), "▁▂▃▄▅▆▇█");
    EXPECT_EQ(sparkline(rise, 2), "▁▅");
    EXPECT_EQ(sparkline(flat, 8), "▁▁▁");
    EXPECT_EQ(sparkline({}, 8), "");
    EXPECT_EQ(sparkline(rise, 0), "");
}

/// A diverged run reports what it has.
TEST(TextTest, sparklines_survive_values_that_are_not_numbers) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(sparkline(std::vector<double>{0, nan, 7}, 3), "▁▁█");
    EXPECT_EQ(sparkline(std::vector<double>{nan, 0, 7}, 3), "▁▁█");
    EXPECT_EQ(sparkline(std::vector<double>{0, infinity, 7}, 3).size(), 9u);
}

SceneProblem problem(const char* file, int line, int column, const char* text) {
    SceneProblem problem;
    problem.where = {file, line, column};
    problem.text = text;
    return problem;
}

TEST(ErrorsTest, scene_problems_say_file_line_and_column) {
    EXPECT_EQ(problem("dam.toml", 3, 1, "unknown key").message(), "dam.toml:3:1: unknown key");
    EXPECT_EQ(problem("--set", 0, 0, "unknown key").message(), "--set: unknown key");
    EXPECT_EQ(problem("", 0, 0, "unknown key").message(), "unknown key");
    const SceneError error({problem("a.toml", 1, 2, "one"), problem("a.toml", 4, 5, "two")});
    EXPECT_STREQ(error.what(), "a.toml:1:2: one\na.toml:4:5: two");
    EXPECT_EQ(error.problems().size(), 2u);
    EXPECT_EQ(error.code(), ExitCode::invalid_scene);
}

TEST(ErrorsTest, every_error_has_its_exit_code) {
    EXPECT_EQ(UsageError("").code(), ExitCode::usage);
    EXPECT_EQ(OutOfMemoryError("").code(), ExitCode::out_of_resources);
    EXPECT_EQ(DivergedError("").code(), ExitCode::diverged);
    EXPECT_EQ(InterruptedError("").code(), ExitCode::interrupted);
    using Kind = IoError::Kind;
    EXPECT_EQ(IoError(Kind::missing, "p", "").code(), ExitCode::input);
    EXPECT_EQ(IoError(Kind::corrupt, "p", "").code(), ExitCode::input);
    EXPECT_EQ(IoError(Kind::disk_full, "p", "").code(), ExitCode::out_of_resources);
    EXPECT_EQ(IoError(Kind::permission, "p", "").code(), ExitCode::failure);
    EXPECT_STREQ(IoError(Kind::missing, "caches/dam", "cannot open").what(), "caches/dam: cannot open");
}

TEST(ErrorsTest, broken_checks_name_the_condition_and_the_place) {
    const int answer = 41;
    EXPECT_NO_THROW(SPINDRIFT_CHECK(answer == 41));
    try {
        SPINDRIFT_CHECK(answer == 42);
        FAIL();
    } catch (const std::logic_error& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("answer == 42"), std::string::npos) << text;
        EXPECT_NE(text.find("words_test.cpp:"), std::string::npos) << text;
    }
}

TEST(LogTest, messages_go_to_the_sink_installed_last) {
    std::vector<std::pair<LogLevel, std::string>> messages;
    const LogSink outer =
        set_log_sink([&](LogLevel level, const std::string& text) { messages.emplace_back(level, text); });
    log_info("one");
    log_warning("two");
    log_message(LogLevel::error, "three");
    LogSink mine = set_log_sink({});
    log_info("to nobody");
    set_log_sink(std::move(mine));
    log_info("four");
    set_log_sink(outer);

    ASSERT_EQ(messages.size(), 4u);
    EXPECT_EQ(messages[0], std::pair(LogLevel::info, std::string("one")));
    EXPECT_EQ(messages[1], std::pair(LogLevel::warning, std::string("two")));
    EXPECT_EQ(messages[2], std::pair(LogLevel::error, std::string("three")));
    EXPECT_EQ(messages[3].second, "four");
}

TEST(ProgressTest, silent_progress_stops_when_told) {
    SilentProgress progress;
    progress.report(1, 2, "");
    EXPECT_FALSE(progress.interrupted());
    progress.stop = true;
    EXPECT_TRUE(progress.interrupted());
}

TEST(IsaTest, names_are_those_users_write) {
    EXPECT_EQ(isa_name(Isa::sse42), "sse42");
    EXPECT_EQ(isa_name(Isa::avx2), "avx2");
    EXPECT_EQ(isa_name(Isa::avx512), "avx512");
}

#ifndef SPINDRIFT_PINNED_ISA
/// The choice is made once, so each wish needs its own process.
int isa_chosen_for(const char* wish) {
    setenv("SPINDRIFT_ISA", wish, 1);
    return static_cast<int>(active_isa());
}

TEST(IsaDeathTest, a_wish_the_machine_can_fulfil_is_honoured_and_others_are_not) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_EXIT(std::exit(isa_chosen_for("sse42")), testing::ExitedWithCode(static_cast<int>(Isa::sse42)), "");
    // What the machine has without a wish; a nonsense wish changes nothing.
    EXPECT_EXIT(std::exit(unsetenv("SPINDRIFT_ISA") == 0 && active_isa() == Isa{isa_chosen_for("sse9")} ? 0 : 1),
                testing::ExitedWithCode(0), "");
    if (__builtin_cpu_supports("avx2")) {
        EXPECT_EXIT(std::exit(isa_chosen_for("avx2")), testing::ExitedWithCode(static_cast<int>(Isa::avx2)), "");
    }
    if (!__builtin_cpu_supports("avx512f")) {
        EXPECT_EXIT(std::exit(isa_chosen_for("avx512") < static_cast<int>(Isa::avx512) ? 0 : 1),
                    testing::ExitedWithCode(0), "");
    }
}
#endif

TEST(VersionTest, program_version_is_that_of_the_project) {
    EXPECT_EQ(program_version, SPINDRIFT_VERSION);
}

}  // namespace
}  // namespace spindrift
