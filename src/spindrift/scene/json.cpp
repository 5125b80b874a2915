#include "spindrift/scene/json.h"

#include <nlohmann/json.hpp>

namespace spindrift {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Value& value);

struct Convert {
    Json operator()(Value::Null) const { return nullptr; }
    Json operator()(const Value::Array& items) const {
        Json array = Json::array();
        for (const Value& item : items)
            array.push_back(to_json(item));
        return array;
    }
    Json operator()(const Value::Table& members) const {
        Json object = Json::object();
        for (const Value::Member& member : members)
            object[member.key] = to_json(member.value);
        return object;
    }
    template <class T>
    Json operator()(const T& plain) const {
        return plain;
    }
};

Json to_json(const Value& value) {
    return std::visit(Convert{}, value.data);
}

}  // namespace

std::string json_text(const Value& value) {
    return to_json(value).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace spindrift
