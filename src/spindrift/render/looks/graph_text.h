#pragma once
// Words with places that are filled in: "frame {frame}".
//
//   std::string line = fill_in("{scene}  frame {frame}", {.scene = "dam", .frame = 42, .time = 1.75, .particles =
//   512});

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spindrift::render {

/// What is known of a frame.
struct TextFields {
    std::string scene{};
    int frame = 0;
    double time = 0;
    std::size_t particles = 0;
};

std::vector<std::string> text_fields();

/// The first name in braces that is no field.
std::optional<std::string> unknown_field(std::string_view text);

bool has_field(std::string_view text, std::string_view field);

/// Names in braces that are no fields stay as they are.
std::string fill_in(std::string_view text, const TextFields& fields);

}  // namespace spindrift::render
