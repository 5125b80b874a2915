#include "spindrift/stages/whitewater/whitewater_maker.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/core/random.h"
#include "spindrift/core/text.h"
#include "spindrift/stages/whitewater/birth_places.h"

namespace spindrift::stages {

WhitewaterMaker::WhitewaterMaker(const Scene& scene, const cache::Cache& simulated, const cache::Cache& made)
    : scene_(scene),
      simulated_(simulated),
      made_(made),
      params_(scene.whitewater.value_or(whitewater::WhitewaterParams{})),
      series_(whitewater_series(scene)),
      whitewater_(params_, hash_counter(static_cast<std::uint64_t>(scene.seed), 0x3a7e2, 0)) {}

void WhitewaterMaker::skip() {
    now_.reset();
    is_loaded_ = false;
}

void WhitewaterMaker::make_surroundings() {
    if (around_) return;
    around_.emplace(scene_, simulated_);
    sources_.emplace(scene_);
}

std::unique_ptr<LiquidFrame> WhitewaterMaker::load(const io::FrameEntry& entry, std::optional<Vec3d> origin) {
    return make_liquid_frame(scene_, simulated_, entry, *around_, {.origin = origin});
}

WhitewaterRecord WhitewaterMaker::begin(const io::FrameEntry& entry) {
    make_surroundings();
    now_ = load(entry);
    forget();
    whitewater_.next_id = 0;
    is_loaded_ = true;
    return {.frame = entry.frame};
}

void WhitewaterMaker::forget() {
    whitewater_.particles.has_color = !now_->liquid.color.empty();
    whitewater_.particles.resize(0);
}

/// What the frame before left, as its files have it.
void WhitewaterMaker::restore(const io::FrameEntry& before) {
    forget();
    for (const WhitewaterSeries& series : series_)
        read_whitewater(series.path(made_.folder(), before.frame), series.kind, now_->particles.origin,
                        whitewater_.particles);
    whitewater_.next_id = whitewater_record(*made_.find(series_.front().key, before.frame))->next_id;
    is_loaded_ = true;
}

WhitewaterRecord WhitewaterMaker::advance(const io::FrameEntry& earlier, const io::FrameEntry& entry) {
    make_surroundings();
    if (!now_) now_ = load(earlier);
    if (!is_loaded_) restore(earlier);
    std::unique_ptr<LiquidFrame> next = load(entry);
    const Vec3d origin = next->particles.origin;
    if (now_->particles.origin != origin) {
        count_from(origin);
        now_ = load(earlier, origin);
    }
    whitewater::Interval interval = interval_to(*next);
    interval.births = births(*next);
    interval.volume = static_cast<float>(whitewater_volume(scene_));
    const whitewater::Counts counts = whitewater_.advance(interval);
    now_ = std::move(next);
    count_from(origin);
    WhitewaterRecord record{.frame = entry.frame, .gone = counts.gone, .next_id = whitewater_.next_id};
    std::copy(counts.kinds.begin(), counts.kinds.end(), record.kinds.begin());
    std::copy(counts.born.begin(), counts.born.end(), record.born.begin());
    record.substeps = counts.substeps;
    return record;
}

/// Through the coordinates that files have, so that a resume has the same bits: far from the world's origin files are
/// coarser than floats that are nearly nothing.
void WhitewaterMaker::count_from(Vec3d origin) {
    const Vec3d before = now_->particles.origin;
    if (before == Vec3d{} && origin == Vec3d{}) return;
    parallel_for(whitewater_.particles.size(), [&](Range range) {
        for (const std::size_t i : range) {
            const Vec3d world = before + vec_cast<double>(whitewater_.particles.x[i]);
            whitewater_.particles.x[i] = vec_cast<float>(world - origin);
        }
    });
}

whitewater::Interval WhitewaterMaker::interval_to(const LiquidFrame& next) {
    const Vec3d origin = next.particles.origin;
    const int before = now_->number;
    whitewater::Interval interval{
        .flow = {now_->flow, next.flow, static_cast<float>(1 / scene_.fps)}, .frame = next.number, .time = next.time};
    interval.walls = [this, before, origin](double from, double to) -> const collision::Walls& {
        return around_->between(before, {from, to}, origin);
    };
    interval.forces = [this, before, origin](double share) { return around_->forces(before + share, origin); };
    interval.bounds =
        bounds_of_flight(scene_, {min(now_->box.lo, next.box.lo), max(now_->box.hi, next.box.hi)}, origin);
    interval.is_killed = killed_places(scene_, next.number, origin);
    return interval;
}

std::vector<whitewater::Birth> WhitewaterMaker::births(const LiquidFrame& next) {
    const Vec3d origin = next.particles.origin;
    whitewater::EmissionSetup setup{.before = {now_->liquid, &now_->rates},
                                    .after = {next.liquid, &next.rates},
                                    .span = 1 / scene_.fps,
                                    .volume = whitewater_volume(scene_),
                                    .seed = static_cast<std::uint64_t>(scene_.seed)};
    setup.is_allowed = allowed_places(scene_, origin);
    const WhitewaterSources::Time time{.frame = now_->number, .span = 1 / scene_.fps, .origin = origin};
    const auto expected = whitewater::expected_births(setup, params_);
    check_number(next.number, std::accumulate(expected.begin(), expected.end(), sources_->expected(time)));
    std::vector<whitewater::Birth> all = whitewater::emit(setup, params_);
    sources_->emit(time, all);
    std::erase_if(all, [](const whitewater::Birth& each) { return !is_finite(each.x) || !is_finite(each.v); });
    return all;
}

void WhitewaterMaker::check_number(int frame, double births) const {
    const double number = births + static_cast<double>(whitewater_.particles.size());
    const double memory = number * whitewater::Particles::most_bytes + births * 2 * sizeof(whitewater::Birth);
    constexpr double on_disk = 57;
    const std::string would = fmt::format(
        "frame {}: there would be {} whitewater particles, which take {} of memory "
        "and {} on the disk",
        frame, format_count(number), format_bytes(memory), format_bytes(number * on_disk));
    const std::string less =
        fmt::format("raise whitewater.spacing ({} now), lower whitewater.amount or the rates", params_.spacing);
    if (number > static_cast<double>(params_.most))
        throw UsageError(
            fmt::format("{}, and whitewater.most is {}; {}, or raise whitewater.most; frames up to {} are kept", would,
                        format_count(static_cast<double>(params_.most)), less, frame - 1));
    const double machine = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    if (memory > machine)
        throw OutOfMemoryError(fmt::format("{}, and this machine has {} of memory; {}; frames up to {} are kept", would,
                                           format_bytes(machine), less, frame - 1));
}

}  // namespace spindrift::stages
