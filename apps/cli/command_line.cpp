#include "cli/command_line.h"

#include <algorithm>
#include <memory>
#include <span>

#include "bench/command_line.h"
#include "cli/commands.h"
#include "cli/usage_words.h"
#include "cli/verb_builder.h"
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spindrift/core/text.h"
#include "spindrift/core/version.h"
#include "spindrift/params/value.h"

namespace spindrift::cli {

namespace {

constexpr const char *frame_group = "Frames", *scene_group = "Changes to the scene", *look_group = "Look",
                     *surface_group = "Surface", *output_group = "Output";

/// `low:high` as a list of the scene format; anything else as it is, for the scene to complain about.
std::string as_list(const std::string& text, char separator) {
    const std::size_t at = text.find(separator);
    if (at == std::string::npos) return text;
    // What cannot begin a number is text, so that the scene can say that it wants numbers.
    const auto part = [](const std::string& word) {
        const bool is_number = !word.empty() && std::string_view("+-.0123456789").find(word[0]) != std::string::npos;
        return is_number ? word : in_quotes(word);
    };
    return fmt::format("[{}, {}]", part(text.substr(0, at)), part(text.substr(at + 1)));
}

/// Of a member function that takes one.
template <class Function>
struct FirstArgument;
template <class Owner, class Argument>
struct FirstArgument<void (Owner::*)(Argument) const> {
    using Type = std::decay_t<Argument>;
};

/// Builds the verbs; each leaves its action in `line` when it was called.
class Builder : VerbBuilder {
  public:
    Builder(CLI::App& app, CommandLine& line, std::string words)
        : VerbBuilder(line), app_(app), words_(std::move(words)) {}

    void build() {
        add_run();
        add_resume();
        add_mesh();
        add_whitewater();
        add_render();
        add_panels();
        add_export();
        add_info();
        add_check();
        add_schema();
        add_verb<DoctorCommand>(app_, "doctor", "Look at this machine: cores, memory, disk, a short self test", doctor);
        add_benchmarks(app_, line_);
    }

  private:
    void add_run() {
        const auto [app, command] = add_verb<RunCommand>(app_, "run", "Simulate a scene into its cache", run);
        command->words = words_;
        app->add_option("SCENE", command->source.path, "Scene file (TOML)")->required();
        add_frame_range(app, command->source);
        add_single_frame(app, command->source.last, "Simulate up to this frame, as -e");
        add_scene_changes(app, command->source);
        app->add_option("-o,--output", command->output,
                        "Cache folder, relative to here; <scene>_cache beside the scene if not given")
            ->type_name("FOLDER")
            ->group(output_group);
        add_from(app, command->from);
        app->add_flag("--overwrite", command->overwrite, "Throw away what another scene left in the cache")
            ->group(output_group);
        add_threads(app, command->threads);
        add_style(app);
    }

    void add_resume() {
        const auto [app, command] = add_verb<ResumeCommand>(
            app_, "resume", "Go on with a simulation that was stopped, or make it longer", resume);
        command->words = words_;
        app->add_option("CACHE|SCENE", command->path, "Cache folder, or the scene whose cache it is")->required();
        app->add_option("-e,--end", command->last, "Last frame, if other than that of the cache")
            ->type_name("N")
            ->group(frame_group);
        add_single_frame(app, command->last, "Simulate up to this frame, as -e");
        add_from(app, command->from);
        add_threads(app, command->threads);
        add_style(app);
    }

    void add_mesh() {
        const auto [app, command] =
            add_verb<MeshCommand>(app_, "mesh", "Make meshes of a cache's particles, without simulating", mesh);
        Source& source = command->source;
        app->add_option("CACHE|SCENE", source.path, "Cache folder, or the scene whose cache it is")->required();
        add_frame_range(app, source);
        add_one_frame(app, source);
        add_change(app, source, "--voxel", "D", "mesh.voxel", "Distance of the surface's samples in spacings",
                   surface_group);
        add_change(app, source, "--function", "NAME", "mesh.function",
                   "What makes a surface: normalized, zhu_bridson, color_field or anisotropic", surface_group);
        add_change(app, source, "--radius", "D", "mesh.radius", "How far a particle reaches in spacings",
                   surface_group);
        add_change(app, source, "--smoothing", "N", "mesh.smoothing", "Passes of smoothing", surface_group);
        add_formats(app, source, "--format,--formats", "mesh.formats", "Files to write: ply, obj, glb, vdb");
        add_results_folder(app, command->output, "mesh");
        add_set(app, source);
        add_threads(app, command->threads);
        add_style(app);
    }

    void add_render() {
        const auto [app, command] =
            add_verb<RenderCommand>(app_, "render", "Make pictures and a movie of a cache, without simulating", render);
        app->add_option("CACHE|SCENE", command->source.path, "Cache folder, or the scene whose cache it is")
            ->required();
        add_frame_range(app, command->source);
        add_one_frame(app, command->source);
        add_look(app, command->source, command->camera);
        add_change(app, command->source, "--size", "WxH", "render.resolution", "Size of the pictures in pixels",
                   look_group, 'x');
        add_old_name(app, "--resolution", "--size", [source = &command->source](const std::string& value) {
            source->overrides.push_back(fmt::format("render.resolution={}", as_list(value, 'x')));
        });
        add_change(app, command->source, "--shutter", "S", "render.shutter",
                   "Share of a frame's time that the shutter is open: 0.5 is usual for motion blur", look_group);
        app->add_option("--turntable", command->turntable,
                        "See one frame, the last or -f, from N sides, for a movie that goes round")
            ->type_name("N")
            ->check(from_to(2, 10000))
            ->group(look_group);
        app->add_option("--only", command->only, "Run only the encode of this name, if the look has modules")
            ->type_name("NAME")
            ->group(output_group);
        add_formats(app, command->source, "--format,--formats", "render.formats", "Files of a picture: png, exr");
        add_results_folder(app, command->output, "preview");
        app->add_option("--sheet", command->sheet, "Pictures on the contact sheet; 0 makes none")
            ->type_name("N")
            ->check(from_to(0, 400))
            ->capture_default_str()
            ->group(output_group);
        app->add_flag("--setup", command->setup,
                      "Draw a scene before it is simulated: fills, emitters (orange), colliders and bodies, as the "
                      "camera sees them at the first frame; <scene>_setup.png, or the file of -o")
            ->group(output_group);
        app->add_flag("--no-movie", command->no_movie, "Pictures only")->group(output_group);
        app->add_flag("--progressive", command->progressive,
                      "Show the picture in the making as preview/progress.png, after 1, 2, 4, 8 ... paths per pixel")
            ->group(output_group);
        add_threads(app, command->threads);
        add_style(app);
    }

    void add_whitewater() {
        const auto [app, command] = add_verb<WhitewaterCommand>(
            app_, "whitewater", "Make spray, foam, bubbles and mist of a cache's particles, without simulating",
            whitewater);
        Source& source = command->source;
        app->add_option("CACHE|SCENE", source.path, "Cache folder, or the scene whose cache it is")->required();
        app->add_flag("--emission", command->emission,
                      "Only tell how much would be born in each frame and what the limits are to be compared with; "
                      "with -o also where, as OpenVDB files");
        app->add_option("-s,--start", source.first, "First frame that --emission looks at; else all frames are made")
            ->type_name("N")
            ->group(frame_group);
        app->add_option("-e,--end,-f,--frame", source.last, "Last frame; frames before it are made too, if need be")
            ->type_name("N")
            ->group(frame_group);
        add_change(app, source, "--amount", "A", "whitewater.amount", "Multiplies how much is born", scene_group);
        add_change(app, source, "--grain", "D", "whitewater.spacing",
                   "Edge of what a particle stands for, in spacings of the liquid: half makes eight times as many",
                   scene_group);
        add_set(app, source);
        add_results_folder(app, command->output, "whitewater");
        add_threads(app, command->threads);
        add_style(app);
    }

    void add_panels() {
        const auto [app, command] = add_verb<PanelsCommand>(
            app_, "panels", "Put pictures of caches, or of frames of one, on one figure", panels);
        app->add_option("CACHE|SCENE", command->paths, "Cache folders, or the scenes whose caches they are")
            ->required();
        CLI::Option* one = app->add_option("-f,--frame", command->frame, "Frame to draw of each; its last if not given")
                               ->type_name("N")
                               ->group(frame_group);
        add_list(app, "--frames", command->frames, "Frames of one cache side by side, as 10,20,30", frame_group)
            ->type_name("LIST")
            ->excludes(one);
        add_look(app, command->look, command->camera);
        add_list(app, "--labels", command->labels,
                 "Words below the pictures, as water,honey; the scenes' names if not given", look_group)
            ->type_name("LIST");
        const auto add_size = [&, a = app](const char* name, auto& number, int most, const char* text) {
            return a->add_option(name, number, text)->type_name("N")->check(from_to(1, most))->group(look_group);
        };
        add_size("--columns", command->columns, 100, "Pictures in a row; 3, or all of --frames, if not given");
        add_size("--width", command->width, 16384, "Width of a picture in pixels; its shape is the scene's")
            ->capture_default_str();
        app->add_flag("--movie", command->movie, "All frames that the caches have in common, as -o NAME.mp4 has it")
            ->group(output_group);
        app->add_option("-o,--output", command->output, "File to write (PNG, or MP4 for a movie)")
            ->type_name("FILE")
            ->required()
            ->group(output_group);
        add_threads(app, command->threads);
        add_style(app);
    }

    void add_export() {
        const auto [app, command] = add_verb<ExportCommand>(
            app_, "export", "Write a stage for other programs: colliders as OpenVDB level sets, bodies as meshes",
            export_stage);
        app->add_option("CACHE|SCENE", command->source.path, "Cache folder, or a scene, simulated or not")->required();
        app->add_option("--stage", command->stage,
                        "What to write. collision: a file per collider and frame, or one per collider that stands "
                        "still, with the grids 'collision' (distance in m, negative in the solid) and 'collisionvel' "
                        "(velocity in m/s), in world space. bodies: a mesh per body and frame of the cache, with the "
                        "velocity of its points")
            ->type_name("collision|bodies")
            ->required();
        add_formats(app, command->source, "--format,--formats", "mesh.formats", "Files of bodies: ply, obj, glb");
        add_frame_range(app, command->source);
        add_scene_changes(app, command->source);
        app->add_option("-o,--output", command->output,
                        "Folder for the files, relative to here; that of the stage in the cache if not given")
            ->type_name("FOLDER")
            ->group(output_group);
        add_threads(app, command->threads);
        add_style(app);
    }

    void add_info() {
        const auto [app, command] =
            add_verb<InfoCommand>(app_, "info", "Tell what a cache, a scene or a file holds", info);
        app->add_option(
               "CACHE|SCENE|FILE", command->source.path,
               "What to look at: a cache, a scene, a frame (.npz), grids (.vdb) or a mesh (.ply .obj .stl .glb)")
            ->required();
        add_set(app, command->source);
        app->add_flag("--json", command->json, "Answer as JSON")->group(output_group);
    }

    void add_check() {
        const auto [app, command] = add_verb<CheckCommand>(
            app_, "check", "Say whether a scene is valid, or whether all files of a cache are what was written", check);
        app->add_option("SCENE|CACHE", command->source.path, "Scene file (TOML), or a cache folder")->required();
        app->add_flag("--remove", command->remove,
                      "Remove damaged files of a cache, so that `resume`, `mesh` and `render` make them again")
            ->group(output_group);
        add_frame_range(app, command->source);
        add_scene_changes(app, command->source);
        add_style(app);
    }

    void add_schema() {
        const auto [app, command] =
            add_verb<SchemaCommand>(app_, "schema", "Print the JSON schema of scene files", schema);
        app->add_flag("--docs", command->docs, "The reference of all parameters as Markdown instead");
        app->add_option("-o,--output", command->output, "File to write")->type_name("FILE");
    }

    /// Words with commas between them.
    template <class Item>
    CLI::Option* add_list(CLI::App* app, const char* name, std::vector<Item>& items, const char* text,
                          const char* group) {
        return app->add_option(name, items, text)->delimiter(',')->allow_extra_args(false)->group(group);
    }

    void add_look(CLI::App* app, Source& source, std::string& camera) {
        add_change(app, source, "--show", "WHAT", "render.show",
                   "What is drawn of the liquid: auto, particles, mesh, both or implicit", look_group);
        add_change(app, source, "--color", "CHANNEL", "render.color",
                   "What colours the liquid: liquid, speed, Cd or any channel", look_group);
        add_change(app, source, "--range", "LO:HI", "render.range", "Values at the two ends of the colours", look_group,
                   ':');
        add_change(app, source, "--quality", "WORD", "render.quality", "draft, preview or final", look_group);
        add_change(app, source, "--samples", "N", "render.samples", "Rays per pixel", look_group);
        app->add_option("--camera", camera, "Camera of the scene by name")->type_name("NAME")->group(look_group);
        add_set(app, source);
    }

    void add_frame_range(CLI::App* app, Source& source) {
        app->add_option("-s,--start", source.first, "First frame")->type_name("N")->group(frame_group);
        app->add_option("-e,--end", source.last, "Last frame")->type_name("N")->group(frame_group);
    }

    void add_single_frame(CLI::App* app, std::optional<int>& last, const char* text) {
        app->add_option("-f,--frame", last, text)->type_name("N")->group(frame_group);
    }

    void add_one_frame(CLI::App* app, Source& source) {
        const auto one = [&source](int frame) { source.first = source.last = frame; };
        app->add_option_function<int>("-f,--frame", one, "This frame only")->type_name("N")->group(frame_group);
    }

    void add_from(CLI::App* app, std::optional<int>& from) {
        app->add_option("--from", from,
                        "Keep frames up to this one and simulate the rest anew, also when the scene changed")
            ->type_name("N")
            ->group(frame_group);
    }

    /// An option that stands for --set path=value.
    void add_change(CLI::App* app, Source& source, const char* name, const char* type, const char* path,
                    const char* text, const char* group, char separator = '\0') {
        const auto change = [&source, path, separator](const std::string& value) {
            source.overrides.push_back(fmt::format("{}={}", path, separator ? as_list(value, separator) : value));
        };
        app->add_option_function<std::string>(name, change, text)->type_name(type)->group(group);
    }

    /// Words with commas between them that stand for --set path=["word", "word"].
    void add_formats(CLI::App* app, Source& source, const char* name, const char* path, const char* text) {
        const auto formats = [&source, path](const std::vector<std::string>& words) {
            source.overrides.push_back(fmt::format("{}=[\"{}\"]", path, fmt::join(words, "\", \"")));
        };
        app->add_option_function<std::vector<std::string>>(name, formats, text)
            ->delimiter(',')
            ->allow_extra_args(false)
            ->type_name("LIST")
            ->group(output_group);
    }

    void add_results_folder(CLI::App* app, std::filesystem::path& output, const char* stage) {
        app->add_option("-o,--output", output,
                        fmt::format("Folder for the files, relative to here, with {} in it; the cache if not given or, "
                                    "while that is being simulated, the folder beside in it",
                                    stage))
            ->type_name("FOLDER")
            ->group(output_group);
    }

    void add_set(CLI::App* app, Source& source) {
        // Added to what other options have changed; to bind the list itself would throw that away.
        const auto change = [&source](const std::vector<std::string>& all) {
            source.overrides.insert(source.overrides.end(), all.begin(), all.end());
        };
        app->add_option_function<std::vector<std::string>>(
               "--set", change, "Change any value of the scene, as solver.iterations=8; repeatable")
            ->type_name("PATH=VALUE")
            ->expected(1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
            ->group(scene_group);
    }

    /// A name that options had before: it works, is in no help, and says what it is called now.
    template <class Take>
    void add_old_name(CLI::App* app, const char* name, const char* now, Take take) {
        using Argument = typename FirstArgument<decltype(&Take::operator())>::Type;
        const auto note = fmt::format("{} is called {} now", name, now);
        const auto change = [&line = line_, note, take](const Argument& value) {
            line.notes.push_back(note);
            take(value);
        };
        app->add_option_function<Argument>(name, change, "")->group("")->excludes(app->get_option(now));
    }

    void add_scene_changes(CLI::App* app, Source& source) {
        add_set(app, source);
        app->add_option("--spacing", source.spacing,
                        "Distance between the first liquid's particles in metres; other liquids follow in proportion")
            ->type_name("D")
            ->group(scene_group);
        add_old_name(app, "--resolution", "--spacing", [&source](double value) { source.spacing = value; });
        add_change(app, source, "--iterations", "N", "solver.iterations", "Solver iterations per substep", scene_group);
        add_change(app, source, "--substeps", "MIN:MAX", "solver.substeps",
                   "Fewest and most substeps per frame; one number fixes them", scene_group, ':');
        add_change(app, source, "--fps", "N", "fps", "Frames per second", scene_group);
    }

    void add_style(CLI::App* app) {
        app->add_flag("--quiet", line_.style.quiet, "Say nothing but warnings and errors")->group(output_group);
        app->add_flag("--log-json", line_.style.json, "Log and progress as JSON lines on standard error")
            ->group(output_group);
    }

    CLI::App& app_;
    std::string words_;  ///< of the whole command
};

std::string as_typed(int argc, const char* const* argv) {
    std::string words = "spindrift";
    for (int i = 1; i < argc; ++i)
        words += " " + shell_word(argv[i]);
    return words;
}

std::vector<std::string> verb_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* verb : app.get_subcommands(nullptr))
        names.push_back(verb->get_name());
    return names;
}

/// A word that is no verb deserves more than "not expected". Verbs may have verbs of their own.
void check_verbs(const CLI::App& app, std::span<const char* const> words) {
    const std::vector<std::string> names = verb_names(app);
    if (names.empty()) return;
    const std::string all = fmt::format("there are: {}", fmt::join(names, ", "));
    if (words.empty()) throw UsageError(fmt::format("{} needs to know what to do; {}", app.get_name(), all));
    const std::string word = words.front();
    if (word.starts_with("-")) return;
    if (std::find(names.begin(), names.end(), word) != names.end())
        return check_verbs(*app.get_subcommand(word), words.subspan(1));
    if (word.ends_with(".toml"))
        throw UsageError(fmt::format("'{}' is not a verb; to simulate it: spindrift run {}", word, shell_word(word)));
    const std::string guess = suggestion(word, names);
    throw UsageError(fmt::format("there is no verb '{}'{}", word, guess.empty() ? "; " + all : guess));
}

/// The innermost verb that was called.
const CLI::App& called_verb(const CLI::App& app) {
    const auto called = app.get_subcommands();
    return called.empty() ? app : called_verb(*called.front());
}

[[noreturn]] void throw_unexpected(const CLI::App& app) {
    const CLI::App& verb = called_verb(app);
    std::vector<std::string> known = verb_names(verb);
    for (const CLI::Option* option : verb.get_options()) {
        for (const std::string& name : option->get_lnames())
            known.push_back("--" + name);
    }
    const std::vector<std::string> extra = app.remaining(true);
    const std::string word = extra.empty() ? "" : extra.front();
    throw UsageError(fmt::format("'{}' is not expected here{}; see: {} --help", word, suggestion(word, known),
                                 &verb == &app ? "spindrift" : "spindrift " + verb.get_name()));
}

void set_up(CLI::App& app) {
    app.set_version_flag("--version", fmt::format("spindrift {}", program_version), "Print the version");
    app.set_help_flag("-h,--help", "Print this help");
    app.get_formatter()->column_width(34);
    app.footer(
        "Exit codes: 0 done, 1 failure, 2 usage, 3 invalid scene, 4 input missing or damaged,\n"
        "5 diverged (the last good frame is kept), 6 out of disk or memory,\n"
        "130 interrupted (go on with `spindrift resume`).");
}

}  // namespace

CommandLine parse_command_line(int argc, const char* const* argv) {
    CLI::App app("Spindrift simulates liquids for pictures.", "spindrift");
    CommandLine line;
    set_up(app);
    Builder(app, line, as_typed(argc, argv)).build();
    const auto say = [](const std::string& text) { return [text](Terminal& terminal) { terminal.print(text); }; };
    if (argc < 2) return {say(app.help()), {}};
    check_verbs(app, {argv + 1, argv + argc});
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        line.action = say(app.help());
    } catch (const CLI::CallForVersion& version) {
        line.action = say(std::string(version.what()) + "\n");
    } catch (const CLI::ExtrasError&) {
        throw_unexpected(app);
    } catch (const CLI::ParseError& error) {
        throw UsageError(usage_words(error.get_name(), error.what()));
    }
    return line;
}

}  // namespace spindrift::cli
