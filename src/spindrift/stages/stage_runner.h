#pragma once
// What stages have in common: they make things one after the other or several at once, leave alone what is up to date,
// tell how far they are, and can be stopped between two of them; what is made by then stays, and the same call goes on.
//
//   StageRunner runner(progress, frames.size(), {"meshes", "go on with: spindrift mesh dam_cache"});
//   runner.tell_stale(stale, "since particles or settings have changed: making them anew");
//   runner.at_once(todo.size(), 2, [&](std::size_t worker, std::size_t item) {
//       const FrameMesh made = meshers[worker].make(todo[item]);
//       runner.alone([&] { cache.put(...); cache.commit(); });
//       runner.done("frame 42/96");
//   });

#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "spindrift/core/errors.h"
#include "spindrift/core/progress.h"

namespace spindrift::stages {

class StageRunner {
  public:
    struct Words {
        std::string things;   ///< that are made
        std::string go_on{};  ///< what to do when it was stopped
    };
    /// The progress must outlive it.
    StageRunner(Progress& progress, std::size_t total, Words words);

    std::size_t total() const { return total_; }
    /// Says how many things are there already, but made from something else.
    void tell_stale(int stale, const std::string& why) const;

    /// One thing more is there, made or up to date. From any thread.
    void done(const std::string& detail);

    /// Calls work(worker, item) for all items in turn, with so many workers at once. Ends with what the first item that
    /// failed threw, or as stop_if_interrupted() does.
    void at_once(std::size_t items, std::size_t workers,
                 const std::function<void(std::size_t worker, std::size_t item)>& work);
    /// Calls work(item) one after the other: each may need what the one before left.
    void in_order(std::size_t items, const std::function<void(std::size_t item)>& work);

    /// Keeps other workers out meanwhile.
    template <class Body>
    void alone(const Body& body) {
        const std::lock_guard lock(mutex_);
        body();
    }

    /// Throws InterruptedError, with how far it came, if the user wants no more.
    void stop_if_interrupted() const;
    InterruptedError stopped() const;

  private:
    void work_through(std::size_t worker, std::size_t items,
                      const std::function<void(std::size_t worker, std::size_t item)>& work);
    std::optional<std::size_t> next(std::size_t items);

    Progress& progress_;
    std::size_t total_, done_ = 0;
    Words words_;
    std::mutex mutex_;  ///< of all below, and of `done_`
    std::size_t taken_ = 0, failed_ = 0;
    bool stopped_ = false;
    std::exception_ptr failure_;
};

}  // namespace spindrift::stages
