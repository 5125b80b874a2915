#include "spindrift/params/problems.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace spindrift {

namespace {

/// More than anyone reads; keeps a broken file from filling memory and screen.
constexpr std::size_t most_kept = 50;

bool stands_before(const SceneProblem& a, const SceneProblem& b) {
    return std::tie(a.where.line, a.where.column) < std::tie(b.where.line, b.where.column);
}

}  // namespace

void throw_problem(SourceLocation where, std::string text) {
    std::vector<SceneProblem> problems(1);
    problems[0].where = std::move(where);
    problems[0].text = std::move(text);
    throw SceneError(std::move(problems));
}

void Problems::add(const SourceLocation& where, std::string text) {
    if (count_++ < most_kept) kept_.push_back({where, std::move(text)});
}

void Problems::throw_if_any() const {
    if (count_ == 0) return;
    std::vector<SceneProblem> ordered = kept_;
    std::stable_sort(ordered.begin(), ordered.end(), stands_before);
    if (count_ > most_kept) {
        SceneProblem& rest = ordered.emplace_back();
        rest.text = fmt::format("and {} more", count_ - most_kept);
    }
    throw SceneError(std::move(ordered));
}

}  // namespace spindrift
