#include "spindrift/cache/cache.h"

#include <filesystem>
#include <string>
#include <vector>

#include "temporary_folder.h"
#include <gtest/gtest.h>

#include "spindrift/core/errors.h"

namespace spindrift::cache {
namespace {

namespace fs = std::filesystem;

const Series frames{.key = series::particles, .folder = series::particles, .name = "water", .extension = "npz"};

/// Files are a word each: nobody here looks into them.
class CacheTest : public testing::Test {
  protected:
    fs::path folder() const { return home_ / "cache"; }
    void put(Cache& cache, int frame, const std::string& content = "frame") const {
        const fs::path path = frames.path(folder(), frame);
        create_folder(path.parent_path());
        cache.put(frames, {frame, 0.1 * frame}, write_file(path, content), Inputs().add("scene", "1").text());
    }
    void make(int last) const {
        Cache cache = Cache::make_or_open_to_write(folder());
        for (int frame = 1; frame <= last; ++frame) {
            put(cache, frame);
            cache.commit();
        }
        cache.commit_whole();
    }
    std::size_t count() const { return Cache::open(folder()).frames(series::particles).size(); }
    std::uintmax_t size_of(const char* file) const {
        return fs::exists(folder() / file) ? fs::file_size(folder() / file) : 0;
    }

    TemporaryFolder home_;
};

TEST_F(CacheTest, has_what_was_put_with_size_hash_and_inputs) {
    make(3);
    const Cache cache = Cache::open(folder());
    const io::FrameEntry* entry = cache.find(series::particles, 2);
    ASSERT_NE(entry, nullptr);
    EXPECT_EQ(entry->file, "particles/water.0002.npz");
    EXPECT_EQ(entry->bytes, 5u);
    EXPECT_EQ(entry->hash, Hash64().add("frame").hex());
    EXPECT_EQ(entry->time, 0.2);
    EXPECT_EQ(cache.find(series::particles, 4), nullptr);
    EXPECT_TRUE(cache.frames("mesh").empty());
    EXPECT_EQ(cache.frames_between(2, {}, "to see").size(), 2u);
    EXPECT_THROW(cache.frames_between(5, 9, "to see"), UsageError);
}

TEST_F(CacheTest, knows_what_is_current_and_what_is_stale) {
    make(2);
    const Cache cache = Cache::open(folder());
    const Inputs same = Inputs().add("scene", "1"), other = Inputs().add("scene", "2");
    EXPECT_TRUE(cache.is_current(frames, 1, same));
    EXPECT_FALSE(cache.is_current(frames, 1, other));
    EXPECT_TRUE(cache.is_stale(frames, 1, other));
    EXPECT_FALSE(cache.is_stale(frames, 3, other)) << "there is none";
    Series elsewhere = frames;
    elsewhere.name = "oil";
    EXPECT_FALSE(cache.is_current(elsewhere, 1, same));
    write_file(frames.path(folder(), 1), "cut");
    EXPECT_FALSE(cache.is_current(frames, 1, same)) << "another size";
    fs::remove(frames.path(folder(), 2));
    EXPECT_FALSE(cache.is_current(frames, 2, same));
}

TEST_F(CacheTest, new_entries_do_not_write_the_manifest_anew) {
    make(1);
    Cache cache = Cache::open_to_write(folder());
    put(cache, 2);
    cache.commit();
    const std::uintmax_t whole = size_of("manifest.json");
    std::uintmax_t before = size_of(journal_file);
    for (int frame = 3; frame < 20; ++frame) {
        put(cache, frame);
        cache.commit();
        EXPECT_EQ(size_of("manifest.json"), whole);
        EXPECT_LT(size_of(journal_file) - before, 400u) << "a line for each, and no more";
        before = size_of(journal_file);
        EXPECT_EQ(count(), static_cast<std::size_t>(frame)) << "readers see it";
    }
    cache.commit_whole();
    EXPECT_EQ(size_of(journal_file), 0u);
    EXPECT_EQ(count(), 19u);
}

TEST_F(CacheTest, a_long_journal_is_folded_into_the_manifest) {
    make(1);
    Cache cache = Cache::open_to_write(folder());
    std::uintmax_t largest = 0;
    for (int frame = 2; frame < 800; ++frame) {
        put(cache, frame);
        cache.commit();
        largest = std::max(largest, size_of(journal_file));
    }
    // Not longer than the manifest, or 64 kB where that is short.
    EXPECT_LE(largest, std::max<std::uintmax_t>(size_of("manifest.json"), 64 << 10) + 400);
    EXPECT_GT(size_of("manifest.json"), 50'000u);
    EXPECT_EQ(count(), 799u);
}

TEST_F(CacheTest, what_a_killed_program_left_of_its_journal_counts_as_far_as_it_goes) {
    make(1);
    std::string manifest, text;
    {
        Cache cache = Cache::open_to_write(folder());
        for (const int frame : {2, 3, 4}) {
            put(cache, frame);
            cache.commit();
        }
        manifest = read_file(folder() / "manifest.json");
        text = read_file(folder() / journal_file);
    }
    write_file(folder() / "manifest.json", manifest);
    write_file(folder() / journal_file, text.substr(0, text.size() - 20));
    EXPECT_EQ(count(), 3u);
    write_file(folder() / journal_file,
               text + "{\"series\":\"particles\",\"frame\":{\"frame\":9,\"file\":\"../out\"}}\n");
    EXPECT_EQ(count(), 4u) << "nothing outside of the cache";
    text[0] = text[0] == 'a' ? 'b' : 'a';
    write_file(folder() / journal_file, text);
    EXPECT_EQ(count(), 2u) << "it goes on from another manifest";
    make(2);
    EXPECT_EQ(size_of(journal_file), 0u);
}

TEST_F(CacheTest, whatever_ends_a_stage_the_manifest_alone_tells_what_was_committed) {
    make(1);
    {
        Cache cache = Cache::open_to_write(folder());
        for (const int frame : {2, 3, 4}) {
            put(cache, frame);
            cache.commit();
        }
    }
    EXPECT_EQ(size_of(journal_file), 0u);
    EXPECT_EQ(count(), 4u);
    {
        Cache cache = Cache::open_to_write(folder());
        put(cache, 5);
        cache.commit();
        put(cache, 6);
        cache.commit();
        put(cache, 7);  // and then the disk is full
    }
    EXPECT_EQ(count(), 6u) << "what was not committed does not count";
}

TEST_F(CacheTest, what_is_dropped_is_gone_from_the_disk_and_only_after_the_manifest_says_so) {
    make(5);
    Cache cache = Cache::open_to_write(folder());
    cache.drop_simulated(3, Fate::remove);
    EXPECT_TRUE(fs::exists(frames.path(folder(), 4)));
    cache.commit();
    for (int frame = 1; frame <= 5; ++frame)
        EXPECT_EQ(fs::exists(frames.path(folder(), frame)), frame < 3) << frame;
    EXPECT_EQ(count(), 2u);
}

TEST_F(CacheTest, whatever_came_with_a_frame_goes_with_it_and_what_stages_made_of_it_is_theirs_to_drop) {
    make(3);
    Cache cache = Cache::open_to_write(folder());
    const std::vector<std::string> simulated{"bodies", "bodies/crate.ply", "wet/rock", "wet_png/rock", "a_new_part"};
    const std::vector<std::string> made{"mesh",          "mesh/liquid.obj", "surface_flags",
                                        "preview_exr.a", "turntable",       "collision/rock"};
    for (const auto* names : {&simulated, &made}) {
        for (const std::string& name : *names) {
            for (int frame = 1; frame <= 3; ++frame) {
                io::FrameEntry entry;
                entry.frame = frame;
                entry.file = name + "." + std::to_string(frame);
                cache.put(name, entry);
            }
        }
    }
    cache.commit();
    cache.drop_simulated(2, Fate::keep_unreadable);
    cache.drop_simulated(2, Fate::remove);
    for (const std::string& name : simulated)
        EXPECT_EQ(cache.frames(name).size(), 1u) << name;
    for (const std::string& name : made)
        EXPECT_EQ(cache.frames(name).size(), 3u) << name;
    cache.commit();
    for (const auto& [name, list] : cache.manifest().series)
        EXPECT_FALSE(name.starts_with("dropped")) << name;
}

TEST_F(CacheTest, is_written_by_one_at_a_time_and_read_by_any) {
    make(2);
    const Cache writer = Cache::open_to_write(folder());
    EXPECT_THROW(Cache::open_to_write(folder()), UsageError);
    EXPECT_EQ(count(), 2u);
}

TEST_F(CacheTest, that_is_none_says_so_and_leaves_no_folder) {
    EXPECT_THROW(Cache::open(folder()), IoError);
    EXPECT_THROW(Cache::open_to_write(folder()), IoError);
    EXPECT_FALSE(fs::exists(folder()));
}

}  // namespace
}  // namespace spindrift::cache
