#include "tools/simulator/chaos/chaos.hpp"

#include "actors/trust/keyring.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"
#include "master/replay.hpp"
#include "schema/codec.hpp"
#include "tools/simulator/chaos/breaker.hpp"
#include "tools/simulator/chaos/mischief.hpp"
#include "tools/simulator/chaos/reservation_changes.hpp"
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

// What clients were told.
struct Client {
  struct Job {
    std::size_t tasks = 1;
    bool answered = false, may_vanish = false, may_run_again = false;
  };
  std::map<std::string, Job> jobs; ///< by name: each has one of its own
  std::string reservation;
};

class Chaos {
public:
  Chaos(std::uint64_t seed, const ChaosSettings& settings)
      : settings_(settings), chance_(seed), changes_(~seed), world_(seed) {
    remember_signatures();
    world_.set_checking();
    for (int i = 1; i <= settings.hosts; ++i) hosts_.push_back("n" + std::to_string(i));
    if (!settings.faults.empty() && settings.faults.rbegin()->first >= first_mischief)
      honest_ = "alice";
  }

  std::variant<ChaosResult, ChaosFailure> run() {
    const auto began = world_.clock().milliseconds;
    const auto seconds = [&] { return (world_.clock().milliseconds - began) / second; };
    try {
      begin();
      while (seconds() < settings_.minutes * 60) {
        work();
        world_.wait(Duration{static_cast<std::int64_t>(dice(4))});
      }
      end();
    } catch (const Broken& broken) {
      world_.before_step = nullptr;
      return ChaosFailure{broken.violation, result_.events, seconds()};
    }
    result_.virtual_seconds = seconds();
    result_.trace = world_.trace();
    return result_;
  }

private:
  std::size_t dice(std::size_t sides) { return chance_() % sides; }
  std::string number(std::size_t sides) { return std::to_string(1 + dice(sides)); }
  void require(bool holds, Invariant invariant, const std::string& what) const {
    if (!holds) throw Broken{{invariant, what}};
  }

  void begin() {
    if (auto begun = world_.begin(hosts_, 4); !begun)
      throw Broken{{Invariant::all_comes_to_rest, "the cluster does not start: " + begun.what()}};
    configure();
    witness_.emplace(world_, hosts_, settings_.mutation);
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
    if (jobs.empty()) return {1, 0, 1};
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
    if (const auto fault = breaker_->look(in_flight_)) count(*fault);
    if (mischief_) look_at_mischief();
    witness_->look();
    if (witness_->commits() >= next_full_) {
      next_full_ = witness_->commits() + 1000;
      witness_->full_check();
    }
  }

  void count(Fault fault) {
    bool waiting = false, sent = false, running = false, ending = false, reserved = false;
    const auto& records = witness_->records();
    for (const auto& [key, job] : records.all<Job>()) waiting = waiting || job->fresh_tasks() > 0;
    for (const auto& [id, task] : records.all<Task>()) {
      const auto* job = records.find<Job>(id.job);
      waiting = waiting || task->state == TaskState::pending;
      sent = sent || task->state == TaskState::sent;
      running = running || task->state == TaskState::running;
      ending = ending || (task->is_active() && task->deleting);
      reserved = reserved || (task->is_active() && job && job->reservation_key);
    }
    auto& cells = result_.met[fault];
    const std::array seen{waiting, sent, running, ending, in_flight_, reserved};
    for (std::size_t i = 0; i < seen.size(); ++i) cells[i] += seen[i];
  }

  // ---- clients --------------------------------------------------------------------------------

  World::Output type(const std::vector<std::string>& words) {
    in_flight_ = true;
    auto output = world_.run(honest_, words);
    in_flight_ = false;
    return output;
  }

  World::Output perform(CommandBody body) {
    in_flight_ = true;
    auto output = world_.perform(honest_, std::move(body));
    in_flight_ = false;
    return output;
  }

  static bool is_unanswered(const World::Output& output) {
    return output.text.find("does not answer") != std::string::npos;
  }

  void work() {
    switch (dice(12)) {
    case 0:
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

  void reserve() {
    std::vector<std::string> line{"qrsub", "-pe",       "fill",    "1-" + number(12),
                                  "-d",    number(300), "-repair", dice(2) ? "y" : "n"};
    if (dice(2) == 0)
      line.insert(line.end(), {"-a", typed_date(world_.now() +
                                                Duration{static_cast<std::int64_t>(dice(200))})});
    const auto out = type(line);
    if (out.code != 0) return;
    ++result_.reservations;
    const auto said = words(out.text, " ");
    if (said.size() > 3) client_.reservation = said[3];
  }

  void change_reservation() {
    const auto parsed = parse_number(client_.reservation);
    if (!parsed) return;
    const ReservationNumber reservation{*parsed};
    if (auto change = changes_.prepare(reservation)) perform(std::move(*change));
    for (auto jobs = changes_.jobs(); jobs > 0; --jobs) submit(client_.reservation);
    if (auto end = changes_.settle(reservation)) perform(std::move(*end));
  }

  void remove() {
    // One of late: it may still be there.
    constexpr std::size_t late = 20;
    const auto back = static_cast<std::int64_t>(dice(late));
    const auto it = client_.jobs.find("c" + std::to_string(submitted_ - back));
    if (it == client_.jobs.end()) return;
    it->second.may_vanish = true; // answered or not
    type({"qdel", it->first});
  }

  void submit(const std::string& reservation = "") {
    const auto name = "c" + std::to_string(++submitted_);
    auto& job = client_.jobs[name];
    std::vector<std::string> line{"qsub", "-terse", "-N", name};
    const auto add = [&](std::initializer_list<std::string> more) {
      line.insert(line.end(), more);
    };
    if (dice(4) == 0) add({"-pe", dice(2) ? "mpi" : "fill", "1-" + number(8)});
    if (dice(4) == 0) {
      const auto last = number(4);
      job.tasks = std::stoul(last);
      add({"-t", "1-" + last});
    }
    // Where others run without a limit nothing can be promised.
    if (dice(8) != 0) add({"-l", "h_rt=" + number(120)});
    if (dice(4) == 0) add({"-R", "y"});
    if (dice(3) == 0) add({"-r", "y"}), job.may_run_again = true;
    const bool inside = dice(4) == 0 && !client_.reservation.empty();
    if (inside || !reservation.empty()) {
      job.may_vanish = true; // waiting jobs go with their reservation
      add({"-ar", inside ? client_.reservation : reservation});
    }
    add({"-b", "y", "sleep", number(90)});
    const auto out = type(line);
    job.answered = out.code == 0;
    result_.jobs += job.answered;
    if (job.answered) return;
    is_unanswered(out) ? ++result_.unanswered : ++result_.refused;
    if (!is_unanswered(out)) client_.jobs.erase(name);
  }

  // ---- the end --------------------------------------------------------------------------------

  void end() {
    breaker_->heal();
    if (!world_.is_up("")) check(world_.stage("start", "").ok(), "the master can start");
    restart_at_ = 0;
    world_.wait(Duration{30});
    world_.run("", {"qmod", "-cq", "all.q"});
    world_.run("", {"qmod", "-cj", "*"});
    if (mischief_) delete_what_others_left();
    come_to_rest();
    witness_->look();
    witness_->full_check();
    check_accounts();
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
      const auto out = world_.run("", {"qstat", "-u", "*"});
      left = out.code == 0 ? out.text : "qstat: " + out.text;
      if (!left.empty()) world_.wait(Duration{5});
      witness_->monitor().tick(world_.now(), world_.clock().steady());
    }
    if (!left.empty())
      throw Broken{{Invariant::all_comes_to_rest, "jobs do not come to an end:\n" + left + told()}};
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

  // Each job by its name: how many of its tasks are accounted for good.
  void check_accounts() {
    std::map<std::string, std::map<std::int64_t, int>> ended;
    world_.journal().scan(store::Family::accounting, [&](std::string_view, std::string_view value) {
      if (auto record = decode<AccountingRecord>(value))
        if (record->record.failed != failed::rescheduled &&
            (honest_.empty() || record->owner == honest_))
          ++ended[record->job_name][record->task];
    });
    if (settings_.mutation == 13) ended.clear();
    if (settings_.mutation == 14) {
      auto& half = client_.jobs[ended.begin()->first];
      half = {ended.begin()->second.size() + 1, false, false, false};
    }
    for (const auto& [name, tasks] : ended)
      require(client_.jobs.contains(name), Invariant::acknowledged_is_kept,
              "job " + name + " ran and nobody submitted it");
    for (const auto& [name, job] : client_.jobs) {
      const auto& tasks = ended[name];
      for (const auto& [task, count] : tasks)
        require(count == 1 || job.may_run_again || witness_->ill_fated().contains(name),
                Invariant::acknowledged_is_kept,
                "job " + name + " task " + std::to_string(task) + " is accounted " +
                    std::to_string(count) + " times");
      if (job.may_vanish) continue;
      const auto text = "job " + name + " has " + std::to_string(tasks.size()) + " of " +
                        std::to_string(job.tasks) + " tasks in accounting";
      if (job.answered) require(tasks.size() == job.tasks, Invariant::acknowledged_is_kept, text);
      else
        require(tasks.empty() || tasks.size() == job.tasks,
                Invariant::unacknowledged_is_whole_or_nothing, text);
    }
  }

  ChaosSettings settings_;
  std::mt19937_64 chance_;
  ReservationChanges changes_;
  VirtualWorld world_;
  std::vector<std::string> hosts_;
  std::optional<Witness> witness_;
  std::optional<Breaker> breaker_;
  std::optional<Mischief> mischief_;
  std::string honest_; ///< whose requests are watched; "" is root
  Client client_;
  ChaosResult result_;
  int submitted_ = 0;
  bool in_flight_ = false;
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
