#include "spindrift/sim/render_stage.h"

#include <chrono>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/hash.h"
#include "spindrift/core/log.h"
#include "spindrift/core/text.h"
#include "spindrift/image/png_file.h"
#include "spindrift/io/frames.h"
#include "spindrift/io/manifest.h"
#include "spindrift/io/npz.h"
#include "spindrift/render/contact_sheet.h"
#include "spindrift/render/movie.h"
#include "spindrift/sim/folder_lock.h"
#include "spindrift/sim/run.h"
#include "spindrift/sim/shot.h"
#include "spindrift/sim/stage_inputs.h"

namespace spindrift::sim {

namespace {

namespace fs = std::filesystem;

/// Width of the pictures on a contact sheet.
constexpr int sheet_picture_width = 480;

class RenderStage {
  public:
    RenderStage(const Scene& scene, const RenderOptions& options, Progress& progress)
        : scene_(scene), options_(options), progress_(progress) {}

    RenderReport run() {
        const auto start = std::chrono::steady_clock::now();
        manifest_ = io::load_manifest(options_.folder);
        frames_ = frames_between(manifest_, options_.folder, options_.first, options_.last, "to render");
        lock_.emplace(options_.folder);
        io::create_folder(folder());
        plan();
        draw();
        if (frames_.size() > 1) {
            make_sheet();
            make_movie();
        }
        report_.folder = folder();
        report_.last_picture = picture_path(frames_.back().frame);
        report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return report_;
    }

  private:
    fs::path folder() const { return options_.folder / preview_stage; }
    fs::path picture_path(int frame) const {
        return io::frame_path(options_.folder, preview_stage, scene_.output.name, frame, "png");
    }

    /// The look is that of the whole shot, whichever frames are asked for.
    void plan() {
        const auto samples = planning_frames(options_.folder, manifest_.stages[particle_stage]);
        shot_ = plan_shot(scene_, options_.camera, measure_shot(scene_, samples));
        look_ = look_hash(scene_, shot_);
    }

    void draw() {
        io::Stage& stage = manifest_.stages[preview_stage];
        stage.inputs_hash = look_;
        say_stale(stage);
        std::size_t done = 0;
        for (const io::FrameEntry& particles : frames_) {
            if (is_current(stage, particles)) {
                report_.reused += 1;
            } else {
                stop_if_interrupted(done);
                draw_picture(stage, particles);
            }
            progress_.report(++done, frames_.size(), fmt::format("frame {}/{}", particles.frame, frames_.back().frame));
        }
        io::save_manifest(options_.folder, manifest_);
    }

    void draw_picture(io::Stage& stage, const io::FrameEntry& particles) {
        const std::optional<MeshLook> mesh = read_mesh_look(scene_, options_.folder, manifest_, particles);
        const ChannelSet channels = read_drawn_particles(scene_, options_.folder / particles.file, mesh.has_value());
        const fs::path path = picture_path(particles.frame);
        const WetImages wet = read_wet_images(scene_, options_.folder, manifest_, particles.frame);
        image::write_png(path, draw_frame(scene_, shot_, particles.frame, channels, frame_label(particles), wet,
                                          mesh ? &*mesh : nullptr).image);
        io::set_frame(stage, file_entry(path, particles.frame, particles.time, made_from(particles)));
        io::save_manifest(options_.folder, manifest_);
        report_.rendered += 1;
    }

    /// What a picture is made from, as its entry in the manifest keeps it.
    std::string made_from(const io::FrameEntry& particles) const {
        const std::string wet = wet_hash(scene_, manifest_, particles.frame);
        const std::string mesh = mesh_hash(scene_, options_.folder, manifest_, particles);
        const auto entry = [](const char* key, const std::string& hash) {
            return hash.empty() ? "" : fmt::format(R"(,"{}":"{}")", key, hash);
        };
        return fmt::format(R"({{"particles":"{}","look":"{}"{}{}}})", particles.hash, look_, entry("wet", wet),
                           entry("mesh", mesh));
    }

    io::FrameEntry file_entry(const fs::path& path, int frame, double time, const std::string& state) const {
        return {.frame = frame,
                .file = fs::relative(path, options_.folder).generic_string(),
                .bytes = fs::file_size(path),
                .hash = Hash64().add(read_file(path)).hex(),
                .time = time,
                .state = state};
    }

    /// Whether the file of an entry is still what the entry says, going by its size.
    bool is_there(const io::FrameEntry& entry) const {
        std::error_code missing;
        return fs::file_size(options_.folder / entry.file, missing) == entry.bytes && !missing;
    }

    bool is_current(const io::Stage& stage, const io::FrameEntry& particles) const {
        const io::FrameEntry* entry = io::find_frame(stage, particles.frame);
        return entry && entry->state == made_from(particles) && is_there(*entry);
    }

    void say_stale(const io::Stage& stage) {
        for (const io::FrameEntry& particles : frames_) {
            if (io::find_frame(stage, particles.frame) && !is_current(stage, particles)) report_.stale += 1;
        }
        if (report_.stale > 0)
            log_info(fmt::format(
                "{} of {} pictures are stale, since particles, meshes or look have changed: rendering them anew",
                report_.stale, frames_.size()));
    }

    void stop_if_interrupted(std::size_t done) const {
        if (!progress_.interrupted()) return;
        throw InterruptedError(fmt::format("stopped after {} of {} pictures; go on with: spindrift render {}", done,
                                           frames_.size(), options_.folder.string()));
    }

    /// Makes a file out of pictures unless it was made from the same ones already.
    template <class Make>
    fs::path derive(const char* stage_name, const fs::path& path, const std::vector<io::FrameEntry>& pictures,
                    const Make& make) {
        Hash64 inputs;
        inputs.add(fmt::format("{} {}", scene_.fps, stage_name));
        for (const io::FrameEntry& picture : pictures)
            inputs.add(picture.hash);
        io::Stage& stage = manifest_.stages[stage_name];
        const bool current = stage.inputs_hash == inputs.hex() && !stage.frames.empty() && is_there(stage.frames[0]) &&
                             options_.folder / stage.frames[0].file == path;
        if (current) return path;
        if (!make()) return {};
        stage = {inputs.hex(), {file_entry(path, pictures.front().frame, pictures.front().time, {})}};
        io::save_manifest(options_.folder, manifest_);
        return path;
    }

    std::vector<io::FrameEntry> pictures(const std::vector<std::size_t>& indices) const {
        std::vector<io::FrameEntry> chosen;
        for (const std::size_t i : indices)
            chosen.push_back(*io::find_frame(manifest_, preview_stage, frames_[i].frame));
        return chosen;
    }

    void make_sheet() {
        if (options_.sheet_frames <= 0) return;
        const auto chosen = pictures(spread(frames_.size(), static_cast<std::size_t>(options_.sheet_frames)));
        const fs::path path = folder() / (scene_.output.name + ".sheet.png");
        report_.sheet = derive(sheet_stage, path, chosen, [&] {
            std::vector<image::Image> shots;
            for (const io::FrameEntry& picture : chosen) {
                shots.push_back(thumbnail(image::read_png(options_.folder / picture.file)));
            }
            const int columns = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(shots.size()))));
            image::write_png(path, render::contact_sheet(shots, {}, columns));
            return true;
        });
    }

    static image::Image thumbnail(const image::Image& image) {
        if (image.width <= sheet_picture_width) return image;
        return image::downsample(image, sheet_picture_width,
                                 std::max(1, image.height * sheet_picture_width / image.width));
    }

    void make_movie() {
        if (!options_.movie) return;
        const auto chosen = pictures(spread(frames_.size(), frames_.size()));
        const fs::path path = folder() / (scene_.output.name + ".mp4");
        report_.movie = derive(movie_stage, path, chosen, [&] {
            std::vector<fs::path> files;
            for (const io::FrameEntry& picture : chosen)
                files.push_back(options_.folder / picture.file);
            return encode(files, path);
        });
    }

    /// Ctrl-C reaches ffmpeg as well: its complaint is then not the news.
    bool encode(const std::vector<fs::path>& files, const fs::path& path) const {
        try {
            return render::encode_mp4(files, scene_.fps, path);
        } catch (const IoError&) {
            stop_if_interrupted(frames_.size());
            throw;
        }
    }

    const Scene& scene_;
    const RenderOptions& options_;
    Progress& progress_;
    io::Manifest manifest_;
    std::optional<FolderLock> lock_;
    std::vector<io::FrameEntry> frames_;  ///< particle frames to render
    Shot shot_;
    std::string look_;
    RenderReport report_;
};

}  // namespace

RenderReport render_cache(const Scene& scene, const RenderOptions& options, Progress& progress) {
    return RenderStage(scene, options, progress).run();
}

}  // namespace spindrift::sim
