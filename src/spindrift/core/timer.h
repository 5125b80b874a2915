#pragma once
// A tree of phases and the wall-clock seconds spent in each.
//
//   PhaseTimer timer;
//   { auto scope = timer.scope("solve"); { auto inner = timer.scope("density"); ... } }
//   timer.visit([](std::string_view path, double seconds, long calls) { ... });   // "solve", "solve/density"

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace spindrift {

class PhaseTimer {
  public:
    class Scope {
      public:
        explicit Scope(PhaseTimer& timer) : timer_(timer), start_(Clock::now()) {}
        ~Scope() { timer_.leave(std::chrono::duration<double>(Clock::now() - start_).count()); }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

      private:
        PhaseTimer& timer_;
        std::chrono::steady_clock::time_point start_;
    };

    PhaseTimer() { nodes_.push_back({}); }

    [[nodiscard]] Scope scope(std::string_view name) {
        enter(name);
        return Scope(*this);
    }

    /// Seconds of the phase with this path, 0 if it never ran.
    double seconds(std::string_view path) const;

    /// Every phase, parents before children, in order of their first run.
    void visit(const std::function<void(std::string_view path, double seconds, long calls)>& f) const;

    void reset();

  private:
    using Clock = std::chrono::steady_clock;
    struct Node {
        std::string name;
        std::size_t parent = 0;
        std::vector<std::size_t> children;
        double seconds = 0;
        long calls = 0;
    };

    void enter(std::string_view name);
    void leave(double seconds);
    void visit(std::size_t node, const std::string& path,
               const std::function<void(std::string_view, double, long)>& f) const;

    std::vector<Node> nodes_;
    std::size_t current_ = 0;
};

}  // namespace spindrift
