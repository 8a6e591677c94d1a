#include "actors/kept_answers.hpp"

#include "schema/codec.hpp"

#include <algorithm>
#include <cstdlib>

namespace almanac {

KeptAnswers::KeptAnswers(std::map<std::string, KeptAnswer> stored) : answers_(std::move(stored)) {
  for (const auto& [key, kept] : answers_) of_user_[user_of(key)].push_back(key);
  for (auto& [user, keys] : of_user_)
    std::stable_sort(keys.begin(), keys.end(), [&](const auto& a, const auto& b) {
      return answers_.at(a).given < answers_.at(b).given;
    });
}

const KeptAnswer* KeptAnswers::find(const std::string& key) const {
  const auto it = answers_.find(key);
  return it == answers_.end() ? nullptr : &it->second;
}

std::string KeptAnswers::keep(const std::string& key, KeptAnswer kept) {
  if (!answers_.insert_or_assign(key, std::move(kept)).second) return "";
  auto& keys = of_user_[user_of(key)];
  keys.push_back(key);
  if (keys.size() <= most_of_a_user) return "";
  const auto oldest = keys.front();
  keys.pop_front();
  answers_.erase(oldest);
  return oldest;
}

std::vector<std::string> KeptAnswers::forget_old(Instant now) {
  std::vector<std::string> forgotten;
  for (auto it = of_user_.begin(); it != of_user_.end();) {
    auto& keys = it->second;
    while (!keys.empty() && answers_.at(keys.front()).given + kept_for <= now) {
      forgotten.push_back(keys.front());
      answers_.erase(keys.front());
      keys.pop_front();
    }
    it = keys.empty() ? of_user_.erase(it) : std::next(it);
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
