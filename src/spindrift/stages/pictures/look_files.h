#pragma once
// The files of one encode in a cache: a picture per frame, a contact sheet and a movie, each made only if it is not
// what it would become.
//
//   LookFiles files(cache, {.name = "dailies", .formats = {render::EncodeFormat::png}});
//   if (!files.is_current(42, made_from)) files.write({42, 1.75, made_from}, picture);

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "spindrift/cache/cache.h"
#include "spindrift/core/atomic_file.h"
#include "spindrift/io/manifest.h"
#include "spindrift/render/layers.h"
#include "spindrift/render/looks/graph_params.h"

namespace spindrift::stages {

/// Numbers of the layer `id` and what they stand for.
using BodyNames = std::vector<std::pair<std::uint32_t, std::string>>;

struct FilesPlan {
    std::string folder = "preview";               ///< in the cache
    std::string stage = "preview";                ///< first word of the series that the manifest keeps
    std::string encode{};                         ///< tells the series of several encodes apart; empty if there is one
    std::string name{};                           ///< first part of the names of files
    std::vector<render::EncodeFormat> formats{};  ///< a movie and a sheet bring the PNG files they are made of
    BodyNames bodies{};
    double fps = 24;
};

/// A picture in a row of them.
struct Shown {
    int number = 0;  ///< in the file's name
    double time = 0;
    cache::Inputs made_from{};  ///< see LookGraph::made_from()
};

class LookFiles {
  public:
    /// The cache must outlive it.
    LookFiles(cache::Cache& cache, FilesPlan plan);

    /// All files of a picture are there and made from the same.
    bool is_current(const Shown& shown) const;
    /// Some are there, made from something else or in part.
    bool is_stale(const Shown& shown) const;
    /// Writes the files and puts them into the cache, which is for the caller to commit.
    void write(const Shown& shown, const render::Picture& picture);

    /// Where the picture is that is to be looked at.
    std::filesystem::path picture_path(int number) const;

    /// Made from pictures that are current; empty if the encode has none, or there is no ffmpeg.
    std::filesystem::path make_sheet(std::span<const int> numbers);
    std::filesystem::path make_movie(std::span<const int> numbers);

    bool has(render::EncodeFormat format) const;

  private:
    bool needs_png() const;
    std::vector<std::string> picture_kinds() const;
    std::string key_of(const std::string& kind) const;
    cache::Series series_of(const std::string& kind) const;
    std::vector<io::FrameEntry> pictures(std::span<const int> numbers) const;
    std::filesystem::path derive(const char* kind, const std::string& file, std::span<const int> numbers,
                                 const std::function<WrittenFile(const std::vector<std::filesystem::path>&,
                                                                 const std::filesystem::path&)>& make);

    cache::Cache& cache_;
    FilesPlan plan_;
};

}  // namespace spindrift::stages
