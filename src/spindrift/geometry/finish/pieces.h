#pragma once
// The separate parts of a mesh: how large they are, and small ones taken away.
//
//   std::size_t gone = drop_small_pieces(mesh, 1e-9);        // drops of less than a cubic millimetre

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "spindrift/core/parallel.h"
#include "spindrift/geometry/interface_mesh.h"
#include "spindrift/geometry/mesh.h"
#include "spindrift/geometry/topology.h"

namespace spindrift::geometry {

/// Removes connected pieces whose volume is less, drops as well as bubbles inside of the liquid, with their points; the
/// rest keeps its order. All pieces must be closed. Returns how many are gone.
std::size_t drop_small_pieces(Mesh& mesh, double least_volume);

/// The same of surfaces of several liquids; pieces with more than one pair of sides stay. `left` becomes the pieces
/// that are left, in numbers with gaps.
std::size_t drop_small_pieces(InterfaceMesh& surface, double least_volume, Pieces* left = nullptr);

/// Keeps the triangles that are marked, and the points they have, in order, with all that belongs to them.
void keep_triangles(Mesh& mesh, std::span<const std::uint8_t> keep);

/// Sums value(i) of the items below n for each piece; piece(i) is its number. Neighbouring items are mostly of one
/// piece. The same bits for any number of threads.
template <class T, class Piece, class Value>
std::vector<T> sum_by_piece(std::size_t pieces, std::size_t n, const Piece& piece, const Value& value) {
    std::vector<std::vector<std::pair<std::uint32_t, T>>> runs(chunk_count(n, default_chunk));
    parallel_chunks(runs.size(), [&](std::size_t c) {
        for (const std::size_t i : chunk_range(c, n, default_chunk)) {
            const std::uint32_t here = piece(i);
            if (runs[c].empty() || runs[c].back().first != here) runs[c].push_back({here, T{}});
            runs[c].back().second = runs[c].back().second + value(i);
        }
    });
    std::vector<T> sums(pieces);
    for (const auto& chunk : runs) {
        for (const auto& [here, sum] : chunk) {
            if (here < pieces) sums[here] = sums[here] + sum;
        }
    }
    return sums;
}

}  // namespace spindrift::geometry
