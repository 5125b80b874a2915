#include "spindrift/geometry/vdb_tag.h"

#include <fmt/format.h>

#include "spindrift/core/hash.h"

namespace spindrift::geometry {

namespace {

/// Behind the magic number, three versions and a flag.
constexpr std::size_t tag_at = 21, tag_size = 36, version_at = tag_at + 14;
constexpr char own_version = '8';

std::string tag_of(std::string content) {
    content.replace(tag_at, tag_size, tag_size, '0');
    const Hash64 hash = Hash64().add(content);
    const std::string hex = hash.hex() + Hash64(hash).add("tag").hex();
    return fmt::format("{}-{}-{}{}-{}-{}", hex.substr(0, 8), hex.substr(8, 4), own_version, hex.substr(12, 3),
                       hex.substr(16, 4), hex.substr(20, 12));
}

}  // namespace

std::string read_tag(const std::string& content) {
    return content.size() < tag_at + tag_size ? "" : content.substr(tag_at, tag_size);
}

void settle_tag(std::string& content) {
    content.replace(tag_at, tag_size, tag_of(content));
}

bool is_damaged(const std::string& content) {
    const std::string tag = read_tag(content);
    return tag.empty() || (content[version_at] == own_version && tag != tag_of(content));
}

}  // namespace spindrift::geometry
