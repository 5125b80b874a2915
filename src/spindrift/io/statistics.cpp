#include "spindrift/io/statistics.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/descriptor.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/log.h"
#include "spindrift/io/format_problem.h"
#include "spindrift/io/json_forms.h"

namespace spindrift::io {

namespace fs = std::filesystem;

namespace {

struct Line {
    std::string_view text;
    FrameStatistics statistics;
};

/// The lines that end; what follows the last line break was never finished.
std::vector<Line> parse_lines(std::string_view content, const fs::path& path, DamagedLines damaged) {
    std::vector<Line> lines;
    int number = 0;
    for (std::size_t end; (end = content.find('\n')) != std::string_view::npos; content.remove_prefix(end + 1)) {
        const std::string_view text = content.substr(0, end);
        ++number;
        try {
            lines.push_back({text, statistics_from_json(text)});
        } catch (const FormatProblem& problem) {
            const std::string words = fmt::format("line {} is damaged: {}", number, problem.what());
            if (damaged == DamagedLines::refuse) throw IoError(IoError::Kind::corrupt, path, words);
            log_warning(fmt::format("{}: {}; it is left out", path.string(), words));
        }
    }
    return lines;
}

/// Shortens the file to its finished lines.
void cut_unfinished_line(int descriptor, const fs::path& path) {
    struct stat status {};
    if (fstat(descriptor, &status) != 0) throw write_error(path, errno);
    char last = '\n';
    if (status.st_size > 0 && pread(descriptor, &last, 1, status.st_size - 1) != 1) throw read_error(path, errno);
    if (last == '\n') return;
    const std::size_t finished = read_file(path).rfind('\n') + 1;
    if (ftruncate(descriptor, static_cast<off_t>(finished)) != 0) throw write_error(path, errno);
}

}  // namespace

FrameStatistics parse_statistics(std::string_view line, const fs::path& source) try {
    return statistics_from_json(line);
} catch (const FormatProblem& problem) {
    throw IoError(IoError::Kind::corrupt, source, fmt::format("the line is damaged: {}", problem.what()));
}

void append_statistics(const fs::path& path, const FrameStatistics& statistics) {
    const std::string line = to_json_line(statistics) + '\n';
    const Descriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
    if (file.get() < 0) throw write_error(path, errno, line.size());
    cut_unfinished_line(file.get(), path);
    if (!write_all(file.get(), line.data(), line.size())) throw write_error(path, errno, line.size());
}

std::vector<FrameStatistics> read_statistics(const fs::path& path, DamagedLines damaged) {
    const std::string content = read_file(path);
    std::vector<FrameStatistics> all;
    for (Line& line : parse_lines(content, path, damaged))
        all.push_back(std::move(line.statistics));
    return all;
}

void drop_statistics_from(const fs::path& path, int frame) {
    if (std::error_code error; !fs::exists(path, error)) return;
    const std::string content = read_file(path);
    std::string kept;
    for (const Line& line : parse_lines(content, path, DamagedLines::leave_out)) {
        if (line.statistics.frame < frame) kept.append(line.text).append("\n");
    }
    if (kept != content) write_file(path, kept);
}

}  // namespace spindrift::io
