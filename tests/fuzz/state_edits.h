#pragma once
// Arrays of a frame that hostile files hold: the input is a list of changes to sound ones, since archives with a wrong
// checksum are refused before anybody looks at what is in them.
//
//   StateFuzz fuzz(scene, "bodies");
//   fuzz.go_on(data, size);

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include "support.h"

#include "spindrift/core/parallel.h"
#include "spindrift/sim/simulation.h"

namespace spindrift::fuzz {

/// Of 12 bytes each; what is left of the input is not looked at.
struct Edit {
    std::uint8_t array, kind;
    std::uint16_t place;
    std::byte value[8];
};

/// One change: the type, the length, nothing at all or, mostly, a number.
inline void apply(const Edit& edit, ChannelSet& set) {
    if (set.channels.empty()) return;
    const std::size_t which = edit.array % set.channels.size();
    ChannelArray& array = set.channels[which];
    const std::size_t unit = scalar_size(array.type().scalar), numbers = array.size_bytes() / unit;
    switch (edit.kind % 16) {
        case 0:
            set.channels.erase(set.channels.begin() + static_cast<std::ptrdiff_t>(which));
            return;
        case 1: {
            const auto scalar = static_cast<ScalarType>(edit.place % 10);
            ChannelArray other(array.name(), {scalar, 1 + edit.place / 10 % 512});
            other.resize(array.size());
            std::memset(other.data(), static_cast<int>(edit.value[0]), other.size_bytes());
            array = std::move(other);
            return;
        }
        case 2:
            array.resize(edit.place % (2 * array.size() + 2));
            return;
        default:
            if (numbers > 0) std::memcpy(array.data() + edit.place % numbers * unit, edit.value, unit);
    }
}

inline ChannelSet copy_of(const ChannelSet& set) {
    ChannelSet copy;
    for (const ChannelArray& array : set.channels) {
        ChannelArray& other = copy.add(array.name(), array.type(), array.size());
        std::copy_n(array.data(), array.size_bytes(), other.data());
    }
    return copy;
}

class StateFuzz {
  public:
    StateFuzz(const std::string& toml, std::string part)
        : part_(std::move(part)), simulation_(parse_scene(toml, "fuzz.toml")) {
        const SilentProgress quiet;
        simulation_.fill();
        if (!simulation_.advance_frame(quiet)) __builtin_trap();
        frame_ = simulation_.snapshot();
        sound_ = copy_of(frame_.parts.at(part_).arrays);
    }

    /// Goes on from changed arrays; each sixteenth input, by its bytes, takes a step from there.
    int go_on(const std::uint8_t* data, std::size_t size) {
        ChannelSet& arrays = frame_.parts.at(part_).arrays;
        arrays = copy_of(sound_);
        unsigned sum = 0;
        for (; size >= sizeof(Edit); data += sizeof(Edit), size -= sizeof(Edit)) {
            Edit edit;
            std::memcpy(&edit, data, sizeof edit);
            apply(edit, arrays);
            for (const std::uint8_t byte : std::span(data, sizeof edit))
                sum += byte;
        }
        return may_refuse([&] {
            simulation_.restore(frame_, "frame");
            if (sum % 16 == 0) simulation_.advance(simulation_.choose_dt());
        });
    }

  private:
    ThreadLimit one_{1};
    std::string part_;
    sim::Simulation simulation_;
    sim::Snapshot frame_;
    ChannelSet sound_;
};

}  // namespace spindrift::fuzz
