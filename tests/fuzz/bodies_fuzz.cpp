#include "state_edits.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static spindrift::fuzz::StateFuzz state(R"(frames = [1, 4]
        [domain]
        box = [[0, 0, 0], [0.2, 0.3, 0.2]]
        [[liquid]]
        spacing = 0.05
        fill = { box = [[0, 0, 0], [0.2, 0.05, 0.2]] }
        [[body]]
        box = [[-0.04, -0.04, -0.04], [0.04, 0.04, 0.04]]
        position = [0.1, 0.08, 0.1]
        density = 500
        [[body]]
        name = "cloth"
        kind = "cloth"
        sheet = { size = [0.1, 0.1], cells = 3 }
        position = [0.1, 0.2, 0.1]
        )",
                                            "bodies");
    return state.go_on(data, size);
}
