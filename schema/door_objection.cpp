#include "schema/door_objection.hpp"

#include "core/records/change_cursor.hpp"
#include "core/records/event.hpp"
#include "core/request/valid.hpp"
#include "core/request/valid_report.hpp"
#include "core/text/names.hpp"
#include "core/text/pattern.hpp"
#include "core/text/words.hpp"

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
  // What it asks for is looked through by the gate.
  std::optional<Answer> operator()(const RunCommand& r) const {
    constexpr std::size_t longest_key = 8192, longest_proof = 128;
    if (r.claim.size() > 1) return Answer::refusal("a request has at most one claim");
    for (const auto& [key, nonce, proof] : r.claim) {
      if (key.size() > longest_key || nonce.size() > longest_proof || proof.size() > longest_proof)
        return Answer::refusal("nothing of a claim is as long as that");
      if (auto refused = refusal_of({valid_texts({key, nonce, proof})})) return refused;
    }
    return std::nullopt;
  }
  std::optional<Answer> operator()(const GetGrant& r) const { return refusal_of({valid(r.whom)}); }
  std::optional<Answer> operator()(const GetJobs& r) const {
    return refusal_of({valid_texts(r.jobs), valid_texts(r.users)});
  }
  std::optional<Answer> operator()(const GetReservations& r) const {
    return refusal_of({valid_texts(r.reservations), valid_texts(r.users)});
  }
  std::optional<Answer> operator()(const GetLines& r) const {
    if (auto refused = refusal_of({valid_texts(r.users)})) return refused;
    return of_selection(r.selection);
  }
  std::optional<Answer> operator()(const GetCluster& r) const {
    if (auto refused = of_selection(r.selection)) return refused;
    return of_requests(r.of_hosts);
  }
  std::optional<Answer> operator()(const GetAccounting& r) const {
    constexpr std::size_t longest_name = 512; // each record's is compared with it
    constexpr std::size_t most_ranges = 1'000;
    if (r.filter.name.size() > longest_name)
      return Answer::refusal("no job has a name of more than 512 characters");
    if (r.filter.tasks.size() > most_ranges)
      return Answer::refusal("at most 1000 ranges of tasks can be asked about");
    const auto& f = r.filter;
    const std::vector<std::string> patterns{f.account,    f.group, f.host, f.project,
                                            f.department, f.pe,    f.queue};
    for (const auto& pattern : patterns)
      if (pattern.size() > longest_name)
        return Answer::refusal("a pattern has no more than 512 characters");
    return refusal_of({valid_texts({f.name, f.owner}), valid_texts(patterns)});
  }
  std::optional<Answer> operator()(const GetUsage& r) const {
    constexpr std::size_t most_numbers = 10'000;
    if (r.reservations.size() > most_numbers)
      return Answer::refusal("at most 10000 advance reservations can be asked about");
    if (r.to.seconds > 0 && r.from >= r.to)
      return Answer::refusal("the end of the time asked about is not after its start");
    return std::nullopt;
  }
  std::optional<Answer> operator()(const Inherit& r) const {
    if (r.command.empty()) return Answer::refusal("qrsh -inherit: a command is missing");
    return refusal_of(
        {valid_texts({r.host}), valid_process(r.command, r.environment, r.directory)});
  }
  std::optional<Answer> operator()(const Attach& r) const {
    constexpr std::size_t longest_host = 512, longest_credential = 64 << 10,
                          longest_signature = 256;
    if (r.host.size() > longest_host || r.address.size() > longest_host ||
        r.credential.content.size() > longest_credential ||
        r.signature.content.size() > longest_signature)
      return Answer::refusal("the master gives no such word to attach to a job");
    if (auto refused = of_terminal(r.rows, r.columns)) return refused;
    return refusal_of({valid_texts({r.host, r.address}), valid(r.attempt)});
  }
  std::optional<Answer> operator()(const InheritInput& r) const {
    if (r.taken < 0) return Answer::refusal("less than nothing was taken");
    return of_terminal(r.rows, r.columns);
  }
  std::optional<Answer> operator()(const Subscribe& r) const {
    if (auto why =
            refusal_of({valid_texts(r.kinds), valid_texts({r.after, r.filter.owner, r.filter.id}),
                        valid_pattern(r.filter.owner), valid_pattern(r.filter.id)}))
      return why;
    if (r.kinds.size() > event_kinds().size())
      return Answer::refusal("there are no more than " + std::to_string(event_kinds().size()) +
                             " kinds of events");
    for (const auto& kind : r.kinds)
      if (!event_kind(kind)) return no_such_kind(kind);
    if (!r.after.empty() && !ChangeCursor::parse(r.after))
      return Answer::refusal("\"" + excerpt(r.after) + "\" is no cursor (TERM-SEQUENCE)");
    return std::nullopt;
  }
  std::optional<Answer> operator()(const GetQuotas& r) const {
    const auto& [users, projects, pes, queues, hosts, resources, groups] = r.selection;
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
    if (groups.size() > most_told_groups)
      return Answer::refusal("groups of at most 100 users can be told");
    for (const auto& [user, group] : groups)
      if (auto refused = refusal_of({valid_texts({user, group})})) return refused;
    return std::nullopt;
  }
  // Of what comes behind the last number there is, nothing can be asked.
  std::optional<Answer> operator()(const GetInputs& r) const {
    constexpr std::size_t most_names = 16; // each input's are compared with them
    if (r.filter.about.size() > most_names)
      return Answer::refusal("inputs are looked for by at most 16 names");
    const auto refusal = refusal_of({valid_texts(r.filter.about)});
    return refusal ? refusal : behind(r.after);
  }
  std::optional<Answer> operator()(const GetMessages& r) const { return behind(r.after); }
  // What is only looked up may have any number; what the planner is to take, it takes as Valid
  // only.
  template <class T> std::optional<Answer> operator()(const T&) const { return std::nullopt; }

private:
  static std::optional<Answer> of_terminal(std::int64_t rows, std::int64_t columns) {
    if (std::min(rows, columns) >= 0 && std::max(rows, columns) <= largest_terminal)
      return std::nullopt;
    return Answer::refusal("a terminal has at most " + std::to_string(largest_terminal) +
                           " rows and columns");
  }
  // Each instance is compared with it.
  static std::optional<Answer> of_selection(const InstanceSelection& s) {
    constexpr std::size_t most_words = 1'000, longest_word = 512, most_of_patterns = 4'096;
    std::size_t bytes_of_patterns = 0;
    for (const auto* words : {&s.queues, &s.pes, &s.users}) {
      if (auto refused = refusal_of({valid_texts(*words)})) return refused;
      if (words->size() > most_words)
        return Answer::refusal("queue instances are selected by at most 1000 names");
      for (const auto& word : *words) {
        if (word.size() > longest_word)
          return Answer::refusal("nothing has a name of more than 512 characters");
        if (is_pattern(word)) bytes_of_patterns += word.size();
      }
    }
    if (bytes_of_patterns > most_of_patterns)
      return Answer::refusal("all patterns together can have at most 4096 characters");
    if (s.groups.size() > most_told_groups)
      return Answer::refusal("groups of at most 100 users can be told");
    for (const auto& [user, group] : s.groups)
      if (auto refused = refusal_of({valid_texts({user, group})})) return refused;
    if (s.states.size() > instance_states.size() ||
        s.states.find_first_not_of(instance_states) != std::string::npos)
      return Answer::refusal("\"" + excerpt(s.states) + "\": states of queue instances are " +
                             std::string(instance_states));
    return of_requests(s.resources);
  }
  static std::optional<Answer> of_requests(const std::vector<Attribute>& requests) {
    constexpr std::size_t most_requests = 100, longest = 512;
    if (requests.size() > most_requests)
      return Answer::refusal("at most 100 resources can be asked for");
    for (const auto& [name, value] : requests) {
      if (auto refused = refusal_of({valid_texts({name, value})})) return refused;
      if (name.size() > longest || value.size() > longest)
        return Answer::refusal("resources have names and values of at most 512 characters");
    }
    return std::nullopt;
  }
  // Each change is compared with it.
  static Outcome valid_pattern(const std::string& pattern) {
    constexpr std::size_t longest = 512;
    if (pattern.size() > longest) return Error{"nothing has a name of more than 512 characters"};
    return pattern.empty() ? Outcome(Done{}) : valid_expression(pattern);
  }
  static Answer no_such_kind(const std::string& kind) {
    std::string known;
    for (const auto& one : event_kinds())
      if (event_kind(prefix_of(one)) == one) known += " " + lower(prefix_of(one)); // CONFIG once
    return Answer::refusal("there are no events of the kind \"" + excerpt(kind) +
                           "\", only of:" + known);
  }
  static std::optional<Answer> behind(std::int64_t number) {
    if (number < std::numeric_limits<std::int64_t>::max()) return std::nullopt;
    return Answer::refusal("there is no number behind " + std::to_string(number));
  }
};

} // namespace

std::optional<Answer> objection(const RequestBody& body) { return std::visit(Objection(), body); }

} // namespace almanac::door
