#pragma once
// Words and numbers of a text, one after the other.
//
//   TextScanner scanner("vertex 1 2.5 -3e2");
//   scanner.word();                              // "vertex"
//   std::optional<double> x = scanner.number();  // 1

#include <cstddef>
#include <optional>
#include <string_view>

namespace spindrift::geometry {

class TextScanner {
  public:
    explicit TextScanner(std::string_view text) : text_(text) {}

    /// The next word; empty at the end.
    std::string_view word();
    /// The next word as a number; none if it is not one. Numbers too large become infinite.
    std::optional<double> number();
    void skip_line();

    std::size_t position() const { return at_; }
    std::size_t left() const { return text_.size() - at_; }

  private:
    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace spindrift::geometry
