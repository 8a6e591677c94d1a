#include "tools/simulator/coallocation/trial.hpp"

#include "core/text/token_list.hpp"

#include <algorithm>

namespace almanac {

namespace {

constexpr std::int64_t longest_ms = 100'000'000, hour_ms = 3'600'000;
// What the coordinator may be wrong about the clock of a site (M5.3): where it shifts it, half of the
// time that an answer may take, and what two clocks say that have whole seconds only.
std::int64_t error_of_clocks_ms(const CoallocationPlan& plan) {
  return plan.odd_clock == OddClock::refused ? 2000 : plan.answer_within.seconds * 500 + 1500;
}

// Of the co-allocation and its candidate: what all sites have in common of TXID.
std::string attempt_of(const std::string& line) {
  const auto tokens = parse_token_list(line.substr(line.find(' ') + 1));
  const auto* const name = tokens ? find_token(*tokens, "TXID") : nullptr;
  return name ? name->substr(0, name->rfind('.') + 1) : std::string();
}

} // namespace

Trial::Trial(CoallocationPlan plan, std::uint64_t seed, std::int64_t begins_ms, TrialFaults faults)
    : plan_(std::move(plan)),
      chance_(seed),
      faults_(faults),
      begins_ms_(begins_ms),
      now_ms_(begins_ms) {}

void Trial::run() {
  begin(Coallocation(plan_, "t77", chance_.next()));
  while (!queue_.empty() && now_ms_ < begins_ms_ + longest_ms) {
    const auto next = queue_.begin();
    const auto event = std::move(next->second);
    now_ms_ = std::max(now_ms_, next->first.first);
    queue_.erase(next);
    event();
  }
  // One that was killed before it had written anything down has nothing to finish.
  if (machine_ || log_) complain("the coordinator does not come to its end");
  // A site that is ahead may have begun to hold later than now.
  for (auto* site : sites_) site->pass_time(now_ms_ + 2 * plan_.hold.seconds * 1000);
}

TrialEnd Trial::end() const {
  TrialEnd end{outcome_, is_decided_, told_ms_, {}};
  for (const auto* site : sites_) end.sites.push_back(site->holds());
  return end;
}

void Trial::after(std::int64_t ms, Event event) { at(now_ms_ + ms, std::move(event)); }

void Trial::at(std::int64_t ms, Event event) {
  queue_.emplace(Place{ms, order_++}, std::move(event));
}

bool Trial::happens(std::int64_t of_thousand) {
  return now_ms_ < begins_ms_ + faults_.until_ms && chance_.up_to(999) < of_thousand;
}

void Trial::complain(const std::string& what) {
  say(what);
  if (problem_.empty()) problem_ = what;
}

void Trial::say(const std::string& text) const {
  if (on_event_) on_event_(now_ms_, text);
}

// ---- the coordinator ----------------------------------------------------------------------------

void Trial::begin(Coallocation machine) {
  machine_ = std::move(machine);
  follow(machine_->begin(now_ms_));
}

bool Trial::is_killed_here() {
  const bool now = points_++ == faults_.own_kill_at || happens(faults_.own_kills) ||
                   (is_decided_ && happens(faults_.decided_kills));
  if (!now) return false;
  say("the coordinator is killed");
  machine_.reset(), ++life_, ++kills_, wake_ = no_time_ms;
  const bool is_long = faults_.long_absences > 0 && chance_.up_to(999) < faults_.long_absences;
  after(is_long ? hour_ms + chance_.up_to(hour_ms) : chance_.up_to(faults_.longest_absence_ms),
        [this, is_long] {
          is_late_ |= is_long && is_decided_ && log_;
          restart();
        });
  return true;
}

// Without a record nobody knows that there was anything to finish.
void Trial::restart() {
  say("the coordinator starts again");
  if (!log_) return;
  const auto record = parse_coallocation(*log_);
  if (!record) return complain(record.what());
  is_resumed_ = true;
  begin(Coallocation(plan_, *record, chance_.next()));
}

void Trial::follow(CoallocationStep step) {
  if (step.record) {
    if (is_killed_here()) return; // before it is durable
    write(*step.record);
    if (is_killed_here()) return;
    return follow(machine_->written(now_ms_));
  }
  for (const auto& request : step.requests) {
    if (is_killed_here()) return;
    send(request);
  }
  if (!machine_->is_over()) return wake();
  if (!is_killed_here()) be_over(); // or nobody has heard of it yet
}

void Trial::write(const CoallocationRecord& record) {
  log_ = print_coallocation(record);
  is_decided_ |= record.verdict == CoallocationVerdict::commit;
  say("written down: " + *log_);
}

void Trial::be_over() {
  outcome_ = machine_->outcome(), told_ms_ = now_ms_;
  say(std::string("the end: ") + name_of(outcome_) + " " + outcome_->why);
  log_.reset(), machine_.reset(), ++life_;
}

void Trial::wake() {
  const auto due = machine_->wake_at_ms();
  if (due == no_time_ms || due == wake_) return;
  wake_ = due;
  at(std::max(due, now_ms_), [this, life = life_, due] {
    if (life != life_ || due != wake_) return;
    wake_ = no_time_ms;
    follow(machine_->time_passed(now_ms_));
  });
}

// M5.9, and M5.6 for the first of them. One that comes back repeats what was decided in time.
void Trial::check_commit(const LineToSite& request) {
  if (!request.line.starts_with("COMMIT")) return;
  const auto record = log_ ? parse_coallocation(*log_) : Result<CoallocationRecord>(Error{});
  if (!record || (record->verdict != CoallocationVerdict::commit &&
                  record->verdict != CoallocationVerdict::release))
    complain("COMMIT is sent without a durable decision");
  if (is_resumed_ || std::exchange(has_committed_, true)) return;
  const auto attempt = attempt_of(request.line);
  const auto least_ms = plan_.margin.seconds * 1000 - error_of_clocks_ms(plan_);
  for (const auto* site : sites_)
    for (const auto& hold : site->holds())
      if (hold.state == HoldState::held && hold.transaction.starts_with(attempt) &&
          hold.until_ms <= now_ms_ + least_ms)
        complain("the first COMMIT is sent too late");
}

// ---- lines --------------------------------------------------------------------------------------

void Trial::send(const LineToSite& request) {
  check_commit(request);
  say(plan_.sites.at(request.site).name + ": > " + request.line);
  const auto number = ++lines_;
  open_.insert(number);
  const auto copies = happens(faults_.lost) ? 0 : happens(faults_.doubled) ? 2 : 1;
  for (int i = 0; i < copies; ++i)
    after(delay_ms(), [this, request, number, life = life_] { arrive(request, number, life); });
  after(plan_.answer_within.seconds * 1000,
        [this, site = request.site, number, life = life_] { give_up(site, number, life); });
}

void Trial::arrive(const LineToSite& request, std::int64_t number, std::int64_t life) {
  const auto reply = sites_.at(request.site)->answer(request.line, now_ms_);
  if (!reply || happens(faults_.lost)) return;
  at(std::max(now_ms_, reply->at_ms) + delay_ms(),
     [this, site = request.site, number, life, lines = reply->lines] {
       if (life != life_ || open_.erase(number) == 0) return;
       if (!is_killed_here()) hear(site, lines);
     });
}

void Trial::hear(std::size_t site, const std::vector<std::string>& lines) {
  AnswerReader reader;
  for (const auto& line : lines) {
    say(plan_.sites.at(site).name + ": < " + line);
    auto answer = reader.take(line);
    if (!answer) return complain(answer.what() + ": " + line);
    if (*answer) return follow(machine_->answered(site, **answer, now_ms_));
  }
  complain("half an answer");
}

void Trial::give_up(std::size_t site, std::int64_t number, std::int64_t life) {
  if (life != life_ || open_.erase(number) == 0) return;
  if (is_killed_here()) return;
  say(plan_.sites.at(site).name + ": no answer came in time");
  follow(machine_->silent(site, "no answer came", now_ms_));
}

std::int64_t Trial::delay_ms() {
  const auto usual = 5 + chance_.up_to(200);
  if (!happens(faults_.late)) return usual;
  return usual + chance_.up_to(3 * plan_.answer_within.seconds * 1000);
}

} // namespace almanac
