#include "spindrift/geometry/finish/simplify.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "spindrift/core/parallel.h"
#include "spindrift/geometry/fans.h"
#include "spindrift/geometry/finish/collapse_checks.h"
#include "spindrift/geometry/finish/collapse_mesh.h"
#include "spindrift/geometry/finish/pieces.h"
#include "spindrift/geometry/finish/quadric.h"

namespace spindrift::geometry {

namespace {

/// Where errors are below this share of an edge's length the surface counts as flat, and short edges go first.
constexpr double flatness = 1e-3;
/// Merges refused for their neighbours' sake are tried again while a round takes this share of the triangles away.
constexpr double worthwhile = 0.01;
constexpr int most_rounds = 8;

/// An edge that may be merged, as its ends were when it was looked at.
struct Candidate {
    double key;
    std::uint32_t a, b;
    std::uint32_t stamp;  ///< sum of the ends' stamps

    /// The heap has the last on top.
    bool operator<(const Candidate& o) const {
        if (key != o.key) return key > o.key;
        return a != o.a ? a > o.a : b > o.b;
    }
};

/// What merging an edge would give.
struct Merge {
    Vec3d place{};
    double cost = std::numeric_limits<double>::infinity();
    double error = 0;
    std::uint8_t kind = HeldPoints::free;
};

class Simplifier {
  public:
    Simplifier(Mesh& mesh, double most_error, const HeldPoints& held);
    std::vector<std::uint32_t> run();

  private:
    void hold_special_points(const HeldPoints& held);
    void sum_planes();
    void collect();
    std::size_t merge_all();
    Merge consider(std::uint32_t a, std::uint32_t b) const;
    double key(std::uint32_t a, std::uint32_t b, const Merge& merge) const;
    void carry_out(std::uint32_t a, std::uint32_t b, const Merge& merge);
    std::vector<std::uint32_t> finish();

    Mesh& mesh_;
    double most_error_;
    CollapseMesh joined_;
    Vec3d middle_;
    std::vector<Vec3d> place_;  ///< from the middle
    std::vector<Quadric> planes_;
    std::vector<double> area_, error_;
    std::vector<std::uint8_t> kind_;
    std::vector<std::uint32_t> stamp_, near_;
    std::vector<Candidate> heap_;
};

Simplifier::Simplifier(Mesh& mesh, double most_error, const HeldPoints& held)
    : mesh_(mesh),
      most_error_(most_error),
      joined_(mesh.triangles, mesh.points.size()),
      middle_(bounds(mesh).center()),
      place_(mesh.points.size()),
      planes_(mesh.points.size()),
      area_(mesh.points.size()),
      error_(mesh.points.size()),
      kind_(mesh.points.size()),
      stamp_(mesh.points.size()) {
    parallel_for(place_.size(), [&](Range range) {
        for (const std::size_t i : range)
            place_[i] = vec_cast<double>(mesh.points[i]) - middle_;
    });
    hold_special_points(held);
    sum_planes();
}

/// Points whose triangles do not close one ring stay where they are.
void Simplifier::hold_special_points(const HeldPoints& held) {
    const Fans fans = make_fans(mesh_.triangles, mesh_.points.size());
    parallel_for(kind_.size(), [&](Range range) {
        FanEdges around;
        for (const std::size_t i : range) {
            around.find(fans.at(i));
            const bool ring = around.parts() == 1 && std::ranges::all_of(around.edges(), [](const auto& edge) {
                                  return edge.away == 1 && edge.towards == 1;
                              });
            kind_[i] = ring ? held.kind_of(i) : HeldPoints::fixed;
        }
    });
}

void Simplifier::sum_planes() {
    parallel_for(place_.size(), [&](Range range) {
        for (const std::size_t i : range) {
            joined_.for_triangles(static_cast<std::uint32_t>(i), [&](std::uint32_t t, std::uint32_t) {
                const auto& [a, b, c] = joined_.corners(t);
                const Vec3d n = cross(place_[b] - place_[a], place_[c] - place_[a]);
                const double twice = length(n);
                if (!(twice > 0)) return;
                area_[i] += twice / 2;
                planes_[i] += plane_quadric(n / twice, -dot(n, place_[a]) / twice, twice / 2);
            });
        }
    });
}

/// The best place for the point that an edge becomes. Held points are not moved, so they stay on their walls exactly.
Merge Simplifier::consider(std::uint32_t a, std::uint32_t b) const {
    Merge best;
    const std::uint8_t kind_a = kind_[a], kind_b = kind_[b];
    const Quadric sum = planes_[a] + planes_[b];
    const auto offer = [&](Vec3d place, std::uint8_t kind) {
        const double cost = std::max(sum.at(place), 0.0);
        if (cost < best.cost) best = {.place = place, .cost = cost, .kind = kind};
    };
    if (kind_a == HeldPoints::free && kind_b == HeldPoints::free) {
        const Vec3d half = (place_[a] + place_[b]) * 0.5, optimum = sum.smallest_near(half);
        const Vec3d away = optimum - half, edge = place_[b] - place_[a];
        if (dot(away, away) <= dot(edge, edge)) offer(optimum, HeldPoints::free);
        offer(half, HeldPoints::free);
    }
    const bool both_fixed = kind_a == HeldPoints::fixed && kind_b == HeldPoints::fixed;
    const bool a_may_go = kind_a == HeldPoints::free || (kind_a == kind_b && !both_fixed);
    const bool b_may_go = kind_b == HeldPoints::free || (kind_a == kind_b && !both_fixed);
    if (b_may_go) offer(place_[a], kind_a);
    if (a_may_go) offer(place_[b], kind_b);
    if (!std::isfinite(best.cost)) return best;
    best.error = std::max(error_[a], error_[b]) + std::max(plane_distance(joined_, place_, a, best.place),
                                                           plane_distance(joined_, place_, b, best.place));
    return best;
}

double Simplifier::key(std::uint32_t a, std::uint32_t b, const Merge& merge) const {
    const Vec3d edge = place_[b] - place_[a];
    return merge.cost + flatness * flatness * dot(edge, edge) * (area_[a] + area_[b]);
}

/// All edges that may be merged, as a heap.
void Simplifier::collect() {
    const std::size_t n = place_.size();
    std::vector<std::vector<Candidate>> found(chunk_count(n, default_chunk));
    parallel_chunks(found.size(), [&](std::size_t chunk) {
        for (const std::size_t i : chunk_range(chunk, n, default_chunk)) {
            const auto a = static_cast<std::uint32_t>(i);
            joined_.for_triangles(a, [&](std::uint32_t t, std::uint32_t k) {
                const std::uint32_t b = joined_.corners(t)[(k + 1) % 3];
                if (b < a) return;
                const Merge merge = consider(a, b);
                if (std::isfinite(merge.cost) && merge.error <= most_error_)
                    found[chunk].push_back({key(a, b, merge), a, b, stamp_[a] + stamp_[b]});
            });
        }
    });
    heap_.clear();
    for (const auto& each : found)
        heap_.insert(heap_.end(), each.begin(), each.end());
    std::make_heap(heap_.begin(), heap_.end());
}

void Simplifier::carry_out(std::uint32_t a, std::uint32_t b, const Merge& merge) {
    const Vec3d edge = place_[b] - place_[a];
    const double squared = dot(edge, edge);
    const double along = squared > 0 ? std::clamp(dot(merge.place - place_[a], edge) / squared, 0.0, 1.0) : 0;
    for (Attribute& each : mesh_.attributes) {
        const auto width = static_cast<std::size_t>(each.width);
        for (std::size_t k = 0; k < width; ++k) {
            float& value = each.values[a * width + k];
            value += static_cast<float>(along) * (each.values[b * width + k] - value);
        }
    }
    joined_.merge(a, b);
    place_[a] = merge.place;
    planes_[a] += planes_[b];
    area_[a] += area_[b];
    error_[a] = merge.error;
    kind_[a] = merge.kind;
    ++stamp_[a];
    ++stamp_[b];
}

/// Merges edges until none is left that may be; returns how many.
std::size_t Simplifier::merge_all() {
    std::size_t merged = 0;
    while (!heap_.empty()) {
        std::pop_heap(heap_.begin(), heap_.end());
        const auto [ignored, a, b, stamp] = heap_.back();
        heap_.pop_back();
        if (stamp != stamp_[a] + stamp_[b] || !joined_.has_triangles(a) || !joined_.has_triangles(b)) continue;
        const Merge merge = consider(a, b);
        if (!std::isfinite(merge.cost) || merge.error > most_error_) continue;
        if (!joined_.may_merge(a, b) || spoils_triangles(joined_, place_, a, b, merge.place) ||
            spoils_triangles(joined_, place_, b, a, merge.place))
            continue;
        carry_out(a, b, merge);
        ++merged;
        joined_.neighbors(a, near_);
        for (const std::uint32_t other : near_) {
            const std::uint32_t low = std::min(a, other), high = std::max(a, other);
            const Merge next = consider(low, high);
            if (!std::isfinite(next.cost) || next.error > most_error_) continue;
            heap_.push_back({key(low, high, next), low, high, stamp_[low] + stamp_[high]});
            std::push_heap(heap_.begin(), heap_.end());
        }
    }
    return merged;
}

std::vector<std::uint32_t> Simplifier::run() {
    std::size_t left = mesh_.triangles.size();
    for (int round = 0; round < most_rounds; ++round) {
        collect();
        const std::size_t gone = 2 * merge_all();
        if (static_cast<double>(gone) < worthwhile * static_cast<double>(left)) break;
        left -= gone;
    }
    return finish();
}

std::vector<std::uint32_t> Simplifier::finish() {
    std::vector<std::uint8_t> keep(mesh_.triangles.size());
    std::vector<std::uint32_t> left;
    for (std::uint32_t t = 0; t < keep.size(); ++t) {
        keep[t] = !joined_.is_gone(t);
        if (!keep[t]) continue;
        left.push_back(t);
        mesh_.triangles[t] = joined_.corners(t);
    }
    for (std::size_t i = 0; i < place_.size(); ++i) {
        if (stamp_[i] > 0) mesh_.points[i] = vec_cast<float>(place_[i] + middle_);
    }
    keep_triangles(mesh_, keep);
    return left;
}

}  // namespace

std::vector<std::uint32_t> simplify(Mesh& mesh, double most_error, const HeldPoints& held) {
    SPINDRIFT_CHECK(mesh.uv.empty());
    held.check(mesh.points.size());
    if (most_error > 0) return Simplifier(mesh, most_error, held).run();
    std::vector<std::uint32_t> all(mesh.triangles.size());
    std::iota(all.begin(), all.end(), 0u);
    return all;
}

}  // namespace spindrift::geometry
