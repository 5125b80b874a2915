#pragma once
// What a frame holds beside its particles, as arrays: bodies, wet maps, the interior of a narrow band, grids. A
// simulation has a list of parts, whoever keeps frames loops over them; a new one is a class here and a line in
// make_parts().
//
//   for (const auto& part : simulation.parts()) keep(part->name(), part->save());
//   for (const auto& part : simulation.parts()) part->load(find(part->name()), source);

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "spindrift/core/errors.h"
#include "spindrift/grid/volume.h"
#include "spindrift/particles/channel_array.h"

namespace spindrift::sim {

/// One of the two is empty.
struct PartData {
    ChannelSet arrays{};  ///< of any lengths
    std::vector<grid::Volume> volumes{};

    bool empty() const { return arrays.channels.empty() && volumes.empty(); }
};

/// What the data of a part is.
enum class PartKind {
    arrays,
    square_map,  ///< one array of numbers from 0 to 1: rows of a square picture, from the top
    volumes,     ///< grids for others to look at: nothing goes on from them
};

class StatePart {
  public:
    StatePart(std::string name, PartKind kind) : name_(std::move(name)), kind_(kind) {}
    virtual ~StatePart() = default;
    StatePart(const StatePart&) = delete;
    StatePart& operator=(const StatePart&) = delete;

    /// Of its series; `wet/rock` stands for files with the name rock in wet.
    const std::string& name() const { return name_; }
    PartKind kind() const { return kind_; }
    bool is_state() const { return kind_ != PartKind::volumes; }

    virtual PartData save() = 0;
    /// nullptr if the frame has none. Throws IoError in the name of `source` if it is damaged, UsageError if it is of
    /// another scene.
    virtual void load(const PartData* data, const std::filesystem::path& source) = 0;
    /// What to say of a frame that has none, behind "frame 12"; empty if frames may do without.
    virtual std::string lack() const { return {}; }

  private:
    std::string name_;
    PartKind kind_;
};

using StateParts = std::vector<std::unique_ptr<StatePart>>;

/// What is told of a frame that nothing can go on from.
IoError broken_frame(const std::filesystem::path& source, const std::string& what);

}  // namespace spindrift::sim
