#include "cli/info_grids.h"

#include <algorithm>
#include <limits>

#include "cli/json.h"
#include <fmt/format.h>

#include "spindrift/cache/series.h"
#include "spindrift/core/errors.h"
#include "spindrift/grid/vdb_file.h"

namespace spindrift::cli {

namespace {

/// Of the active cells, all components.
struct Extent {
    std::size_t cells = 0;
    double low = std::numeric_limits<double>::infinity(), high = -low;
};

Extent extent(const grid::Volume& volume) {
    Extent e;
    visit_active(volume, [&](Vec3i, std::size_t leaf, int cell) {
        ++e.cells;
        for (const grid::Field<float>& values : volume.values) {
            e.low = std::min(e.low, static_cast<double>(values.leaf(leaf)[cell]));
            e.high = std::max(e.high, static_cast<double>(values.leaf(leaf)[cell]));
        }
    });
    return e;
}

const char* type_of(const grid::Volume& volume) {
    return volume.kind == grid::Volume::Kind::faces ? "vec3s" : "float";
}

}  // namespace

std::vector<grid::Volume> last_grids(const std::filesystem::path& folder, const io::Manifest& manifest) {
    const auto stage = manifest.series.find(cache::series::grids);
    if (stage == manifest.series.end() || stage->second.frames.empty()) return {};
    try {
        return grid::read_vdb_volumes(folder / stage->second.frames.back().file);
    } catch (const IoError&) {
        return {};
    }
}

std::string grid_table(const std::vector<grid::Volume>& grids) {
    if (grids.empty()) return "";
    std::string table =
        fmt::format("\n{:<16} {:<8} {:<6} {:>9} {:>14} {:>14}\n", "grid", "type", "unit", "voxels", "min", "max");
    for (const grid::Volume& volume : grids) {
        const Extent e = extent(volume);
        table +=
            fmt::format("{:<16} {:<8} {:<6} {:>9} {:>14} {:>14}\n", volume.name, type_of(volume), volume.unit, e.cells,
                        e.cells ? fmt::format("{:.6g}", e.low) : "-", e.cells ? fmt::format("{:.6g}", e.high) : "-");
    }
    return table;
}

Value grid_list(const std::vector<grid::Volume>& grids) {
    Value::Array rows;
    for (const grid::Volume& volume : grids) {
        const Extent e = extent(volume);
        rows.push_back(json_table({{"name", Value(volume.name)},
                                   {"type", Value(type_of(volume))},
                                   {"unit", Value(volume.unit)},
                                   {"voxel_size", Value(volume.cell)},
                                   {"voxels", json_count(e.cells)},
                                   {"min", e.cells ? Value(e.low) : Value()},
                                   {"max", e.cells ? Value(e.high) : Value()}}));
    }
    return Value(std::move(rows));
}

}  // namespace spindrift::cli
