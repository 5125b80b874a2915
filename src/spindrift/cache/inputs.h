#pragma once
// What a file of a cache was made from: names, and hashes of what has them. The same inputs, the same file.
//
//   const Inputs inputs = Inputs().add("particles", entry.hash).add("look", look_hash);
//   cache.put(series, {42, 1.75}, file, inputs.text());
//   bool stale = Inputs::of(entry) != inputs;

#include <map>
#include <string>
#include <string_view>

#include "spindrift/io/manifest.h"

namespace spindrift::cache {

class Inputs {
  public:
    /// What has no hash is not there, and is left out.
    Inputs& add(const std::string& name, const std::string& hash);

    bool empty() const { return hashes_.empty(); }
    /// Empty if there is no such input.
    std::string hash(const std::string& name) const;

    /// A JSON object for the state of an entry, in the order in which inputs were added; `more` are further members.
    std::string text(const std::string& more = {}) const;

    /// As the state of an entry tells them: all its members that are texts. None if it is no JSON object.
    static Inputs of(const io::FrameEntry& entry);

    friend bool operator==(const Inputs& a, const Inputs& b) { return a.hashes_ == b.hashes_; }

  private:
    std::map<std::string, std::string> hashes_;
    std::string members_;  ///< of the JSON object
};

}  // namespace spindrift::cache
