#include "spindrift/whitewater/particles.h"

#include <type_traits>

#include "spindrift/core/parallel.h"

namespace spindrift::whitewater {

void Particles::resize(std::size_t size) {
    for_each([&](auto& array) { array.resize(size); });
}

void Particles::arrange(const std::vector<std::uint32_t>& order) {
    for_each([&](auto& array) {
        std::remove_reference_t<decltype(array)> sorted("whitewater");
        sorted.resize(order.size());
        parallel_for(order.size(), [&](Range range) {
            for (const std::size_t i : range)
                sorted[i] = array[order[i]];
        });
        array.swap(sorted);
    });
}

}  // namespace spindrift::whitewater
