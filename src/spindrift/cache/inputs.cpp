#include "spindrift/cache/inputs.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace spindrift::cache {

Inputs& Inputs::add(const std::string& name, const std::string& hash) {
    if (hash.empty()) return *this;
    hashes_[name] = hash;
    members_ += fmt::format(R"({}"{}":"{}")", members_.empty() ? "" : ",", name, hash);
    return *this;
}

std::string Inputs::hash(const std::string& name) const {
    const auto place = hashes_.find(name);
    return place != hashes_.end() ? place->second : "";
}

std::string Inputs::text(const std::string& more) const {
    return fmt::format("{{{}{}{}}}", members_, members_.empty() || more.empty() ? "" : ",", more);
}

Inputs Inputs::of(const io::FrameEntry& entry) {
    Inputs inputs;
    const nlohmann::ordered_json state = nlohmann::ordered_json::parse(entry.state, nullptr, false);
    if (!state.is_object()) return inputs;
    for (const auto& [name, value] : state.items()) {
        if (value.is_string()) inputs.add(name, value.get<std::string>());
    }
    return inputs;
}

}  // namespace spindrift::cache
