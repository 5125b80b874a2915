#include "spindrift/scene/upgrade.h"

#include <fmt/format.h>

#include "spindrift/scene/scene.h"

namespace spindrift {

// Version 1 is the first; the change from version n to n + 1 becomes a function here that is called when version <= n.
void upgrade_scene(Value& tree, Problems& problems) {
    const Value* value = tree.find("version");
    const auto* version = value ? std::get_if<std::int64_t>(&value->data) : nullptr;
    if (!version || *version <= scene_version) return;
    problems.add(value->where,
                 fmt::format("the scene is of version {}, but this program knows versions up to {}; use a "
                             "newer Spindrift, or write the scene for version {}",
                             *version, scene_version, scene_version));
    problems.throw_if_any();
}

}  // namespace spindrift
