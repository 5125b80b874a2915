#pragma once
// Rules about names and files of a scene: each thing has a name of its own, what others name is there, and so are
// files. They are looked at even if something else of the scene could not be read, so that all is said at once.
//
//   check_scene_names(scene, tree, SoundParts(tree, problems), problems);

#include <string_view>
#include <vector>

#include "spindrift/params/problems.h"
#include "spindrift/params/value.h"
#include "spindrift/scene/scene.h"

namespace spindrift {

/// Which tables of a scene were read without a complaint: a name that is missing in one of the others may only be
/// misspelled there, and one mistake is reported once.
class SoundParts {
  public:
    /// The tree must outlive it.
    SoundParts(const Value& tree, const Problems& found);
    /// Whether nothing was said of this key of the scene; true if the scene does not have it.
    bool has(std::string_view key) const;
    bool all() const { return found_.empty(); }

  private:
    const Value& tree_;
    std::vector<SceneProblem> found_;
};

void check_scene_names(const Scene& scene, const Value& tree, const SoundParts& sound, Problems& problems);

/// That the files are there which colliders, bodies, fills and emitters are made from, and the floor's picture.
/// Their names are relative to the scene's file.
void check_scene_files(const Scene& scene, const Value& tree, const SoundParts& sound, Problems& problems);

}  // namespace spindrift
