#include "spindrift/collision/field_cache.h"

#include <algorithm>
#include <cctype>
#include <cstring>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/hash.h"
#include "spindrift/core/log.h"

namespace spindrift::collision {

namespace fs = std::filesystem;

namespace {

/// Goes up when make_field gives other numbers or the file another form: files of old programs are not taken.
constexpr std::uint32_t version = 1;
constexpr char magic[8] = {'S', 'P', 'D', 'F', 'I', 'E', 'L', 'D'};

/// The file's beginning; the note, the table, distances, triangles and a hash of all of it follow.
struct Header {
    char magic[8];
    std::uint32_t version;
    std::int32_t closed, beyond;
    float band, depth;
    std::int32_t first[3], bricks[3];
    std::uint32_t note_size;
    double cell;
    std::uint64_t brick_count;
    std::uint64_t has_primitives;
};
static_assert(sizeof(Header) == 80, "no gaps, whose bytes would be anything");

Header header_of(const Field& field) {
    Header header{};
    std::copy_n(magic, sizeof magic, header.magic);
    header.version = version;
    header.closed = field.closed;
    header.beyond = field.beyond;
    header.band = field.band;
    header.depth = field.depth;
    for (int a = 0; a < 3; ++a) {
        header.first[a] = field.first[a];
        header.bricks[a] = field.bricks[a];
    }
    header.note_size = static_cast<std::uint32_t>(field.note.size());
    header.cell = field.cell;
    header.brick_count = field.brick_count();
    header.has_primitives = !field.primitive.empty();
    return header;
}

/// Bytes of the arrays that a header announces; more than any file has if it announces nonsense.
std::uint64_t content_size(const Header& header) {
    constexpr std::uint64_t nonsense = ~std::uint64_t{0};
    std::uint64_t blocks = 1;
    for (const std::int32_t count : header.bricks) {
        if (count < 1 || blocks > (std::uint64_t{1} << 31)) return nonsense;
        blocks *= static_cast<std::uint64_t>(count);
    }
    if (header.brick_count > blocks || blocks > (std::uint64_t{1} << 31)) return nonsense;
    return header.note_size + blocks * 4 + header.brick_count * brick_nodes * (header.has_primitives ? 8 : 4);
}

template <class T>
void take(const char*& at, std::vector<T>& values, std::size_t count) {
    values.resize(count);
    if (count > 0) std::memcpy(values.data(), at, count * sizeof(T));
    at += count * sizeof(T);
}

Field parse(const Header& header, const char* at) {
    Field field;
    field.cell = header.cell;
    field.first = {header.first[0], header.first[1], header.first[2]};
    field.bricks = {header.bricks[0], header.bricks[1], header.bricks[2]};
    field.band = header.band;
    field.depth = header.depth;
    field.closed = header.closed != 0;
    field.beyond = header.beyond;
    field.note.assign(at, header.note_size);
    at += header.note_size;
    std::size_t blocks = 1;
    for (const std::int32_t count : header.bricks)
        blocks *= static_cast<std::size_t>(count);
    take(at, field.table, blocks);
    take(at, field.distance, header.brick_count * brick_nodes);
    take(at, field.primitive, header.has_primitives ? header.brick_count * brick_nodes : 0);
    return field;
}

}  // namespace

std::string field_file_name(const geometry::Mesh& mesh, const FieldSettings& settings) {
    const double numbers[] = {settings.cell, settings.thickness, settings.offset, settings.band, settings.depth};
    const std::uint32_t words[] = {version, static_cast<std::uint32_t>(settings.mode), settings.primitives};
    Hash64 hash;
    hash.add(std::span<const Vec3f>(mesh.points)).add(std::span<const geometry::Triangle>(mesh.triangles));
    hash.add(std::span<const double>(numbers)).add(std::span<const std::uint32_t>(words)).add(settings.name);
    std::string name = settings.name.substr(0, 64);
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return !(std::isalnum(c) && c < 128) && c != '_' && c != '-'; },
        '_');
    return name + "." + hash.hex() + ".field";
}

void write_field(const fs::path& path, const Field& field) {
    const Header header = header_of(field);
    AtomicFile file(path, sizeof header + content_size(header) + 8);
    Hash64 hash;
    const auto put = [&](const void* data, std::size_t bytes) {
        hash.add(data, bytes);
        file.write(data, bytes);
    };
    put(&header, sizeof header);
    put(field.note.data(), field.note.size());
    put(field.table.data(), field.table.size() * 4);
    put(field.distance.data(), field.distance.size() * 4);
    put(field.primitive.data(), field.primitive.size() * 4);
    const std::uint64_t value = hash.value();
    file.write(&value, sizeof value);
    file.commit();
}

std::optional<Field> read_field(const fs::path& path) {
    std::error_code missing;
    if (!fs::is_regular_file(path, missing)) return {};
    const std::string bytes = read_file(path);
    Header header;
    if (bytes.size() < sizeof header) return {};
    std::memcpy(&header, bytes.data(), sizeof header);
    if (!std::equal(magic, magic + sizeof magic, header.magic) || header.version != version) return {};
    if (content_size(header) != bytes.size() - sizeof header - 8) return {};
    const char* at = bytes.data() + sizeof header;
    const Field field = parse(header, at);
    Hash64 hash;
    hash.add(&header, sizeof header).add(field.note).add(std::span<const std::int32_t>(field.table));
    hash.add(std::span<const float>(field.distance)).add(std::span<const std::int32_t>(field.primitive));
    const std::uint64_t expected = hash.value();
    if (std::memcmp(&expected, bytes.data() + bytes.size() - 8, 8) != 0) return {};
    return field;
}

Field cached_field(const fs::path& folder, const geometry::Mesh& mesh, const FieldSettings& settings) {
    if (folder.empty()) return make_field(mesh, settings);
    const fs::path path = folder / field_file_name(mesh, settings);
    try {
        if (std::optional<Field> kept = read_field(path)) return std::move(*kept);
    } catch (const IoError&) {
        // Not readable is as good as not there.
    }
    Field field = make_field(mesh, settings);
    try {
        std::error_code error;
        fs::create_directories(folder, error);
        write_field(path, field);
    } catch (const IoError& error) {
        log_warning(error.what());
    }
    return field;
}

}  // namespace spindrift::collision
