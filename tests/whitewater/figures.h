#pragma once
// What the tests of whitewater measure, printed for `scripts/cases W`.
//
//   tell({"W1", "terminal speed off by", worst, 0.02, 0.001});

#include <cstdio>

namespace spindrift::whitewater {

struct Figure {
    const char* name;
    const char* what;
    double value, good, best;  ///< at most
};

inline void tell(const Figure& figure) {
    std::printf("figure: %s: %s: %.3g: %g: %g\n", figure.name, figure.what, figure.value, figure.good, figure.best);
}

}  // namespace spindrift::whitewater
