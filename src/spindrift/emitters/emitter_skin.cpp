#include "spindrift/emitters/emitter_skin.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "spindrift/core/interruption.h"
#include "spindrift/core/random.h"
#include "spindrift/image/read_image.h"

namespace spindrift::emitters {

namespace {

/// Particles nearer than this, in spacings, would burst apart.
constexpr double nearest = 0.8;

/// Darts thrown for each point wanted: with these there is one point for each spacing squared.
constexpr double darts = 12;

/// Step of differences in time, in frames, as in Animated::rate.
constexpr double time_step = 5e-4;

double triangle_area(const geometry::Mesh& mesh, const geometry::Triangle& t) {
    const Vec3d a = vec_cast<double>(mesh.points[t[0]]);
    const Vec3d ab = vec_cast<double>(mesh.points[t[1]]) - a, ac = vec_cast<double>(mesh.points[t[2]]) - a;
    return 0.5 * length(cross(ab, ac));
}

/// Area of each triangle with all before it.
std::vector<double> summed_areas(const geometry::Mesh& mesh) {
    std::vector<double> sums;
    double sum = 0;
    for (const geometry::Triangle& t : mesh.triangles)
        sums.push_back(sum += triangle_area(mesh, t));
    return sums;
}

bool same_triangles(const geometry::Mesh& a, const geometry::Mesh& b) {
    return a.points.size() == b.points.size() && a.triangles == b.triangles;
}

/// Points by cells, to find those near a place.
class NearPoints {
  public:
    explicit NearPoints(double radius) : radius_(radius) {}

    bool is_free(Vec3d p) const {
        for (int k = 0; k < 27; ++k) {
            const auto cell = cells_.find(key(p, {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1}));
            if (cell == cells_.end()) continue;
            for (const Vec3d other : cell->second) {
                if (length(other - p) < radius_) return false;
            }
        }
        return true;
    }
    void add(Vec3d p) { cells_[key(p, {})].push_back(p); }

  private:
    /// Cells far apart may share a key; distances tell them apart.
    std::uint64_t key(Vec3d p, Vec3<int> shift) const {
        std::uint64_t all = 0;
        for (int a = 0; a < 3; ++a) {
            const auto cell = static_cast<std::int64_t>(std::floor(p[a] / radius_)) + shift[a];
            all = all << 21 | (static_cast<std::uint64_t>(cell) & 0x1fffff);
        }
        return all;
    }

    double radius_;
    std::unordered_map<std::uint64_t, std::vector<Vec3d>> cells_;
};

/// A point of the surface, all places of which are as likely.
SurfacePoint throw_dart(const std::vector<double>& sums, std::uint64_t seed, std::uint64_t dart, double count) {
    const auto random = [&](std::uint64_t draw) {
        return static_cast<double>(uniform(hash_counter(seed, dart, draw)));
    };
    const double at = (static_cast<double>(dart) + random(0)) / count * sums.back();
    const auto found = std::upper_bound(sums.begin(), sums.end() - 1, at);
    const double root = std::sqrt(random(1)), side = random(2);
    SurfacePoint point{};
    point.triangle = static_cast<std::uint32_t>(found - sums.begin());
    point.weights = vec_cast<float>(Vec3d{1 - root, root * (1 - side), root * side});
    point.share = 1;
    return point;
}

}  // namespace

double area(const geometry::Mesh& mesh) {
    double sum = 0;
    for (const geometry::Triangle& t : mesh.triangles)
        sum += triangle_area(mesh, t);
    return sum;
}

EmitterSkin::EmitterSkin(SurfaceSource source, const Setup& setup) : source_(std::move(source)), setup_(setup) {
    use(source_.first_frame);
}

const EmitterSkin::Interval& EmitterSkin::use(double frame) {
    const int wanted = source_.deforms ? static_cast<int>(std::floor(frame)) : source_.first_frame;
    if (now_.frame == wanted) return now_;
    Interval next;
    next.frame = wanted;
    next.mesh = source_.mesh(wanted);
    next.area = emitters::area(next.mesh);
    if (source_.deforms) find_motion(next, source_.mesh(wanted + 1));
    // Points belong to the triangles: they stay where those are the same as in the first file, whose points are kept.
    if (first_.points.empty()) {
        first_.mesh = next.mesh;
        first_.points = scatter(next.mesh);
    }
    next.points = same_triangles(next.mesh, first_.mesh) ? first_.points : scatter(next.mesh);
    double share = 0;
    for (const SurfacePoint& point : next.points)
        share += static_cast<double>(point.share);
    next.open_area = next.points.empty() ? 0 : next.area * share / static_cast<double>(next.points.size());
    now_ = std::move(next);
    box_ = geometry::bounds(now_.mesh);
    return now_;
}

void EmitterSkin::find_motion(Interval& interval, const geometry::Mesh& after) const {
    if (!same_triangles(interval.mesh, after)) return;
    for (std::size_t i = 0; i < after.points.size(); ++i) {
        interval.motion.push_back(after.points[i] - interval.mesh.points[i]);
        interval.fastest = std::max(interval.fastest, setup_.fps * static_cast<double>(length(interval.motion[i])));
    }
}

std::vector<SurfacePoint> EmitterSkin::scatter(const geometry::Mesh& mesh) const {
    const std::vector<double> sums = summed_areas(mesh);
    if (sums.empty() || sums.back() <= 0) return {};
    const double count = std::max(16.0, std::ceil(darts * sums.back() / (setup_.spacing * setup_.spacing)));
    std::vector<std::pair<std::uint64_t, std::uint64_t>> order;
    OftenInterruptible ask;
    for (std::uint64_t dart = 0; dart < static_cast<std::uint64_t>(count); ++dart) {
        order.emplace_back(hash_counter(setup_.seed, dart, 3), dart);
        ask();
    }
    std::sort(order.begin(), order.end());
    NearPoints taken(nearest * setup_.spacing);
    std::vector<SurfacePoint> points;
    for (const auto& [key, dart] : order) {
        ask();
        SurfacePoint point = throw_dart(sums, setup_.seed, dart, count);
        const Vec3d start = place_on(mesh, point).position;
        if (!taken.is_free(start)) continue;
        taken.add(start);
        look_up(mesh, point);
        points.push_back(point);
    }
    return points;
}

/// What the texture coordinates and the map say about a point.
void EmitterSkin::look_up(const geometry::Mesh& mesh, SurfacePoint& point) const {
    if (mesh.uv.empty()) return;
    for (std::size_t k = 0; k < 2; ++k) {
        for (int corner = 0; corner < 3; ++corner)
            point.uv[k] += mesh.uv[point.triangle][static_cast<std::size_t>(corner)][k] * point.weights[corner];
    }
    if (source_.map.pixels.empty()) return;
    point.share = std::clamp(image::luminance(image::lookup(source_.map, point.uv[0], point.uv[1])), 0.f, 1.f);
}

/// In the body's space; the surface has gone through a share of its motion.
EmitterSkin::Place EmitterSkin::place_on(const geometry::Mesh& mesh, const SurfacePoint& point, double share) const {
    const geometry::Triangle& triangle = mesh.triangles[point.triangle];
    Vec3d corner[3], moved[3];
    for (int k = 0; k < 3; ++k) {
        const std::size_t i = triangle[static_cast<std::size_t>(k)];
        moved[k] = share < 0 || now_.motion.empty() ? Vec3d{} : vec_cast<double>(now_.motion[i]);
        corner[k] = vec_cast<double>(mesh.points[i]) + moved[k] * std::max(0.0, share);
    }
    const Vec3d w = vec_cast<double>(point.weights);
    const Vec3d across = cross(corner[1] - corner[0], corner[2] - corner[0]);
    const double size = length(across);
    Place place;
    // A triangle that has lost its area in the motion has no side.
    if (size > 0) place.normal = across * ((source_.inward ? -1 : 1) / size);
    place.position = corner[0] * w.x + corner[1] * w.y + corner[2] * w.z + place.normal * source_.lift;
    place.velocity = (moved[0] * w.x + moved[1] * w.y + moved[2] * w.z) * setup_.fps;
    return place;
}

EmitterSkin::Place EmitterSkin::place(const SurfacePoint& point, double frame) const {
    const Place local = place_on(now_.mesh, point, std::clamp(frame - now_.frame, 0.0, 1.0));
    const geometry::Pose pose = source_.pose(frame);
    Place place;
    place.position = pose.to_world(local.position);
    place.normal = pose.turn(local.normal);
    place.velocity = pose.turn(local.velocity) + carried(local.position, frame);
    return place;
}

/// Velocity of a point that is fixed to the body.
Vec3d EmitterSkin::carried(Vec3d local, double frame) const {
    const Vec3d before = source_.pose(frame - time_step).to_world(local);
    const Vec3d after = source_.pose(frame + time_step).to_world(local);
    return (after - before) * (setup_.fps / (2 * time_step));
}

double EmitterSkin::speed(double frame) const {
    double fastest = 0;
    for (int k = 0; k < 8; ++k) {
        const Vec3d corner{k & 1 ? box_.hi.x : box_.lo.x, k & 2 ? box_.hi.y : box_.lo.y, k & 4 ? box_.hi.z : box_.lo.z};
        fastest = std::max(fastest, length(carried(corner, frame)));
    }
    return fastest + now_.fastest;
}

Vec3d EmitterSkin::center(double frame) const {
    return source_.pose(frame).to_world(box_.center());
}

}  // namespace spindrift::emitters
