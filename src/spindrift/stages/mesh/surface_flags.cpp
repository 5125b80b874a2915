#include "spindrift/stages/mesh/surface_flags.h"

#include <algorithm>

#include "spindrift/core/parallel.h"
#include "spindrift/io/npz.h"
#include "spindrift/scene/channel_params.h"

namespace spindrift::stages {

namespace {

constexpr ChannelType id_type{ScalarType::i64, 1}, flag_type{ScalarType::u8, 1}, since_type{ScalarType::f32, 1};
constexpr float not_looked_at = -1;

}  // namespace

ChannelSet flag_channels(const ChannelArray* id, std::span<const std::uint8_t> flags,
                         const surface::SurfaceState& state) {
    ChannelSet out;
    out.channels.reserve(3);
    const std::size_t n = flags.size();
    const bool has_id = id && id->type() == id_type && id->size() == n;
    if (has_id) {
        ChannelArray& copy = out.add("id", id_type, n);
        std::copy(id->data(), id->data() + id->size_bytes(), copy.data());
    }
    std::copy(flags.begin(), flags.end(), out.add(surface_flag_channel, flag_type, n).as<std::uint8_t>().begin());
    const Channel<float> since = out.add("since", since_type, n).as<float>();
    parallel_for(n, [&](Range range) {
        for (const std::size_t i : range) {
            since[i] = not_looked_at;
            if (!has_id) continue;
            const std::int64_t wanted = id->as<std::int64_t>()[i];
            const auto found = std::lower_bound(state.id.begin(), state.id.end(), wanted);
            if (found == state.id.end() || *found != wanted) continue;
            since[i] = state.since[static_cast<std::size_t>(found - state.id.begin())];
        }
    });
    return out;
}

surface::SurfaceState read_flags(const std::filesystem::path& path) {
    const ChannelSet channels = io::read_npz(path);
    const ChannelArray *id = channels.find("id"), *flag = channels.find(surface_flag_channel),
                       *since = channels.find("since");
    if (!flag || flag->type() != flag_type || !since || since->type() != since_type || (id && id->type() != id_type))
        throw IoError(IoError::Kind::corrupt, path,
                      "expected the channels id, surface_flag and since; remove the file, and it is made again");
    surface::SurfaceState state;
    if (!id) return state;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < channels.size(); ++i) {
        if (since->as<float>()[i] >= 0) order.push_back(i);
    }
    const auto ids = id->as<std::int64_t>();
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return ids[a] < ids[b]; });
    for (const std::size_t i : order) {
        state.id.push_back(ids[i]);
        state.flag.push_back(flag->as<std::uint8_t>()[i] != surface::inside);
        state.since.push_back(since->as<float>()[i]);
    }
    return state;
}

}  // namespace spindrift::stages
