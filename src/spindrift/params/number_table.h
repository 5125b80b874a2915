#pragma once
// Parameters whose names the user chooses: tables of numbers and vectors, or of numbers that may change over time,
// checked by whoever knows the names.
//
//   NumberTable values{{{"temperature", {{350}}}, {"tint", {{1, 0, 0}}}}};     // { temperature = 350, tint = [1, 0, 0]
//   } if (const Numbers* heat = values.find("temperature")) use(heat->values[0]);

#include <string>
#include <string_view>
#include <vector>

#include "spindrift/params/animated.h"
#include "spindrift/params/info.h"

namespace spindrift {

/// Quantities that only the user knows, such as values of channels: well inside single precision.
inline constexpr Limits channel_limits = between(-1e30, 1e30);

/// One number, or three.
struct Numbers {
    std::vector<double> values{};

    friend bool operator==(const Numbers&, const Numbers&) = default;
};

struct NumberTable {
    struct Entry {
        std::string name;
        Numbers value{};

        friend bool operator==(const Entry&, const Entry&) = default;
    };
    std::vector<Entry> entries{};  ///< in the order of the source

    /// nullptr if there is none of that name.
    const Numbers* find(std::string_view name) const {
        for (const Entry& entry : entries) {
            if (entry.name == name) return &entry.value;
        }
        return nullptr;
    }

    friend bool operator==(const NumberTable&, const NumberTable&) = default;
};

struct AnimatedTable {
    struct Entry {
        std::string name;
        Animated<double> value{};

        friend bool operator==(const Entry&, const Entry&) = default;
    };
    std::vector<Entry> entries{};  ///< in the order of the source

    bool empty() const { return entries.empty(); }
    /// nullptr if there is none of that name.
    const Animated<double>* find(std::string_view name) const {
        for (const Entry& entry : entries) {
            if (entry.name == name) return &entry.value;
        }
        return nullptr;
    }

    friend bool operator==(const AnimatedTable&, const AnimatedTable&) = default;
};

}  // namespace spindrift
