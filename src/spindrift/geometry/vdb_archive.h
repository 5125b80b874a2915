#pragma once
// OpenVDB files in memory, so that failures on the way to the disk are ours to tell. The same grids give the same
// bytes.
//
//   WrittenFile file = write_file("surface.0042.vdb", archive_of(grids));

#include <sstream>
#include <string>
#include <utility>

#include <openvdb/openvdb.h>

#include "spindrift/core/errors.h"
#include "spindrift/geometry/vdb_tag.h"

namespace spindrift::geometry {

class MemoryArchive : public openvdb::io::Archive {
  public:
    std::string content(const openvdb::GridPtrVec& grids) const {
        std::ostringstream bytes;
        // Streams swallow what goes wrong in them, as a lack of memory, and the file would be cut off.
        bytes.exceptions(std::ios::badbit | std::ios::failbit);
        openvdb::io::Archive::write(bytes, grids, /*seekable=*/true);
        return std::move(bytes).str();
    }
};

inline std::string archive_of(const openvdb::GridPtrVec& grids) {
    const MemoryArchive archive;
    std::string content = archive.content(grids);
    SPINDRIFT_CHECK(read_tag(content) == archive.getUniqueTag());
    settle_tag(content);
    return content;
}

}  // namespace spindrift::geometry
