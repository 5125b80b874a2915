#include "state_edits.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static spindrift::fuzz::StateFuzz state(R"(frames = [1, 4]
        solver = "flip"
        flip.narrow_band = 3
        [domain]
        box = [[0, 0, 0], [0.2, 0.4, 0.2]]
        [[liquid]]
        spacing = 0.04
        fill = { box = [[0, 0, 0], [0.2, 0.3, 0.2]] }
        )",
                                            "core");
    return state.go_on(data, size);
}
