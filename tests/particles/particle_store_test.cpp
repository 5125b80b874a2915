#include "spindrift/particles/particle_store.h"

#include <cstring>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "spindrift/core/random.h"

namespace spindrift {
namespace {

constexpr ScalarType all_scalars[] = {ScalarType::f32, ScalarType::f64, ScalarType::i8,  ScalarType::u8,
                                      ScalarType::i16, ScalarType::u16, ScalarType::i32, ScalarType::u32,
                                      ScalarType::i64, ScalarType::u64};
constexpr int all_widths[] = {1, 2, 3, 4, 9};

std::string channel_name(ScalarType scalar, int width) {
    return fmt::format("c{}x{}", static_cast<int>(scalar), width);
}

/// The bytes that a channel holds for a particle: a function of both, so that any mix-up shows.
std::vector<std::byte> expected_bytes(std::int64_t id, std::size_t channel, std::size_t size) {
    std::vector<std::byte> bytes(size);
    for (std::size_t b = 0; b < size; ++b) {
        bytes[b] = static_cast<std::byte>(hash_counter(channel, static_cast<std::uint64_t>(id), b) & 0xff);
    }
    return bytes;
}

std::int64_t id_of(ParticleStore& store, std::size_t i) {
    return store.find_channel("id")->as<std::int64_t>()[store.slot(i)];
}

/// Gives new particles a position, a velocity and channel bytes made from their ids.
void paint(ParticleStore& store, Range born) {
    for (std::size_t i : born) {
        const std::int64_t id = id_of(store, i);
        const auto f = static_cast<float>(id);
        store.position()[i] = {f, f + 0.5f, -f, 0};
        store.velocity()[i].x = 2 * f;
        for (std::size_t c = 1; c < store.channels().size(); ++c) {
            ChannelArray& channel = *store.find_channel(store.channels()[c].name());
            const std::size_t bytes = channel.type().bytes();
            std::memcpy(channel.data() + store.slot(i) * bytes, expected_bytes(id, c, bytes).data(), bytes);
        }
    }
}

/// After settle(): the ids are those expected, and everything belongs to its particle.
void expect_painted(ParticleStore& store, const std::set<std::int64_t>& ids) {
    ASSERT_EQ(store.size(), ids.size());
    ASSERT_EQ(store.slot_count(), ids.size());
    std::set<std::int64_t> found;
    for (std::size_t i = 0; i < store.size(); ++i) {
        ASSERT_EQ(store.slot(i), i);
        const std::int64_t id = id_of(store, i);
        ASSERT_TRUE(ids.contains(id) && found.insert(id).second) << "id " << id;
        ASSERT_EQ(store.position()[i].x, static_cast<float>(id));
        ASSERT_EQ(store.velocity()[i].x, 2 * static_cast<float>(id));
        for (std::size_t c = 1; c < store.channels().size(); ++c) {
            const ChannelArray& channel = store.channels()[c];
            ASSERT_EQ(channel.size(), store.size());
            const std::size_t bytes = channel.type().bytes();
            ASSERT_EQ(std::memcmp(channel.data() + i * bytes, expected_bytes(id, c, bytes).data(), bytes), 0)
                << channel.name() << " of id " << id;
        }
    }
}

/// Reorders the hot arrays into other storage and swaps, dropping dead particles: what a sort does.
void shuffle(ParticleStore& store, std::uint64_t seed) {
    std::vector<std::size_t> order(store.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return hash_counter(seed, a, 0) < hash_counter(seed, b, 0); });
    Buffer<Float4> x("shuffle scratch"), v("shuffle scratch");
    x.resize(store.size() + ParticleStore::padding);
    v.resize(store.size() + ParticleStore::padding);
    std::size_t kept = 0;
    for (std::size_t i : order) {
        if (!store.is_alive(i)) continue;
        x[kept] = store.position()[i];
        v[kept++] = store.velocity()[i];
    }
    store.position_buffer().swap(x);
    store.velocity_buffer().swap(v);
    store.set_size(kept);
}

std::set<std::int64_t> ids_up_to(std::int64_t n) {
    std::set<std::int64_t> ids;
    for (std::int64_t id = 0; id < n; ++id)
        ids.insert(ids.end(), id);
    return ids;
}

void add_channels_of_every_type(ParticleStore& store) {
    for (ScalarType scalar : all_scalars) {
        for (int width : all_widths)
            store.add_channel(channel_name(scalar, width), {scalar, width});
    }
}

TEST(ParticleStoreTest, channels_of_every_type_and_width_follow_their_particles) {
    ParticleStore store;
    add_channels_of_every_type(store);
    paint(store, store.append(1500));
    std::set<std::int64_t> ids = ids_up_to(1500);
    store.settle();
    ASSERT_NO_FATAL_FAILURE(expect_painted(store, ids));

    shuffle(store, 1);
    for (std::size_t i = 0; i < store.size(); i += 3) {
        ids.erase(id_of(store, i));
        store.kill(i);
    }
    paint(store, store.append(300));
    for (std::int64_t id = 1500; id < 1800; ++id)
        ids.insert(id);
    store.settle();
    ASSERT_NO_FATAL_FAILURE(expect_painted(store, ids));
}

TEST(ParticleStoreTest, many_rounds_of_birth_death_and_sorting_agree_with_a_model) {
    ParticleStore store;
    store.add_channel("temperature", {ScalarType::f32, 1});
    store.add_channel("uv", {ScalarType::f64, 2});
    store.add_channel("flags", {ScalarType::u8, 3});
    std::set<std::int64_t> alive;
    std::int64_t born_so_far = 0;
    for (std::uint64_t round = 0; round < 200; ++round) {
        const auto draw = [&](std::uint64_t k) { return hash_counter(77, round, k); };
        const std::size_t count = draw(0) % 5 == 0 ? 0 : draw(1) % 400;
        const Range born = store.append(count);
        ASSERT_EQ(born.size(), count);
        for (std::size_t i : born) {
            ASSERT_EQ(id_of(store, i), born_so_far);
            alive.insert(born_so_far++);
        }
        paint(store, born);

        // Calm rounds kill a few, every twentieth nearly all, some kill twice.
        const std::uint64_t share = round % 20 == 19 ? 95 : draw(2) % 15;
        for (std::size_t i = 0; i < store.size(); ++i) {
            if (hash_counter(round, i, 3) % 100 >= share) continue;
            alive.erase(id_of(store, i));
            store.kill(i);
            if (i % 2 == 0) store.kill(i);
            ASSERT_FALSE(store.is_alive(i));
        }
        if (draw(4) % 2 == 0) shuffle(store, round);
        if (draw(5) % 3 != 0) continue;
        store.settle();
        ASSERT_NO_FATAL_FAILURE(expect_painted(store, alive)) << "round " << round;
    }
    store.settle();
    expect_painted(store, alive);
    EXPECT_EQ(store.next_id, born_so_far);
}

TEST(ParticleStoreTest, new_particles_are_zero_even_where_others_were) {
    ParticleStore store;
    store.add_channel("age", {ScalarType::f32, 1});
    paint(store, store.append(100));
    for (std::size_t i = 0; i < 100; ++i)
        store.kill(i);
    store.settle();
    EXPECT_EQ(store.size(), 0u);
    for (std::size_t i : store.append(50)) {
        EXPECT_EQ(store.find_channel("age")->as<float>()[store.slot(i)], 0.f);
        EXPECT_EQ(store.velocity()[i].xyz(), (Vec3f{}));
        EXPECT_EQ(id_of(store, i), static_cast<std::int64_t>(100 + i));
    }
}

TEST(ParticleStoreTest, a_channel_added_late_is_zero_for_the_particles_there_are) {
    ParticleStore store;
    store.append(3000);
    shuffle(store, 5);
    store.kill(7);
    store.add_channel("heat", {ScalarType::i16, 3});
    EXPECT_EQ(store.find_channel("heat")->size(), store.slot_count());
    store.append(10);
    store.settle();
    const ChannelArray& heat = *store.find_channel("heat");
    ASSERT_EQ(heat.size(), 3009u);
    for (std::size_t i = 0; i < heat.size(); ++i) {
        for (int c = 0; c < 3; ++c)
            ASSERT_EQ(heat.value(i, c), 0);
    }
}

TEST(ParticleStoreTest, names_are_unique_and_unknown_ones_are_not_found) {
    ParticleStore store;
    EXPECT_NE(store.find_channel("id"), nullptr);
    EXPECT_EQ(store.find_channel("heat"), nullptr);
    for (const char* taken : {"id", "P", "v"}) {
        EXPECT_THROW(store.add_channel(taken, {ScalarType::f32, 1}), std::logic_error);
    }
}

TEST(ParticleStoreTest, capacity_steps_are_quarters_of_a_power_of_two) {
    EXPECT_EQ(ParticleStore::capacity_step(0), 1024u);
    EXPECT_EQ(ParticleStore::capacity_step(1024), 1024u);
    EXPECT_EQ(ParticleStore::capacity_step(1025), 1280u);
    EXPECT_EQ(ParticleStore::capacity_step(1793), 2048u);
    EXPECT_EQ(ParticleStore::capacity_step(2049), 2560u);
    std::size_t last = 0;
    for (std::size_t size = 1024; size < 3000000; size += 1 + size / 100) {
        const std::size_t step = ParticleStore::capacity_step(size);
        ASSERT_GE(step, std::max(size, last));
        ASSERT_LE(5 * (step - size), step) << "more than a fifth spare at " << size;
        ASSERT_EQ(ParticleStore::capacity_step(step), step);
        last = step;
    }
}

TEST(ParticleStoreTest, memory_shrinks_after_most_particles_died) {
    ParticleStore store;
    store.add_channel("heat", {ScalarType::f64, 4});
    paint(store, store.append(200000));
    const std::size_t full = memory_in_use(), capacity = store.capacity();
    std::set<std::int64_t> ids;
    for (std::size_t i = 0; i < store.size(); ++i) {
        if (i % 20 == 0) {
            ids.insert(id_of(store, i));
        } else {
            store.kill(i);
        }
    }
    store.settle();
    // A twentieth is left; capacity steps and padding may hold a fifth more, everything else is a handful of kilobytes.
    EXPECT_LT(store.capacity(), capacity / 15);
    EXPECT_LT(memory_in_use(), full / 15);
    expect_painted(store, ids);
}

TEST(ParticleStoreTest, capacity_stays_while_more_than_half_is_used) {
    ParticleStore store;
    store.append(100000);
    const std::size_t capacity = store.capacity();
    for (std::size_t i = 0; i < 40000; ++i)
        store.kill(i);
    store.settle();
    EXPECT_EQ(store.size(), 60000u);
    EXPECT_EQ(store.capacity(), capacity);
}

TEST(ParticleStoreTest, an_empty_store_settles) {
    ParticleStore store;
    store.settle();
    EXPECT_EQ(store.append(0).size(), 0u);
    store.settle();
    EXPECT_EQ(store.size(), 0u);
}

TEST(ParticleStoreTest, two_million_particles_are_appended_at_once_and_in_portions) {
    ParticleStore store;
    store.append(1000000);
    for (int portion = 0; portion < 1000; ++portion)
        store.append(1000);
    ASSERT_EQ(store.size(), 2000000u);
    EXPECT_EQ(store.next_id, 2000000);
    EXPECT_EQ(id_of(store, 1999999), 1999999);
    EXPECT_GE(store.position_buffer().size(), store.size() + ParticleStore::padding);
}

TEST(ChannelArrayTest, values_read_as_double_whatever_the_type) {
    const auto read = [](ScalarType scalar, auto value) {
        using T = decltype(value);
        ChannelArray channel("c", {scalar, 2});
        channel.resize(3);
        const T written[2] = {T{1}, value};
        std::memcpy(channel.data() + 2 * channel.type().bytes(), written, sizeof written);
        EXPECT_EQ(sizeof(T), scalar_size(scalar));
        EXPECT_EQ(channel.value(2, 0), 1);
        return channel.value(2, 1);
    };
    EXPECT_EQ(read(ScalarType::f32, 0.5f), 0.5);
    EXPECT_EQ(read(ScalarType::f64, 1e300), 1e300);
    EXPECT_EQ(read(ScalarType::i8, std::int8_t{-100}), -100);
    EXPECT_EQ(read(ScalarType::u8, std::uint8_t{200}), 200);
    EXPECT_EQ(read(ScalarType::i16, std::int16_t{-30000}), -30000);
    EXPECT_EQ(read(ScalarType::u16, std::uint16_t{60000}), 60000);
    EXPECT_EQ(read(ScalarType::i32, std::int32_t{-2000000000}), -2e9);
    EXPECT_EQ(read(ScalarType::u32, std::uint32_t{4000000000u}), 4e9);
    EXPECT_EQ(read(ScalarType::i64, std::int64_t{-1} << 52), -0x1p52);
    EXPECT_EQ(read(ScalarType::u64, std::uint64_t{1} << 63), 0x1p63);
}

TEST(ChannelArrayTest, views_of_the_wrong_size_are_refused) {
    ChannelArray channel("P", {ScalarType::f32, 3});
    channel.resize(4);
    EXPECT_EQ(channel.as<Vec3f>().size(), 4u);
    EXPECT_EQ(channel.size_bytes(), 48u);
    EXPECT_THROW(channel.as<float>(), std::logic_error);
    EXPECT_THROW(std::as_const(channel).as<Vec3d>(), std::logic_error);
}

TEST(ChannelSetTest, channels_are_found_by_name) {
    ChannelSet set;
    EXPECT_EQ(set.size(), 0u);
    set.add("P", {ScalarType::f32, 3}, 5);
    set.add("id", {ScalarType::i64, 1}, 5).as<std::int64_t>()[4] = 9;
    EXPECT_EQ(set.size(), 5u);
    EXPECT_EQ(set.find("id")->value(4), 9);
    EXPECT_EQ(std::as_const(set).find("v"), nullptr);
}

}  // namespace
}  // namespace spindrift
