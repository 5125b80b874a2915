#include "spindrift/emitters/nozzle.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace spindrift::emitters {

namespace {

/// Particles nearer than this, in spacings, would burst apart.
constexpr double nearest = 0.8;

/// Golden section of a turn.
constexpr double golden = 0.6180339887498949;

/// How far a choice of points is from the even distances of liquid at rest; less is better.
double unevenness(double pitch_x, double pitch_y, double layer) {
    const double least = std::min({pitch_x, pitch_y, layer});
    const double crowding = least < nearest * (1 - 1e-9) ? 10 - least : 0;
    // Liquid that is too dense where it leaves bursts; liquid that is a little thin does not.
    const double squeeze = std::max(0.0, -std::log(pitch_x * pitch_y * layer));
    return crowding + 20 * squeeze + std::abs(std::log(layer)) + 0.5 * std::abs(std::log(pitch_x)) +
           0.5 * std::abs(std::log(pitch_y));
}

/// Distance of n points across a width: half of it off the ends, so that a nozzle as wide as its channel has no point
/// nearer to a wall than liquid at rest. Where they are too few for that they are a spacing apart if they have the
/// room.
double pitch_of(double width, long n) {
    if (n == 1) return std::max(1.0, width);
    const double even = width / static_cast<double>(n);
    return even >= nearest ? even : std::min(1.0, width / static_cast<double>(n - 1));
}

/// Lengths are in spacings from here on.
std::vector<Vec3d> rectangle_points(double width, double height) {
    double best = std::numeric_limits<double>::infinity();
    long columns = 1, rows = 1;
    const long low_x = std::max(1L, static_cast<long>(width)), low_y = std::max(1L, static_cast<long>(height));
    for (long nx = low_x; nx <= low_x + 1; ++nx) {
        for (long ny = low_y; ny <= low_y + 1; ++ny) {
            const double layer = static_cast<double>(nx * ny) / (width * height);
            const double uneven = unevenness(pitch_of(width, nx), pitch_of(height, ny), layer);
            if (uneven >= best) continue;
            best = uneven;
            columns = nx;
            rows = ny;
        }
    }
    std::vector<Vec3d> points;
    for (long j = 0; j < rows; ++j) {
        for (long i = 0; i < columns; ++i) {
            points.push_back(
                {(static_cast<double>(i) - 0.5 * static_cast<double>(columns - 1)) * pitch_of(width, columns),
                 (static_cast<double>(j) - 0.5 * static_cast<double>(rows - 1)) * pitch_of(height, rows), 0});
        }
    }
    return points;
}

/// Points of a square lattice within a circle; the offset is where the circle's centre lies in a cell.
std::vector<Vec3d> circle_points(double radius, double pitch, double offset_x, double offset_y) {
    std::vector<Vec3d> points;
    const long reach = static_cast<long>(radius / pitch) + 2;
    for (long j = -reach; j <= reach; ++j) {
        for (long i = -reach; i <= reach; ++i) {
            const Vec3d p{(static_cast<double>(i) + offset_x) * pitch, (static_cast<double>(j) + offset_y) * pitch, 0};
            if (length(p) <= radius) points.push_back(p);
        }
    }
    return points;
}

/// Points on a circle, one pitch apart; none if it is larger than the nozzle.
std::vector<Vec3d> polygon_points(double radius, double pitch, int count) {
    std::vector<Vec3d> points;
    const double ring = 0.5 * pitch / std::sin(std::numbers::pi / count);
    for (int k = 0; k < count && ring <= radius; ++k) {
        const double angle = 2 * std::numbers::pi * k / count;
        points.push_back({ring * std::cos(angle), ring * std::sin(angle), 0});
    }
    return points;
}

/// Points on rings that share the disc's area: the outermost is half their distance off its edge, as the first layer of
/// liquid in a pipe is.
std::vector<Vec3d> ring_points(double radius, long rings, double pitch) {
    std::vector<Vec3d> points;
    const double apart = radius / static_cast<double>(rings);
    for (long k = 0; k < rings; ++k) {
        const double ring = (static_cast<double>(k) + 0.5) * apart;
        const long count = std::max(1L, std::lround(2 * std::numbers::pi * ring / pitch));
        for (long n = 0; n < count; ++n) {
            // Rings begin at angles that follow no pattern: rows of gaps would be channels.
            const double turn = static_cast<double>(n) / static_cast<double>(count) + golden * static_cast<double>(k);
            const double angle = 2 * std::numbers::pi * turn;
            points.push_back({ring * std::cos(angle), ring * std::sin(angle), 0});
        }
    }
    return points;
}

/// The least distance between two of the points.
double least_distance(const std::vector<Vec3d>& points) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j)
            least = std::min(least, length(points[i] - points[j]));
    }
    return least;
}

/// The best points that were offered.
class Choice {
  public:
    explicit Choice(double area) : area_(area), best_(unevenness(1, 1, 1 / area)) {}

    void consider(std::vector<Vec3d> points, double across, double pitch) {
        if (points.size() < 2) return;
        const double uneven = unevenness(across, pitch, static_cast<double>(points.size()) / area_);
        if (uneven >= best_) return;
        best_ = uneven;
        points_ = std::move(points);
    }
    const std::vector<Vec3d>& points() const { return points_; }

  private:
    double area_, best_;
    std::vector<Vec3d> points_{{0, 0, 0}};
};

/// Rings from four spacings of radius on, where a free jet spreads by less than a thousandth of its speed on average;
/// narrower ones would by several per cent, and have regular points.
std::vector<Vec3d> disc_points(double radius) {
    constexpr double smallest_with_rings = 4;
    Choice choice(std::numbers::pi * radius * radius);
    for (double pitch = nearest; pitch < 1.25; pitch += 0.01) {
        if (radius < smallest_with_rings) {
            for (const auto& [x, y] : {std::pair{0.0, 0.0}, {0.5, 0.0}, {0.5, 0.5}})
                choice.consider(circle_points(radius, pitch, x, y), pitch, pitch);
            for (const int corners : {3, 5})
                choice.consider(polygon_points(radius, pitch, corners), pitch, pitch);
            continue;
        }
        const long whole = std::lround(radius);
        for (long rings = whole - 1; rings <= whole + 1; ++rings) {
            std::vector<Vec3d> points = ring_points(radius, rings, pitch);
            // Of large nozzles the rings' own distances say enough.
            const double apart = radius / static_cast<double>(rings);
            const double across = points.size() < 200 ? std::min(apart, least_distance(points)) : apart;
            choice.consider(std::move(points), across, pitch);
        }
    }
    return choice.points();
}

}  // namespace

Nozzle make_nozzle(const EmitterParams& emitter, double spacing) {
    Nozzle nozzle;
    if (emitter.disc) {
        const double radius = emitter.disc->radius;
        nozzle.points = disc_points(radius / spacing);
        nozzle.area = std::numbers::pi * radius * radius;
        nozzle.size = {2 * radius, 2 * radius, 0};
    } else {
        const auto [width, height] = emitter.rectangle->size;
        nozzle.points = rectangle_points(width / spacing, height / spacing);
        nozzle.area = width * height;
        nozzle.size = {width, height, 0};
    }
    for (Vec3d& p : nozzle.points)
        p *= spacing;
    nozzle.layer = static_cast<double>(nozzle.points.size()) * spacing * spacing * spacing / nozzle.area;
    return nozzle;
}

}  // namespace spindrift::emitters
