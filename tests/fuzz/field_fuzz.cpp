#include <algorithm>
#include <cstring>
#include <vector>

#include "support.h"

#include "spindrift/collision/fields/distance_field.h"
#include "spindrift/collision/fields/field_cache.h"
#include "spindrift/core/hash.h"

namespace {

template <class T>
T number_at(const std::vector<std::uint8_t>& bytes, std::size_t place) {
    T number;
    std::memcpy(&number, bytes.data() + place, sizeof number);
    return number;
}

/// Files end with a hash of what is before it, array by array: without the right one nobody looks at the rest.
void settle_hash(std::vector<std::uint8_t>& bytes) {
    constexpr std::size_t header = 80, bricks_at = 40, note_at = 52, count_at = 64;
    if (bytes.size() < header + 8) return;
    std::size_t left = bytes.size() - header - 8, at = header;
    std::uint64_t blocks = 1;
    for (int a = 0; a < 3; ++a)
        blocks *= number_at<std::uint32_t>(bytes, bricks_at + 4 * static_cast<std::size_t>(a)) & 0xffff;
    const std::uint64_t nodes = number_at<std::uint64_t>(bytes, count_at) * spindrift::collision::brick_nodes * 4;
    spindrift::Hash64 hash;
    hash.add(bytes.data(), header);
    for (const std::uint64_t wanted :
         {std::uint64_t{number_at<std::uint32_t>(bytes, note_at)}, blocks * 4, nodes, ~std::uint64_t{0}}) {
        const std::size_t size = std::min<std::uint64_t>(wanted, left);
        hash.add(bytes.data() + at, size);
        at += size;
        left -= size;
    }
    const std::uint64_t value = hash.value();
    std::memcpy(bytes.data() + bytes.size() - 8, &value, 8);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace spindrift;
    static const fuzz::InputFile file("field");
    std::vector<std::uint8_t> bytes(data, data + size);
    settle_hash(bytes);
    return fuzz::may_refuse([&] {
        const std::optional<collision::Field> field = collision::read_field(file.with(bytes.data(), bytes.size()));
        if (!field) return;
        for (int i = 0; i < 64; ++i) {
            const auto along = [&](int a, int k) { return static_cast<float>(field->bricks[a] * k); };
            collision::sample_distance(field->view(), {along(0, i & 7), along(1, i >> 3), along(2, (i * 5) & 7)});
        }
    });
}
