#include "schema/door_objection.hpp"

#include "core/request/valid.hpp"
#include "core/text/pattern.hpp"

#include <algorithm>
#include <limits>

namespace almanac::door {

namespace {

std::optional<Answer> refusal_of(std::initializer_list<Outcome> outcomes) {
  for (const auto& outcome : outcomes)
    if (!outcome) return Answer::refusal(outcome.what());
  return std::nullopt;
}

class Objection {
public:
  std::optional<Answer> operator()(const GetJobs& r) const {
    return refusal_of({valid_texts(r.jobs), valid_texts(r.users)});
  }
  std::optional<Answer> operator()(const GetReservations& r) const {
    return refusal_of({valid_texts(r.reservations), valid_texts(r.users)});
  }
  std::optional<Answer> operator()(const GetLines& r) const {
    return refusal_of({valid_texts(r.users)});
  }
  std::optional<Answer> operator()(const GetAccounting& r) const {
    constexpr std::size_t longest_name = 512; // each record's is compared with it
    if (r.filter.name.size() > longest_name)
      return Answer::refusal("no job has a name of more than 512 characters");
    return refusal_of({valid_texts({r.filter.name, r.filter.owner})});
  }
  std::optional<Answer> operator()(const Inherit& r) const {
    if (r.command.empty()) return Answer::refusal("qrsh -inherit: a command is missing");
    return refusal_of(
        {valid_texts({r.host}), valid_process(r.command, r.environment, r.directory)});
  }
  std::optional<Answer> operator()(const GetQuotas& r) const {
    const auto& [users, projects, pes, queues, hosts, resources] = r.selection;
    std::size_t count = 0, longest = 0, bytes_of_patterns = 0;
    for (const auto* words : {&users, &projects, &pes, &queues, &hosts, &resources}) {
      if (auto refused = refusal_of({valid_texts(*words)})) return refused;
      for (const auto& word : *words) {
        ++count, longest = std::max(longest, word.size());
        if (is_pattern(word)) bytes_of_patterns += word.size();
      }
    }
    // Each is compared with whoever uses something, and with each rule.
    constexpr std::size_t most_words = 10'000, longest_word = 512, most_of_patterns = 4'096;
    if (count > most_words || longest > longest_word)
      return Answer::refusal("at most 10000 names of 512 characters can be asked about");
    if (bytes_of_patterns > most_of_patterns)
      return Answer::refusal("all patterns together can have at most 4096 characters");
    return std::nullopt;
  }
  // Of what comes behind the last number there is, nothing can be asked.
  std::optional<Answer> operator()(const GetInputs& r) const { return behind(r.after); }
  std::optional<Answer> operator()(const GetMessages& r) const { return behind(r.after); }
  // What is only looked up may have any number; what the planner is to take, it takes as Valid
  // only.
  template <class T> std::optional<Answer> operator()(const T&) const { return std::nullopt; }

private:
  static std::optional<Answer> behind(std::int64_t number) {
    if (number < std::numeric_limits<std::int64_t>::max()) return std::nullopt;
    return Answer::refusal("there is no number behind " + std::to_string(number));
  }
};

} // namespace

std::optional<Answer> objection(const RequestBody& body) { return std::visit(Objection(), body); }

} // namespace almanac::door
