#pragma once
// What a run says of the events of its frames: each kind when it comes up, and again in the tenth, hundredth, ... frame
// that has it.
//
//   EventWords words;
//   words.say(statistics);                 // after each frame

#include <map>
#include <string>

#include "spindrift/io/statistics.h"

namespace spindrift::stages {

class EventWords {
  public:
    /// As warnings of the log.
    void say(const io::FrameStatistics& frame);

  private:
    std::map<std::string, int> frames_;  ///< that had an event of a kind
};

}  // namespace spindrift::stages
