#pragma once
// A stable sort of items that have a number, twelve bits at a time, cut into pieces by index alone.
//
//   sort_by_bits(items, 24, [](const Item& item) { return item.number; });    // by the lowest 24 bits

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "spindrift/core/buffer.h"
#include "spindrift/core/parallel.h"

namespace spindrift::whitewater {

template <class Item, class Number>
void sort_by_twelve_bits(Buffer<Item>& items, Buffer<Item>& other, int shift, const Number& number) {
    constexpr std::size_t bins = 4096, piece = 16384;
    const auto bin = [&](const Item& item) { return static_cast<std::size_t>(number(item) >> shift) & (bins - 1); };
    std::vector<std::array<std::uint32_t, bins>> place(chunk_count(items.size(), piece));
    parallel_for(place.size(), 1, [&](Range range) {
        for (const std::size_t p : range) {
            place[p].fill(0);
            for (const std::size_t i : chunk_range(p, items.size(), piece))
                place[p][bin(items[i])] += 1;
        }
    });
    std::uint32_t sum = 0;
    for (std::size_t b = 0; b < bins; ++b) {
        for (auto& of_piece : place)
            sum += std::exchange(of_piece[b], sum);
    }
    parallel_for(place.size(), 1, [&](Range range) {
        for (const std::size_t p : range) {
            for (const std::size_t i : chunk_range(p, items.size(), piece))
                other[place[p][bin(items[i])]++] = items[i];
        }
    });
    items.swap(other);
}

/// By the lowest `bits` of number(item), of 64 at most.
template <class Item, class Number>
void sort_by_bits(Buffer<Item>& items, int bits, const Number& number) {
    Buffer<Item> other("whitewater");
    other.resize(items.size());
    for (int shift = 0; shift < bits; shift += 12)
        sort_by_twelve_bits(items, other, shift, number);
}

}  // namespace spindrift::whitewater
