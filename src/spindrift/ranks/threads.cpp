#include "spindrift/ranks/threads.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "spindrift/core/errors.h"
#include "spindrift/core/thread_context.h"

namespace spindrift::ranks {

namespace {

/// Where messages of a round lie until their rank takes them.
class Board {
  public:
    explicit Board(int count) : boxes_(static_cast<std::size_t>(count)), count_(count) {}

    int size() const { return count_; }
    std::vector<Message> exchange(int rank, std::vector<Message> out) {
        {
            const std::lock_guard lock(mutex_);
            for (Message& message : out) {
                SPINDRIFT_CHECK(message.rank >= 0 && message.rank < count_ && message.rank != rank);
                boxes_[static_cast<std::size_t>(message.rank)].push_back({rank, std::move(message.bytes)});
            }
        }
        meet();
        std::vector<Message> in;
        {
            const std::lock_guard lock(mutex_);
            in.swap(boxes_[static_cast<std::size_t>(rank)]);
        }
        meet();
        std::sort(in.begin(), in.end(), [](const Message& a, const Message& b) { return a.rank < b.rank; });
        return in;
    }
    void fail(std::exception_ptr error) {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::move(error);
        all_here_.notify_all();
    }
    void rethrow() const {
        if (error_) std::rethrow_exception(error_);
    }

  private:
    /// Waits until every rank is here.
    void meet() {
        std::unique_lock lock(mutex_);
        const std::uint64_t round = round_;
        if (++waiting_ == count_) {
            waiting_ = 0;
            ++round_;
            all_here_.notify_all();
        }
        all_here_.wait(lock, [&] { return round_ != round || error_ != nullptr; });
        if (round_ == round) throw Error(ExitCode::failure, "another rank has ended with an error");
    }

    std::mutex mutex_;
    std::condition_variable all_here_;
    std::vector<std::vector<Message>> boxes_;
    int count_, waiting_ = 0;
    std::uint64_t round_ = 0;
    std::exception_ptr error_;
};

class ThreadRank final : public Ranks {
  public:
    ThreadRank(Board& board, int rank) : board_(board), rank_(rank) {}

    int rank() const override { return rank_; }
    int size() const override { return board_.size(); }
    std::vector<Message> exchange(std::vector<Message> out) override { return board_.exchange(rank_, std::move(out)); }

  private:
    Board& board_;
    int rank_;
};

}  // namespace

void run_as_threads(int count, const std::function<void(Ranks&)>& work) {
    Board board(count);
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < count; ++rank) {
        threads.emplace_back([&, rank, context = thread_context()] {
            const InheritContext inherit(context);
            try {
                ThreadRank self(board, rank);
                work(self);
            } catch (...) {
                board.fail(std::current_exception());
            }
        });
    }
    threads.clear();
    board.rethrow();
}

}  // namespace spindrift::ranks
