#pragma once
// Particle frames as numpy archives: one array per channel, read by `numpy.load` with no code of ours.
//
//   write_npz("water.0042.npz", channels);
//   ChannelSet again = read_npz("water.0042.npz");     // same bits; checksums verified
//   for (const NpzEntry& e : list_npz("water.0042.npz")) print(e.name, dtype_name(e.type.scalar), e.size);
//
// An uncompressed zip of `<channel>.npy`: shape (n,) for width 1, (n, width) otherwise, little endian, C order. Equal
// channels give equal bytes. Archives of numpy.savez and numpy.savez_compressed are read as well.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spindrift/core/atomic_file.h"
#include "spindrift/particles/channel_array.h"
#include "spindrift/particles/frame_view.h"

namespace spindrift::io {

/// One channel of an archive without its values.
struct NpzEntry {
    std::string name;
    ChannelType type;
    std::size_t size = 0;        ///< particles
    std::uint32_t checksum = 0;  ///< CRC-32 of the array as the archive holds it

    friend bool operator==(const NpzEntry&, const NpzEntry&) = default;
};

/// Channels of particles all have one length; archives of other things may hold arrays of any.
enum class Lengths { equal, any };

/// Writes all channels, which must have different names; returns what list_npz would. Needs some megabytes of memory
/// for channels that are not packed, however many particles there are.
std::vector<NpzEntry> write_npz(const std::filesystem::path& path, const FrameView& channels,
                                Lengths lengths = Lengths::equal);

/// The same; tells the size of the file and the content_hash() of what is in it.
WrittenFile write_arrays(const std::filesystem::path& path, const FrameView& channels, Lengths lengths = Lengths::any);

/// Truth values come as u8. Throws IoError: missing, or corrupt with what is wrong.
ChannelSet read_npz(const std::filesystem::path& path, Lengths lengths = Lengths::equal);

/// The channels of these names, as far as there are any; the others are not read.
ChannelSet read_npz(const std::filesystem::path& path, std::span<const std::string> names);

/// Names, types and lengths; reads a few hundred bytes for each channel and verifies no checksums.
std::vector<NpzEntry> list_npz(const std::filesystem::path& path);

/// Hash of a frame's content made from names, types, lengths and checksums: costs nothing after writing or listing.
std::string content_hash(const std::vector<NpzEntry>& entries);

/// As numpy spells it: "float32", "int64".
std::string_view dtype_name(ScalarType scalar);
/// "float32", or "float32 x 3" of several.
std::string type_text(ChannelType type);

}  // namespace spindrift::io
