// Threads that ask the master: each has a connection of its own to a door and works on one line at
// a time, so several lines are with the master at once (core/admission/line_turns.hpp).
#pragma once

#include "tools/client/client.hpp"
#include "tools/commands/site_exchange.hpp"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace almanac {

class Askers {
public:
  struct Question {
    std::uint64_t connection = 0, number = 0;
    std::string line;
    SiteSubject from;
  };
  struct Reply {
    std::uint64_t connection = 0, number = 0;
    std::vector<std::string> lines;
  };

  /// `bell` is an eventfd that rings when there is a reply.
  Askers(std::size_t count, ClientOptions options, std::string directory, int bell);
  /// Whoever is still asked is not waited for: what became of it is not known.
  ~Askers();
  Askers(const Askers&) = delete;
  Askers& operator=(const Askers&) = delete;

  /// No more of them than free() says.
  void ask(Question question);
  std::vector<Reply> take();
  std::size_t free() const { return threads_.size() - asked_; }

private:
  void run(ClientOptions options);
  std::optional<Question> wait_for_question(); ///< nothing: it ends

  const std::string directory_;
  const int bell_, stop_;
  std::size_t asked_ = 0; ///< and not taken; of the thread that asks
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Question> questions_;
  std::vector<Reply> replies_;
  bool ends_ = false;
  std::vector<std::thread> threads_;
};

} // namespace almanac
