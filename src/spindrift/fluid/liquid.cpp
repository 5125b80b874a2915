#include "spindrift/fluid/liquid.h"

#include <algorithm>

#include "spindrift/core/errors.h"

namespace spindrift::fluid {

double finest_spacing(const std::vector<Liquid>& liquids) {
    SPINDRIFT_CHECK(!liquids.empty());
    double finest = liquids[0].spacing;
    for (const Liquid& liquid : liquids)
        finest = std::min(finest, liquid.spacing);
    return finest;
}

double largest_support(const std::vector<Liquid>& liquids) {
    SPINDRIFT_CHECK(!liquids.empty());
    double largest = 0;
    for (const Liquid& liquid : liquids)
        largest = std::max(largest, liquid.support_radius());
    return largest;
}

}  // namespace spindrift::fluid
