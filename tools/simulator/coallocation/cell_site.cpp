#include "tools/simulator/coallocation/cell_site.hpp"

#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

namespace {

constexpr const char* other_user = "bob";
constexpr std::int64_t slots_of_host = 2;
constexpr std::int64_t lease_grace_ms = 1000;
// Of a line from its arrival to its answer: some forty.
constexpr std::int64_t most_messages_to_kill = 80;

std::vector<std::string> names_of_hosts(int count) {
  std::vector<std::string> names;
  for (int i = 1; i <= count; ++i) names.push_back("n" + std::to_string(i));
  return names;
}

} // namespace

CellSite::CellSite(std::uint64_t seed, CellSettings settings)
    : settings_(std::move(settings)),
      chance_(seed),
      world_(chance_.next()),
      watch_(settings_.user, settings_.ahead_ms) {
  world_.set_checking();
  world_.clock().ahead_ms = settings_.ahead_ms;
}

Outcome CellSite::begin() {
  const auto hosts = names_of_hosts(settings_.hosts);
  if (auto begun = world_.begin(hosts, slots_of_host); !begun) return begun;
  for (const auto& user : {settings_.user, std::string(other_user)})
    if (const auto added = world_.run("", {"qconf", "-au", user, "arusers"}); added.code != 0)
      return Error{added.text};
  witness_.emplace(world_, hosts, 0);
  auto& on_commit = world_.journal().on_commit;
  on_commit = [this, witness = on_commit](const auto& batch, auto fate) {
    witness(batch, fate);
    if (fate != MemoryJournal::Fate::lost) watch_.note(batch, now_ms());
  };
  world_.before_step = [this] { between_messages(); };
  return Done{};
}

void CellSite::begin_trial(std::int64_t at_ms) {
  pass_time(at_ms);
  up_since_ms_ = at_ms, faults_end_ms_ = at_ms + settings_.until_ms;
}

// ---- lines --------------------------------------------------------------------------------------

// Whoever carries it there asks the master again for some seconds.
std::optional<TrialSite::Reply> CellSite::answer(const std::string& line, std::int64_t at_ms) {
  pass_time(at_ms);
  is_way_lost_ = false;
  plan_faults();
  world_.set_patience(Duration{1 + chance_.up_to(5)});
  const auto kills = kills_;
  const auto output = world_.run(settings_.user, {"gmeta", line});
  auto lines = split(output.text, '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  // This master has answered, so what was over when it began is gone (plus.md section 4, rule 9).
  if (kills == kills_ && !output.text.starts_with("SC=-60")) check_holds(up_since_ms_);
  if (is_way_lost_) return std::nullopt;
  return Reply{std::move(lines), now_ms()};
}

void CellSite::pass_time(std::int64_t to_ms) {
  while (!world_.is_up("") && comes_back_ms_ < to_ms && now_ms() < to_ms) {
    world_.wait_until(comes_back_ms_);
    if (!world_.is_up("") && now_ms() >= comes_back_ms_) come_back();
  }
  world_.wait_until(to_ms);
}

void CellSite::let_others_work(std::int64_t at_ms) {
  pass_time(at_ms);
  world_.set_patience(Duration{1});
  const auto number = [&](std::int64_t most) {
    return std::to_string(1 + chance_.up_to(most - 1));
  };
  switch (chance_.up_to(3)) {
  case 0: return run_as_other({"qrdel", "o" + number(std::max(1, others_))});
  case 1:
    return run_as_other({"qsub", "-pe", "fill", number(slots_of_host), "-l", "h_rt=" + number(60),
                         "-b", "y", "sleep", number(60)});
  default:
    return run_as_other({"qrsub", "-N", "o" + std::to_string(++others_), "-pe", "fill",
                         number(settings_.hosts * slots_of_host), "-a",
                         typed_date(world_.now() + Duration{1 + chance_.up_to(400)}), "-d",
                         number(100)});
  }
}

// What comes of it is theirs.
void CellSite::run_as_other(const std::vector<std::string>& words) {
  const auto output = world_.run(other_user, words);
  say(join(words, " ") + ": " + output.text.substr(0, output.text.find('\n')));
}

// ---- kills --------------------------------------------------------------------------------------

bool CellSite::happens(std::int64_t of_thousand) {
  return now_ms() < faults_end_ms_ && chance_.up_to(999) < of_thousand;
}

void CellSite::plan_faults() {
  if (!world_.is_up("")) return;
  if (happens(settings_.kills)) kill_in_ = chance_.up_to(most_messages_to_kill);
  if (happens(settings_.spoiled))
    world_.journal().next_fate =
        chance_.up_to(1) == 0 ? MemoryJournal::Fate::lost : MemoryJournal::Fate::unsure;
}

void CellSite::between_messages() {
  // Between a batch that was not written as it should be and the next message the master goes.
  const bool is_spoiled = witness_->take_failure();
  const bool is_time = kill_in_ != not_planned && kill_in_-- == 0;
  if (is_spoiled || is_time) go_down();
  if (!world_.is_up("") && now_ms() >= comes_back_ms_) come_back();
  witness_->look();
  const auto by_ms = now_ms() - lease_grace_ms;
  if (world_.is_up("") && by_ms > up_since_ms_) check_holds(by_ms);
}

void CellSite::go_down() {
  kill_in_ = not_planned;
  if (!world_.is_up("")) return;
  check(world_.stage("kill", "").ok(), "a master that is up can be killed");
  ++kills_;
  comes_back_ms_ = now_ms() + 1 + chance_.up_to(settings_.longest_absence_ms);
  if (chance_.up_to(1) == 0) is_way_lost_ = true; // its whole machine went down
  say("the master is killed, for " + std::to_string(comes_back_ms_ - now_ms()) + " ms");
}

void CellSite::come_back() {
  world_.journal().next_fate = MemoryJournal::Fate::durable;
  check(world_.stage("start", "").ok(), "a master that is down can start");
  up_since_ms_ = now_ms();
  say("the master starts again");
}

// ---- checks -------------------------------------------------------------------------------------

// M11.5: what has ended by then is no longer held.
void CellSite::check_holds(std::int64_t by_ms) const {
  const auto end = watch_.first_end_ms();
  if (end >= by_ms) return;
  throw Broken{{Invariant::proposals_expire, "what was held until " + std::to_string(end) +
                                                 " ms is still held after " +
                                                 std::to_string(by_ms) + " ms"}};
}

void CellSite::check_store() {
  kill_in_ = not_planned, faults_end_ms_ = 0;
  world_.journal().next_fate = MemoryJournal::Fate::durable;
  if (!world_.is_up("")) come_back();
  world_.wait(Duration{5});
  witness_->look();
  witness_->full_check();
  const auto again = world_.check_replays();
  require(again.ok(), Invariant::the_journal_replays, again.ok() ? "" : again.what());
}

void CellSite::say(const std::string& text) {
  if (on_event_) on_event_(now_ms(), text);
}

} // namespace almanac
