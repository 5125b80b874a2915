#include "spindrift/core/atomic_file.h"

#include <cerrno>

#include "io_test_support.h"
#include <fmt/format.h>
#include <sys/wait.h>

namespace spindrift::io {
namespace {

using Kind = IoError::Kind;

/// While it lives, root has no more rights than anybody.
class OrdinaryUser {
  public:
    OrdinaryUser() : root_(geteuid() == 0) { EXPECT_TRUE(!root_ || seteuid(65534) == 0); }
    ~OrdinaryUser() { EXPECT_TRUE(!root_ || seteuid(0) == 0); }

  private:
    bool root_;
};

pid_t pid_of_a_finished_process() {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    waitpid(child, nullptr, 0);
    return child;
}

TEST(AtomicFile, what_is_written_is_read_back) {
    const TestFolder folder;
    const std::string content("a\0b\n\xff", 5);
    write_file(folder / "x.bin", content);
    EXPECT_EQ(read_file(folder / "x.bin"), content);
    write_file(folder / "x.bin", "");
    EXPECT_EQ(read_file(folder / "x.bin"), "");
    EXPECT_EQ(folder.file_count(), 1u);
}

TEST(AtomicFile, nothing_changes_before_the_commit) {
    const TestFolder folder;
    write_file(folder / "x.txt", "old");
    AtomicFile file(folder / "x.txt");
    file.write("new");
    EXPECT_EQ(file.temporary(), folder / fmt::format(".x.txt.{}.tmp", getpid()));
    EXPECT_TRUE(std::filesystem::exists(file.temporary()));
    EXPECT_EQ(read_file(folder / "x.txt"), "old");
    file.commit();
    EXPECT_EQ(read_file(folder / "x.txt"), "new");
    EXPECT_EQ(folder.file_count(), 1u);
}

TEST(AtomicFile, without_commit_the_temporary_goes_away) {
    const TestFolder folder;
    { AtomicFile(folder / "x.txt").write("lost"); }
    EXPECT_EQ(folder.file_count(), 0u);
}

TEST(AtomicFile, a_name_without_folder_is_written_to_the_current_one) {
    const TestFolder folder;
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    write_file("x.txt", "here");
    std::filesystem::current_path(before);
    EXPECT_EQ(read_file(folder / "x.txt"), "here");
}

TEST(AtomicFile, a_full_disk_keeps_the_old_file_and_leaves_no_temporary) {
    const TestFolder folder;
    write_file(folder / "x.bin", "old");
    {
        const FileSizeLimit limit(4096);
        expect_io_error(Kind::disk_full, "no space left on the disk; 3.0 MB were needed; earlier frames are intact",
                        [&] { write_file(folder / "x.bin", std::string(3000000, 'x')); });
    }
    EXPECT_EQ(read_file(folder / "x.bin"), "old");
    EXPECT_EQ(folder.file_count(), 1u);
}

TEST(AtomicFile, a_folder_of_others_is_a_matter_of_permission) {
    const TestFolder folder;
    std::filesystem::permissions(folder.path(), std::filesystem::perms{0555});
    {
        const OrdinaryUser user;
        expect_io_error(Kind::permission, "no permission to write here; choose another folder with -o",
                        [&] { write_file(folder / "x.txt", "x"); });
    }
    std::filesystem::permissions(folder.path(), std::filesystem::perms{0755});
}

TEST(AtomicFile, places_that_cannot_be_written_are_named) {
    const TestFolder folder;
    write_file(folder / "file", "");
    std::filesystem::create_directory(folder / "taken");
    expect_io_error(Kind::missing, "the folder does not exist", [&] { write_file(folder / "none/x", "x"); });
    expect_io_error(Kind::other, "is a file, not a folder", [&] { write_file(folder / "file/x", "x"); });
    expect_io_error(Kind::other, "a folder of that name is in the way", [&] { write_file(folder / "taken", "x"); });
    EXPECT_EQ(folder.file_count(), 1u);
    EXPECT_EQ(write_error("x", ENOSPC).kind(), Kind::disk_full);
    EXPECT_EQ(write_error("x", EDQUOT).code(), ExitCode::out_of_resources);
    EXPECT_EQ(write_error("x", EROFS).kind(), Kind::permission);
    EXPECT_STREQ(write_error("x", EIO).what(), "x: cannot write: Input/output error");
}

TEST(ReadFile, what_cannot_be_read_is_missing) {
    const TestFolder folder;
    write_file(folder / "file", "");
    expect_io_error(Kind::missing, "there is no such file", [&] { read_file(folder / "none"); });
    expect_io_error(Kind::missing, "not a folder", [&] { read_file(folder / "file/x"); });
    expect_io_error(Kind::missing, "this is a folder", [&] { read_file(folder.path()); });
    EXPECT_EQ(read_error("x", EACCES).code(), ExitCode::input);
}

TEST(ReadFile, files_of_the_system_that_tell_no_size_are_read) {
    EXPECT_GT(read_file("/proc/self/stat").size(), 50u);
}

TEST(StaleTemporaries, what_killed_programs_left_is_removed_and_the_rest_stays) {
    const TestFolder folder;
    const pid_t gone = pid_of_a_finished_process();
    std::filesystem::create_directory(folder / "particles");
    put_file(folder / fmt::format("particles/.water.0001.npz.{}.tmp", gone), "half a frame");
    put_file(folder / fmt::format(".manifest.json.{}.tmp", getpid()), "half a manifest");
    const std::string running = fmt::format(".manifest.json.{}.tmp", getppid());
    for (const std::string& name : {running, std::string(".x.tmp"), std::string("x.5.tmp"), std::string(".x.5x.tmp")}) {
        put_file(folder / name, "not ours");
    }
    EXPECT_EQ(remove_stale_temporaries(folder.path()), 2u);
    EXPECT_EQ(folder.file_count(), 4u);
    EXPECT_EQ(remove_stale_temporaries(folder / "none"), 0u);
}

}  // namespace
}  // namespace spindrift::io
