#include "spindrift/fluid/migration.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <tuple>
#include <vector>

#include "spindrift/core/errors.h"

namespace spindrift::fluid {

namespace {

using ranks::Message;

std::size_t row_bytes(const ParticleStore& particles) {
    std::size_t bytes = 2 * sizeof(Float4);
    for (const ChannelArray& channel : particles.channels())
        bytes += channel.type().bytes();
    return bytes;
}

/// Position, velocity, and what the particle has in each channel.
void pack(const ParticleStore& particles, std::size_t i, std::vector<std::byte>& bytes) {
    const auto put = [&](const void* from, std::size_t size) {
        bytes.resize(bytes.size() + size);
        std::memcpy(bytes.data() + bytes.size() - size, from, size);
    };
    put(&particles.position()[i], sizeof(Float4));
    put(&particles.velocity()[i], sizeof(Float4));
    for (const ChannelArray& channel : particles.channels())
        put(channel.data() + particles.slot(i) * channel.type().bytes(), channel.type().bytes());
}

void unpack(const std::byte* from, ParticleStore& particles, std::size_t i) {
    const auto take = [&](void* to, std::size_t size) {
        std::memcpy(to, from, size);
        from += size;
    };
    const std::uint32_t slot = particles.slot(i);
    Float4 velocity;
    take(&particles.position()[i], sizeof(Float4));
    take(&velocity, sizeof(Float4));
    const bool held = (std::bit_cast<std::uint32_t>(velocity.w) & ParticleStore::held_bit) != 0;
    particles.velocity()[i] = {velocity.x, velocity.y, velocity.z, std::bit_cast<float>(slot)};
    if (held) particles.hold(i);
    for (const ChannelArray& channel : particles.channels()) {
        ChannelArray& own = *particles.find_channel(channel.name());
        take(own.data() + slot * channel.type().bytes(), channel.type().bytes());
    }
}

/// Where a particle stands among those of its rank: old ones by the rank that had them and their order there, then
/// newborns by id.
struct Place {
    std::int64_t newborn;  ///< id, -1 of an old one
    int rank;
    std::uint32_t index;

    auto key() const { return std::tuple(newborn >= 0, newborn, newborn >= 0 ? 0 : rank, index); }
};

void bring_into_order(ParticleStore& particles, std::vector<Place>& places) {
    std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.key() < b.key(); });
    std::vector<Float4> x(places.size()), v(places.size());
    for (std::size_t k = 0; k < places.size(); ++k) {
        x[k] = particles.position()[places[k].index];
        v[k] = particles.velocity()[places[k].index];
    }
    particles.set_size(places.size());
    std::copy(x.begin(), x.end(), particles.position().data());
    std::copy(v.begin(), v.end(), particles.velocity().data());
}

}  // namespace

void migrate(ParticleStore& particles, ranks::Ranks& ranks, const std::function<int(const Float4&)>& owner,
             std::int64_t first_newborn) {
    const auto id = [&](std::size_t i) { return particles.channels().front().as<std::int64_t>()[particles.slot(i)]; };
    const auto place = [&](std::size_t i, int from) {
        const bool is_new = first_newborn >= 0 && id(i) >= first_newborn;
        return Place{is_new ? id(i) : -1, from, static_cast<std::uint32_t>(i)};
    };
    std::vector<Message> out(static_cast<std::size_t>(ranks.size()));
    std::vector<Place> places;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const Float4 x = particles.position()[i];
        const int to = particles.is_alive(i) && is_finite(x.xyz()) ? owner(x) : ranks.rank();
        if (to == ranks.rank())
            places.push_back(place(i, ranks.rank()));
        else
            pack(particles, i, out[static_cast<std::size_t>(to)].bytes);
    }
    for (std::size_t rank = 0; rank < out.size(); ++rank)
        out[rank].rank = static_cast<int>(rank);
    std::erase_if(out, [](const Message& message) { return message.bytes.empty(); });
    const std::size_t bytes = row_bytes(particles);
    for (const Message& message : ranks.exchange(std::move(out))) {
        SPINDRIFT_CHECK(message.bytes.size() % bytes == 0);
        const std::int64_t next_id = particles.next_id;
        const Range arrived = particles.append(message.bytes.size() / bytes);
        particles.next_id = next_id;
        for (const std::size_t i : arrived) {
            unpack(message.bytes.data() + (i - arrived.first) * bytes, particles, i);
            places.push_back(place(i, message.rank));
        }
    }
    bring_into_order(particles, places);
}

}  // namespace spindrift::fluid
