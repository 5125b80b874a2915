#include "spindrift/geometry/finish/smooth.h"

#include <algorithm>
#include <utility>

#include "spindrift/core/buffer.h"
#include "spindrift/core/parallel.h"
#include "spindrift/geometry/finish/keep_volume.h"

namespace spindrift::geometry {

namespace {

/// Fans this small are looked through faster than sorted.
constexpr std::size_t few = 16;

/// Who pulls at each point. A point's neighbours stand where its wedges do, which are never fewer.
struct Neighbors {
    Buffer<std::uint32_t> last{"mesh neighbours"};  ///< behind the neighbours of a point
    Buffer<std::uint32_t> points{"mesh neighbours"};
    bool closed = true;  ///< every edge has two triangles
};

/// Whether the triangles close a ring around the point, all the same way round: then the next corners are its
/// neighbours, each once. Nearly all points are like that.
bool is_ring(std::span<const Wedge> fan) {
    if (fan.size() > few) return false;
    for (const Wedge& a : fan) {
        int ends = 0, same = 0;
        for (const Wedge& b : fan) {
            ends += b.previous == a.next;
            same += b.next == a.next;
        }
        if (ends != 1 || same != 1) return false;
    }
    return true;
}

/// Neighbours of any other point; returns how many, and tells whether all its edges have two triangles.
std::size_t choose_neighbors(std::span<const Wedge> fan, FanEdges& around, std::uint32_t* out, bool& closed) {
    around.find(fan);
    const auto is_special = [](const FanEdge& edge) { return edge.triangles() != 2; };
    const auto special = static_cast<std::size_t>(std::ranges::count_if(around.edges(), is_special));
    closed = closed && special == 0;
    if (special != 0 && (special != 2 || fan.size() < 2)) return 0;
    std::size_t count = 0;
    for (const FanEdge& edge : around.edges()) {
        if (special == 0 || is_special(edge)) out[count++] = edge.other;
    }
    return count;
}

Neighbors find_neighbors(const Fans& fans, const HeldPoints& held) {
    Neighbors result;
    const std::size_t n = fans.points();
    result.last.resize(n);
    result.points.resize(fans.wedges.size());
    const auto find = [&](Range range) {
        FanEdges around;
        bool closed = true;
        for (const std::size_t i : range) {
            const std::span<const Wedge> fan = fans.at(i);
            std::uint32_t* out = result.points.data() + fans.first[i];
            std::size_t count = fan.size();
            if (is_ring(fan)) {
                for (std::size_t k = 0; k < count; ++k)
                    out[k] = fan[k].next;
            } else {
                count = choose_neighbors(fan, around, out, closed);
            }
            if (held.kind_of(i) == HeldPoints::fixed) count = 0;
            result.last[i] = fans.first[i] + static_cast<std::uint32_t>(count);
        }
        return closed ? 1 : 0;
    };
    // Not bool: threads write the parts side by side.
    result.closed = parallel_reduce(n, default_chunk, 1, find, [](int a, int b) { return a & b; }) != 0;
    return result;
}

/// One step of all points from `x` to `y`.
void relax(const Fans& fans, const Neighbors& neighbors, const HeldPoints& held, float factor, const Buffer<Float4>& x,
           Buffer<Float4>& y) {
    parallel_for(fans.points(), [&](Range range) {
        for (const std::size_t i : range) {
            const Float4 p = x[i];
            const std::uint32_t first = fans.first[i], last = neighbors.last[i];
            Float4 sum{0, 0, 0, 0};
            for (std::uint32_t k = first; k < last; ++k) {
                const Float4 q = x[neighbors.points[k]];
                sum = {sum.x + (q.x - p.x), sum.y + (q.y - p.y), sum.z + (q.z - p.z), 0};
            }
            const float share = first == last ? 0 : factor / static_cast<float>(last - first);
            Vec3f step = sum.xyz() * share;
            if (!held.is_free(i)) step = held.allowed(i, step);
            y[i] = {p.x + step.x, p.y + step.y, p.z + step.z, 0};
        }
    });
}

}  // namespace

void smooth(Mesh& mesh, const SmoothSettings& settings) {
    if (settings.passes <= 0) return;
    smooth(mesh, make_fans(mesh.triangles, mesh.points.size()), settings);
}

void smooth(Mesh& mesh, const Fans& fans, const SmoothSettings& settings) {
    if (settings.passes <= 0 || mesh.triangles.empty()) return;
    const std::size_t n = mesh.points.size();
    SPINDRIFT_CHECK(fans.points() == n);
    settings.held.check(n);
    const Neighbors neighbors = find_neighbors(fans, settings.held);
    VolumeKeeper keeper;
    if (neighbors.closed) keeper.remember(mesh, fans, settings.held, settings.pieces);

    Buffer<Float4> x("mesh points"), y("mesh points");
    x.resize(n);
    y.resize(n);
    parallel_for(n, [&](Range range) {
        for (const std::size_t i : range)
            x[i] = {mesh.points[i].x, mesh.points[i].y, mesh.points[i].z, 0};
    });
    for (int pass = 0; pass < settings.passes; ++pass) {
        relax(fans, neighbors, settings.held, settings.lambda, x, y);
        relax(fans, neighbors, settings.held, settings.mu, y, x);
    }
    parallel_for(n, [&](Range range) {
        for (const std::size_t i : range)
            mesh.points[i] = x[i].xyz();
    });
    if (neighbors.closed) keeper.restore(mesh, fans, settings.held);
}

}  // namespace spindrift::geometry
