#pragma once
// What can go wrong, by whose doing. The library throws these and never exits; the program turns them into exit codes.
//
//   throw IoError(IoError::Kind::missing, path, "cannot open");

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace spindrift {

/// Exit codes of the program; users' scripts depend on them.
enum class ExitCode {
    done = 0,
    failure = 1,
    usage = 2,
    invalid_scene = 3,
    input = 4,
    diverged = 5,
    out_of_resources = 6,
    interrupted = 130,
};

class Error : public std::runtime_error {
  public:
    Error(ExitCode code, const std::string& text) : std::runtime_error(text), code_(code) {}
    ExitCode code() const { return code_; }

  private:
    ExitCode code_;
};

/// A place in a scene file; line 0 means "no place" (a value given by --set or by a program).
struct SourceLocation {
    std::string file;
    int line = 0;
    int column = 0;
};

/// One sentence about the user's input, `dam.toml:3:1: unknown key 'iteration'; did you mean 'iterations'?`
struct SceneProblem {
    SourceLocation where;
    std::string text;

    std::string message() const;
};

/// The user's scene is not valid; carries every problem found, not only the first.
class SceneError : public Error {
  public:
    explicit SceneError(std::vector<SceneProblem> problems);
    const std::vector<SceneProblem>& problems() const { return problems_; }

  private:
    std::vector<SceneProblem> problems_;
};

class UsageError : public Error {
  public:
    explicit UsageError(const std::string& text) : Error(ExitCode::usage, text) {}
};

/// The environment refused: a path and what the system said.
class IoError : public Error {
  public:
    enum class Kind {
        missing,     ///< not there or not readable
        corrupt,     ///< there, but not what it should be
        permission,  ///< may not be written
        disk_full,
        other,
    };
    IoError(Kind kind, const std::filesystem::path& path, const std::string& text);
    Kind kind() const { return kind_; }

  private:
    Kind kind_;
};

class OutOfMemoryError : public Error {
  public:
    explicit OutOfMemoryError(const std::string& text) : Error(ExitCode::out_of_resources, text) {}
};

/// The simulation left the numbers it can work with; the last good frame is kept.
class DivergedError : public Error {
  public:
    explicit DivergedError(const std::string& text) : Error(ExitCode::diverged, text) {}
};

/// The user asked to stop and everything worth keeping has been written.
class InterruptedError : public Error {
  public:
    explicit InterruptedError(const std::string& text) : Error(ExitCode::interrupted, text) {}
};

[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace spindrift

/// Our own mistakes at module borders: always on. SPINDRIFT_ASSERT is for loops: debug builds only.
#define SPINDRIFT_CHECK(condition) \
    ((condition) ? static_cast<void>(0) : ::spindrift::check_failed(#condition, __FILE__, __LINE__))
#ifdef NDEBUG
#define SPINDRIFT_ASSERT(condition) static_cast<void>(0)
#else
#define SPINDRIFT_ASSERT(condition) SPINDRIFT_CHECK(condition)
#endif
