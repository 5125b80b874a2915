#include "cli/info_grids.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "cli/json.h"
#include <fmt/format.h>

#include "spindrift/cache/series.h"
#include "spindrift/core/apart.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/grid/vdb_file.h"

namespace spindrift::cli {

namespace {

GridRow row_of(const grid::Volume& volume) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    GridRow row{volume.name, volume.kind == grid::Volume::Kind::faces ? "vec3s" : "float", volume.unit, volume.cell};
    row.low = infinity;
    row.high = -infinity;
    visit_active(volume, [&](Vec3i, std::size_t leaf, int cell) {
        ++row.cells;
        for (const grid::Field<float>& values : volume.values) {
            row.low = std::min(row.low, static_cast<double>(values.leaf(leaf)[cell]));
            row.high = std::max(row.high, static_cast<double>(values.leaf(leaf)[cell]));
        }
    });
    return row;
}

/// Words and numbers of rows, one behind the other, each ended by a zero: names may hold anything else.
std::string to_text(const std::vector<GridRow>& rows) {
    std::string text;
    const auto add = [&](std::string word) {
        std::erase(word, '\0');
        text += word + '\0';
    };
    for (const GridRow& row : rows) {
        for (const std::string& word : {row.name, row.type, row.unit, format_number(row.cell),
                                        std::to_string(row.cells), format_number(row.low), format_number(row.high)})
            add(word);
    }
    return text;
}

std::vector<GridRow> from_text(const std::string& text) {
    constexpr std::size_t columns = 7;
    std::vector<std::string> words;
    for (std::size_t at = 0, end; (end = text.find('\0', at)) != std::string::npos; at = end + 1)
        words.push_back(text.substr(at, end - at));
    std::vector<GridRow> rows;
    for (std::size_t k = 0; k + columns <= words.size(); k += columns)
        rows.push_back({words[k], words[k + 1], words[k + 2], std::strtod(words[k + 3].c_str(), nullptr),
                        std::strtoull(words[k + 4].c_str(), nullptr, 10), std::strtod(words[k + 5].c_str(), nullptr),
                        std::strtod(words[k + 6].c_str(), nullptr)});
    return rows;
}

}  // namespace

std::vector<GridRow> grids_of(const std::filesystem::path& path) {
    const Apart read = run_apart(
        [&] {
            const ThreadLimit alone(1);
            std::vector<GridRow> rows;
            for (const grid::Volume& volume : grid::read_vdb_volumes(path))
                rows.push_back(row_of(volume));
            return to_text(rows);
        },
        limits_for(path));
    if (read.end == Apart::End::done) return from_text(read.text);
    // What was said begins with the path already.
    if (read.end == Apart::End::failed) throw Error(ExitCode::input, read.text);
    throw IoError(IoError::Kind::corrupt, path, "is damaged, or too large to be looked at");
}

std::vector<GridRow> last_grids(const std::filesystem::path& folder, const io::Manifest& manifest) {
    const auto stage = manifest.series.find(cache::series::grids);
    if (stage == manifest.series.end() || stage->second.frames.empty()) return {};
    try {
        return grids_of(folder / stage->second.frames.back().file);
    } catch (const Error&) {
        return {};
    }
}

std::string grid_table(const std::vector<GridRow>& grids) {
    if (grids.empty()) return "";
    std::string table =
        fmt::format("\n{:<16} {:<8} {:<6} {:>9} {:>14} {:>14}\n", "grid", "type", "unit", "voxels", "min", "max");
    for (const GridRow& row : grids) {
        table += fmt::format("{:<16} {:<8} {:<6} {:>9} {:>14} {:>14}\n", row.name, row.type, row.unit, row.cells,
                             row.cells ? fmt::format("{:.6g}", row.low) : "-",
                             row.cells ? fmt::format("{:.6g}", row.high) : "-");
    }
    return table;
}

Value grid_list(const std::vector<GridRow>& grids) {
    Value::Array rows;
    for (const GridRow& row : grids) {
        rows.push_back(json_table({{"name", Value(row.name)},
                                   {"type", Value(row.type)},
                                   {"unit", Value(row.unit)},
                                   {"voxel_size", Value(row.cell)},
                                   {"voxels", json_count(row.cells)},
                                   {"min", row.cells ? Value(row.low) : Value()},
                                   {"max", row.cells ? Value(row.high) : Value()}}));
    }
    return Value(std::move(rows));
}

}  // namespace spindrift::cli
