#pragma once
// Tells twice a second how much of a picture in the making is done, and how long the rest takes at this pace.
//
//   PictureShare share(progress);
//   share.begin(2, 10, "frame 3/10");                               // two are there
//   hooks.share = [&](double part) { share.tell(part); };           // frame 3/10: 40 %, 12 s to go

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

#include "spindrift/core/progress.h"

namespace spindrift::stages {

class PictureShare {
  public:
    explicit PictureShare(Progress& progress) : progress_(progress) {}

    void begin(std::size_t done, std::size_t total, std::string words);
    /// From any thread.
    void tell(double share);

  private:
    using Clock = std::chrono::steady_clock;

    Progress& progress_;
    std::mutex mutex_;
    std::size_t done_ = 0, total_ = 1;
    std::string words_{};
    Clock::time_point start_{}, last_{};
};

}  // namespace spindrift::stages
