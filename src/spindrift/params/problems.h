#pragma once
// Collects what is wrong with the user's input, so that all of it is said at once.
//
//   Problems problems;
//   problems.add(value.where, "expected a number, found a string");
//   problems.throw_if_any();

#include <cstddef>
#include <string>
#include <vector>

#include "spindrift/core/errors.h"

namespace spindrift {

/// A problem after which nothing more can be said.
[[noreturn]] void throw_problem(SourceLocation where, std::string text);

class Problems {
  public:
    void add(const SourceLocation& where, std::string text);
    std::size_t count() const { return count_; }
    /// Throws SceneError with the problems in the order of their places.
    void throw_if_any() const;

  private:
    std::vector<SceneProblem> kept_;
    std::size_t count_ = 0;
};

}  // namespace spindrift
