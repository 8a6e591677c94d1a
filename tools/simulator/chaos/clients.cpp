#include "tools/simulator/chaos/clients.hpp"

#include "core/text/values.hpp"
#include "core/text/words.hpp"
#include "schema/codec.hpp"
#include "tools/simulator/chaos/broken.hpp"

#include <utility>

namespace almanac {

namespace {

constexpr int offered = 2; // exit code of qrsub -offer (spec/beyond.md B3.3)

bool is_unanswered(const World::Output& output) {
  return output.text.find("does not answer") != std::string::npos;
}

} // namespace

Clients::Clients(VirtualWorld& world, const ChaosSettings& settings, std::string user,
                 std::mt19937_64& chance, std::uint64_t seed)
    : world_(world),
      settings_(settings),
      user_(std::move(user)),
      chance_(&chance),
      changes_(seed),
      alters_(~seed > 10 && ~seed % 4 == 3),
      wishes_(~seed > 10 && ~seed % 4 == 2),
      controls_(~seed > 10 && ~seed % 4 == 0),
      takes_nodes_(settings.changes && ~seed > 10 && ~seed % 3 == 0) {}

void Clients::count(ChaosResult& result) const {
  result.jobs = accepted_, result.reservations = granted_;
  result.refused = refused_, result.unanswered = unanswered_;
}

// ---- what they type -----------------------------------------------------------------------------

World::Output Clients::type(const std::vector<std::string>& words) {
  is_waiting_ = true;
  auto output = world_.run(user_, words);
  is_waiting_ = false;
  return output;
}

World::Output Clients::perform(CommandBody body) {
  is_waiting_ = true;
  auto output = world_.perform(user_, std::move(body));
  is_waiting_ = false;
  return output;
}

void Clients::work() {
  if (controls_ && dice(4) == 0) return control();
  if (takes_nodes_ && dice(6) == 0) return changes_.is_one_of(3) ? change_nodes() : reserve_nodes();
  switch (dice(12)) {
  case 0:
    if (wishes_ && dice(6) == 0) close_a_host();
    reserve();
    if (settings_.changes) change_reservation();
    break;
  case 1:
  case 2: remove(); break;
  case 3:
    type({"qstat", "-u", "*"});
    if (dice(2) == 0) world_.want_checkpoint();
    break;
  default: submit();
  }
}

void Clients::reserve() {
  std::vector<std::string> line{"qrsub", "-pe",       "fill",    "1-" + number(12),
                                "-d",    number(300), "-repair", dice(2) ? "y" : "n"};
  if (dice(2) == 0)
    line.insert(line.end(),
                {"-a", typed_date(world_.now() + Duration{static_cast<std::int64_t>(dice(200))})});
  if (wishes_)
    for (auto& word : changes_.wishes()) line.push_back(std::move(word));
  auto out = type(line);
  auto said = words(out.text, " ");
  if (out.code == offered && said.size() > 1 && dice(4) != 0) {
    out = type({"qrsub", "-accept", said[1]});
    said = words(out.text, " ");
  }
  if (out.code != 0) return;
  ++granted_;
  if (said.size() > 3) reservation_ = said[3];
}

// Jobs that run on its hosts meanwhile are those of all others.
void Clients::reserve_nodes() {
  const auto last = parse_number(reservation_);
  const auto lender = last && changes_.is_one_of(4) ? *last : 0;
  const auto wanted = changes_.on_nodes(settings_.hosts, world_.now(), {lender});
  const auto out = perform(wanted);
  if (changes_.repeats()) perform(wanted);
  const auto said = words(out.text, " ");
  if (out.code != 0 || said.size() < 4) return;
  ++granted_;
  nodes_ = said[3];
  settle_nodes();
  reservation_ = nodes_;
  for (auto jobs = changes_.jobs(); jobs > 0; --jobs) submit(nodes_);
}

void Clients::change_nodes() {
  const auto number = parse_number(nodes_);
  if (!number) return;
  if (changes_.is_one_of(3)) type(changes_.modify({*number}));
  else {
    const auto change = changes_.change_on_nodes({*number});
    perform(change);
    if (changes_.repeats()) perform(change);
  }
  for (auto jobs = changes_.jobs(); jobs > 0; --jobs) submit(nodes_);
  settle_nodes();
}

// Committed or aborted, once or twice, or left to its time.
void Clients::settle_nodes() {
  const auto number = parse_number(nodes_);
  const auto end = number ? changes_.settle({*number}) : std::nullopt;
  if (!end) return;
  perform(*end);
  if (changes_.repeats()) perform(*end);
}

void Clients::close_a_host() {
  const auto out = world_.run("", changes_.maintenance(settings_.hosts));
  const auto said = words(out.text, " ");
  if (out.code == 0 && said.size() > 3 && dice(2) == 0) world_.run("", {"qrdel", said[3]});
}

void Clients::change_reservation() {
  const auto parsed = parse_number(reservation_);
  if (!parsed) return;
  const ReservationNumber reservation{*parsed};
  if (auto change = changes_.prepare(reservation)) perform(std::move(*change));
  for (auto jobs = changes_.jobs(); jobs > 0; --jobs) submit(reservation_);
  if (alters_) type(changes_.alter(reservation_));
  if (auto end = changes_.settle(reservation)) perform(std::move(*end));
}

// It may still be there.
std::map<std::string, Clients::Job>::iterator Clients::one_of_late() {
  constexpr std::size_t late = 20;
  const auto back = static_cast<std::int64_t>(dice(late));
  return jobs_.find("c" + std::to_string(submitted_ - back));
}

void Clients::control() {
  const auto it = one_of_late();
  if (it == jobs_.end()) return;
  const auto& name = it->first;
  switch (dice(8)) {
  case 0:
  case 1: type({"qmod", "-sj", name}); break;
  case 2: type({"qmod", "-usj", name}); break;
  case 3: type({"qmod", "-f", "-rj", name}); break;
  case 4: type({"qhold", name + "." + number(4)}); break;
  case 5: type({"qrls", name}); break;
  case 6: type({"qhold", name, "-t", number(4)}); break;
  default:
    type({"qmod", dice(2) ? "-s" : "-us",
          "all.q@n" + number(static_cast<std::size_t>(settings_.hosts))});
  }
}

bool Clients::let_all_go_on() {
  if (!controls_) return false;
  world_.run("", {"qmod", "-usj", "*", "-usq", "all.q"});
  world_.run("", {"qrls", "-h", "uos", "all"});
  world_.wait(Duration{10});
  return true;
}

void Clients::remove() {
  const auto it = one_of_late();
  if (it == jobs_.end()) return;
  it->second.may_vanish = true; // answered or not
  type({"qdel", it->first});
}

void Clients::submit(const std::string& reservation) {
  const auto name = "c" + std::to_string(++submitted_);
  auto& job = jobs_[name];
  std::vector<std::string> line{"qsub", "-terse", "-N", name};
  const auto add = [&](std::initializer_list<std::string> more) { line.insert(line.end(), more); };
  if (dice(4) == 0) add({"-pe", dice(2) ? "mpi" : "fill", "1-" + number(8)});
  if (dice(4) == 0) {
    const auto last = number(4);
    job.tasks = std::stoul(last);
    add({"-t", "1-" + last});
  }
  const bool concurrent = job.tasks == 3;
  if (concurrent) add({"-tcon", "y"});
  // Where others run without a limit nothing can be promised.
  if (dice(8) != 0) add({"-l", "h_rt=" + number(120)});
  if (dice(4) == 0 && !concurrent) add({"-R", "y"});
  if (dice(3) == 0) add({"-r", "y"}), job.may_run_again = true;
  const bool inside = dice(4) == 0 && !reservation_.empty();
  if (inside || !reservation.empty()) {
    job.may_vanish = true; // waiting jobs go with their reservation
    add({"-ar", inside ? reservation_ : reservation});
  }
  add({"-b", "y", "sleep", number(90)});
  const auto out = type(line);
  job.answered = out.code == 0;
  accepted_ += job.answered;
  if (job.answered) return;
  is_unanswered(out) ? ++unanswered_ : ++refused_;
  if (!is_unanswered(out)) jobs_.erase(name);
}

// ---- what is accounted --------------------------------------------------------------------------

Clients::Ended Clients::accounted() const {
  Ended ended;
  world_.journal().scan(store::Family::accounting, [&](std::string_view, std::string_view value) {
    if (auto record = decode<AccountingRecord>(value))
      if (record->record.failed != failed::rescheduled && record->pe_task.empty() &&
          (user_.empty() || record->owner == user_))
        ++ended[record->job_name][record->task];
  });
  return ended;
}

void Clients::check_account(const std::string& name, const Job& job,
                            const std::map<std::int64_t, int>& tasks, bool is_ill_fated) const {
  for (const auto& [task, count] : tasks)
    require(count == 1 || job.may_run_again || is_ill_fated, Invariant::acknowledged_is_kept,
            "job " + name + " task " + std::to_string(task) + " is accounted " +
                std::to_string(count) + " times");
  if (job.may_vanish) return;
  const auto text = "job " + name + " has " + std::to_string(tasks.size()) + " of " +
                    std::to_string(job.tasks) + " tasks in accounting";
  if (job.answered) require(tasks.size() == job.tasks, Invariant::acknowledged_is_kept, text);
  else
    require(tasks.empty() || tasks.size() == job.tasks,
            Invariant::unacknowledged_is_whole_or_nothing, text);
}

void Clients::check_accounts(const std::set<std::string>& ill_fated) {
  auto ended = accounted();
  if (settings_.mutation == 13) ended.clear();
  if (settings_.mutation == 14) {
    auto& half = jobs_[ended.begin()->first];
    half = {ended.begin()->second.size() + 1, false, false, false};
  }
  for (const auto& [name, tasks] : ended)
    require(jobs_.contains(name), Invariant::acknowledged_is_kept,
            "job " + name + " ran and nobody submitted it");
  for (const auto& [name, job] : jobs_)
    check_account(name, job, ended[name], ill_fated.contains(name));
}

} // namespace almanac
