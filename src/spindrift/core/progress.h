#pragma once
// Long calls report how far they are and ask whether to stop.
//
//   for (...) { if (progress.interrupted()) return; progress.report(done, total, "meshing"); }

#include <atomic>
#include <cstddef>
#include <string>

namespace spindrift {

class Progress {
  public:
    virtual ~Progress() = default;
    /// `detail` is a short text beside the bar: particles, substeps, error.
    virtual void report(std::size_t done, std::size_t total, const std::string& detail) = 0;
    virtual bool interrupted() const = 0;
};

/// Reports to nobody; stops when told from another thread or a signal handler.
class SilentProgress : public Progress {
  public:
    void report(std::size_t, std::size_t, const std::string&) override {}
    bool interrupted() const override { return stop.load(); }

    std::atomic<bool> stop{false};
};

}  // namespace spindrift
