#pragma once
// Inside io only: what a parser dislikes. It does not know the file; its caller adds the path and throws an IoError.

#include <stdexcept>

namespace spindrift::io {

class FormatProblem : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace spindrift::io
