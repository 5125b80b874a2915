#include "spindrift/bodies/soft/envelope_matrix.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace spindrift::bodies {

namespace {

/// Four sums side by side keep the processor busy; their order is fixed.
double product(const double* a, const double* b, std::size_t count) {
    double sum[4] = {};
    std::size_t k = 0;
    for (; k + 4 <= count; k += 4) {
        for (std::size_t lane = 0; lane < 4; ++lane)
            sum[lane] += a[k + lane] * b[k + lane];
    }
    for (; k < count; ++k)
        sum[0] += a[k] * b[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace

EnvelopeMatrix::EnvelopeMatrix(std::vector<std::size_t> first) : first_(std::move(first)) {
    std::size_t end = 0;
    for (std::size_t row = 0; row < first_.size(); ++row) {
        start_.push_back(static_cast<std::ptrdiff_t>(end) - static_cast<std::ptrdiff_t>(first_[row]));
        end += row + 1 - first_[row];
    }
    values_.assign(end, 0.0);
}

void EnvelopeMatrix::factor() {
    for (std::size_t row = 0; row < size(); ++row) {
        double* a = values_.data() + start_[row];
        for (std::size_t column = first_[row]; column <= row; ++column) {
            const double* b = values_.data() + start_[column];
            const std::size_t from = std::max(first_[row], first_[column]);
            const double left = a[column] - product(a + from, b + from, column - from);
            a[column] = column == row ? std::sqrt(left) : left / b[column];
        }
    }
}

void EnvelopeMatrix::solve(std::span<double> x) const {
    for (std::size_t row = 0; row < size(); ++row) {
        const double* a = values_.data() + start_[row];
        x[row] = (x[row] - product(a + first_[row], x.data() + first_[row], row - first_[row])) / a[row];
    }
    for (std::size_t row = size(); row-- > 0;) {
        const double* a = values_.data() + start_[row];
        x[row] /= a[row];
        for (std::size_t column = first_[row]; column < row; ++column)
            x[column] -= a[column] * x[row];
    }
}

}  // namespace spindrift::bodies
