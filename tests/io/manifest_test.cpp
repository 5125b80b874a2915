#include "spindrift/io/manifest.h"

#include "io_test_support.h"

#include "spindrift/cache/manifest_file.h"
#include "spindrift/core/atomic_file.h"

namespace spindrift::io {
namespace {

using Kind = IoError::Kind;

constexpr int mutations = 2000;

FrameEntry entry(int frame, std::string file = "particles/water.npz") {
    return {frame, std::move(file), 1234, "00ff", frame / 24.0, ""};
}

Manifest sample() {
    Manifest m;
    m.program_version = "0.1.0";
    m.scene_name = "dam \"break\"";
    m.scene_hash = "0123456789abcdef";
    m.parameters = R"({"version":1,"gravity":[0.0,-9.81,0.0],"liquid":{"a":1e-300,"z":true}})";
    m.fps = 29.97;
    m.series["particles"].inputs_hash = "aa";
    for (const int frame : {-1, 0, 1})
        set_frame(m.series["particles"], entry(frame));
    m.series["particles"].frames[1].state = "{ \"dt\":1e-2, \"v\" : -0,\n \"n\": 18446744073709551616 }";
    m.series["mesh"].inputs_hash = "bb";
    return m;
}

class ManifestFile : public testing::Test {
  protected:
    void expect_damaged(const std::string& sentence, const std::string& text) {
        put_file(path_, text);
        expect_io_error(Kind::corrupt, sentence, [&] { cache::load_manifest(folder_.path()); });
    }
    /// The text of a valid manifest with one part replaced.
    std::string with(const std::string& part, const std::string& replacement) {
        cache::save_manifest(folder_.path(), sample());
        std::string text = read_file(path_);
        const std::size_t at = text.find(part);
        EXPECT_NE(at, std::string::npos) << part;
        return text.replace(at, part.size(), replacement);
    }

    TestFolder folder_;
    std::filesystem::path path_ = folder_ / "manifest.json";
};

TEST_F(ManifestFile, everything_comes_back_and_the_state_letter_by_letter) {
    cache::save_manifest(folder_.path(), sample());
    EXPECT_EQ(cache::load_manifest(folder_.path()), sample());
    EXPECT_EQ(folder_.file_count(), 1u);
}

TEST_F(ManifestFile, saving_again_gives_the_same_text) {
    cache::save_manifest(folder_.path(), sample());
    const std::string text = read_file(path_);
    cache::save_manifest(folder_.path(), cache::load_manifest(folder_.path()));
    EXPECT_EQ(read_file(path_), text);
    EXPECT_NE(text.find("\n  \"parameters\": {\n    \"version\": 1,"), std::string::npos) << text;
}

TEST_F(ManifestFile, a_folder_without_manifest_is_no_cache) {
    expect_io_error(Kind::missing, "this is not a cache: it has no manifest.json",
                    [&] { cache::load_manifest(folder_.path()); });
}

TEST_F(ManifestFile, a_newer_version_is_told_apart_from_damage) {
    const std::string sentence =
        "this cache was written by a newer Spindrift (manifest version 7, this program reads up to 1)";
    expect_damaged(sentence, with("\"version\": 1", "\"version\": 7"));
    expect_damaged(sentence, R"({"version": 7, "everything": "else"})");
}

TEST_F(ManifestFile, damage_is_named_with_its_place) {
    expect_damaged("manifest is damaged: it is not JSON at line 1", "");
    expect_damaged("manifest is damaged: it is not JSON at line 3", "{\n\"version\":\n}");
    expect_damaged("'version' should be a whole number", with("\"version\": 1", "\"version\": \"1\""));
    expect_damaged("'version' should be 1 or more", with("\"version\": 1", "\"version\": 0"));
    expect_damaged("'scene_name' is missing", with("scene_name", "scene_nama"));
    expect_damaged("'scene_hash' should be a text", with("\"0123456789abcdef\"", "5"));
    expect_damaged("'fps' should be a number", with("29.97", "[]"));
    expect_damaged("a number in it is out of range", with("29.97", "1e999"));
    expect_damaged("'parameters' should be an object", with("\"parameters\": {", "\"parameters\": [], \"x\": {"));
    expect_damaged("'stages.particles.frames[0].frame' should be a whole number",
                   with("\"frame\": -1", "\"frame\": 0.5"));
    expect_damaged("'stages.particles.frames[0].frame' should be", with("\"frame\": -1", "\"frame\": 3000000000"));
    expect_damaged("frames[0].bytes' should be a whole number, not negative", with("\"bytes\": 1234", "\"bytes\": -1"));
    expect_damaged("frames[1].state' should be the text of a JSON object", with("{ \\\"dt\\\"", "\\\"dt\\\""));
    expect_damaged("the frames of stage 'particles' are out of order", with("\"frame\": -1", "\"frame\": 5"));
    expect_damaged("manifest is damaged: it should be an object", "[1, 2]");
}

TEST_F(ManifestFile, deep_nesting_is_refused_before_it_hurts) {
    const std::string deep = std::string(200000, '[') + std::string(200000, ']');
    expect_damaged("nested too deeply", R"({"version": 1, "parameters": )" + deep + "}");
    expect_damaged("nested too deeply", std::string(200000, '['));
}

TEST_F(ManifestFile, files_outside_of_the_cache_are_refused) {
    for (const std::string file : {"/etc/passwd", "../x", "a/../../x", "..", "", "a\\u0000b"}) {
        expect_damaged("is not inside the cache", with("particles/water.npz", file));
    }
    FrameList stage;
    EXPECT_THROW(set_frame(stage, entry(1, "/etc/passwd")), std::logic_error);
    EXPECT_THROW(set_frame(stage, entry(1, "../x")), std::logic_error);
    set_frame(stage, entry(1, "a..b/..c"));
}

TEST_F(ManifestFile, texts_that_are_no_json_are_our_mistake) {
    Manifest m = sample();
    m.series["particles"].frames[0].state = "{";
    EXPECT_THROW(cache::save_manifest(folder_.path(), m), std::logic_error);
    m = sample();
    m.parameters = "[]";
    EXPECT_THROW(cache::save_manifest(folder_.path(), m), std::logic_error);
    EXPECT_EQ(folder_.file_count(), 0u);
}

TEST_F(ManifestFile, random_changes_never_crash) {
    cache::save_manifest(folder_.path(), sample());
    const std::string valid = read_file(path_);
    for (int seed = 0; seed < mutations; ++seed) {
        put_file(path_, mutate(valid, static_cast<std::uint64_t>(seed)));
        try {
            cache::load_manifest(folder_.path());
        } catch (const IoError& error) {
            EXPECT_EQ(error.kind(), Kind::corrupt) << "seed " << seed << ": " << error.what();
        } catch (const std::exception& error) {
            ADD_FAILURE() << "seed " << seed << ": " << error.what();
        }
    }
}

TEST(ManifestFrames, frames_stay_sorted_and_are_replaced) {
    FrameList stage;
    for (const int frame : {5, -3, 9, 5, 0})
        set_frame(stage, entry(frame));
    set_frame(stage, entry(9, "particles/other.npz"));
    std::vector<int> frames;
    for (const FrameEntry& e : stage.frames)
        frames.push_back(e.frame);
    EXPECT_EQ(frames, (std::vector{-3, 0, 5, 9}));
    EXPECT_EQ(find_frame(stage, 9)->file, "particles/other.npz");
    EXPECT_EQ(find_frame(stage, 4), nullptr);
}

}  // namespace
}  // namespace spindrift::io
