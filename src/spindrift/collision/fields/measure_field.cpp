#include "spindrift/collision/fields/measure_field.h"

#include <array>
#include <memory>

#include <fmt/format.h>

#include "spindrift/collision/fields/nearest.h"
#include "spindrift/collision/fields/triangle_bins.h"
#include "spindrift/core/interruption.h"
#include "spindrift/core/parallel.h"
#include "spindrift/core/pieces_done.h"

namespace spindrift::collision {

namespace {

/// Blocks in a piece of work; a block takes about a tenth of a millisecond.
constexpr std::size_t chunk = 8;

/// Of the time, that finding out takes which blocks are needed.
constexpr double search_share = 0.3;

std::string words_of(const std::string& name) {
    return fmt::format("distance field of '{}'", name);
}

/// One search for each thread, made when it is first needed.
class Searches {
  public:
    Searches(const CellMesh& mesh, const TriangleTree& tree, float reach)
        : mesh_(mesh), tree_(tree), reach_(reach), searches_(static_cast<std::size_t>(thread_count())) {}
    NearestTriangles& mine() {
        auto& search = searches_[static_cast<std::size_t>(thread_index())];
        if (!search) search = std::make_unique<NearestTriangles>(mesh_, tree_, reach_);
        return *search;
    }

  private:
    const CellMesh& mesh_;
    const TriangleTree& tree_;
    float reach_;
    std::vector<std::unique_ptr<NearestTriangles>> searches_;
};

/// Whether a block has a place as near as distances are wanted on its side.
bool is_in_reach(const FieldLayout& layout, float to_center, bool center_is_solid) {
    if (to_center <= block_radius) return true;
    return to_center - block_radius <= (center_is_solid ? layout.solid_reach : layout.free_reach) - beyond_band;
}

Vec3i middle_node(Vec3i block) {
    return block * brick_cells + Vec3i{brick_cells / 2, brick_cells / 2, brick_cells / 2};
}

std::vector<std::size_t> blocks_in_reach(const FieldLayout& layout, const TriangleBins& bins, Searches& searches,
                                         const SolidSide& side, const std::string& name) {
    std::vector<std::size_t> blocks = blocks_near(bins, layout.reach());
    std::vector<std::uint8_t> keep(blocks.size());
    PiecesDone looked_at(blocks.size(), words_of(name), {0, search_share});
    parallel_for(blocks.size(), chunk, [&](Range range) {
        for (const std::size_t i : range) {
            stop_if_interrupted();
            const Vec3i block = bins.block(blocks[i]);
            keep[i] = is_in_reach(layout, searches.mine().gather(block), side.at(middle_node(block)));
        }
        looked_at.add(range.size());
    });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (keep[i]) blocks[kept++] = blocks[i];
    }
    blocks.resize(kept);
    return blocks;
}

std::vector<std::int32_t> make_table(const TriangleBins& bins, const std::vector<std::size_t>& blocks,
                                     const SolidSide& side) {
    std::vector<std::int32_t> table(bins.first.size() - 1, free_block);
    for (std::size_t b = 0; b < blocks.size(); ++b)
        table[blocks[b]] = static_cast<std::int32_t>(b);
    parallel_for(table.size(), [&](Range range) {
        for (const std::size_t b : range) {
            if (table[b] < 0 && side.at(middle_node(bins.block(b)))) table[b] = solid_block;
        }
    });
    return table;
}

/// The bricks of a block's neighbours on the high sides, x | y << 1 | z << 2; negative if there is none.
using HighNeighbors = std::array<std::int32_t, 8>;

HighNeighbors high_neighbors(const TriangleBins& bins, const std::vector<std::int32_t>& table, Vec3i block) {
    HighNeighbors neighbors;
    for (int i = 0; i < 8; ++i) {
        const Vec3i at = block + Vec3i{i & 1, i >> 1 & 1, i >> 2};
        const bool exists = i > 0 && at == min(at, bins.bricks - Vec3i{1, 1, 1});
        neighbors[static_cast<std::size_t>(i)] = exists ? table[bins.index(at)] : free_block;
    }
    return neighbors;
}

void measure_brick(NearestTriangles& search, Vec3i block, const HighNeighbors& neighbors, const SolidSide& side,
                   float* distance, std::int32_t* triangle) {
    unsigned shared = 0;
    for (unsigned i = 0; i < 8; ++i)
        shared |= (neighbors[i] >= 0 ? 1u : 0u) << i;
    search.gather(block);
    search.measure(shared, distance, triangle);
    std::uint8_t solid[brick_nodes];
    side.mark(block * brick_cells, solid);
    for (int i = 0; i < brick_nodes; ++i)
        distance[i] = solid[i] ? -distance[i] : distance[i];
}

/// Nodes on the high sides of a brick from the neighbours that they belong to.
void copy_shared(Field& field, std::size_t brick, const HighNeighbors& neighbors) {
    for (int i = 0; i < brick_nodes; ++i) {
        const Vec3i at{i % brick_side, i / brick_side % brick_side, i / brick_side / brick_side};
        const int side = (at.x == brick_cells) | (at.y == brick_cells) << 1 | (at.z == brick_cells) << 2;
        const std::int32_t owner = neighbors[static_cast<std::size_t>(side)];
        if (owner < 0) continue;
        const Vec3i there{at.x % brick_cells, at.y % brick_cells, at.z % brick_cells};
        const std::size_t from = static_cast<std::size_t>(owner) * brick_nodes +
                                 static_cast<std::size_t>((there.z * brick_side + there.y) * brick_side + there.x);
        const std::size_t to = brick * brick_nodes + static_cast<std::size_t>(i);
        field.distance[to] = field.distance[from];
        field.primitive[to] = field.primitive[from];
    }
}

void measure_bricks(Field& field, const TriangleBins& bins, const std::vector<std::size_t>& blocks,
                    const SolidSide& side, Searches& searches, const std::string& name) {
    PiecesDone measured(blocks.size(), words_of(name), {search_share, 1});
    field.distance.resize(blocks.size() * brick_nodes);
    field.primitive.resize(blocks.size() * brick_nodes);
    parallel_for(blocks.size(), chunk, [&](Range range) {
        for (const std::size_t b : range) {
            stop_if_interrupted();
            const Vec3i block = bins.block(blocks[b]);
            measure_brick(searches.mine(), block, high_neighbors(bins, field.table, block), side,
                          field.distance.data() + b * brick_nodes, field.primitive.data() + b * brick_nodes);
        }
        measured.add(range.size());
    });
    parallel_for(blocks.size(), chunk, [&](Range range) {
        for (const std::size_t b : range)
            copy_shared(field, b, high_neighbors(bins, field.table, bins.block(blocks[b])));
    });
}

}  // namespace

void SolidSide::mark(Vec3i low, std::uint8_t* solid) const {
    std::fill_n(solid, brick_nodes, std::uint8_t{0});
    if (!inside) return;
    inside->mark(low, solid);
    for (int i = 0; i < brick_nodes; ++i)
        solid[i] = (solid[i] == 1) == (mode == Mode::solid_inside);
}

Field measure_field(const FieldLayout& layout, const CellMesh& mesh, const std::vector<std::uint8_t>& wanted,
                    const SolidSide& side, const std::string& name) {
    const TriangleBins bins = bin_triangles(mesh, layout.bricks, wanted);
    const TriangleTree tree(mesh, wanted);
    Searches searches(mesh, tree, layout.reach());
    const std::vector<std::size_t> blocks = blocks_in_reach(layout, bins, searches, side, name);
    Field field;
    field.cell = layout.cell;
    field.first = layout.first;
    field.bricks = layout.bricks;
    field.band = layout.band;
    field.depth = layout.depth;
    field.beyond = side.mode == Mode::solid_outside ? solid_block : free_block;
    field.table = make_table(bins, blocks, side);
    measure_bricks(field, bins, blocks, side, searches, name);
    return field;
}

}  // namespace spindrift::collision
