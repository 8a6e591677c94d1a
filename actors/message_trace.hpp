// What actors are told, message by message, for people who look on (almanac-console trace).
//
// An actor is followed from the first question about it until nobody has asked for a while. While
// nobody looks, a message costs one look at a number.
#pragma once

#include "schema/door/replies.hpp"

#include <caf/type_erased_tuple.hpp>

#include <atomic>
#include <chrono>
#include <deque>
#include <map>
#include <mutex>

namespace almanac {

class MessageTrace {
public:
  static constexpr std::size_t most_kept = 2000; ///< of one actor
  static constexpr std::chrono::seconds patience{10};

  bool is_on() const { return followed_.load(std::memory_order_relaxed) > 0; }
  /// Any thread: this actor is about to take this message.
  void note(std::uint64_t actor, std::uint64_t sender, const caf::type_erased_tuple& content);
  /// What it was told after the one numbered `after`; from now on it is followed.
  std::vector<door::TracedMessage> read(std::uint64_t actor, std::int64_t after);

private:
  struct Ring {
    std::chrono::steady_clock::time_point until;
    std::int64_t last = 0;
    std::deque<door::TracedMessage> kept;
  };
  std::mutex mutex_;
  std::map<std::uint64_t, Ring> rings_;
  std::atomic<std::size_t> followed_ = 0;
};

/// That of this process, as the log is.
MessageTrace& message_trace();

/// A message in a few words: "Tell: task 7.1 ended with exit status 0".
std::string words_for(const caf::type_erased_tuple& content);

} // namespace almanac
