#pragma once
// Makes the whitewater of a frame from that of the frame before and from the liquid of both.
//
//   WhitewaterMaker maker(scene, simulated, made);
//   WhitewaterRecord first = maker.begin(frames[0]);
//   WhitewaterRecord second = maker.advance(frames[0], frames[1]);

#include <memory>
#include <optional>
#include <vector>

#include "spindrift/cache/cache.h"
#include "spindrift/stages/frame/frame_bodies.h"
#include "spindrift/stages/whitewater/liquid_frame.h"
#include "spindrift/stages/whitewater/whitewater_files.h"
#include "spindrift/stages/whitewater/whitewater_record.h"
#include "spindrift/stages/whitewater/whitewater_sources.h"
#include "spindrift/whitewater/step.h"

namespace spindrift::stages {

class WhitewaterMaker {
  public:
    /// Particles of liquid are in `simulated`, files of whitewater in `made`. All three have to stay.
    WhitewaterMaker(const Scene& scene, const cache::Cache& simulated, const cache::Cache& made);

    /// The first frame has none: nothing has moved yet.
    WhitewaterRecord begin(const io::FrameEntry& entry);
    WhitewaterRecord advance(const io::FrameEntry& earlier, const io::FrameEntry& entry);
    /// A frame is there already: the next one goes on from its files.
    void skip();

    const LiquidFrame& now() const { return *now_; }
    const whitewater::Particles& particles() const { return whitewater_.particles; }

  private:
    void make_surroundings();
    std::unique_ptr<LiquidFrame> load(const io::FrameEntry& entry, std::optional<Vec3d> origin = {});
    void forget();
    void restore(const io::FrameEntry& before);
    void count_from(Vec3d origin);
    whitewater::Interval interval_to(const LiquidFrame& next);
    std::vector<whitewater::Birth> births(const LiquidFrame& next);
    void check_number(int frame, double births) const;

    const Scene& scene_;
    const cache::Cache &simulated_, &made_;
    whitewater::WhitewaterParams params_;
    std::vector<WhitewaterSeries> series_;
    whitewater::Whitewater whitewater_;
    bool is_loaded_ = false;  ///< whether `whitewater_` is that of the frame before
    std::optional<FrameSurroundings> around_{};
    std::optional<WhitewaterSources> sources_{};
    std::unique_ptr<LiquidFrame> now_{};
};

}  // namespace spindrift::stages
