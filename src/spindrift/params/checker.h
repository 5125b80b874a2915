#pragma once
// What the check() of a struct sees of its source: which keys were given, and where to complain.
//
//   void check(const Checker& checker) const {
//       checker.exactly_one({{"box", box.has_value()}, {"sphere", sphere.has_value()}});
//       if (box) checker.box("box", *box);
//   }

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "spindrift/core/vec.h"
#include "spindrift/params/animated.h"
#include "spindrift/params/problems.h"
#include "spindrift/params/value.h"

namespace spindrift {

class Checker {
  public:
    Checker(const Value& source, Problems& problems) : source_(source), problems_(problems) {}

    bool given(std::string_view key) const { return source_.find(key) != nullptr; }
    /// The same for an entry of a list of tables; for this table if there is no such entry.
    Checker entry(std::string_view key, std::size_t index) const;
    /// Complains at the key, or at the table if the key was not given.
    void problem(std::string_view key, std::string text) const;
    /// Complains at the table.
    void problem(std::string text) const { problems_.add(source_.where, std::move(text)); }

    /// Exactly one of the alternatives is there.
    void exactly_one(std::initializer_list<std::pair<std::string_view, bool>> alternatives) const;
    /// The box has a volume.
    void box(std::string_view key, const Box3d& box) const;
    /// The direction is not zero, at no key if it is animated.
    void direction(std::string_view key, const Animated<Vec3d>& direction) const;

  private:
    const Value& source_;
    Problems& problems_;
};

}  // namespace spindrift
