#include "spindrift/core/errors.h"

#include <fmt/format.h>

namespace spindrift {

namespace {

std::string join(const std::vector<SceneProblem>& problems) {
    std::string text;
    for (const SceneProblem& problem : problems) {
        if (!text.empty()) text += '\n';
        text += problem.message();
    }
    return text;
}

ExitCode exit_code(IoError::Kind kind) {
    switch (kind) {
        case IoError::Kind::missing:
        case IoError::Kind::corrupt:
            return ExitCode::input;
        case IoError::Kind::disk_full:
            return ExitCode::out_of_resources;
        default:
            return ExitCode::failure;
    }
}

}  // namespace

std::string SceneProblem::message() const {
    if (where.file.empty()) return text;
    if (where.line == 0) return fmt::format("{}: {}", where.file, text);
    return fmt::format("{}:{}:{}: {}", where.file, where.line, where.column, text);
}

SceneError::SceneError(std::vector<SceneProblem> problems)
    : Error(ExitCode::invalid_scene, join(problems)), problems_(std::move(problems)) {}

IoError::IoError(Kind kind, const std::filesystem::path& path, const std::string& text)
    : Error(exit_code(kind), fmt::format("{}: {}", path.string(), text)), kind_(kind) {}

void check_failed(const char* condition, const char* file, int line) {
    throw std::logic_error(fmt::format("internal error: {} at {}:{}", condition, file, line));
}

}  // namespace spindrift
