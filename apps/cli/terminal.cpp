#include "cli/terminal.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "cli/json.h"
#include "cli/signals.h"
#include "cli/visible_text.h"
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/text.h"

namespace spindrift::cli {

namespace {

constexpr const char *red = "31", *yellow = "33";
constexpr int bar_width = 20;

std::size_t terminal_width() {
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
    return size.ws_col;
}

std::string level_name(LogLevel level) {
    return level == LogLevel::info ? "info" : level == LogLevel::warning ? "warning" : "error";
}

/// Some can only print one line below the other.
bool can_rewrite() {
    const char* kind = std::getenv("TERM");
    return isatty(STDERR_FILENO) != 0 && !(kind && std::string_view(kind) == "dumb");
}

}  // namespace

Terminal::Terminal()
    : is_terminal_(can_rewrite()),
      has_colors_(is_terminal_ && !std::getenv("NO_COLOR")),
      last_report_(std::chrono::steady_clock::now()) {}

void Terminal::configure(const TerminalStyle& style) {
    style_ = style;
    if (style.json)
        say_when_stopping(
            "{\"event\":\"log\",\"level\":\"info\",\"text\":\"stopping, a second signal ends it at once\"}\n");
    else if (style.quiet)
        say_when_stopping("");
    else if (is_terminal_)
        say_when_stopping("\nspindrift: stopping, press again to leave at once\n");
}

bool Terminal::interrupted() const {
    return stop_requested();
}

void Terminal::report(std::size_t done, std::size_t total, const std::string& detail) {
    const std::lock_guard lock(mutex_);
    const double left = seconds_left(done, total);
    const double share = static_cast<double>(done) / static_cast<double>(std::max<std::size_t>(1, total));
    if (style_.json) {
        std::vector<std::pair<std::string, Value>> members = {{"event", Value("progress")},
                                                              {"done", json_count(done)},
                                                              {"total", json_count(total)},
                                                              {"percent", Value(100 * share)},
                                                              {"detail", Value(detail)}};
        // Before the first item is done nobody knows.
        if (left > 0 || done >= total) members.emplace_back("seconds_left", Value(left));
        return write_line(json_line(json_table(members)));
    }
    if (style_.quiet) return;
    const std::string time = done < total && left > 0 ? format_duration(left) + " left" : "";
    // Where a line is cut off, the time that is left stays.
    if (is_terminal_) return rewrite_line(share, time.empty() ? detail : fmt::format("{}  {}", time, detail));
    write_line(
        fmt::format("Progress: {:.1f}% {}{}{}", 100 * share, visible_text(detail), time.empty() ? "" : "  ", time));
}

/// By the pace of the last few items: frames of a splash cost more than those before it.
double Terminal::seconds_left(std::size_t done, std::size_t total) {
    constexpr double newest_share = 0.25;
    // Parts of an item say how long the rest of it takes themselves.
    if (done == last_done_ && done < total) return seconds_per_item_ * static_cast<double>(total - done);
    const auto now = std::chrono::steady_clock::now();
    const double elapsed = std::chrono::duration<double>(now - last_report_).count();
    const bool first = seconds_per_item_ == 0;
    // A run that goes on begins in the middle; what came before was not done just now.
    const double items = first || done <= last_done_ ? 1 : static_cast<double>(done - last_done_);
    const double pace = elapsed / items;
    seconds_per_item_ = first ? pace : seconds_per_item_ + newest_share * (pace - seconds_per_item_);
    last_report_ = now;
    last_done_ = done;
    return seconds_per_item_ * static_cast<double>(total - std::min(done, total));
}

void Terminal::rewrite_line(double share, const std::string& text) {
    const auto filled = static_cast<std::size_t>(share * bar_width);
    std::string line = fmt::format("[{}{}] {:3.0f}%  {}", std::string(filled, '#'),
                                   std::string(bar_width - filled, '.'), 100 * share, visible_text(text));
    line.resize(std::min(line.size(), std::max<std::size_t>(terminal_width(), 2) - 1));
    fmt::print(stderr, "\r\x1b[K{}", line);
    std::fflush(stderr);
    line_open_ = true;
    if (share >= 1) end_line();
}

void Terminal::end_line() {
    if (line_open_) std::fputc('\n', stderr);
    line_open_ = false;
}

void Terminal::write_line(const std::string& text) {
    end_line();
    const std::string line = text + '\n';
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fflush(stderr);
}

void Terminal::log(LogLevel level, const std::string& text) {
    const std::lock_guard lock(mutex_);
    if (style_.json) {
        return write_line(json_line(
            json_table({{"event", Value("log")}, {"level", Value(level_name(level))}, {"text", Value(text)}})));
    }
    if (level == LogLevel::info && style_.quiet) return;
    const std::string shown = visible_text(text);
    write_line(level == LogLevel::info ? shown : colored(yellow, level_name(level) + ": ") + shown);
}

void Terminal::fail(ExitCode code, const std::string& text) {
    const std::lock_guard lock(mutex_);
    if (style_.json) {
        return write_line(json_line(json_table(
            {{"event", Value("error")}, {"code", Value(static_cast<std::int64_t>(code))}, {"text", Value(text)}})));
    }
    // Every problem of a scene has its line, and each says whose words it is.
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t to = std::min(text.find('\n', from), text.size());
        write_line(colored(code == ExitCode::interrupted ? yellow : red, "spindrift: ") +
                   visible_text(text.substr(from, to - from)));
        from = to + 1;
    }
}

void Terminal::event(const std::string& json) {
    const std::lock_guard lock(mutex_);
    if (style_.json) write_line(json);
}

void Terminal::print(std::string_view text) {
    const std::lock_guard lock(mutex_);
    end_line();
    // Programs that read it get names as they are.
    const std::string shown = isatty(STDOUT_FILENO) != 0 ? visible_text(text) : std::string(text);
    errno = 0;
    const bool written = std::fwrite(shown.data(), 1, shown.size(), stdout) == shown.size() && std::fflush(stdout) == 0;
    // A reader that has seen enough, as `head`, is no failure.
    if (!written && errno != EPIPE) throw write_error("standard output", errno);
}

std::string Terminal::colored(const char* code, const std::string& text) const {
    return has_colors_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

std::string shell_word(const std::string& text) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+,:@%=";
    if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
    std::string quoted = "'";
    for (const char c : text)
        quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return quoted + "'";
}

}  // namespace spindrift::cli
