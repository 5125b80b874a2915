#include "spindrift/collision/fields/field_cache.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <fstream>

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

std::uint64_t block_count(const Header& header) {
    std::uint64_t blocks = 1;
    for (const std::int32_t count : header.bricks)
        blocks *= static_cast<std::uint64_t>(count);
    return blocks;
}

/// Whether the numbers are those of a field that make_field could have made: sizes, places and lengths.
bool is_sound(const Header& header) {
    constexpr std::int32_t most_along = 1 << 17, farthest = 1 << 24;
    constexpr std::uint64_t most_blocks = 1 << 30;
    for (int a = 0; a < 3; ++a) {
        if (header.bricks[a] < 1 || header.bricks[a] > most_along) return false;
        if (header.first[a] < -farthest || header.first[a] > farthest) return false;
    }
    const std::uint64_t blocks = block_count(header);
    const auto is_length = [](double value) { return std::isfinite(value) && value >= 0; };
    return std::equal(magic, magic + sizeof magic, header.magic) && header.version == version &&
           blocks <= most_blocks && header.brick_count <= blocks && header.has_primitives <= 1 &&
           (header.beyond == free_block || header.beyond == solid_block) && is_length(header.cell) && header.cell > 0 &&
           is_length(header.band) && is_length(header.depth);
}

/// Bytes of the arrays that a sound header announces.
std::uint64_t content_size(const Header& header) {
    return header.note_size + block_count(header) * 4 +
           header.brick_count * brick_nodes * (header.has_primitives ? 8 : 4);
}

/// Whether look-ups stay within the arrays and find numbers.
bool is_sound(const Field& field) {
    const auto bricks = static_cast<std::int64_t>(field.brick_count());
    const auto is_entry = [&](std::int32_t entry) { return entry >= solid_block && entry < bricks; };
    const auto is_number = [](float distance) { return std::isfinite(distance); };
    return std::ranges::all_of(field.table, is_entry) && std::ranges::all_of(field.distance, is_number);
}

/// Whether a field may be one of this mesh with these settings.
bool fits(const Field& field, const geometry::Mesh& mesh, const FieldSettings& settings) {
    const auto triangles = static_cast<std::int64_t>(mesh.triangles.size());
    return field.cell == settings.cell && field.primitive.empty() != settings.primitives &&
           std::ranges::all_of(field.primitive, [&](std::int32_t t) { return t >= -1 && t < triangles; });
}

/// The beginning of a file, if it is one of a field and the file is as long as it says.
std::optional<Header> read_header(const fs::path& path) {
    Header header;
    std::ifstream file(path, std::ios::binary);
    if (!file.read(reinterpret_cast<char*>(&header), sizeof header) || !is_sound(header)) return {};
    std::error_code missing;
    const std::uintmax_t size = fs::file_size(path, missing);
    if (missing || size != sizeof header + content_size(header) + sizeof(std::uint64_t)) return {};
    return header;
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
    take(at, field.table, block_count(header));
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
    const std::optional<Header> header = read_header(path);
    if (!header) return {};
    const std::string bytes = read_file(path);
    // The file may be another one by now.
    const std::size_t end = sizeof *header + content_size(*header);
    if (bytes.size() != end + sizeof(std::uint64_t) || std::memcmp(bytes.data(), &*header, sizeof *header) != 0)
        return {};
    Field field = parse(*header, bytes.data() + sizeof *header);
    Hash64 hash;
    hash.add(&*header, sizeof *header).add(field.note).add(std::span<const std::int32_t>(field.table));
    hash.add(std::span<const float>(field.distance)).add(std::span<const std::int32_t>(field.primitive));
    const std::uint64_t expected = hash.value();
    if (std::memcmp(&expected, bytes.data() + end, sizeof expected) != 0 || !is_sound(field)) return {};
    return field;
}

Field cached_field(const fs::path& folder, const geometry::Mesh& mesh, const FieldSettings& settings) {
    if (folder.empty()) return make_field(mesh, settings);
    const fs::path path = folder / field_file_name(mesh, settings);
    try {
        if (std::optional<Field> kept = read_field(path); kept && fits(*kept, mesh, settings)) return std::move(*kept);
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
