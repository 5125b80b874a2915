#include "spindrift/stages/frame/filled_particles.h"

#include <array>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "spindrift/cache/frame_path.h"
#include "spindrift/cache/series.h"
#include "spindrift/core/errors.h"
#include "spindrift/grid/leaf_set.h"
#include "spindrift/io/npz.h"

namespace spindrift::stages {

namespace {

namespace fs = std::filesystem;
using grid::leaf_cells;
using grid::leaf_width;

/// The arrays of a file, checked.
struct CoreArrays {
    ConstChannel<Vec3i> coord{};
    ConstChannel<grid::LeafMask> cells{};
    std::array<const float*, 3> velocity{};
    double width = 0;
    Vec3d origin{};
};

CoreArrays checked_arrays(const ChannelSet& in, const fs::path& path) {
    const auto array = [&](const char* name, ChannelType type, std::size_t size) -> const ChannelArray& {
        const ChannelArray* found = in.find(name);
        if (!found || found->type() != type || found->size() != size)
            throw IoError(IoError::Kind::corrupt, path,
                          fmt::format("expected the array {} of the liquid's inside; simulate the frame again with "
                                      "`spindrift run --from`",
                                      name));
        return *found;
    };
    CoreArrays out;
    const ChannelArray* coord = in.find("leaf");
    const std::size_t n = coord ? coord->size() : 0;
    out.coord = array("leaf", {ScalarType::i32, 3}, n).as<Vec3i>();
    out.cells = array("cells", {ScalarType::u64, 8}, n).as<grid::LeafMask>();
    constexpr const char* names[3] = {"vx", "vy", "vz"};
    for (std::size_t axis = 0; axis < 3; ++axis)
        out.velocity[axis] =
            reinterpret_cast<const float*>(array(names[axis], {ScalarType::f32, leaf_cells}, n).data());
    out.width = array("cell_width", {ScalarType::f64, 1}, 1).as<double>()[0];
    out.origin = array("origin", {ScalarType::f64, 3}, 1).as<Vec3d>()[0];
    if (!(out.width > 0)) throw IoError(IoError::Kind::corrupt, path, "the cells of the liquid's inside have no width");
    return out;
}

struct Filler {
    Vec3d x;
    Vec3f v;
};

/// A lattice in the eighths of cells that have no particle.
std::vector<Filler> fillers(const CoreArrays& core, const ChannelSet& particles) {
    grid::LeafSet leaves;
    std::vector<Vec3i> coords(core.coord.begin(), core.coord.end());
    leaves.assign(coords);
    std::vector<std::size_t> row(leaves.size(), 0);
    for (std::size_t k = 0; k < coords.size(); ++k)
        row[static_cast<std::size_t>(leaves.find(coords[k]))] = k;
    // One byte for each cell, one bit for each of its eighths.
    std::vector<std::array<std::uint8_t, leaf_cells>> taken(leaves.size());
    const ChannelArray* const position = particles.find("P");
    for (std::size_t i = 0; i < particles.size(); ++i) {
        std::array<int, 3> halves;
        for (int a = 0; a < 3; ++a) {
            const double x = (position->value(i, a) - core.origin[a]) / core.width;
            halves[static_cast<std::size_t>(a)] = static_cast<int>(std::floor(std::min(std::max(2 * x, -1e9), 1e9)));
        }
        const Vec3i cell{halves[0] >> 1, halves[1] >> 1, halves[2] >> 1};
        const std::int32_t leaf = leaves.find({cell.x >> 3, cell.y >> 3, cell.z >> 3});
        if (leaf == 0) continue;
        const int place = grid::cell_index(cell.x & 7, cell.y & 7, cell.z & 7);
        taken[static_cast<std::size_t>(leaf)][static_cast<std::size_t>(place)] |=
            static_cast<std::uint8_t>(1 << ((halves[0] & 1) + 2 * (halves[1] & 1) + 4 * (halves[2] & 1)));
    }
    std::vector<Filler> out;
    for (std::size_t l = 1; l < leaves.size(); ++l) {
        const std::size_t k = row[l];
        for (int cell = 0; cell < leaf_cells; ++cell) {
            if (!(core.cells[k][static_cast<std::size_t>(cell >> 6)] >> (cell & 63) & 1)) continue;
            const auto at = k * leaf_cells + static_cast<std::size_t>(cell);
            const Vec3f v{core.velocity[0][at], core.velocity[1][at], core.velocity[2][at]};
            const Vec3i own = coords[k] * leaf_width + Vec3i{cell & 7, cell >> 3 & 7, cell >> 6};
            for (int eighth = 0; eighth < 8; ++eighth) {
                if (taken[l][static_cast<std::size_t>(cell)] >> eighth & 1) continue;
                const Vec3d local{eighth & 1 ? 0.75 : 0.25, eighth & 2 ? 0.75 : 0.25, eighth & 4 ? 0.75 : 0.25};
                out.push_back({core.origin + (vec_cast<double>(own) + local) * core.width, v});
            }
        }
    }
    return out;
}

}  // namespace

ChannelSet read_filled_particles(const cache::Cache& cache, const io::FrameEntry& particles) {
    ChannelSet out = io::read_npz(cache.path(particles));
    const io::FrameEntry* const interior = cache.find(cache::series::interior, particles.frame);
    if (!interior || !out.find("P") || out.size() == 0) return out;
    const fs::path path = cache.path(*interior);
    const ChannelSet arrays = io::read_npz(path, io::Lengths::any);
    const CoreArrays core = checked_arrays(arrays, path);
    const std::vector<Filler> more = fillers(core, out);
    const std::size_t n = out.size();
    for (ChannelArray& channel : out.channels) {
        const std::string& name = channel.name();
        const std::size_t bytes = channel.type().bytes();
        channel.resize(n + more.size());
        std::memset(channel.data() + n * bytes, 0, more.size() * bytes);
        for (std::size_t k = 0; k < more.size(); ++k) {
            if (name == "P" && channel.type() == ChannelType{ScalarType::f32, 3}) {
                channel.as<Vec3f>()[n + k] = vec_cast<float>(more[k].x);
            } else if (name == "P" && channel.type() == ChannelType{ScalarType::f64, 3}) {
                channel.as<Vec3d>()[n + k] = more[k].x;
            } else if (name == "P_local" && channel.type() == ChannelType{ScalarType::f32, 3}) {
                channel.as<Vec3f>()[n + k] = vec_cast<float>(more[k].x - core.origin);
            } else if (name == "v" && channel.type() == ChannelType{ScalarType::f32, 3}) {
                channel.as<Vec3f>()[n + k] = more[k].v;
            } else if (name == "id" && channel.type() == ChannelType{ScalarType::i64, 1}) {
                channel.as<std::int64_t>()[n + k] = -1 - static_cast<std::int64_t>(k);
            } else if (name == "density" || name == "pscale") {
                std::memcpy(channel.data() + (n + k) * bytes, channel.data(), bytes);
            }
        }
    }
    return out;
}

}  // namespace spindrift::stages
