#pragma once
// What the program says: results on standard output, everything else on standard error.
//
//   Terminal terminal;
//   terminal.configure({.quiet = false, .json = false});
//   terminal.report(101, 240, "frame 101/240");     // a bar on a terminal, `Progress: 42.1% frame 101/240` in a pipe
//   terminal.warn("12 particles left");
//   terminal.print("done\n");

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

#include "spindrift/core/errors.h"
#include "spindrift/core/log.h"
#include "spindrift/core/progress.h"
#include "spindrift/params/value.h"

namespace spindrift::cli {

struct TerminalStyle {
    bool quiet = false;  ///< warnings and errors only
    bool json = false;   ///< everything on standard error as JSON lines
};

class Terminal : public Progress {
  public:
    Terminal();
    void configure(const TerminalStyle& style);
    const TerminalStyle& style() const { return style_; }

    void report(std::size_t done, std::size_t total, const std::string& detail) override;
    bool interrupted() const override;

    void log(LogLevel level, const std::string& text);
    void fail(ExitCode code, const std::string& text);
    /// A JSON object on a line of its own, if the style asks for such lines.
    void event(const std::string& json);

    /// To standard output; throws IoError if it does not take it.
    void print(std::string_view text);

  private:
    double seconds_left(std::size_t done, std::size_t total);
    void rewrite_line(double share, const std::string& text);
    void end_line();
    void write_line(const std::string& text);
    std::string colored(const char* code, const std::string& text) const;

    TerminalStyle style_;
    bool is_terminal_, has_colors_;
    bool line_open_ = false;
    std::mutex mutex_;
    std::chrono::steady_clock::time_point last_report_;
    std::size_t last_done_ = 0;
    double seconds_per_item_ = 0;
};

/// A path as a shell takes it.
std::string shell_word(const std::string& text);

}  // namespace spindrift::cli
