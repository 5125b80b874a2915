#include "spindrift/ranks/ranks.h"

#include <cmath>
#include <cstring>
#include <type_traits>

#include "spindrift/core/errors.h"

namespace spindrift::ranks {

namespace {

class Alone final : public Ranks {
  public:
    int rank() const override { return 0; }
    int size() const override { return 1; }
    std::vector<Message> exchange(std::vector<Message> out) override {
        SPINDRIFT_CHECK(out.empty());
        return {};
    }
};

}  // namespace

/// Every rank tells all others; transports that have something better override what calls this.
template <class T, class Combine>
void Ranks::combine(std::span<T> values, const Combine& combine) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (is_alone()) return;
    const std::span<const std::byte> own = std::as_bytes(values);
    std::vector<Message> out;
    for (int other = 0; other < size(); ++other) {
        if (other != rank()) out.push_back({other, {own.begin(), own.end()}});
    }
    for (const Message& message : exchange(std::move(out))) {
        SPINDRIFT_CHECK(message.bytes.size() == own.size());
        for (std::size_t k = 0; k < values.size(); ++k) {
            T other;
            std::memcpy(&other, message.bytes.data() + k * sizeof(T), sizeof(T));
            combine(values[k], other);
        }
    }
}

void Ranks::sum(std::span<ExactSum> values) {
    combine(values, [](ExactSum& a, const ExactSum& b) { a += b; });
}

void Ranks::sum(std::span<std::uint64_t> counts) {
    combine(counts, [](std::uint64_t& a, std::uint64_t b) { a += b; });
}

void Ranks::most(std::span<double> values) {
    combine(values, [](double& a, double b) {
        if (b > a || std::isnan(b)) a = b;
    });
}

void Ranks::any(std::span<std::uint64_t> bits) {
    combine(bits, [](std::uint64_t& a, std::uint64_t b) { a |= b; });
}

Ranks& alone() {
    static Alone only;
    return only;
}

}  // namespace spindrift::ranks
