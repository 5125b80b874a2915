#include "spindrift/surface/keep_volume.h"

#include <algorithm>
#include <cmath>

#include "spindrift/core/parallel.h"
#include "spindrift/surface/pieces.h"

namespace spindrift::surface {

namespace {

constexpr int most_rounds = 4;
/// A round leaves the square of what it corrects: after a change this small another one has nothing to do.
constexpr double small_change = 1e-3;

/// How far out to go so that a volume becomes what it was: exact for a ball, and for small changes of any shape, as
/// `rate` is how fast it grows. No farther than the moved part is wide, whatever a broken piece asks for.
double correction(double was, double now, double rate) {
    if (!(rate > 0) || !(was * now > 0)) return 0;
    const double distance = 3 * now / rate * (std::cbrt(was / now) - 1), width = std::sqrt(rate);
    return std::clamp(distance, -width, width);
}

/// The gradient of the volume when the point moves: V = sum of a . (b x c) / 6, and the ring around it is closed.
Vec3d volume_gradient(const geometry::Mesh& mesh, const geometry::Fans& fans, std::size_t i) {
    const auto from_here = [&](std::uint32_t k) { return vec_cast<double>(mesh.points[k] - mesh.points[i]); };
    Vec3d sum{};
    for (const geometry::Wedge& wedge : fans.at(i))
        sum += cross(from_here(wedge.next), from_here(wedge.previous));
    return sum / 6.0;
}

}  // namespace

std::vector<VolumeKeeper::Sums> VolumeKeeper::measure(const geometry::Mesh& mesh, const geometry::Fans& fans,
                                                      const HeldPoints& held) const {
    return sum_by_piece<Sums>(
        pieces_.count, mesh.points.size(), [&](std::size_t i) { return pieces_.of_point[i]; },
        [&](std::size_t i) {
            const Vec3d gradient = volume_gradient(mesh, fans, i);
            // Each triangle is seen by its three corners.
            const double volume = dot(vec_cast<double>(mesh.points[i]) - middle_, gradient) / 3;
            return Sums{volume, held.is_free(i) ? length(gradient) : 0};
        });
}

void VolumeKeeper::remember(const geometry::Mesh& mesh, const geometry::Fans& fans, const HeldPoints& held) {
    middle_ = bounds(mesh).center();
    pieces_ = geometry::label_pieces(mesh.triangles, mesh.points.size());
    before_ = measure(mesh, fans, held);
}

void VolumeKeeper::restore(geometry::Mesh& mesh, const geometry::Fans& fans, const HeldPoints& held) const {
    std::vector<double> distance(pieces_.count);
    std::vector<Vec3f> points(mesh.points.size());
    for (int round = 0; round < most_rounds; ++round) {
        const std::vector<Sums> now = measure(mesh, fans, held);
        double largest = 0;
        for (std::size_t k = 0; k < now.size(); ++k) {
            distance[k] = correction(before_[k].volume, now[k].volume, now[k].rate);
            if (distance[k] != 0) largest = std::max(largest, std::abs(now[k].volume / before_[k].volume - 1));
        }
        parallel_for(mesh.points.size(), [&](Range range) {
            for (const std::size_t i : range) {
                points[i] = mesh.points[i];
                if (!held.is_free(i) || pieces_.of_point[i] == geometry::Pieces::none) continue;
                const Vec3d gradient = volume_gradient(mesh, fans, i);
                const double size = length(gradient);
                if (size > 0) points[i] += vec_cast<float>(gradient * (distance[pieces_.of_point[i]] / size));
            }
        });
        mesh.points.swap(points);
        if (largest < small_change) return;
    }
}

}  // namespace spindrift::surface
