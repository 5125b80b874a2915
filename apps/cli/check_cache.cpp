#include <algorithm>
#include <optional>

#include "cli/commands.h"
#include <fmt/format.h>

#include "spindrift/cache/scene_copy.h"
#include "spindrift/cache/verify.h"
#include "spindrift/core/text.h"
#include "spindrift/io/statistics.h"

namespace spindrift::cli {

namespace {

namespace fs = std::filesystem;
using cache::CacheCheck;

/// Files and problems that are told one by one.
constexpr std::size_t most_told = 20;

std::size_t faults_of(const CacheCheck& check, const std::string& series) {
    return static_cast<std::size_t>(std::ranges::count(check.faults, series, &cache::FileFault::series));
}

std::string series_lines(const CacheCheck& check) {
    std::string text;
    for (const cache::SeriesCheck& row : check.series) {
        const std::size_t faults = faults_of(check, row.series);
        text += fmt::format("{:<16} {:>6} file{} {:>10}  {}{}\n", row.series, row.files, row.files == 1 ? " " : "s",
                            format_bytes(static_cast<double>(row.bytes)),
                            faults == 0 ? "as written" : fmt::format("{} damaged or missing", faults),
                            row.outdated == 0 ? "" : fmt::format(", {} stale: made of other particles", row.outdated));
    }
    return text;
}

template <class Items, class Print>
std::string list(const Items& items, const Print& print) {
    std::string text;
    for (std::size_t i = 0; i < std::min(items.size(), most_told); ++i)
        text += print(items[i]);
    if (items.size() > most_told) text += fmt::format("  and {} more\n", items.size() - most_told);
    return text;
}

/// Who makes files of a series again.
std::string maker_of(const std::string& series) {
    for (const char* made : {cache::series::mesh, cache::series::surface}) {
        if (series.starts_with(made)) return "mesh";
    }
    for (const char* made : {cache::series::preview, cache::series::turntable}) {
        if (series.starts_with(made)) return "render";
    }
    for (const char* made : {cache::series::whitewater, cache::series::mist}) {
        if (series.starts_with(made)) return "whitewater";
    }
    return "resume";
}

std::string advice(const CacheCheck& check, const std::string& folder, bool removed) {
    std::vector<std::string> verbs;
    for (const cache::FileFault& fault : check.faults) {
        const std::string verb = fmt::format("`spindrift {} {}`", maker_of(fault.series), shell_word(folder));
        if (std::ranges::find(verbs, verb) == verbs.end()) verbs.push_back(verb);
    }
    std::string text = removed ? "they are removed; make them again with "
                               : fmt::format("remove them with `spindrift check {} --remove` and make them again with ",
                                             shell_word(folder));
    for (std::size_t i = 0; i < verbs.size(); ++i)
        text += (i == 0 ? "" : ", ") + verbs[i];
    return text;
}

/// What a cache needs beside the files that its manifest names.
std::vector<std::string> other_problems(const cache::Cache& cache) {
    std::vector<std::string> problems;
    const auto look = [&](const auto& read) {
        try {
            read();
        } catch (const InterruptedError&) {
            throw;
        } catch (const Error& error) {
            problems.emplace_back(error.what());
        }
    };
    look([&] { cache::load_cached_scene(cache.folder()); });
    const fs::path statistics = cache.folder() / io::statistics_file;
    look([&] {
        if (!cache.frames(cache::series::particles).empty()) io::read_statistics(statistics);
    });
    return problems;
}

void remove_files(const cache::Cache& cache, const CacheCheck& check) {
    for (const cache::FileFault& fault : check.faults) {
        std::error_code error;
        fs::remove(cache.path(fault.entry), error);
        if (error) throw write_error(cache.path(fault.entry), error.value());
    }
}

}  // namespace

void check_cache(const CheckCommand& command, Terminal& terminal) {
    const fs::path& folder = command.source.path;
    const cache::Cache cache = command.remove ? cache::Cache::open_to_write(folder) : cache::Cache::open(folder);
    const CacheCheck check = cache::check_files(cache, terminal);
    const std::vector<std::string> others = other_problems(cache);
    std::string text = series_lines(check);
    text += list(check.faults,
                 [](const cache::FileFault& fault) { return fmt::format("  {} {}\n", fault.entry.file, fault.text); });
    text += list(others, [](const std::string& problem) { return fmt::format("  {}\n", problem); });
    if (!check.strangers.empty())
        text += fmt::format("{} file{} there that the cache does not name, as {}\n", check.strangers.size(),
                            check.strangers.size() == 1 ? " is" : "s are", check.strangers.front().string());
    if (check.faults.empty() && others.empty())
        return terminal.print(fmt::format("{}{}: ok: all files are what was written\n", text, folder.string()));
    terminal.print(text);
    if (check.faults.empty())
        throw Error(ExitCode::input,
                    fmt::format("{}: the cache is damaged, but its frames are not; `spindrift resume {}` goes "
                                "on from them and leaves out what is damaged in statistics",
                                folder.string(), shell_word(folder.string())));
    if (command.remove) remove_files(cache, check);
    throw Error(ExitCode::input, fmt::format("{}: {} file{} missing or not what was written; {}", folder.string(),
                                             check.faults.size(), check.faults.size() == 1 ? " is" : "s are",
                                             advice(check, folder.string(), command.remove)));
}

}  // namespace spindrift::cli
