#pragma once
// Rings among things that need each other, to be named in messages.
//
//   std::map<std::string, std::vector<std::string>> links{{"a", {"b"}}, {"b", {"a"}}};
//   std::string ring = RingFinder(links).find();      // "a -> b -> a"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace spindrift::render {

/// Finds a way from a node back to itself; `links` names what each node needs.
class RingFinder {
  public:
    explicit RingFinder(const std::map<std::string, std::vector<std::string>>& links) : links_(links) {}

    /// "a -> b -> a", empty if there is none.
    std::string find() {
        for (const auto& [name, needs] : links_) {
            if (visit(name)) return fmt::format("{}", fmt::join(way_, " -> "));
        }
        return {};
    }
    const std::string& start() const { return way_.front(); }

  private:
    bool visit(const std::string& name) {
        if (done_.contains(name)) return false;
        const auto before = std::find(way_.begin(), way_.end(), name);
        if (before != way_.end()) {
            way_.erase(way_.begin(), before);
            way_.push_back(name);
            return true;
        }
        way_.push_back(name);
        const auto needs = links_.find(name);
        if (needs != links_.end() &&
            std::any_of(needs->second.begin(), needs->second.end(), [&](const auto& n) { return visit(n); }))
            return true;
        way_.pop_back();
        done_.insert(name);
        return false;
    }

    const std::map<std::string, std::vector<std::string>>& links_;
    std::vector<std::string> way_;
    std::set<std::string> done_;
};

}  // namespace spindrift::render
