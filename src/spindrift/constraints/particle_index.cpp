#include "spindrift/constraints/particle_index.h"

#include <algorithm>
#include <limits>

namespace spindrift::constraints {

namespace {

constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

/// Rows of the table for each particle there is; with more unused ids sorting is the smaller evil.
constexpr std::size_t most_rows_per_particle = 8;

struct IdRange {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
};

IdRange range_of(const ParticleStore& particles, ConstChannel<std::int64_t> ids) {
    return parallel_reduce(
        particles.size(), default_chunk, IdRange{},
        [&](Range range) {
            IdRange found;
            for (std::size_t i : range) {
                const std::int64_t id = ids[particles.slot(i)];
                found = {std::min(found.first, id), std::max(found.last, id)};
            }
            return found;
        },
        [](const IdRange& a, const IdRange& b) {
            return IdRange{std::min(a.first, b.first), std::max(a.last, b.last)};
        });
}

}  // namespace

void ParticleIndex::build(const ParticleStore& particles) {
    table_.clear();
    sorted_.clear();
    if (particles.size() == 0) return;
    const ChannelArray* channel = particles.find_channel("id");
    SPINDRIFT_CHECK(channel != nullptr);
    const ConstChannel<std::int64_t> ids = channel->as<std::int64_t>();
    const IdRange range = range_of(particles, ids);
    first_ = range.first;
    // Unsigned: ids from a file may be anything, and their distance may not fit a signed number.
    const auto width = static_cast<std::uint64_t>(range.last) - static_cast<std::uint64_t>(range.first);
    if (width < most_rows_per_particle * particles.size()) {
        build_table(particles, ids, range.last);
    } else {
        build_sorted(particles, ids);
    }
}

void ParticleIndex::build_table(const ParticleStore& particles, ConstChannel<std::int64_t> ids, std::int64_t last) {
    table_.assign(static_cast<std::size_t>(last - first_) + 1, nobody);
    parallel_for(particles.size(), [&](Range range) {
        for (std::size_t i : range)
            table_[static_cast<std::size_t>(ids[particles.slot(i)] - first_)] = static_cast<std::uint32_t>(i);
    });
}

void ParticleIndex::build_sorted(const ParticleStore& particles, ConstChannel<std::int64_t> ids) {
    sorted_.resize(particles.size());
    for (std::size_t i = 0; i < particles.size(); ++i)
        sorted_[i] = {ids[particles.slot(i)], static_cast<std::uint32_t>(i)};
    std::sort(sorted_.begin(), sorted_.end());
}

std::optional<std::size_t> ParticleIndex::find(std::int64_t id) const {
    if (!sorted_.empty()) {
        const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair{id, std::uint32_t{0}});
        if (found == sorted_.end() || found->first != id) return std::nullopt;
        return found->second;
    }
    const auto row = static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(first_);
    if (row >= table_.size() || table_[row] == nobody) return std::nullopt;
    return table_[row];
}

}  // namespace spindrift::constraints
