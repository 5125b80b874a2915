#include "cli/whitewater.h"

#include "cli/commands.h"
#include "cli/inputs.h"
#include <fmt/format.h>

#include "spindrift/core/parallel.h"
#include "spindrift/core/text.h"
#include "spindrift/stages/whitewater/whitewater_stage.h"

namespace spindrift::cli {

namespace {

using whitewater::Potential;

std::string summary(const stages::WhitewaterReport& report) {
    std::string text = fmt::format(
        "{} frames of whitewater made in {}{} -> {}\n", report.made, format_duration(report.seconds),
        report.reused > 0 ? fmt::format(", {} were up to date", report.reused) : "", report.folder.string());
    if (!report.records.empty())
        text += fmt::format("frame {}: {}\n", report.records.back().frame, stages::describe(report.records.back()));
    return text;
}

constexpr std::array<const char*, whitewater::potential_count> units{"", "m/s", "1/m", "m/s"};

/// What each frame would bear, and what the potentials are like, for who sets limits.
std::string emission_table(const std::vector<stages::EmissionRecord>& records, const Scene& scene) {
    const whitewater::WhitewaterParams params = scene.whitewater.value_or(whitewater::WhitewaterParams{});
    std::string text = "frame  would be born";
    for (std::size_t k = 0; k < whitewater::potential_count; ++k)
        text += fmt::format("  {:>12}", enum_words(Potential{})[k]);
    double all = 0;
    for (const stages::EmissionRecord& record : records) {
        double sum = 0;
        for (const double each : record.born)
            sum += each;
        all += sum;
        text += fmt::format("\n{:>5}  {:>13}", record.frame, format_count(sum));
        for (const double each : record.born)
            text += fmt::format("  {:>12}", format_count(each));
    }
    text += fmt::format("\n{} in {} frames\n", format_count(all), records.size());
    if (records.empty()) return text;
    const stages::EmissionRecord& last = records.back();
    text += fmt::format("\nframe {}: what particles that are fast enough have\n{:14} {:>10} {:>10} {:>10}  {}\n",
                        last.frame, "potential", "half below", "99 % below", "largest", "particles that give");
    for (std::size_t k = 0; k < whitewater::potential_count; ++k) {
        const whitewater::PotentialRange& range = last.ranges[k];
        text += fmt::format("{:14} {:>10.3g} {:>10.3g} {:>10.3g}  {} of {}{}\n",
                            fmt::format("{} {}", enum_words(Potential{})[k], units[k]), range.typical, range.high,
                            range.largest, range.giving, last.particles,
                            params.has(static_cast<Potential>(k)) ? "" : " (not among whitewater.causes)");
    }
    return text;
}

void preview(const WhitewaterCommand& command, const DrawnCache& drawn, Terminal& terminal) {
    const auto records = stages::preview_emission(
        drawn.scene, {drawn.folder, command.source.first, command.source.last, command.output}, terminal);
    for (const stages::EmissionRecord& record : records)
        terminal.event(fmt::format(R"({{"event":"emission","frame":{},"born":[{},{},{},{}]}})", record.frame,
                                   record.born[0], record.born[1], record.born[2], record.born[3]));
    if (!terminal.style().quiet) terminal.print(emission_table(records, drawn.scene));
}

}  // namespace

void make_whitewater(const Scene& scene, const stages::WhitewaterOptions& options, Terminal& terminal) {
    const stages::WhitewaterReport report = stages::whitewater_cache(scene, options, terminal);
    for (const stages::WhitewaterRecord& record : report.records)
        terminal.event(fmt::format(R"({{"event":"whitewater","whitewater":{}}})", stages::to_json(record)));
    if (!terminal.style().quiet) terminal.print(summary(report));
}

void whitewater(const WhitewaterCommand& command, Terminal& terminal) {
    const ThreadLimit threads(command.threads);
    const DrawnCache drawn = open_drawn(command.source);
    if (command.emission) return preview(command, drawn, terminal);
    make_whitewater(drawn.scene, {drawn.folder, command.source.first, command.source.last, command.output}, terminal);
}

}  // namespace spindrift::cli
