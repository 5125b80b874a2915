#include "bench.h"

#include <algorithm>
#include <numeric>

namespace spindrift::cli {

Scene bench_scene(const Box3d& domain, const Box3d& liquid, double spacing) {
    Scene scene;
    scene.domain.emplace();
    scene.domain->box = domain;
    scene.liquid.emplace_back();
    scene.liquid[0].spacing = spacing;
    scene.liquid[0].fill.emplace_back();
    scene.liquid[0].fill[0].box = liquid;
    return scene;
}

Spread spread_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return {values.front(), 0.5 * (values[(n - 1) / 2] + values[n / 2]),
            std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(n)};
}

}  // namespace spindrift::cli
