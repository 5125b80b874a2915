#include "cli/channel_table.h"

#include <algorithm>
#include <limits>

#include "cli/json.h"
#include <fmt/format.h>

#include "spindrift/io/npz.h"

namespace spindrift::cli {

namespace {

/// Of all components.
struct Extent {
    double low = std::numeric_limits<double>::infinity(), high = -low;
};

Extent extent(const ChannelArray& channel) {
    Extent e;
    for (std::size_t i = 0; i < channel.size(); ++i) {
        for (int c = 0; c < channel.type().width; ++c) {
            e.low = std::min(e.low, channel.value(i, c));
            e.high = std::max(e.high, channel.value(i, c));
        }
    }
    return e;
}

std::string shape(const ChannelArray& channel) {
    const int width = channel.type().width;
    return width == 1 ? fmt::format("({},)", channel.size()) : fmt::format("({}, {})", channel.size(), width);
}

}  // namespace

std::string channel_table(const ChannelSet& frame) {
    std::string table = fmt::format("{:<16} {:<8} {:>16} {:>14} {:>14}\n", "channel", "type", "shape", "min", "max");
    for (const ChannelArray& channel : frame.channels) {
        const Extent e = extent(channel);
        const bool any = e.low <= e.high;
        table += fmt::format("{:<16} {:<8} {:>16} {:>14} {:>14}\n", channel.name(),
                             io::dtype_name(channel.type().scalar), shape(channel),
                             any ? fmt::format("{:.6g}", e.low) : "-", any ? fmt::format("{:.6g}", e.high) : "-");
    }
    return table;
}

Value channel_list(const ChannelSet& frame) {
    Value::Array rows;
    for (const ChannelArray& channel : frame.channels) {
        const Extent e = extent(channel);
        const bool any = e.low <= e.high;
        rows.push_back(json_table({{"name", Value(channel.name())},
                                   {"type", Value(io::dtype_name(channel.type().scalar))},
                                   {"shape", Value(shape(channel))},
                                   {"min", any ? Value(e.low) : Value()},
                                   {"max", any ? Value(e.high) : Value()}}));
    }
    return Value(std::move(rows));
}

}  // namespace spindrift::cli
