#include "spindrift/geometry/finish/keep_volume.h"

#include <algorithm>
#include <cmath>

#include "spindrift/core/parallel.h"
#include "spindrift/geometry/finish/pieces.h"

namespace spindrift::geometry {

namespace {

constexpr int most_rounds = 2;
/// A round leaves the square of what it corrects: after a change this small another one has nothing to do.
constexpr double small_change = 1e-3, no_change = 2e-5;

/// How far out to go so that a volume becomes what it was: exact for a ball, and for small changes of any shape, as
/// `rate` is how fast it grows. No farther than the moved part is wide, whatever a broken piece asks for.
double correction(double was, double now, double rate) {
    if (!(rate > 0) || !(was * now > 0)) return 0;
    const double distance = 3 * now / rate * (std::cbrt(was / now) - 1), width = std::sqrt(rate);
    return std::clamp(distance, -width, width);
}

/// The gradient of the volume when the point moves: V = sum of a . (b x c) / 6, and the ring around it is closed.
Vec3f volume_gradient(const Mesh& mesh, const Fans& fans, std::size_t i) {
    const Vec3f here = mesh.points[i];
    Vec3f sum{};
    for (const Wedge& wedge : fans.at(i))
        sum += cross(mesh.points[wedge.next] - here, mesh.points[wedge.previous] - here);
    return sum / 6.f;
}

}  // namespace

std::vector<VolumeKeeper::Sums> VolumeKeeper::measure(const Mesh& mesh, const Fans& fans, const HeldPoints& held,
                                                      Vec3f* gradients) const {
    return sum_by_piece<Sums>(
        pieces_.count, mesh.points.size(), [&](std::size_t i) { return pieces_.of_point[i]; },
        [&](std::size_t i) {
            const Vec3f gradient = volume_gradient(mesh, fans, i);
            if (gradients) gradients[i] = gradient;
            // Each triangle is seen by its three corners.
            const double volume = dot(vec_cast<double>(mesh.points[i]) - middle_, vec_cast<double>(gradient)) / 3;
            return Sums{volume, held.is_free(i) ? length(gradient) : 0};
        });
}

void VolumeKeeper::remember(const Mesh& mesh, const Fans& fans, const HeldPoints& held, Pieces pieces) {
    middle_ = bounds(mesh).center();
    pieces_ = std::move(pieces);
    if (pieces_.of_point.empty()) pieces_ = label_pieces(mesh.triangles, mesh.points.size());
    before_ = measure(mesh, fans, held, nullptr);
}

void VolumeKeeper::restore(Mesh& mesh, const Fans& fans, const HeldPoints& held) const {
    std::vector<double> distance(pieces_.count);
    Buffer<Vec3f> gradients("mesh points");
    gradients.resize(mesh.points.size());
    for (int round = 0; round < most_rounds; ++round) {
        const std::vector<Sums> now = measure(mesh, fans, held, gradients.data());
        double largest = 0;
        for (std::size_t k = 0; k < now.size(); ++k) {
            distance[k] = correction(before_[k].volume, now[k].volume, now[k].rate);
            if (distance[k] != 0) largest = std::max(largest, std::abs(now[k].volume / before_[k].volume - 1));
        }
        if (largest < no_change) return;
        parallel_for(mesh.points.size(), [&](Range range) {
            for (const std::size_t i : range) {
                if (!held.is_free(i) || pieces_.of_point[i] == Pieces::none) continue;
                const float size = length(gradients[i]);
                if (size > 0)
                    mesh.points[i] += gradients[i] * (static_cast<float>(distance[pieces_.of_point[i]]) / size);
            }
        });
        if (largest < small_change) return;
    }
}

}  // namespace spindrift::geometry
