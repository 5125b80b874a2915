#pragma once
// Simulations run, stopped and compared.
//
//   run_to(simulation, 12);
//   EXPECT_EQ(content_hash(simulation.snapshot()), content_hash(other.snapshot()));

#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "spindrift/core/hash.h"
#include "spindrift/core/interruption.h"
#include "spindrift/core/progress.h"
#include "spindrift/sim/simulation.h"

namespace spindrift::sim {

inline void run_to(Simulation& simulation, int frame) {
    const SilentProgress quiet;
    while (simulation.frame() < frame)
        ASSERT_TRUE(simulation.advance_frame(quiet));
}

/// Of every channel with its name.
inline std::string content_hash(const Snapshot& snapshot) {
    Hash64 hash;
    for (const ChannelArray& channel : snapshot.channels.channels)
        hash.add(channel.name()).add(channel.data(), channel.size_bytes());
    return hash.hex();
}

/// Interrupts after a number of questions between substeps; those of work that may end anywhere do not count.
struct StopAfter : Progress {
    explicit StopAfter(int questions) : left(questions) {}
    void report(std::size_t, std::size_t, const std::string&) override {}
    bool interrupted() const override {
        const bool counts = std::this_thread::get_id() == asking && !Interruptible::current();
        return counts && left-- == 0;
    }
    std::thread::id asking = std::this_thread::get_id();
    mutable int left;
};

}  // namespace spindrift::sim
