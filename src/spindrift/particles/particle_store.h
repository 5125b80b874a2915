#pragma once
// The particles of one liquid: two hot arrays that every step reorders, and any number of channels that follow lazily.
//
// Source: Alduan et al. 2017, section 7 (structure of arrays, capacity steps, active mask, periodic compaction).
// Differs: position and velocity are groups of four floats, since neighbour loops load them whole; the velocity's
// fourth float carries the particle's slot, its row in the other channels, and the mark of a killed particle. Sorting
// moves 32 bytes per particle whatever channels a user adds; settle() brings the channels into the particles' order.
//
//   ParticleStore liquid;
//   liquid.add_channel("temperature", {ScalarType::f32, 1});
//   Range born = liquid.append(1000);                  // ids are given, channels are zero
//   liquid.position()[born.first] = {0, 1, 0, 0};
//   liquid.kill(3);  liquid.settle();                  // channel rows are particle rows again

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spindrift/core/parallel.h"
#include "spindrift/particles/channel_array.h"

namespace spindrift {

/// Positions are float, relative to an origin in double precision, so a liquid far from the world's origin loses no
/// digits; see docs/decisions/0002.
class ParticleStore {
  public:
    /// Entries behind the last particle that the hot arrays always have: one stands at infinity as a neighbour to pad
    /// with.
    static constexpr std::size_t padding = 8;

    ParticleStore();

    /// Particles in the hot arrays; killed ones count until the next sort or settle().
    std::size_t size() const { return size_; }
    std::size_t capacity() const { return capacity_; }
    /// Rows of the channels; more than size() while killed particles wait for settle().
    std::size_t slot_count() const { return slot_count_; }

    Vec3d origin{};

    Channel<Float4> position() { return {position_.data(), size_}; }
    ConstChannel<Float4> position() const { return {position_.data(), size_}; }
    Channel<Float4> velocity() { return {velocity_.data(), size_}; }
    ConstChannel<Float4> velocity() const { return {velocity_.data(), size_}; }

    /// The storage behind position() and velocity(), for a sort that writes elsewhere and swaps.
    Buffer<Float4>& position_buffer() { return position_; }
    Buffer<Float4>& velocity_buffer() { return velocity_; }
    /// After a sort dropped killed particles from the hot arrays.
    void set_size(std::size_t size);

    /// A new channel, zero for the particles there are. The name must be new. The reference holds until the next call.
    ChannelArray& add_channel(const std::string& name, ChannelType type);
    /// A channel of the program's own (channel_table.h), added with the type that it has there if it is not here yet.
    /// Throws Error of the input if somebody gave it another type.
    ChannelArray& request_channel(const std::string& name);
    /// nullptr if there is none of that name. Rows are slots: call settle() first to read them in particle order.
    ChannelArray* find_channel(std::string_view name);
    const ChannelArray* find_channel(std::string_view name) const;
    const std::vector<ChannelArray>& channels() const { return channels_; }

    /// Adds particles with new ids, velocity and channels zero, position undefined; returns their indices.
    Range append(std::size_t count);
    /// Gives one particle what another has in all channels but `id`.
    void copy_channels(std::size_t from, std::size_t to);
    /// The id the next particle will get; part of the state.
    std::int64_t next_id = 0;

    void kill(std::size_t i) { velocity_[i].w = std::bit_cast<float>(slot_bits(i) | dead_bit); }
    bool is_alive(std::size_t i) const { return (slot_bits(i) & dead_bit) == 0; }
    std::uint32_t slot(std::size_t i) const { return slot_of(velocity_[i]); }
    static std::uint32_t slot_of(const Float4& velocity) {
        return std::bit_cast<std::uint32_t>(velocity.w) & slot_mask;
    }

    /// A held particle keeps its velocity whatever pushes it, until it is released: liquid on its way out of a nozzle.
    void hold(std::size_t i) {
        velocity_[i].w = std::bit_cast<float>(slot_bits(i) | held_bit);
        may_hold_ = true;
    }
    /// False if no particle was ever held, so that nobody need look.
    bool may_hold() const { return may_hold_; }
    void release(std::size_t i) { velocity_[i].w = std::bit_cast<float>(slot_bits(i) & ~held_bit); }
    bool is_held(std::size_t i) const { return (slot_bits(i) & held_bit) != 0; }

    /// Removes killed particles, brings every channel into the order of the particles, and gives memory back when less
    /// than half of it is in use.
    void settle();

    static constexpr std::uint32_t dead_bit = 0x80000000u, held_bit = 0x40000000u;
    static constexpr std::uint32_t slot_mask = held_bit - 1;
    /// Capacities grow in quarters of a power of two: at most a fifth of the memory is spare.
    static std::size_t capacity_step(std::size_t size);

  private:
    std::uint32_t slot_bits(std::size_t i) const { return std::bit_cast<std::uint32_t>(velocity_[i].w); }
    void drop_dead_particles();
    void gather_channels();
    void set_capacity(std::size_t capacity);

    Buffer<Float4> position_{"position"}, velocity_{"velocity"};
    std::vector<ChannelArray> channels_;
    std::size_t size_ = 0, capacity_ = 0, slot_count_ = 0;
    bool may_hold_ = false;
};

}  // namespace spindrift
