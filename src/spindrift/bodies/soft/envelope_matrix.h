#pragma once
// Symmetric positive matrices that are empty left of an envelope, and their Cholesky factors.
//
// Source: George and Liu 1981, Computer Solution of Large Sparse Positive Definite Systems, chapter 4.
//
//   EnvelopeMatrix matrix({0, 0});                // the first column of each row that is not empty
//   matrix.at(0, 0) = matrix.at(1, 1) = 4;
//   matrix.at(1, 0) = 2;
//   matrix.factor();
//   std::vector<double> x{8, 10};
//   matrix.solve(x);                              // 1, 2

#include <cstddef>
#include <span>
#include <vector>

namespace spindrift::bodies {

class EnvelopeMatrix {
  public:
    EnvelopeMatrix() = default;
    explicit EnvelopeMatrix(std::vector<std::size_t> first);

    std::size_t size() const { return first_.size(); }
    /// Only for column <= row and within the envelope.
    double& at(std::size_t row, std::size_t column) { return values_[static_cast<std::size_t>(start_[row]) + column]; }

    void factor();
    /// Of a matrix that was factored.
    void solve(std::span<double> x) const;

  private:
    std::vector<std::size_t> first_;
    std::vector<std::ptrdiff_t> start_{};  ///< where column 0 of a row would be
    std::vector<double> values_{};
};

}  // namespace spindrift::bodies
