#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <zip.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/io/format_problem.h"
#include "spindrift/io/npy_header.h"
#include "spindrift/io/npz.h"

namespace spindrift::io {

namespace fs = std::filesystem;

namespace {

/// Deflate cannot shrink further than this; an entry that claims more is lying.
constexpr std::uint64_t best_compression = 1032;

IoError corrupt(const fs::path& path, const std::string& text) {
    return {IoError::Kind::corrupt, path, text};
}

IoError damaged(const fs::path& path, const std::string& text) {
    return corrupt(path, fmt::format("frame is damaged: {}; run `spindrift resume` to compute it again", text));
}

std::string first_bytes(const fs::path& path, std::size_t count) {
    std::string bytes(count, '\0');
    std::ifstream(path, std::ios::binary).read(bytes.data(), static_cast<std::streamsize>(count));
    return bytes;
}

struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};

struct CloseEntry {
    void operator()(zip_file_t* file) const { zip_fclose(file); }
};

struct Member {
    zip_uint64_t index;
    std::string channel;
    std::uint64_t bytes;
    std::uint32_t checksum;
};

class Archive {
  public:
    explicit Archive(const fs::path& path);

    const fs::path& path() const { return path_; }
    const std::vector<Member>& members() const { return members_; }
    zip_t* handle() const { return handle_.get(); }

  private:
    void open();
    Member examine(zip_uint64_t index);

    fs::path path_;
    std::uint64_t file_bytes_;
    std::uint64_t claimed_bytes_ = 0;
    std::unique_ptr<zip_t, Discard> handle_;
    std::vector<Member> members_;
};

Archive::Archive(const fs::path& path) : path_(path) {
    std::error_code error;
    file_bytes_ = fs::file_size(path, error);
    if (error) throw read_error(path, error.value());
    open();

    std::set<std::string> names;
    const auto count = static_cast<zip_uint64_t>(zip_get_num_entries(handle(), 0));
    for (zip_uint64_t i = 0; i < count; ++i) {
        members_.push_back(examine(i));
        const std::string& name = members_.back().channel;
        if (!names.insert(name).second) throw corrupt(path_, fmt::format("channel '{}' is there twice", name));
    }
}

void Archive::open() {
    int code = 0;
    handle_.reset(zip_open(path_.c_str(), ZIP_RDONLY, &code));
    if (handle_) return;
    if (code == ZIP_ER_OPEN || code == ZIP_ER_READ) throw read_error(path_, errno);
    if (code == ZIP_ER_MEMORY) throw OutOfMemoryError(fmt::format("no memory to open {}", path_.string()));

    // What begins like an archive was one once; its directory stands at the end.
    const bool was_archive = first_bytes(path_, 4) == "PK\x03\x04";
    if (was_archive) throw damaged(path_, "it is cut off or its directory is broken");
    throw corrupt(path_, "this is not a .npz archive");
}

Member Archive::examine(zip_uint64_t index) {
    zip_stat_t stat;
    constexpr zip_uint64_t wanted =
        ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_CRC;
    if (zip_stat_index(handle(), index, 0, &stat) != 0 || (stat.valid & wanted) != wanted) {
        throw damaged(path_, "its directory is broken");
    }
    const std::string_view name = stat.name;
    if (!name.ends_with(".npy") || name.size() == 4) {
        throw corrupt(path_, fmt::format("'{}' inside is not an array; only .npy files are understood", name));
    }

    // Sizes are claims until read; none may exceed what the file can hold, alone or together.
    claimed_bytes_ += std::min(stat.comp_size, file_bytes_ + 1);
    const bool stored = stat.comp_method == ZIP_CM_STORE;
    const bool possible = stored ? stat.size == stat.comp_size : stat.size / best_compression <= stat.comp_size;
    if (claimed_bytes_ > file_bytes_ || !possible) {
        throw damaged(path_, fmt::format("'{}' claims more than the file can hold", name));
    }
    return {index, std::string(name.substr(0, name.size() - 4)), stat.size, stat.crc};
}

/// Reads one member from its beginning to its end.
class MemberReader {
  public:
    MemberReader(const Archive& archive, const Member& member)
        : archive_(archive), member_(member), file_(zip_fopen_index(archive.handle(), member.index, 0)) {
        if (!file_) fail(zip_get_error(archive.handle()));
    }

    void read(void* to, std::uint64_t bytes) {
        auto* next = static_cast<char*>(to);
        while (bytes > 0) {
            const std::uint64_t got = read_some(next, bytes);
            if (got == 0) throw damaged(archive_.path(), fmt::format("channel '{}' is cut off", member_.channel));
            next += got;
            bytes -= got;
        }
    }
    /// Goes on to the end, where libzip compares the checksum.
    void finish() {
        std::array<char, 1 << 14> rest;
        while (read_some(rest.data(), rest.size()) > 0) {
        }
    }

  private:
    std::uint64_t read_some(char* to, std::uint64_t bytes) {
        const zip_int64_t got = zip_fread(file_.get(), to, bytes);
        if (got < 0) fail(zip_file_get_error(file_.get()));
        return static_cast<std::uint64_t>(got);
    }
    [[noreturn]] void fail(zip_error_t* error) const;

    const Archive& archive_;
    const Member& member_;
    std::unique_ptr<zip_file_t, CloseEntry> file_;
};

void MemberReader::fail(zip_error_t* error) const {
    const std::string name = fmt::format("channel '{}'", member_.channel);
    switch (zip_error_code_zip(error)) {
        case ZIP_ER_CRC:
            throw damaged(archive_.path(), name + " fails its checksum");
        case ZIP_ER_COMPNOTSUPP:
            throw corrupt(archive_.path(), name + " is compressed in a way this program does not know");
        case ZIP_ER_ENCRNOTSUPP:
        case ZIP_ER_NOPASSWD:
            throw corrupt(archive_.path(), name + " is encrypted");
        case ZIP_ER_MEMORY:
            throw OutOfMemoryError(fmt::format("no memory to read {}", archive_.path().string()));
        default:
            throw damaged(archive_.path(), name + " is not readable");
    }
}

/// Reads the header and makes sure that the values it promises are what follows.
NpyShape read_header(MemberReader& reader, const Member& member) {
    std::string header(std::min<std::uint64_t>(npy_preamble_bytes, member.bytes), '\0');
    reader.read(header.data(), header.size());
    const std::size_t header_bytes = npy_header_bytes(header);
    if (header_bytes > member.bytes) throw FormatProblem("is shorter than its header");
    header.resize(header_bytes);
    reader.read(header.data() + npy_preamble_bytes, header_bytes - npy_preamble_bytes);

    const NpyShape shape = parse_npy_header(header);
    const std::uint64_t value_bytes = member.bytes - header_bytes;
    if (value_bytes % shape.type.bytes() != 0 || value_bytes / shape.type.bytes() != shape.size) {
        throw FormatProblem(fmt::format("promises {} particles but holds {} bytes", shape.size, value_bytes));
    }
    return shape;
}

/// As read_header, with problems told as errors of the file.
NpyShape open_array(const Archive& archive, MemberReader& reader, const Member& member) try {
    return read_header(reader, member);
} catch (const FormatProblem& problem) {
    // A header that makes no sense may be a damaged one: then the checksum is the better news.
    reader.finish();
    throw corrupt(archive.path(), fmt::format("channel '{}' {}", member.channel, problem.what()));
}

ChannelArray read_channel(const Archive& archive, const Member& member) {
    MemberReader reader(archive, member);
    const NpyShape shape = open_array(archive, reader, member);
    ChannelArray channel(member.channel, shape.type);
    channel.resize(shape.size);
    reader.read(channel.data(), channel.size_bytes());
    reader.finish();
    return channel;
}

}  // namespace

namespace {

template <class IsWanted>
ChannelSet read_some(const fs::path& path, Lengths lengths, const IsWanted& is_wanted) {
    const Archive archive(path);
    ChannelSet set;
    for (const Member& member : archive.members()) {
        if (!is_wanted(member.channel)) continue;
        set.channels.push_back(read_channel(archive, member));
        const ChannelArray& channel = set.channels.back();
        if (lengths == Lengths::equal && channel.size() != set.size()) {
            throw corrupt(path, fmt::format("channel '{}' has {} particles but '{}' has {}", channel.name(),
                                            channel.size(), set.channels.front().name(), set.size()));
        }
    }
    return set;
}

}  // namespace

ChannelSet read_npz(const fs::path& path, Lengths lengths) {
    return read_some(path, lengths, [](const std::string&) { return true; });
}

ChannelSet read_npz(const fs::path& path, std::span<const std::string> names) {
    return read_some(path, Lengths::equal,
                     [&](const std::string& name) { return std::ranges::find(names, name) != names.end(); });
}

std::vector<NpzEntry> list_npz(const fs::path& path) {
    const Archive archive(path);
    std::vector<NpzEntry> entries;
    for (const Member& member : archive.members()) {
        MemberReader reader(archive, member);
        const NpyShape shape = open_array(archive, reader, member);
        entries.push_back({member.channel, shape.type, shape.size, member.checksum});
    }
    return entries;
}

}  // namespace spindrift::io
