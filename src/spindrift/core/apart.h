#pragma once
// Reading with a library what nobody vouches for: it runs in a process of its own, with limits of memory and time, so
// that whatever a damaged file does to the library is not done to this program.
//
//   const Apart read = run_apart([&] { return text_of(library_read(path)); }, limits_for(path));
//   if (read.end != Apart::End::done) throw IoError(IoError::Kind::corrupt, path, read.text);
//
// The process is a copy of this one at the moment of the call, with the calling thread alone: loops of libraries run
// there, one piece after the other, and what it changes in memory is gone with it.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

namespace spindrift {

struct ApartLimits {
    std::size_t memory = std::size_t{1} << 29;  ///< bytes more than this program has
    double seconds = 60;                        ///< by the clock
};

/// What is enough to read a file of its size, also a compressed one.
ApartLimits limits_for(const std::filesystem::path& path);

struct Apart {
    enum class End {
        done,    ///< `text` is what the work returned
        failed,  ///< it threw; `text` is what the exception said
        memory,  ///< it wanted more than it may have
        time,    ///< it took longer than it may
        crash,   ///< it was ended by the system
    };
    End end = End::crash;
    std::string text{};
};

/// Throws InterruptedError if the work that this thread does is to end meanwhile, IoError if no process can be made.
Apart run_apart(const std::function<std::string()>& work, const ApartLimits& limits);

}  // namespace spindrift
