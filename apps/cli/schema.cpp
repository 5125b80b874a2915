#include "cli/commands.h"

#include "spindrift/core/atomic_file.h"
#include "spindrift/scene/scene.h"

namespace spindrift::cli {

void schema(const SchemaCommand& command, Terminal& terminal) {
    const std::string text = command.docs ? parameter_reference() : scene_schema();
    if (command.output.empty()) return terminal.print(text);
    write_file(command.output, text);
}

}  // namespace spindrift::cli
