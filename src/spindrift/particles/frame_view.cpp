#include "spindrift/particles/frame_view.h"

#include <cstring>

#include "spindrift/core/errors.h"

namespace spindrift {

void ChannelView::copy(Range particles, std::byte* out) const {
    if (particles.size() == 0) return;
    if (!data) return make(particles, out);
    const std::size_t bytes = type.bytes();
    if (is_packed()) {
        std::memcpy(out, data + particles.first * bytes, particles.size() * bytes);
        return;
    }
    for (const std::size_t i : particles)
        std::memcpy(out + (i - particles.first) * bytes, data + i * stride, bytes);
}

ChannelView view_of(const ChannelArray& channel) {
    return {.name = channel.name(),
            .type = channel.type(),
            .size = channel.size(),
            .data = channel.data(),
            .stride = channel.type().bytes()};
}

FrameView::FrameView(const ChannelSet& channels) {
    for (const ChannelArray& channel : channels.channels)
        channels_.push_back(view_of(channel));
}

const std::vector<ChannelView>& FrameView::channels() const {
    if (moment_ && *moment_ != made_at_) {
        throw UsageError(
            "these particles are of a moment that has passed; ask for a view after each step, or keep a copy()");
    }
    return channels_;
}

const ChannelView* FrameView::find(std::string_view name) const {
    for (const ChannelView& channel : channels()) {
        if (channel.name == name) return &channel;
    }
    return nullptr;
}

std::size_t FrameView::size() const {
    return channels().empty() ? 0 : channels_.front().size;
}

ChannelSet FrameView::copy() const {
    ChannelSet out;
    for (const ChannelView& channel : channels()) {
        std::byte* const rows = out.add(channel.name, channel.type, channel.size).data();
        parallel_for(channel.size,
                     [&](Range range) { channel.copy(range, rows + range.first * channel.type.bytes()); });
    }
    return out;
}

}  // namespace spindrift
