#pragma once
// The particles of one moment, by name and in one order, where they are: nothing is copied until somebody wants to.
//
//   const FrameView frame = simulation.view();       // holds until the next step, and says so if it is used after that
//   io::write_npz("water.0042.npz", frame);
//   const ChannelSet kept = frame.copy();

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spindrift/core/parallel.h"
#include "spindrift/particles/channel_array.h"

namespace spindrift {

/// One channel: memory of somebody else, or values that are made when they are asked for.
struct ChannelView {
    /// Writes the values of some particles, one after the other, into memory that is aligned for them.
    using MakeRows = std::function<void(Range particles, std::byte* out)>;

    std::string name{};
    ChannelType type{};
    std::size_t size = 0;             ///< particles
    const std::byte* data = nullptr;  ///< of the first particle; nullptr if values are made
    std::size_t stride = 0;           ///< bytes from one particle to the next
    MakeRows make{};

    /// Whether the memory is that of an array of the channel's type.
    bool is_packed() const { return data && stride == type.bytes(); }
    std::size_t size_bytes() const { return size * type.bytes(); }
    void copy(Range particles, std::byte* out) const;
};

/// A channel that is kept by the caller.
ChannelView view_of(const ChannelArray& channel);

/// A channel of the values value(i) of each particle.
template <class T, class Value>
ChannelView made_channel(std::string name, ChannelType type, std::size_t size, Value value) {
    SPINDRIFT_CHECK(sizeof(T) == type.bytes());
    return {.name = std::move(name), .type = type, .size = size, .make = [value](Range particles, std::byte* out) {
                T* const to = reinterpret_cast<T*>(out);
                for (const std::size_t i : particles)
                    to[i - particles.first] = value(i);
            }};
}

class FrameView {
  public:
    /// The number of a moment; its owner counts on when what it gave views of is gone.
    using Moment = std::shared_ptr<const std::uint64_t>;

    FrameView(std::vector<ChannelView> channels, Moment moment)
        : channels_(std::move(channels)), moment_(std::move(moment)), made_at_(*moment_) {}
    /// Channels that the caller keeps, of any lengths.
    FrameView(const ChannelSet& channels);  // NOLINT: a set of channels is a frame wherever one is looked at

    /// These throw UsageError if the moment has passed.
    const std::vector<ChannelView>& channels() const;
    const ChannelView* find(std::string_view name) const;  ///< nullptr if there is none of that name
    /// Particles.
    std::size_t size() const;
    ChannelSet copy() const;

  private:
    std::vector<ChannelView> channels_;
    Moment moment_{};
    std::uint64_t made_at_ = 0;
};

}  // namespace spindrift
