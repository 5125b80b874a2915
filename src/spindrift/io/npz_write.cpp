// Writes the zip by hand: checksums of all channels in parallel, then one pass over the memory. libzip copies every
// value once more and sums on one core; with 1 M particles it was measured at less than half the speed. Channels that
// are not packed in memory are packed twice, piece by piece: once for the sum, which comes first, and once to write.

#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <zlib.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/hash.h"
#include "spindrift/core/parallel.h"
#include "spindrift/io/npy_header.h"
#include "spindrift/io/npz.h"

namespace spindrift::io {

namespace {

/// Bytes that are summed, and of channels that are not packed those that are written, at a time.
constexpr std::size_t checksum_chunk = std::size_t{1} << 20, write_chunk = std::size_t{1} << 24;
constexpr std::uint32_t in_zip64 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint16_t utf8_name = 1 << 11;
constexpr std::uint16_t plain_version = 20, zip64_version = 45;
constexpr std::uint16_t made_by_unix = 3 << 8;
constexpr std::uint32_t regular_file_0644 = 0100644u << 16;
/// Midnight of 1 January 1980: equal content gives equal bytes.
constexpr std::uint16_t no_time = 0, no_date = 0x0021;

/// Little-endian fields of zip records.
class Record {
  public:
    Record& u16(std::uint64_t value) { return append(value, 2); }
    Record& u32(std::uint64_t value) { return append(value, 4); }
    Record& u64(std::uint64_t value) { return append(value, 8); }
    Record& text(std::string_view value) {
        bytes_ += value;
        return *this;
    }
    const std::string& bytes() const { return bytes_; }

  private:
    Record& append(std::uint64_t value, int bytes) {
        for (int i = 0; i < bytes; ++i)
            bytes_ += static_cast<char>(value >> (8 * i) & 0xff);
        return *this;
    }

    std::string bytes_;
};

/// One `.npy` file of the archive.
struct Member {
    std::string name;    ///< in the archive
    std::string header;  ///< of the array
    const ChannelView* channel;
    std::uint32_t checksum = 0;
    std::uint64_t offset = 0;  ///< of its local header

    std::uint64_t bytes() const { return header.size() + channel->size_bytes(); }
    bool size_in_zip64() const { return bytes() >= in_zip64; }
    bool offset_in_zip64() const { return offset >= in_zip64; }
};

std::vector<Member> make_members(const FrameView& channels, Lengths lengths) {
    std::set<std::string_view> names;
    std::vector<Member> members;
    for (const ChannelView& channel : channels.channels()) {
        SPINDRIFT_CHECK(lengths == Lengths::any || channel.size == channels.size());
        SPINDRIFT_CHECK(!channel.name.empty() && channel.name.size() < 1000);
        SPINDRIFT_CHECK(names.insert(channel.name).second);
        members.push_back({channel.name + ".npy", format_npy_header(channel.type, channel.size), &channel});
    }
    return members;
}

std::uint32_t checksum_of(const void* data, std::size_t bytes) {
    return static_cast<std::uint32_t>(crc32_z(0, static_cast<const Bytef*>(data), bytes));
}

std::size_t rows_in(std::size_t bytes, const ChannelView& channel) {
    return std::max<std::size_t>(1, bytes / channel.type.bytes());
}

std::uint32_t checksum_of(const ChannelView& channel, Range rows) {
    const std::size_t bytes = channel.type.bytes();
    if (channel.is_packed()) return checksum_of(channel.data + rows.first * bytes, rows.size() * bytes);
    std::vector<std::byte> packed(rows.size() * bytes);
    channel.copy(rows, packed.data());
    return checksum_of(packed.data(), packed.size());
}

void write_rows(AtomicFile& file, const ChannelView& channel) {
    if (channel.is_packed()) return file.write(channel.data, channel.size_bytes());
    const std::size_t bytes = channel.type.bytes(), most = rows_in(write_chunk, channel);
    std::vector<std::byte> packed(std::min(most, channel.size) * bytes);
    for (std::size_t first = 0; first < channel.size; first += most) {
        const std::size_t count = std::min(most, channel.size - first);
        parallel_for(count, [&](Range range) {
            channel.copy({first + range.first, first + range.last}, packed.data() + range.first * bytes);
        });
        file.write(packed.data(), count * bytes);
    }
}

/// Sums fixed pieces of all members at once and joins the sums in order.
void compute_checksums(std::vector<Member>& members) {
    struct Piece {
        Member* member;
        Range rows;
        std::uint32_t checksum = 0;
    };
    std::vector<Piece> pieces;
    for (Member& member : members) {
        const std::size_t rows = rows_in(checksum_chunk, *member.channel), size = member.channel->size;
        for (std::size_t c = 0; c < chunk_count(size, rows); ++c)
            pieces.push_back({&member, chunk_range(c, size, rows)});
    }
    parallel_chunks(pieces.size(), [&](std::size_t p) {
        pieces[p].checksum = checksum_of(*pieces[p].member->channel, pieces[p].rows);
    });

    for (Member& member : members)
        member.checksum = checksum_of(member.header.data(), member.header.size());
    for (const Piece& piece : pieces) {
        piece.member->checksum = static_cast<std::uint32_t>(
            crc32_combine(piece.member->checksum, piece.checksum,
                          static_cast<z_off_t>(piece.rows.size() * piece.member->channel->type.bytes())));
    }
}

/// The fields that local and central headers share, from the version needed to the length of the name.
void add_common_fields(Record& record, const Member& member, bool zip64) {
    const bool ascii = std::ranges::all_of(member.name, [](unsigned char c) { return c < 0x80; });
    const std::uint64_t size = member.size_in_zip64() ? in_zip64 : member.bytes();
    record.u16(zip64 ? zip64_version : plain_version).u16(ascii ? 0 : utf8_name).u16(0).u16(no_time).u16(no_date);
    record.u32(member.checksum).u32(size).u32(size).u16(member.name.size());
}

/// The extra field that holds what does not fit into four bytes.
std::string zip64_extra(const Member& member, bool with_offset) {
    Record values;
    if (member.size_in_zip64()) values.u64(member.bytes()).u64(member.bytes());
    if (with_offset && member.offset_in_zip64()) values.u64(member.offset);
    if (values.bytes().empty()) return "";
    return Record().u16(1).u16(values.bytes().size()).text(values.bytes()).bytes();
}

std::string local_header(const Member& member) {
    const std::string extra = zip64_extra(member, false);
    Record record;
    record.text("PK\x03\x04");
    add_common_fields(record, member, !extra.empty());
    return record.u16(extra.size()).text(member.name).text(extra).bytes();
}

std::string central_header(const Member& member) {
    const std::string extra = zip64_extra(member, true);
    Record record;
    record.text("PK\x01\x02").u16(made_by_unix | zip64_version);
    add_common_fields(record, member, !extra.empty());
    record.u16(extra.size()).u16(0).u16(0).u16(0).u32(regular_file_0644);
    return record.u32(member.offset_in_zip64() ? in_zip64 : member.offset).text(member.name).text(extra).bytes();
}

std::string end_of_archive(std::uint64_t count, std::uint64_t offset, std::uint64_t bytes) {
    Record record;
    const bool zip64 = offset >= in_zip64 || bytes >= in_zip64 || count >= 0xffff;
    if (zip64) {
        record.text("PK\x06\x06").u64(44).u16(made_by_unix | zip64_version).u16(zip64_version).u32(0).u32(0);
        record.u64(count).u64(count).u64(bytes).u64(offset);
        record.text("PK\x06\x07").u32(0).u64(offset + bytes).u32(1);
    }
    const std::uint64_t short_count = zip64 ? 0xffff : count;
    record.text("PK\x05\x06").u16(0).u16(0).u16(short_count).u16(short_count);
    return record.u32(zip64 ? in_zip64 : bytes).u32(zip64 ? in_zip64 : offset).u16(0).bytes();
}

/// Gives every member its place and returns where the directory begins.
std::uint64_t place_members(std::vector<Member>& members) {
    std::uint64_t offset = 0;
    for (Member& member : members) {
        member.offset = offset;
        offset += local_header(member).size() + member.bytes();
    }
    return offset;
}

WrittenFile write_members(const std::filesystem::path& path, std::vector<Member>& members) {
    compute_checksums(members);
    const std::uint64_t directory_offset = place_members(members);
    std::string directory;
    for (const Member& member : members)
        directory += central_header(member);

    AtomicFile file(path, directory_offset + directory.size());
    for (const Member& member : members) {
        file.write(local_header(member) + member.header);
        write_rows(file, *member.channel);
    }
    file.write(directory + end_of_archive(members.size(), directory_offset, directory.size()));
    return file.commit();
}

std::vector<NpzEntry> entries_of(const std::vector<Member>& members) {
    std::vector<NpzEntry> entries;
    for (const Member& member : members) {
        entries.push_back({member.channel->name, member.channel->type, member.channel->size, member.checksum});
    }
    return entries;
}

}  // namespace

std::vector<NpzEntry> write_npz(const std::filesystem::path& path, const FrameView& channels, Lengths lengths) {
    std::vector<Member> members = make_members(channels, lengths);
    write_members(path, members);
    return entries_of(members);
}

WrittenFile write_arrays(const std::filesystem::path& path, const FrameView& channels, Lengths lengths) {
    std::vector<Member> members = make_members(channels, lengths);
    const WrittenFile file = write_members(path, members);
    return {file.bytes, content_hash(entries_of(members))};
}

std::string type_text(ChannelType type) {
    const std::string_view scalar = dtype_name(type.scalar);
    return type.width == 1 ? std::string(scalar) : fmt::format("{} x {}", scalar, type.width);
}

std::string content_hash(const std::vector<NpzEntry>& entries) {
    Hash64 hash;
    for (const NpzEntry& e : entries) {
        hash.add(fmt::format("{}:{}:{}:{}:{};", e.name, dtype_name(e.type.scalar), e.type.width, e.size, e.checksum));
    }
    return hash.hex();
}

}  // namespace spindrift::io
