#include "support.h"

#include "spindrift/io/format_problem.h"
#include "spindrift/io/json_forms.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace spindrift;
    return fuzz::may_refuse([&] {
        try {
            io::manifest_to_json(io::manifest_from_json(fuzz::as_text(data, size)));
        } catch (const io::FormatProblem&) {
            // Who reads the file says which it is.
        }
    });
}
