#pragma once
// [[whitewater.source]] at work: places that give whitewater whatever the liquid does.
//
//   WhitewaterSources sources(scene);
//   sources.emit({.frame = 41, .span = 1 / 24.0, .origin = origin}, births);

#include <cstdint>
#include <memory>
#include <vector>

#include "spindrift/emitters/emitter_skin.h"
#include "spindrift/scene/scene.h"
#include "spindrift/whitewater/emission.h"

namespace spindrift::stages {

class WhitewaterSources {
  public:
    /// Reads the meshes of surfaces. Throws IoError if one cannot be used, UsageError for a collider that is not there.
    explicit WhitewaterSources(const Scene& scene);

    struct Time {
        int frame = 0;    ///< that it begins with
        double span = 0;  ///< s to the next one
        Vec3d origin{};   ///< that positions count from, m
    };
    /// What would be born, on average.
    double expected(const Time& time) const;
    void emit(const Time& time, std::vector<whitewater::Birth>& births);

  private:
    struct Source {
        whitewater::SourceParams params;
        std::shared_ptr<emitters::EmitterSkin> skin{};
        std::uint64_t seed = 0;
    };
    static double count_of(const Source& source, const Time& time);
    static whitewater::Birth birth(Source& source, const Time& time, std::uint64_t own, std::uint64_t k);

    std::vector<Source> sources_;
};

}  // namespace spindrift::stages
