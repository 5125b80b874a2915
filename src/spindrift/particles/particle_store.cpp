#include "spindrift/particles/particle_store.h"

#include <cstring>

#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/particles/channel_table.h"

namespace spindrift {

ParticleStore::ParticleStore() {
    channels_.emplace_back("id", ChannelType{ScalarType::i64, 1});
    set_size(0);
}

std::size_t ParticleStore::capacity_step(std::size_t size) {
    constexpr std::size_t smallest = 1024;
    if (size <= smallest) return smallest;
    const std::size_t quarter = std::bit_floor(size - 1) / 4;
    return (size + quarter - 1) / quarter * quarter;
}

void ParticleStore::set_capacity(std::size_t capacity) {
    position_.reserve(capacity + padding);
    velocity_.reserve(capacity + padding);
    for (ChannelArray& channel : channels_)
        channel.reserve(capacity);
    capacity_ = capacity;
}

void ParticleStore::set_size(std::size_t size) {
    size_ = size;
    position_.resize(size + padding);
    velocity_.resize(size + padding);
}

ChannelArray& ParticleStore::add_channel(const std::string& name, ChannelType type) {
    SPINDRIFT_CHECK(find_channel(name) == nullptr && name != "P" && name != "v");
    ChannelArray& channel = channels_.emplace_back(name, type);
    channel.reserve(capacity_);
    channel.resize(slot_count_);
    if (slot_count_ > 0) std::memset(channel.data(), 0, channel.size_bytes());
    return channel;
}

ChannelArray& ParticleStore::request_channel(const std::string& name) {
    const ChannelInfo* const info = find_channel_info(name);
    SPINDRIFT_CHECK(info);
    ChannelArray* const there = find_channel(name);
    if (!there) return add_channel(name, info->type);
    if (there->type() != info->type)
        throw Error(ExitCode::input,
                    fmt::format("the channel '{}' holds {}, expected {}: the name is the program's own", name,
                                type_words(there->type()), type_words(info->type)));
    return *there;
}

const ChannelArray* ParticleStore::find_channel(std::string_view name) const {
    for (const ChannelArray& channel : channels_) {
        if (channel.name() == name) return &channel;
    }
    return nullptr;
}

ChannelArray* ParticleStore::find_channel(std::string_view name) {
    return const_cast<ChannelArray*>(std::as_const(*this).find_channel(name));
}

Range ParticleStore::append(std::size_t count) {
    const std::size_t first = size_, first_slot = slot_count_;
    if (count == 0) return {first, first};
    SPINDRIFT_CHECK(first_slot + count < slot_mask);
    if (first_slot + count > capacity_) set_capacity(capacity_step(first_slot + count));
    set_size(first + count);
    slot_count_ += count;

    for (ChannelArray& channel : channels_) {
        channel.resize(slot_count_);
        std::memset(channel.data() + first_slot * channel.type().bytes(), 0, count * channel.type().bytes());
    }
    const Channel<std::int64_t> id = channels_.front().as<std::int64_t>();
    for (std::size_t k = 0; k < count; ++k) {
        position_[first + k] = {0, 0, 0, 0};
        velocity_[first + k] = {0, 0, 0, std::bit_cast<float>(static_cast<std::uint32_t>(first_slot + k))};
        id[first_slot + k] = next_id++;
    }
    return {first, first + count};
}

void ParticleStore::copy_channels(std::size_t from, std::size_t to) {
    for (std::size_t c = 1; c < channels_.size(); ++c) {
        const std::size_t bytes = channels_[c].type().bytes();
        std::memcpy(channels_[c].data() + slot(to) * bytes, channels_[c].data() + slot(from) * bytes, bytes);
    }
}

void ParticleStore::settle() {
    drop_dead_particles();
    gather_channels();
    if (capacity_step(2 * size_) < capacity_) set_capacity(capacity_step(size_));
}

void ParticleStore::drop_dead_particles() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size_; ++i) {
        if (!is_alive(i)) continue;
        position_[kept] = position_[i];
        velocity_[kept] = velocity_[i];
        ++kept;
    }
    set_size(kept);
}

void ParticleStore::gather_channels() {
    bool in_order = slot_count_ == size_;
    for (std::size_t i = 0; in_order && i < size_; ++i)
        in_order = slot(i) == i;
    if (in_order) return;

    for (ChannelArray& channel : channels_) {
        ChannelArray ordered(channel.name(), channel.type());
        ordered.reserve(capacity_);
        ordered.resize(size_);
        const std::size_t bytes = channel.type().bytes();
        parallel_for(size_, [&](Range range) {
            for (std::size_t i : range)
                std::memcpy(ordered.data() + i * bytes, channel.data() + slot(i) * bytes, bytes);
        });
        channel = std::move(ordered);
    }
    for (std::size_t i = 0; i < size_; ++i)
        velocity_[i].w = std::bit_cast<float>(static_cast<std::uint32_t>(i) | (slot_bits(i) & held_bit));
    slot_count_ = size_;
}

}  // namespace spindrift
