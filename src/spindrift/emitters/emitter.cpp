#include "spindrift/emitters/emitter.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "spindrift/core/errors.h"
#include "spindrift/core/random.h"

namespace spindrift::emitters {

namespace {

bool is_free(const Emission& step, Vec3d point, double gap) {
    return !step.is_free || step.is_free(point, gap);
}

}  // namespace

Emitter::Emitter(const EmitterParams& params, std::size_t liquid, double spacing, std::uint64_t seed,
                 std::shared_ptr<EmitterSkin> surface)
    : params_(params), liquid_(liquid), spacing_(spacing), seed_(seed), surface_(std::move(surface)) {
    SPINDRIFT_CHECK(params.is_surface() == static_cast<bool>(surface_));
    if (sends_sheets()) {
        if (surface_)
            use_surface(surface_->now().frame);
        else
            nozzle_ = make_nozzle(params, spacing);
        // The first sheet is the middle of the first layer.
        state.carried = 0.5 * nozzle_.layer;
    } else {
        shape_ = params.shape();
        bounds_ = bounds(shape_);
        lattice_ = Lattice(bounds_, spacing);
        // One layer more, which is outside until the flow moves it in.
        first_site_ = lattice_.first - Vec3d{spacing, spacing, spacing};
        for (int a = 0; a < 3; ++a)
            lattice_.layers[a] += 1;
        lattice_.first = first_site_;
    }
}

std::vector<Birth> Emitter::emit(const Emission& step) {
    std::vector<Birth> births;
    if (sends_sheets())
        emit_jet(step, births);
    else
        emit_volume(step, births);
    return births;
}

double Emitter::speed(double frame, double fps) const {
    if (!params_.is_active(frame) || exhausted()) return 0;
    if (surface_) {
        const double area = surface_->use(frame).open_area;
        if (area == 0) return 0;
        const double leaving = params_.speed ? params_.speed->at(frame) : params_.rate->at(frame) / area;
        return params_.inherit * surface_->speed(frame) + leaving;
    }
    const double own = params_.inherit * length(point_velocity(params_, {}, frame, fps));
    return own + (params_.is_nozzle() ? nozzle_speed(frame) : length(params_.velocity.at(frame)));
}

double Emitter::nozzle_speed(double frame) const {
    return params_.speed ? params_.speed->at(frame) : params_.rate->at(frame) / nozzle_.area;
}

/// Metres that the liquid travels from one frame to another; exact between two keys, where the speed is a cubic.
double Emitter::travel(double from, double to, double fps) const {
    const double middle = nozzle_speed(0.5 * (from + to));
    return (nozzle_speed(from) + 4 * middle + nozzle_speed(to)) / 6 * ((to - from) / fps);
}

/// When the liquid has travelled a distance since `from`; `to` at the latest.
double Emitter::frame_of(double distance, double from, double to, double fps) const {
    double lo = from, hi = to;
    const Animated<double>& curve = params_.speed ? *params_.speed : *params_.rate;
    if (!curve.moves()) return std::max(from, std::min(to, from + distance / nozzle_speed(from) * fps));
    for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (lo + hi);
        (travel(from, middle, fps) < distance ? lo : hi) = middle;
    }
    return hi;
}

/// The time from one frame to another, cut at the keys of the speed, to the time of activity and where the mesh of a
/// surface changes: ends of the pieces.
std::vector<double> Emitter::pieces(double from, double to) const {
    if (params_.active) {
        from = std::max(from, (*params_.active)[0]);
        to = std::min(to, (*params_.active)[1]);
    }
    if (from >= to) return {};
    std::vector<double> ends{from};
    for (const auto& key : (params_.speed ? *params_.speed : *params_.rate).keys) {
        if (key.frame > from && key.frame < to) ends.push_back(key.frame);
    }
    ends.push_back(to);
    if (surface_ && surface_->deforms()) {
        for (double whole = std::floor(from) + 1; whole < to; whole += 1)
            ends.push_back(whole);
        std::sort(ends.begin(), ends.end());
    }
    return ends;
}

void Emitter::emit_jet(const Emission& step, std::vector<Birth>& births) {
    const std::vector<double> ends = pieces(step.frame - step.dt * step.fps, step.frame);
    for (std::size_t p = 0; p + 1 < ends.size(); ++p) {
        if (surface_) use_surface(0.5 * (ends[p] + ends[p + 1]));
        if (nozzle_.area == 0) continue;
        const double total = travel(ends[p], ends[p + 1], step.fps);
        double next = nozzle_.layer - state.carried;  // the way to go until the next sheet
        while (next <= total && !exhausted()) {
            emit_sheet(frame_of(next, ends[p], ends[p + 1], step.fps), step, births);
            next += nozzle_.layer;
        }
        state.carried = exhausted() ? 0 : nozzle_.layer - (next - total);
    }
}

void Emitter::emit_sheet(double frame, const Emission& step, std::vector<Birth>& births) {
    if (surface_) return emit_skin(frame, step, births);
    const Pose pose = pose_at(params_, frame);
    const double speed = nozzle_speed(frame), age = std::max(0.0, (step.frame - frame) / step.fps);
    const double gap = -flush_depth * spacing_;
    for (const Vec3d& point : nozzle_.points) {
        if (exhausted()) break;
        Birth born;
        born.left = pose.to_world(point);
        if (!is_free(step, born.left, gap)) continue;
        if (!sends(free_share(step, pose, point), static_cast<std::size_t>(&point - nozzle_.points.data()))) continue;
        const Vec3d own = point_velocity(params_, point, frame, step.fps);
        born.velocity = spread(pose.z * speed) + own * params_.inherit;
        born.position = born.left + jitter() + born.velocity * age;
        born.age = age;
        born.uv = vec_cast<float>(
            Vec3d{point.x / nozzle_.size.x + 0.5, point.y / nozzle_.size.y + 0.5, static_cast<double>(state.sheets)});
        births.push_back(born);
        state.emitted += 1;
    }
    state.sheets += 1;
}

/// Share of a point's part of the nozzle that walls leave: what is in the wall of a pipe sends nothing. Looked for some
/// way before the nozzle, since that may lie in a wall itself.
double Emitter::free_share(const Emission& step, const Pose& pose, Vec3d point) const {
    const double side = std::sqrt(nozzle_.area / static_cast<double>(nozzle_.points.size()));
    if (is_free(step, pose.to_world(point), side)) return 1;
    constexpr int across = 4;
    const Vec3d before{0, 0, (flush_depth + 0.25) * spacing_};
    int free = 0;
    for (int k = 0; k < across * across; ++k) {
        const Vec3d from{(k % across + 0.5) / across - 0.5, (k / across + 0.5) / across - 0.5, 0};
        free += is_free(step, pose.to_world(point + before + from * side), 0);
    }
    return static_cast<double>(free) / (across * across);
}

/// Whether a point is among those that send in this sheet, which over many sheets are its share of them.
bool Emitter::sends(double share, std::size_t point) const {
    const auto sheet = static_cast<double>(state.sheets);
    const auto begin = static_cast<double>(uniform(hash_counter(seed_ + 2, 0, point)));
    return std::floor((sheet + 1) * share + begin) > std::floor(sheet * share + begin);
}

void Emitter::use_surface(double frame) {
    const EmitterSkin::Interval& now = surface_->use(frame);
    nozzle_.area = now.open_area;
    nozzle_.layer = static_cast<double>(now.points.size()) * spacing_ * spacing_ * spacing_ / now.area;
}

/// A sheet that leaves the surface all over. Where the map is grey some of its points stay out, others in each sheet.
void Emitter::emit_skin(double frame, const Emission& step, std::vector<Birth>& births) {
    const double speed = nozzle_speed(frame), age = std::max(0.0, (step.frame - frame) / step.fps);
    const auto sheet = static_cast<std::uint64_t>(state.sheets);
    const std::vector<SurfacePoint>& points = surface_->now().points;
    for (std::size_t k = 0; k < points.size() && !exhausted(); ++k) {
        const SurfacePoint& point = points[k];
        if (point.share < 1 && uniform(hash_counter(seed_ + 1, sheet, k)) >= point.share) continue;
        const EmitterSkin::Place place = surface_->place(point, frame);
        Birth born;
        born.left = place.position;
        born.velocity = spread(place.normal * speed) + place.velocity * params_.inherit;
        born.position = born.left + jitter() + born.velocity * age;
        // Walls are known as they stand at the end of the substep.
        if (!is_free(step, born.position, 0)) continue;
        born.start_now = surface_->place(point, step.frame).position;
        born.leaving = speed;
        born.age = age;
        born.uv = {point.uv[0], point.uv[1], static_cast<float>(state.sheets)};
        births.push_back(born);
        state.emitted += 1;
    }
    state.sheets += 1;
}

double Emitter::random(std::uint64_t draw) const {
    return 2 * static_cast<double>(uniform(hash_counter(seed_, static_cast<std::uint64_t>(state.emitted), draw))) - 1;
}

Vec3d Emitter::jitter() const {
    if (params_.jitter == 0) return {};
    return Vec3d{random(0), random(1), random(2)} * (params_.jitter * spacing_);
}

/// The velocity turned into a direction of the cone about it, all directions of which are as likely.
Vec3d Emitter::spread(Vec3d velocity) const {
    const double speed = length(velocity);
    if (params_.spread_deg == 0 || speed == 0) return velocity;
    const double least = std::cos(params_.spread_deg * std::numbers::pi / 180);
    const double c = 1 - (1 - least) * 0.5 * (1 + random(3)), s = std::sqrt(std::max(0.0, 1 - c * c));
    const double angle = std::numbers::pi * random(4);
    const Vec3d axis = velocity / speed;
    const Vec3d aside = std::abs(axis.x) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    const Vec3d u = normalize(cross(axis, aside)), w = cross(axis, u);
    return (axis * c + (u * std::cos(angle) + w * std::sin(angle)) * s) * speed;
}

}  // namespace spindrift::emitters
