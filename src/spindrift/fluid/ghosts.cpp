#include "spindrift/fluid/ghosts.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "spindrift/core/errors.h"
#include "spindrift/neighbors/leaf_key.h"

namespace spindrift::fluid {

namespace {

using neighbors::GhostLeaf;
using neighbors::Leaf;
using neighbors::leaf_width;

/// Cells: a support radius, what both sides of a pair may move between the sort and the lists, and rounding.
constexpr float reach = 1.01f + 2 * neighbors::largest_move;

/// The places around a leaf that other ranks own.
struct ForeignPlace {
    Vec3i coord;
    int rank;
};

std::vector<ForeignPlace> places_around(const Leaf& leaf, const ranks::Cuts& cuts, int own) {
    std::vector<ForeignPlace> places;
    for (int n = 0; n < 27; ++n) {
        const Vec3i coord = leaf.coord + Vec3i{n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
        const int rank = cuts.owner(neighbors::leaf_key(coord));
        if (rank != own) places.push_back({coord, rank});
    }
    return places;
}

/// Whether a position in cells is within reach of a leaf.
bool is_near(Vec3f p, Vec3i leaf) {
    float squared = 0;
    for (int a = 0; a < 3; ++a) {
        const auto low = static_cast<float>(leaf[a] * leaf_width);
        const float beyond = std::max({low - p[a], p[a] - (low + leaf_width), 0.f});
        squared += beyond * beyond;
    }
    return squared < reach * reach;
}

template <class T>
void put(const T& value, std::vector<std::byte>& bytes) {
    bytes.resize(bytes.size() + sizeof(T));
    std::memcpy(bytes.data() + bytes.size() - sizeof(T), &value, sizeof(T));
}

}  // namespace

Ghosts::Ghosts(ranks::Ranks& ranks, const ranks::Cuts& cuts, const neighbors::LeafGrid& grid, ConstChannel<Float4> x)
    : ranks_(&ranks),
      peers_(static_cast<std::size_t>(ranks.size())),
      particle_total_(grid.owned().size()),
      leaf_total_(grid.leaves().size()) {
    find_wanted(cuts, grid, x);
    std::vector<ranks::Message> out;
    for (int rank = 0; rank < ranks.size(); ++rank) {
        if (!peers_[static_cast<std::size_t>(rank)].leaves.empty()) out.push_back(message_to(rank, grid, x));
    }
    for (const ranks::Message& message : ranks.exchange(std::move(out)))
        take(message);
}

void Ghosts::find_wanted(const ranks::Cuts& cuts, const neighbors::LeafGrid& grid, ConstChannel<Float4> x) {
    const float cells_per_unit = 1 / grid.resolutions().h[0];
    for (std::size_t l = 0; l < grid.leaves().size(); ++l) {
        const Leaf& leaf = grid.leaves()[l];
        const std::vector<ForeignPlace> places = places_around(leaf, cuts, ranks_->rank());
        for (const ForeignPlace& place : places) {
            std::vector<std::uint32_t>& leaves = peers_[static_cast<std::size_t>(place.rank)].leaves;
            if (leaves.empty() || leaves.back() != l) leaves.push_back(static_cast<std::uint32_t>(l));
        }
        for (const std::size_t i : places.empty() ? Range{0, 0} : leaf.particles()) {
            const Vec3f p = x[i].xyz() * cells_per_unit;
            for (const ForeignPlace& place : places) {
                std::vector<std::uint32_t>& wanted = peers_[static_cast<std::size_t>(place.rank)].particles;
                if ((wanted.empty() || wanted.back() != i) && is_near(p, place.coord))
                    wanted.push_back(static_cast<std::uint32_t>(i));
            }
        }
    }
}

/// Number of leaves, each with its key and how many particles of it follow, and those.
ranks::Message Ghosts::message_to(int rank, const neighbors::LeafGrid& grid, ConstChannel<Float4> x) const {
    const Peer& peer = peers_[static_cast<std::size_t>(rank)];
    ranks::Message message{rank};
    put<std::uint64_t>(peer.leaves.size(), message.bytes);
    auto at = peer.particles.begin();
    for (const std::uint32_t l : peer.leaves) {
        const auto end = std::lower_bound(at, peer.particles.end(), grid.leaves()[l].particles().last);
        put(GhostLeaf{grid.keys()[l], static_cast<std::uint64_t>(end - at)}, message.bytes);
        at = end;
    }
    for (const std::uint32_t i : peer.particles)
        put(x[i], message.bytes);
    return message;
}

void Ghosts::take(const ranks::Message& message) {
    const std::byte* from = message.bytes.data();
    const auto copy = [&](void* to, std::size_t bytes) {
        SPINDRIFT_CHECK(from + bytes <= message.bytes.data() + message.bytes.size());
        if (bytes > 0) std::memcpy(to, from, bytes);
        from += bytes;
    };
    std::uint64_t leaves = 0;
    copy(&leaves, sizeof leaves);
    Peer& peer = peers_[static_cast<std::size_t>(message.rank)];
    Side& side = sides_[message.rank > ranks_->rank()];
    peer.leaf_count = leaves;
    const std::size_t first = side.leaves.size();
    side.leaves.resize(first + leaves);
    copy(side.leaves.data() + first, leaves * sizeof(GhostLeaf));
    for (std::size_t l = first; l < side.leaves.size(); ++l)
        peer.particle_count += side.leaves[l].count;
    side.x.resize(side.x.size() + peer.particle_count);
    copy(side.x.data() + side.x.size() - peer.particle_count, peer.particle_count * sizeof(Float4));
}

void Ghosts::surround(ParticleStore& particles) const {
    const std::size_t low = below().size(), own = particles.size(), all = low + own + above().size();
    particles.set_size(all);
    Float4 *const x = particles.position().data(), *const v = particles.velocity().data();
    std::copy_backward(x, x + own, x + low + own);
    std::copy_backward(v, v + own, v + low + own);
    std::copy(below().begin(), below().end(), x);
    std::copy(above().begin(), above().end(), x + low + own);
    std::fill(v, v + low, Float4{0, 0, 0, 0});
    std::fill(v + low + own, v + all, Float4{0, 0, 0, 0});
}

ranks::Halo Ghosts::halo(std::vector<std::uint32_t> Peer::*give, std::size_t Peer::*count, std::size_t owned) const {
    ranks::Halo halo(*ranks_);
    std::size_t low = 0, at = 0;
    for (int rank = 0; rank < ranks_->rank(); ++rank)
        low += peers_[static_cast<std::size_t>(rank)].*count;
    for (std::size_t rank = 0; rank < peers_.size(); ++rank) {
        if (static_cast<int>(rank) == ranks_->rank()) {
            at += owned;
            continue;
        }
        const Peer& peer = peers_[rank];
        std::vector<std::uint32_t> items = peer.*give;
        for (std::uint32_t& item : items)
            item += static_cast<std::uint32_t>(low);
        if (!items.empty() || peer.*count > 0)
            halo.add(static_cast<int>(rank), std::move(items), {at, at + peer.*count});
        at += peer.*count;
    }
    return halo;
}

}  // namespace spindrift::fluid
