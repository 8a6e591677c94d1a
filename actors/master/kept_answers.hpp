// The answers that request ids got: a client that asks again hears what it was told before.
//
// Refusals are not kept: they changed nothing, so they can be decided again. What one user may have
// kept is limited, in number and in bytes; the oldest answers go first, long after any client has
// stopped asking again. The last one is kept whatever it takes.
#pragma once

#include "core/base/result.hpp"
#include "core/base/time.hpp"
#include "core/answer/answer.hpp"
#include "core/base/caller.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace almanac {

struct KeptAnswer {
  std::string request_hash;
  Answer answer;
  Instant given;
};

/// How an answer is kept: under user and request id.
std::string answer_key(const Caller& caller, const std::string& request_id);
std::string encode_answer(const KeptAnswer& kept);
Result<KeptAnswer> decode_answer(std::string_view bytes);

class KeptAnswers {
public:
  static constexpr Duration kept_for{24 * 3600};
  static constexpr std::size_t most_of_a_user = 100'000;
  static constexpr std::size_t most_bytes_of_a_user = 32u << 20;

  KeptAnswers() = default;
  /// Those of the store, by their keys.
  explicit KeptAnswers(std::map<std::string, KeptAnswer> stored);
  KeptAnswers(KeptAnswers&&) = default;
  KeptAnswers& operator=(KeptAnswers&&) = default;

  const KeptAnswer* find(const std::string& key) const;
  /// Keeps one more; the keys that had to go for it.
  std::vector<std::string> keep(const std::string& key, KeptAnswer kept);
  /// Forgets what is old; the keys of it.
  std::vector<std::string> forget_old(Instant now);

private:
  static std::string user_of(const std::string& key) { return key.substr(0, key.find('/')); }

  using Answers = std::map<std::string, KeptAnswer>;
  struct OfUser {
    std::deque<Answers::const_iterator> kept; ///< the oldest first; not empty
    std::size_t bytes = 0;
  };
  void forget_oldest(OfUser& user);

  Answers answers_;
  std::map<std::string, OfUser> of_user_;
};

} // namespace almanac
