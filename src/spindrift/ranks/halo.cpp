#include "spindrift/ranks/halo.h"

#include <algorithm>
#include <cstring>

#include "spindrift/core/errors.h"

namespace spindrift::ranks {

void Halo::add(int rank, std::vector<std::uint32_t> give, Range take) {
    peers_.push_back({rank, std::move(give), take});
}

void Halo::refresh_part(std::byte* first, std::size_t bytes, std::size_t stride) const {
    if (ranks_->is_alone()) return;
    std::vector<Message> out;
    for (const Peer& peer : peers_) {
        if (peer.give.empty()) continue;
        Message& message = out.emplace_back(Message{peer.rank, std::vector<std::byte>(peer.give.size() * bytes)});
        for (std::size_t k = 0; k < peer.give.size(); ++k)
            std::memcpy(message.bytes.data() + k * bytes, first + peer.give[k] * stride, bytes);
    }
    for (const Message& message : ranks_->exchange(std::move(out))) {
        const auto peer =
            std::find_if(peers_.begin(), peers_.end(), [&](const Peer& each) { return each.rank == message.rank; });
        SPINDRIFT_CHECK(peer != peers_.end() && message.bytes.size() == peer->take.size() * bytes);
        for (std::size_t k = 0; k < peer->take.size(); ++k)
            std::memcpy(first + (peer->take.first + k) * stride, message.bytes.data() + k * bytes, bytes);
    }
}

}  // namespace spindrift::ranks
