#pragma once
// What the tests of io share: a folder that goes away, errors as values, damaged copies of a text.

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/random.h"

namespace spindrift::io {

class TestFolder {
  public:
    TestFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "spindrift_io_XXXXXX").string();
        path_ = mkdtemp(pattern.data());
    }
    ~TestFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TestFolder(const TestFolder&) = delete;
    TestFolder& operator=(const TestFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
    std::size_t file_count() const {
        std::size_t count = 0;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(path_))
            count += entry.is_regular_file();
        return count;
    }

  private:
    std::filesystem::path path_;
};

/// Writes without the care of io: tests place broken files with it.
inline void put_file(const std::filesystem::path& path, std::string_view content) {
    std::ofstream(path, std::ios::binary) << content;
}

/// While it lives, files cannot grow beyond the limit: a full disk in small.
class FileSizeLimit {
  public:
    explicit FileSizeLimit(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &old_limit_);
        const rlimit limit{bytes, old_limit_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        setrlimit(RLIMIT_FSIZE, &old_limit_);
        std::signal(SIGXFSZ, old_handler_);
    }

  private:
    void (*old_handler_)(int);
    rlimit old_limit_{};
};

/// The IoError that the call throws; a failure if it throws none.
inline IoError io_error_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const IoError& error) {
        return error;
    }
    ADD_FAILURE() << "no IoError was thrown";
    return {IoError::Kind::other, "", ""};
}

inline void expect_io_error(IoError::Kind kind, std::string_view part_of_text, const std::function<void()>& call) {
    const IoError error = io_error_of(call);
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_NE(std::string_view(error.what()).find(part_of_text), std::string_view::npos) << error.what();
}

/// A copy with one to four places changed: bits flipped, bytes set, parts cut, repeated or swapped.
inline std::string mutate(std::string text, std::uint64_t seed) {
    std::uint64_t counter = 0;
    const auto draw = [&](std::size_t below) -> std::size_t {
        const std::uint64_t bits = hash_counter(seed, counter++, 0);
        return below == 0 ? 0 : bits % below;
    };
    const std::size_t changes = 1 + draw(4);
    for (std::size_t c = 0; c < changes && !text.empty(); ++c) {
        const std::size_t at = draw(text.size());
        switch (draw(6)) {
            case 0:
                text[at] = static_cast<char>(text[at] ^ (1 << draw(8)));
                break;
            case 1:
                text[at] = static_cast<char>(draw(256));
                break;
            case 2:
                text.resize(at);
                break;
            case 3:
                text.erase(at, 1 + draw(16));
                break;
            case 4:
                text.insert(at, text.substr(draw(text.size()), 1 + draw(16)));
                break;
            default:
                for (std::size_t i = at; i < std::min(at + 4, text.size()); ++i)
                    text[i] = draw(2) ? '\xff' : '\0';
        }
    }
    return text;
}

}  // namespace spindrift::io
