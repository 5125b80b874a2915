// The description of the scene as JSON Schema.

#include "spindrift/params/type_info.h"
#include "spindrift/scene/json.h"
#include "spindrift/scene/scene.h"

namespace spindrift {

namespace {

using Kind = TypeInfo::Kind;

Value words_array(const std::vector<std::string>& words) {
    Value::Array items;
    for (const std::string& word : words)
        items.emplace_back(word);
    return Value(std::move(items));
}

Value of_type(std::string_view type) {
    Value schema = Value::table();
    schema.set("type", Value(type));
    return schema;
}

Value fixed_array(Value item, std::int64_t count) {
    Value schema = of_type("array");
    schema.set("items", std::move(item));
    schema.set("minItems", Value(count));
    schema.set("maxItems", Value(count));
    return schema;
}

Value any_of(Value::Array choices) {
    Value schema = Value::table();
    schema.set("anyOf", Value(std::move(choices)));
    return schema;
}

Value of_words(const std::vector<std::string>& words) {
    Value schema = of_type("string");
    schema.set("enum", words_array(words));
    return schema;
}

/// Keys [frame, value] of an animated parameter.
Value keys_array(const Value& value) {
    Value key = of_type("array");
    key.set("prefixItems", Value(Value::Array{of_type("number"), value}));
    key.set("minItems", Value(std::int64_t{2}));
    key.set("maxItems", Value(std::int64_t{2}));
    Value keys = of_type("array");
    keys.set("items", std::move(key));
    keys.set("minItems", Value(std::int64_t{1}));
    return keys;
}

/// A plain value, keys with an interpolation, or keys alone.
Value animated(Value plain) {
    Value keys = keys_array(plain), properties = Value::table(), curve = of_type("object");
    properties.set("keys", keys);
    properties.set("interpolation", of_words(all_words<Interpolation>()));
    curve.set("properties", std::move(properties));
    curve.set("required", words_array({"keys"}));
    curve.set("additionalProperties", Value(false));
    return any_of({std::move(plain), std::move(curve), std::move(keys)});
}

class SchemaWriter {
  public:
    Value root(const TypeInfo& type) {
        Value schema = Value::table();
        schema.set("$schema", Value("https://json-schema.org/draft/2020-12/schema"));
        schema.set("title", Value("Spindrift scene"));
        const Value body = table(type);
        for (const Value::Member& member : *body.as_table())
            schema.set(member.key, member.value);
        schema.set("$defs", std::move(definitions_));
        return schema;
    }

  private:
    Value table(const TypeInfo& type) {
        Value schema = of_type("object"), properties = Value::table();
        std::vector<std::string> required;
        for (const ParamEntry& entry : type.members) {
            properties.set(entry.name, property(entry));
            if (entry.info.required) required.push_back(entry.name);
        }
        schema.set("properties", std::move(properties));
        if (!required.empty()) schema.set("required", words_array(required));
        schema.set("additionalProperties", Value(false));
        return schema;
    }

    Value property(const ParamEntry& entry) {
        Value schema = of(entry.type, entry);
        for (const ParamEntry& member : entry.type.members) {
            if (member.name == entry.info.shorthand) schema = any_of({of(member.type, member), std::move(schema)});
        }
        schema.set("description", Value(entry.info.text));
        if (!entry.info.unit.empty()) schema.set("x-unit", Value(entry.info.unit));
        if (!entry.fallback.is(Value::Kind::null)) schema.set("default", entry.fallback);
        if (entry.type.animatable()) schema.set("x-animatable", Value(true));
        if (!entry.info.reference.empty()) schema.set("x-reference", Value(entry.info.reference));
        // Who says nothing affects what its table does, and the simulation if that says nothing either.
        if (entry.info.affects != Affects::unsaid)
            schema.set("x-affects", words_array(affects_words(entry.info.affects)));
        return schema;
    }

    static Value number(std::string_view type, const Limits& limits) {
        Value schema = of_type(type);
        const auto bound = [type](double limit) {
            return type == "integer" ? Value(static_cast<std::int64_t>(limit)) : Value(limit);
        };
        if (limits.has_lo()) schema.set(limits.above_lo ? "exclusiveMinimum" : "minimum", bound(limits.lo));
        if (limits.has_hi()) schema.set("maximum", bound(limits.hi));
        return schema;
    }

    static Value numbers(const Limits& limits) {
        return any_of({number("number", limits), fixed_array(number("number", limits), 3)});
    }

    /// One entry or a list of them, as the reader takes both.
    Value list(const TypeInfo& type, const ParamEntry& entry) {
        Value item = of(type.item.front(), entry);
        if (type.item.front().kind == Kind::table) {
            definitions_.set(entry.name, std::move(item));
            item = Value::table();
            item.set("$ref", Value("#/$defs/" + entry.name));
        }
        Value array = of_type("array");
        array.set("items", item);
        if (entry.info.required) array.set("minItems", Value(std::int64_t{1}));
        return any_of({std::move(item), std::move(array)});
    }

    Value of(const TypeInfo& type, const ParamEntry& entry) {
        const Limits& limits = entry.info.limits;
        switch (type.kind) {
            case Kind::boolean:
                return of_type("boolean");
            case Kind::integer:
                return number("integer", limits);
            case Kind::number:
                return number("number", limits);
            case Kind::text:
                return of_type("string");
            case Kind::word:
                return of_words(type.words);
            case Kind::vector:
                return fixed_array(number("number", limits), 3);
            case Kind::box:
                return fixed_array(fixed_array(number("number", limits), 3), 2);
            case Kind::pair: {
                const Value item = of(type.item.front(), entry);
                return entry.info.one_for_both ? any_of({item, fixed_array(item, 2)}) : fixed_array(item, 2);
            }
            case Kind::animated:
                return animated(of(type.item.front(), entry));
            case Kind::numbers:
                return numbers(limits);
            case Kind::number_table: {
                Value schema = of_type("object");
                schema.set("additionalProperties", numbers(limits));
                return schema;
            }
            case Kind::animated_table: {
                Value schema = of_type("object");
                schema.set("additionalProperties", animated(number("number", limits)));
                return schema;
            }
            case Kind::list:
                return list(type, entry);
            case Kind::table:
                return table(type);
        }
        return Value();
    }

    Value definitions_ = Value::table();
};

}  // namespace

std::string scene_schema() {
    return json_text(SchemaWriter().root(type_info<Scene>()));
}

}  // namespace spindrift
