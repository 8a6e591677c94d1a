#include "actors/master/kept_answers.hpp"

#include "core/admission/kept_bytes.hpp"
#include "schema/codec.hpp"

#include <algorithm>
#include <cstdlib>

namespace almanac {

namespace {

// What it takes in memory, roughly.
std::size_t kept_bytes_of(const std::string& key, const KeptAnswer& kept) {
  std::size_t bytes = 2 * key.size() + kept.request_hash.size() + sizeof(KeptAnswer);
  TextBytes texts;
  describe(texts, const_cast<Answer&>(kept.answer)); // reads only
  return bytes + static_cast<std::size_t>(texts.count);
}

} // namespace

KeptAnswers::KeptAnswers(std::map<std::string, KeptAnswer> stored) : answers_(std::move(stored)) {
  for (auto it = answers_.cbegin(); it != answers_.cend(); ++it) {
    auto& user = of_user_[user_of(it->first)];
    user.kept.push_back(it);
    user.bytes += kept_bytes_of(it->first, it->second);
  }
  for (auto& [name, user] : of_user_)
    std::stable_sort(user.kept.begin(), user.kept.end(), [](const auto& a, const auto& b) {
      return a->second.given < b->second.given;
    });
}

const KeptAnswer* KeptAnswers::find(const std::string& key) const {
  const auto it = answers_.find(key);
  return it == answers_.end() ? nullptr : &it->second;
}

std::vector<std::string> KeptAnswers::keep(const std::string& key, KeptAnswer kept) {
  auto& user = of_user_[user_of(key)];
  const auto [it, is_new] = answers_.try_emplace(key);
  if (is_new) user.kept.push_back(it);
  else user.bytes -= kept_bytes_of(key, it->second);
  it->second = std::move(kept);
  user.bytes += kept_bytes_of(key, it->second);
  std::vector<std::string> dropped;
  while (user.kept.size() > 1 && user.kept.front() != it &&
         (user.kept.size() > most_of_a_user || user.bytes > most_bytes_of_a_user)) {
    dropped.push_back(user.kept.front()->first);
    forget_oldest(user);
  }
  return dropped;
}

void KeptAnswers::forget_oldest(OfUser& user) {
  const auto it = user.kept.front();
  user.bytes -= kept_bytes_of(it->first, it->second);
  answers_.erase(it);
  user.kept.pop_front();
}

std::vector<std::string> KeptAnswers::forget_old(Instant now) {
  std::vector<std::string> forgotten;
  for (auto it = of_user_.begin(); it != of_user_.end();) {
    auto& user = it->second;
    while (!user.kept.empty() && user.kept.front()->second.given + kept_for <= now) {
      forgotten.push_back(user.kept.front()->first);
      forget_oldest(user);
    }
    it = user.kept.empty() ? of_user_.erase(it) : std::next(it);
  }
  return forgotten;
}

std::string answer_key(const Caller& caller, const std::string& request_id) {
  return std::to_string(caller.uid) + "/" + request_id;
}

std::string encode_answer(const KeptAnswer& kept) {
  return kept.request_hash + "/" + std::to_string(kept.given.seconds) + "/" + encode(kept.answer);
}

Result<KeptAnswer> decode_answer(std::string_view bytes) {
  const auto first = bytes.find('/');
  const auto second = first == std::string_view::npos ? first : bytes.find('/', first + 1);
  if (second == std::string_view::npos) return Error{"a kept answer can't be read"};
  auto answer = decode<Answer>(bytes.substr(second + 1));
  if (!answer) return answer.error();
  return KeptAnswer{std::string(bytes.substr(0, first)),
                    *answer,
                    {std::atoll(std::string(bytes.substr(first + 1, second - first - 1)).c_str())}};
}

} // namespace almanac
