#pragma once
// What a thread works in: set by scopes on its stack, and handed on to the threads that work for it. Parallel loops do
// that by themselves (core/parallel.h); who starts a thread of its own says so:
//
//   std::jthread other([context = thread_context()] {
//       const InheritContext inherit(context);
//       ...                                                // the same limit, log sink and interruption as here
//   });

namespace spindrift {

class Interruptible;
class LogScope;
class ThreadArena;
class VariedChunks;

struct ThreadContext {
    const Interruptible* work = nullptr;  ///< innermost that may be interrupted
    LogScope* log = nullptr;              ///< innermost sink; without one, words go to the sink of the process
    ThreadArena* arena = nullptr;         ///< of the innermost ThreadLimit
    bool in_arena = false;                ///< runs a piece of a loop there
    VariedChunks* chunks = nullptr;       ///< how loops are cut, if not as they ask
};

/// The calling thread's own.
ThreadContext& thread_context();

/// Makes a thread work in what another does, while it lives.
class InheritContext {
  public:
    explicit InheritContext(const ThreadContext& context);
    ~InheritContext();
    InheritContext(const InheritContext&) = delete;
    InheritContext& operator=(const InheritContext&) = delete;

  private:
    ThreadContext outer_;
};

}  // namespace spindrift
