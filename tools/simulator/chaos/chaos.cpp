#include "tools/simulator/chaos/chaos.hpp"

#include "actors/trust/keyring.hpp"
#include "core/job/inside.hpp"
#include "core/text/words.hpp"
#include "master/replay.hpp"
#include "tools/simulator/chaos/breaker.hpp"
#include "tools/simulator/chaos/clients.hpp"
#include "tools/simulator/chaos/mischief.hpp"
#include "tools/simulator/chaos/witness.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <fstream>
#include <optional>

namespace almanac {

namespace {

// Requests of others that are answered, at most, while one waits: those that a gate serves at once,
// those that were there before, and some that the order of messages lets by.
constexpr std::int64_t most_overtaken = 1024;

// Which of phase_names go on.
std::array<bool, phase_names.size()> phases(const Records& records, bool is_request_waiting) {
  bool waiting = false, sent = false, running = false, ending = false, reserved = false;
  for (const auto& [key, job] : records.all<Job>()) waiting = waiting || job->fresh_tasks() > 0;
  for (const auto& [id, task] : records.all<Task>()) {
    const auto* job = records.find<Job>(id.job);
    waiting = waiting || task->state == TaskState::pending;
    sent = sent || task->state == TaskState::sent;
    running = running || task->state == TaskState::running;
    ending = ending || (task->is_active() && task->deleting);
    reserved = reserved || (task->is_active() && job && reservation_of(*job, *task));
  }
  return {waiting, sent, running, ending, is_request_waiting, reserved};
}

// Each job of the clients fits into them, sooner or later.
void add_quotas(VirtualWorld& world) {
  std::ofstream(world.directory() + "/quotas")
      << "{\nname places\nlimit users {*} queues all.q hosts {@allhosts} to slots=3\n}\n"
         "{\nname total\nlimit pes !* to slots=7\nlimit pes {*} to slots=9\n}\n";
  check(world.run("", {"qconf", "-Arqs", "quotas"}).code == 0, "quota sets can be added");
}

// In a canceled reservation nothing starts any more, and its jobs wait until somebody deletes them
// (spec/plus.md P3.41).
void delete_what_waits_for_ever(VirtualWorld& world, const Records& records) {
  std::vector<std::string> numbers;
  for (const auto& [key, job] : records.all<Job>()) {
    const auto* reservation = records.find<Reservation>(job->reservation_key);
    if (!reservation || reservation->shown_phase() != ReservationPhase::canceled) continue;
    const auto tasks = records.tasks_of(key);
    const bool any_runs =
        std::any_of(tasks.begin(), tasks.end(), [](const Task& task) { return task.is_active(); });
    if (!any_runs) numbers.push_back(to_string(job->number));
  }
  for (const auto& number : numbers) world.run("", {"qdel", number});
}

class Chaos {
public:
  Chaos(std::uint64_t seed, const ChaosSettings& settings)
      : settings_(settings), has_quotas_(seed > 10 && seed % 4 == 1), chance_(seed), world_(seed) {
    remember_signatures();
    world_.set_checking();
    for (int i = 1; i <= settings.hosts; ++i) hosts_.push_back("n" + std::to_string(i));
    if (!settings.faults.empty() && settings.faults.rbegin()->first >= first_mischief)
      honest_ = "alice";
    clients_.emplace(world_, settings_, honest_, chance_, ~seed);
  }

  std::variant<ChaosResult, ChaosFailure> run() {
    const auto began = world_.clock().milliseconds;
    const auto seconds = [&] { return (world_.clock().milliseconds - began) / second; };
    try {
      begin();
      while (seconds() < settings_.minutes * 60) {
        clients_->work();
        world_.wait(Duration{static_cast<std::int64_t>(dice(4))});
      }
      end();
    } catch (const Broken& broken) {
      world_.before_step = nullptr;
      return ChaosFailure{broken.violation, result_.events, seconds()};
    }
    clients_->count(result_);
    result_.virtual_seconds = seconds();
    result_.trace = world_.trace();
    return result_;
  }

private:
  std::size_t dice(std::size_t sides) { return chance_() % sides; }

  void begin() {
    if (auto begun = world_.begin(hosts_, 4); !begun)
      throw Broken{{Invariant::all_comes_to_rest, "the cluster does not start: " + begun.what()}};
    configure();
    witness_.emplace(world_, hosts_, settings_.mutation);
    if (has_quotas_) add_quotas(world_);
    breaker_.emplace(world_, hosts_, settings_.faults, chance_);
    if (!honest_.empty()) let_mischief_in();
    world_.set_patience(Duration{40});
    world_.before_step = [this] { between_messages(); };
  }

  void let_mischief_in() {
    check(world_.run("", {"qconf", "-au", honest_, "arusers"}).code == 0, "alice may reserve");
    witness_->expect_mischief();
    Plans plans;
    plans.some_attempt = [this] { return some_attempt(); };
    plans.targets = [this] { return targets(); };
    plans.on_start = [this](const std::string& host) { witness_->distrust(host); };
    plans.all_is_fatal = settings_.mutation == 24;
    mischief_.emplace(world_, std::move(plans), chance_());
    breaker_->let_in(*mischief_);
  }

  Attempt some_attempt() {
    const auto& jobs = witness_->records().all<Job>();
    if (jobs.empty()) return {{1}, 0, 1};
    const auto key = std::next(jobs.begin(), dice(jobs.size()))->first;
    const auto tasks = witness_->records().tasks_of(key);
    if (tasks.empty()) return {key, 0, 1};
    const auto& task = *std::next(tasks.begin(), dice(tasks.size()));
    return {key, task.number, task.attempt};
  }

  Targets targets() {
    Targets targets{{}, {honest_, "root", "mallory"}, hosts_};
    for (const auto& [key, job] : witness_->records().all<Job>())
      targets.jobs.push_back(dice(2) ? job->request->name : to_string(job->number));
    return targets;
  }

  void look_at_mischief() {
    mischief_->act();
    if (const auto found = mischief_->found()) throw Broken{*found};
    const auto overtaken = world_.most_overtaken() + (settings_.mutation == 22 ? 10'000 : 0);
    require(overtaken <= most_overtaken, Invariant::answers_come_in_turn,
            std::to_string(overtaken) + " requests of others were answered before one");
  }

  void configure() {
    std::ofstream(world_.directory() + "/conf") << "reschedule_unknown 0:0:40\n";
    std::ofstream(world_.directory() + "/sched")
        << "max_reservation 5\ndefault_duration 0:10:0\nparams DURATION_OFFSET=5\n";
    for (const auto& words : {std::vector<std::string>{"qconf", "-Mconf", "conf"},
                              std::vector<std::string>{"qconf", "-Msconf", "sched"}})
      check(world_.run("", words).code == 0, "the cluster can be configured");
  }

  void between_messages() {
    ++result_.events;
    // Between a batch that was not written as it should be and the next message the master goes.
    if (witness_->take_failure()) {
      if (world_.is_up("")) check(world_.stage("kill", "").ok(), "the master can be killed");
      restart_at_ = world_.clock().milliseconds + 3 * second;
    }
    if (restart_at_ > 0 && world_.clock().milliseconds >= restart_at_) {
      restart_at_ = 0;
      if (!world_.is_up("")) check(world_.stage("start", "").ok(), "the master can start");
    }
    if (const auto fault = breaker_->look(clients_->is_waiting())) count(*fault);
    if (mischief_) look_at_mischief();
    witness_->look();
    if (witness_->commits() >= next_full_) {
      next_full_ = witness_->commits() + 1000;
      witness_->full_check();
    }
  }

  void count(Fault fault) {
    const auto seen = phases(witness_->records(), clients_->is_waiting());
    auto& cells = result_.met[fault];
    for (std::size_t i = 0; i < seen.size(); ++i) cells[i] += seen[i];
  }

  // ---- the end --------------------------------------------------------------------------------

  void end() {
    breaker_->heal();
    if (!world_.is_up("")) check(world_.stage("start", "").ok(), "the master can start");
    restart_at_ = 0;
    world_.wait(Duration{30});
    witness_->check_suspension();
    world_.run("", {"qmod", "-cq", "all.q"});
    world_.run("", {"qmod", "-cj", "*"});
    if (clients_->let_all_go_on()) witness_->check_suspension();
    if (mischief_) delete_what_others_left();
    come_to_rest();
    witness_->look();
    witness_->full_check();
    clients_->check_accounts(witness_->ill_fated());
    if (settings_.mutation == 17) lose_an_input();
    const auto again = world_.check_replays();
    require(again.ok(), Invariant::the_journal_replays, again.ok() ? "" : again.what());
  }

  void delete_what_others_left() {
    std::vector<std::string> numbers;
    for (const auto& [key, job] : witness_->records().all<Job>())
      if (job->owner.user != honest_) numbers.push_back(to_string(job->number));
    for (const auto& number : numbers) world_.run("", {"qdel", number});
  }

  void lose_an_input() {
    auto& journal = world_.journal();
    const auto middle = last_input(journal).sequence.value / 2;
    journal.commit({{store::Family::inputs, store::number_key(middle), std::nullopt}},
                   journal.term);
  }

  void come_to_rest() {
    if (settings_.mutation == 16) world_.run("", {"qsub", "-b", "y", "sleep", "100000"});
    if (settings_.mutation == 18) spdlog::error("as the test wants it");
    std::string left = "nothing was asked";
    for (int i = 0; i < 720 && !left.empty(); ++i) {
      delete_what_waits_for_ever(world_, witness_->records());
      const auto out = world_.run("", {"qstat", "-u", "*"});
      left = out.code == 0 ? out.text : "qstat: " + out.text;
      if (!left.empty()) world_.wait(Duration{5});
      witness_->monitor().tick(world_.now(), world_.clock().steady());
    }
    if (!left.empty())
      throw Broken{{Invariant::all_comes_to_rest, "jobs do not come to an end:\n" + left +
                                                      world_.run("", {"qstat", "-j", "*"}).text +
                                                      told()}};
    const auto queues = world_.run("", {"qstat", "-f"}).text;
    for (const auto& line : split(queues, '\n')) {
      const auto parts = words(line, " ");
      if (parts.size() > 5 && parts[0].starts_with("all.q@"))
        require(parts.back().find('u') == std::string::npos, Invariant::all_comes_to_rest,
                "a host is unknown although it is well: " + line);
    }
  }

  // What the hosts know of it, for people.
  std::string told() {
    std::string text;
    for (const auto& host : hosts_)
      text += host + ":\n" + world_.run("", {"almanac-console", "show", "host/" + host}).text +
              world_.told_of(host);
    return text;
  }

  ChaosSettings settings_;
  bool has_quotas_; ///< the first seeds are without: their histories are kept in tests/golden/lock
  std::mt19937_64 chance_;
  VirtualWorld world_;
  std::vector<std::string> hosts_;
  std::optional<Clients> clients_;
  std::optional<Witness> witness_;
  std::optional<Breaker> breaker_;
  std::optional<Mischief> mischief_;
  std::string honest_; ///< whose requests are watched; "" is root
  ChaosResult result_;
  std::int64_t restart_at_ = 0, next_full_ = 1000;
};

} // namespace

std::variant<ChaosResult, ChaosFailure> chaos(std::uint64_t seed, const ChaosSettings& settings) {
  return Chaos(seed, settings).run();
}

ChaosSettings smallest(std::uint64_t seed, ChaosSettings settings, ChaosFailure& failure) {
  const auto still_fails = [&](const ChaosSettings& less) {
    auto outcome = chaos(seed, less);
    auto* found = std::get_if<ChaosFailure>(&outcome);
    if (!found || found->violation.invariant != failure.violation.invariant) return false;
    failure = *found;
    settings = less;
    return true;
  };
  for (const auto& [fault, rate] : FaultRates(settings.faults)) {
    auto less = settings;
    less.faults.erase(fault);
    still_fails(less);
  }
  while (settings.minutes > 1) {
    auto less = settings;
    less.minutes /= 2;
    if (!still_fails(less)) break;
  }
  while (settings.hosts > 1) {
    auto less = settings;
    less.hosts /= 2;
    if (!still_fails(less)) break;
  }
  return settings;
}

} // namespace almanac
