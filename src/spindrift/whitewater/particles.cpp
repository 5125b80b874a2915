#include "spindrift/whitewater/particles.h"

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "spindrift/core/parallel.h"

namespace spindrift::whitewater {

void Particles::resize(std::size_t size) {
    for_each([&](auto& array) { array.resize(size); });
}

void Particles::arrange(const Buffer<std::uint32_t>& order) {
    // One array after the other through the same memory.
    scratch_.renew(order.size());
    for_each([&](auto& array) {
        using T = std::remove_pointer_t<decltype(array.data())>;
        static_assert(sizeof(T) <= sizeof(Vec3f));
        std::byte* const sorted = reinterpret_cast<std::byte*>(scratch_.data());
        parallel_for(order.size(), [&](Range range) {
            for (const std::size_t i : range)
                std::memcpy(sorted + i * sizeof(T), array.data() + order[i], sizeof(T));
        });
        array.resize(order.size());
        parallel_for(order.size(), [&](Range range) {
            std::memcpy(array.data() + range.first, sorted + range.first * sizeof(T), range.size() * sizeof(T));
        });
    });
}

}  // namespace spindrift::whitewater
