#pragma once
// Runs the graph of a look, frame by frame: each module once per frame, and only what is asked for.
//
//   const render::Graph modules = render::make_graph(scene.render, scene.output.name);
//   LookGraph graph(scene, folder, modules, {.modules = modules.encodes()});
//   for (int frame : graph.frames(1, 10)) use(graph.picture_for(modules.encodes()[0], frame));

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "spindrift/io/manifest.h"
#include "spindrift/render/layers.h"
#include "spindrift/render/looks/graph.h"
#include "spindrift/scene/scene.h"
#include "spindrift/stages/pictures/look_files.h"
#include "spindrift/stages/pictures/look_view.h"

namespace spindrift::stages {

struct LookChoice {
    std::vector<std::size_t> modules;  ///< what is asked for: encodes
    std::string camera{};              ///< for views that name none; the scene's first, or an automatic one, if empty
};

class LookGraph {
  public:
    /// Opens all caches that are shown and plans their shots. Throws what open_look_cache() and plan_views() throw.
    LookGraph(const Scene& scene, const std::filesystem::path& folder, render::Graph graph, const LookChoice& choice);

    const render::Graph& graph() const { return graph_; }

    /// Frames of the scene's own cache, in a range if one is given, that all caches have. Throws UsageError if there is
    /// none.
    std::vector<io::FrameEntry> frames(std::optional<int> first, std::optional<int> last) const;

    /// Turns all cameras around what they look at on a frame, about the vertical.
    void turn(int frame, double degrees);

    /// Shows views in the making, each time that one has become twice as good.
    void watch(std::function<void(const render::Picture&)> watcher) { watcher_ = std::move(watcher); }

    /// Tells how much of a view in the making is done, from any thread.
    void listen(std::function<void(double share)> listener) { listener_ = std::move(listener); }

    /// The picture that goes into an encode.
    render::Picture picture_for(std::size_t encode, int frame);

    /// What the numbers of that picture's layer `id` stand for.
    BodyNames body_names(std::size_t encode) const;

    /// What that picture is made from: the same if the picture is the same.
    cache::Inputs made_from(std::size_t encode, int frame) const;

  private:
    void add_view(const Scene& scene, const render::Module& module, std::size_t index, const std::string& camera);
    std::shared_ptr<const LookCache> cache_of(const Scene& scene, const std::string& path);
    render::Picture run(const render::Module& module, std::size_t index, int frame) const;
    std::vector<render::Image> images(const render::Module& module) const;
    std::string words(const render::Module& module, std::size_t index, int frame) const;
    std::vector<std::size_t> views_for(std::size_t module) const;
    std::string look_for(std::size_t encode) const;

    std::function<void(const render::Picture&)> watcher_{};
    std::function<void(double share)> listener_{};
    render::Graph graph_;
    std::shared_ptr<const LookCache> home_;  ///< the scene's own
    std::map<std::filesystem::path, std::shared_ptr<const LookCache>> caches_;
    std::vector<LookView> views_;
    std::vector<Shot> shots_;                      ///< of the views, before any turn
    std::map<std::size_t, std::size_t> view_of_;   ///< of modules that show a cache
    std::map<std::size_t, std::string> looks_;     ///< of what is asked for, see made_from()
    std::map<std::size_t, render::Picture> made_;  ///< by module, of the frame
    std::optional<int> frame_;                     ///< whose pictures those are
};

}  // namespace spindrift::stages
