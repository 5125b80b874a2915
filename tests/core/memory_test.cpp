// Buffers, their account, and the phase timer.
#include <cstdint>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "spindrift/core/buffer.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/timer.h"

namespace spindrift {
namespace {

std::size_t account_of(const std::string& name) {
    const auto account = memory_by_name();
    const auto found = account.find(name);
    return found == account.end() ? 0 : found->second;
}

TEST(BufferTest, growing_keeps_the_values) {
    Buffer<std::uint32_t> buffer("test growth");
    std::size_t filled = 0;
    for (std::size_t size : {1u, 15u, 17u, 1000u, 131072u, 131073u, 3000000u}) {
        buffer.resize(size);
        ASSERT_EQ(buffer.size(), size);
        ASSERT_GE(buffer.capacity(), size);
        for (; filled < size; ++filled)
            buffer[filled] = static_cast<std::uint32_t>(filled * 7);
        for (std::size_t i = 0; i < size; ++i)
            ASSERT_EQ(buffer[i], static_cast<std::uint32_t>(i * 7));
    }
}

TEST(BufferTest, renewing_leaves_room_for_a_little_more) {
    Buffer<float> buffer("test renewal");
    buffer.renew(1000000);
    EXPECT_EQ(buffer.size(), 1000000u);
    const float* const place = buffer.data();
    buffer.renew(1100000);
    EXPECT_EQ(buffer.data(), place);
    buffer.renew(10);
    EXPECT_EQ(buffer.size(), 10u);
    EXPECT_EQ(buffer.data(), place);
    EXPECT_EQ(account_of("test renewal"), buffer.capacity() * sizeof(float));
    buffer.renew(2000000);
    EXPECT_GE(buffer.capacity(), 2250000u);
    EXPECT_EQ(account_of("test renewal"), buffer.capacity() * sizeof(float));
}

TEST(BufferTest, sizes_that_do_not_divide_the_page_fit) {
    struct Odd {
        char bytes[28];
    };
    for (std::size_t size : {1u, 2u, 3u, 100u, 18725u, 100000u}) {
        Buffer<Odd> buffer("test odd");
        buffer.resize(size);
        EXPECT_GE(buffer.capacity(), size);
        EXPECT_LE(account_of("test odd"), huge_allocation_size(size * sizeof(Odd)));
    }
}

TEST(BufferTest, reserving_less_gives_memory_back_and_keeps_what_fits) {
    Buffer<std::uint64_t> buffer("test shrink");
    buffer.resize(1000000);
    for (std::size_t i = 0; i < buffer.size(); ++i)
        buffer[i] = i;
    const std::size_t full = account_of("test shrink");
    EXPECT_GE(full, 8000000u);
    buffer.resize(1000);
    EXPECT_EQ(account_of("test shrink"), full);
    buffer.reserve(1000);
    EXPECT_LT(account_of("test shrink"), 10000u);
    for (std::size_t i = 0; i < 1000; ++i)
        ASSERT_EQ(buffer[i], i);
    buffer.reserve(0);
    EXPECT_EQ(buffer.size(), 0u);
    EXPECT_EQ(account_of("test shrink"), 0u);
}

TEST(BufferTest, large_buffers_waste_little) {
    // Rounding to 64 kB from half a megabyte on: at most an eighth.
    for (std::size_t bytes : {std::size_t{1} << 19, std::size_t{600000}, std::size_t{3} << 20}) {
        EXPECT_LE(huge_allocation_size(bytes + 1), bytes + bytes / 8);
        EXPECT_GE(huge_allocation_size(bytes + 1), bytes + 1);
    }
}

TEST(BufferTest, the_account_goes_up_and_down_by_name) {
    const std::size_t before = memory_in_use();
    {
        Buffer<char> a("test account"), b("test account"), c("test other");
        a.resize(1000);
        b.resize(2000);
        c.resize(512);
        EXPECT_GE(account_of("test account"), 3000u);
        EXPECT_EQ(memory_in_use() - before, account_of("test account") + account_of("test other"));
    }
    EXPECT_EQ(memory_by_name().count("test account"), 0u);
    EXPECT_EQ(memory_in_use(), before);
}

TEST(BufferTest, moved_and_swapped_storage_stays_accounted_under_its_name) {
    Buffer<char> a("test left"), b("test right");
    a.resize(64);
    a[0] = 'a';
    a.swap(b);
    EXPECT_EQ(a.size(), 0u);
    EXPECT_EQ(b[0], 'a');
    EXPECT_EQ(account_of("test left"), 64u);
    Buffer<char> c(std::move(b));
    EXPECT_EQ(c[0], 'a');
    c.release();
    EXPECT_EQ(account_of("test left"), 0u);
}

TEST(BufferTest, impossible_sizes_throw_and_change_nothing) {
    Buffer<char> buffer("test impossible");
    buffer.resize(10);
    buffer[9] = 'x';
    EXPECT_THROW(buffer.resize(std::size_t{1} << 50), OutOfMemoryError);
    EXPECT_EQ(buffer.size(), 10u);
    EXPECT_EQ(buffer[9], 'x');
}

TEST(BufferTest, several_threads_may_account_at_once) {
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([] {
                for (std::size_t i = 1; i < 500; ++i)
                    Buffer<char>("test threads").resize(i);
            });
        }
    }
    EXPECT_EQ(account_of("test threads"), 0u);
    EXPECT_GT(peak_resident_bytes(), 0u);
}

struct Phase {
    std::string path;
    double seconds;
    long calls;
};

std::vector<Phase> phases_of(const PhaseTimer& timer) {
    std::vector<Phase> phases;
    timer.visit([&](std::string_view path, double seconds, long calls) {
        phases.push_back({std::string(path), seconds, calls});
    });
    return phases;
}

TEST(PhaseTimerTest, phases_form_a_tree_in_order_of_their_first_run) {
    PhaseTimer timer;
    for (int step = 0; step < 3; ++step) {
        const auto solve = timer.scope("solve");
        for (int k = 0; k < 2; ++k)
            const auto density = timer.scope("density");
        const auto walls = timer.scope("walls");
        const auto density = timer.scope("density");
    }
    { const auto sort = timer.scope("sort"); }

    const std::vector<Phase> phases = phases_of(timer);
    ASSERT_EQ(phases.size(), 5u);
    const char* paths[] = {"solve", "solve/density", "solve/walls", "solve/walls/density", "sort"};
    const long calls[] = {3, 6, 3, 3, 1};
    for (std::size_t p = 0; p < 5; ++p) {
        EXPECT_EQ(phases[p].path, paths[p]);
        EXPECT_EQ(phases[p].calls, calls[p]);
        EXPECT_EQ(timer.seconds(paths[p]), phases[p].seconds);
    }
    EXPECT_EQ(timer.seconds("density"), 0);
}

TEST(PhaseTimerTest, parents_last_at_least_as_long_as_their_children) {
    PhaseTimer timer;
    {
        const auto outer = timer.scope("outer");
        const auto inner = timer.scope("inner");
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    EXPECT_GE(timer.seconds("outer/inner"), 0.005);
    EXPECT_GE(timer.seconds("outer"), timer.seconds("outer/inner"));
}

TEST(PhaseTimerTest, exceptions_close_phases_and_reset_keeps_the_tree) {
    PhaseTimer timer;
    try {
        const auto outer = timer.scope("outer");
        const auto inner = timer.scope("inner");
        throw 1;
    } catch (int) {
    }
    { const auto next = timer.scope("next"); }
    timer.reset();
    const std::vector<Phase> phases = phases_of(timer);
    ASSERT_EQ(phases.size(), 3u);
    EXPECT_EQ(phases[2].path, "next");
    for (const Phase& phase : phases)
        EXPECT_TRUE(phase.seconds == 0 && phase.calls == 0);
}

}  // namespace
}  // namespace spindrift
