#include "tools/simulator/chaos.hpp"

#include "core/monitor/monitor.hpp"
#include "core/text/words.hpp"
#include "master/assembly.hpp"
#include "schema/codec.hpp"
#include "tools/simulator/virtual_world.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <fstream>
#include <optional>

namespace almanac {

namespace {

constexpr std::int64_t second = 1000; // times are in milliseconds

// Thrown out of the middle of the world: nothing after a violation counts.
struct Broken {
  Violation violation;
};

// What clients were told.
struct Client {
  struct Job {
    std::size_t tasks = 1;
    bool answered = false, may_vanish = false, may_run_again = false;
  };
  std::map<std::string, Job> jobs; ///< by name: each has one of its own
  std::string reservation;
};

// Sees what all hosts and the store do, and compares.
class Witness {
public:
  Witness(VirtualWorld& world, const std::vector<std::string>& hosts, int mutation)
      : world_(world), mutation_(mutation) {
    world.journal().on_commit = [this](const auto& batch, bool lost) { commit(batch, lost); };
    for (const auto& host : hosts)
      world.launcher(host).on_process = [this, host](const Attempt& attempt, bool starts) {
        starts ? started(host, attempt) : ended(host, attempt);
      };
    begin();
  }

  // Between two messages: time has passed, a master may be a new one.
  void look() {
    if (found_) throw Broken{*found_};
    if (monitor_.violation()) throw Broken{*monitor_.violation()};
    if (!world_.first_error().empty())
      throw Broken{{Invariant::no_error_is_logged, world_.first_error()}};
  }

  void full_check() {
    auto records = stored();
    Monitor fresh;
    fresh.begin(records);
    if (fresh.violation()) throw Broken{*fresh.violation()};
  }

  Records stored() const {
    const auto& journal = world_.journal();
    auto records = store::read_records(
        [&](store::Family family, const auto& visit) { journal.scan(family, visit); });
    check(records.ok(), "the stored records can be read");
    return std::move(*records);
  }

  const std::map<std::int64_t, Job>& jobs() const { return jobs_; }
  const Monitor& monitor() const { return monitor_; }
  Monitor& monitor() { return monitor_; }
  std::int64_t commits() const { return commits_; }
  /// True once after a batch was lost.
  bool take_torn() { return std::exchange(was_torn_, false); }

private:
  void complain(Invariant invariant, std::string what) {
    if (!found_) found_ = {invariant, std::move(what)};
  }

  void begin() {
    const auto records = stored();
    monitor_.begin(records);
    auto configuration = Configuration::restore(records.objects);
    check(configuration.ok(), "what was committed is consistent");
    configuration_ = std::move(*configuration);
    for (const auto& object : records.objects) objects_[{object.kind, object.name}] = object;
    for (const auto& job : records.jobs) jobs_[job.key] = job;
  }

  template <class T> void note(const T& effect) {
    monitor_.note(Effect(effect), configuration_, world_.now());
  }

  void commit(const std::vector<store::Write>& batch, bool lost) {
    was_torn_ = was_torn_ || lost;
    if (lost) return;
    ++commits_;
    for (const auto& write : batch) note_write(write);
    monitor_.settle();
    monitor_.tick(world_.now(), world_.clock().steady());
    if (!objects_changed_) return;
    std::vector<ConfigurationObject> list;
    for (const auto& [key, object] : objects_) list.push_back(object);
    if (auto next = Configuration::restore(list)) configuration_ = std::move(*next);
    objects_changed_ = false;
  }

  void note_write(const store::Write& write) {
    switch (write.family) {
    case store::Family::objects:
      if (write.value)
        if (auto object = decode<ConfigurationObject>(*write.value))
          objects_[{object->kind, object->name}] = *object, objects_changed_ = true;
      break;
    case store::Family::jobs: {
      const auto key = store::key_number(write.key);
      if (!write.value) {
        jobs_.erase(key);
        note(JobErased{key});
      } else if (auto job = decode<Job>(*write.value)) {
        mutate(*job);
        jobs_[key] = *job;
        note(JobPtr(std::make_shared<Job>(*job)));
      }
      break;
    }
    case store::Family::reservations: {
      const auto key = store::key_number(write.key);
      if (!write.value) note(ReservationErased{key});
      else if (auto reservation = decode<Reservation>(*write.value)) {
        mutate(*reservation);
        note(ReservationPtr(std::make_shared<Reservation>(*reservation)));
      }
      break;
    }
    case store::Family::accounting:
      if (write.value)
        if (auto record = decode<AccountingRecord>(*write.value)) {
          if (mutation_ == 5 && record->sequence > 3) ++record->sequence;
          note(*record);
        }
      break;
    default: break;
    }
  }

  // Deliberate violations, in what the witness is shown: each invariant must be seen to bite.
  void mutate(Job& job) const {
    for (auto& task : job.tasks) {
      if (mutation_ == 1 && task.state == TaskState::running) task.attempt = 0;
      if (mutation_ == 2 && !job.reservation_key)
        for (auto& grant : task.grants) grant.slots += 100;
      if (mutation_ == 3 && job.reservation_key)
        for (auto& grant : task.grants) grant.slots += 100;
      if (mutation_ == 4 && job.reservation_key) job.reservation_key = 1'000'000'000;
      if (mutation_ == 7 && task.state == TaskState::running) task.grants.clear();
    }
    if (mutation_ == 6 && job.key > 20 && job.tasks.empty()) job.key = 1;
  }
  void mutate(Reservation& reservation) const {
    if (mutation_ == 8) reservation.shape.window.end = reservation.shape.window.start;
    if (mutation_ == 9) reservation.proposed = {{"lost", Instant{1}, false, {}}};
  }

  static std::string named(const Attempt& attempt) {
    return "attempt " + std::to_string(attempt.attempt) + " of job key " +
           std::to_string(attempt.job) + "." + std::to_string(attempt.task);
  }

  void started(const std::string& host, Attempt attempt) {
    if (mutation_ == 10 && attempt.job > 10) ++starts_[{attempt, host}];
    if (++starts_[{attempt, host}] > 1)
      complain(Invariant::an_attempt_starts_once, named(attempt) + " was started again on " + host);
    const auto task = std::pair(attempt.job, attempt.task);
    auto& running = running_[task];
    if (mutation_ == 11 && attempt.job > 10) running.insert("elsewhere");
    if (!running.empty())
      complain(Invariant::one_attempt_at_a_time,
               named(attempt) + " starts on " + host + " while one runs on " + *running.begin());
    running.insert(host);
    auto& newest = newest_[task];
    if (mutation_ == 12 && attempt.job > 10) newest = attempt.attempt + 1;
    if (attempt.attempt < newest)
      complain(Invariant::no_attempt_after_a_newer_one,
               named(attempt) + " starts on " + host + " after attempt " + std::to_string(newest));
    newest = std::max(newest, attempt.attempt);
    auto job = jobs_.find(attempt.job);
    if (mutation_ == 15 && attempt.job > 10) attempt.attempt += 7;
    const auto* stored = job == jobs_.end() ? nullptr : job->second.find(attempt.task);
    if (stored && stored->attempt < attempt.attempt)
      complain(Invariant::starts_are_durable, named(attempt) + " starts on " + host +
                                                  ", the store has attempt " +
                                                  std::to_string(stored->attempt));
  }

  void ended(const std::string& host, const Attempt& attempt) {
    running_[{attempt.job, attempt.task}].erase(host);
  }

  VirtualWorld& world_;
  int mutation_;
  Monitor monitor_;
  Configuration configuration_;
  std::map<std::pair<ObjectKind, std::string>, ConfigurationObject> objects_;
  bool objects_changed_ = false;
  std::map<std::int64_t, Job> jobs_;
  std::map<std::pair<Attempt, std::string>, int> starts_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::set<std::string>> running_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> newest_;
  std::optional<Violation> found_;
  std::int64_t commits_ = 0;
  bool was_torn_ = false;
};

// Brings faults, and takes them back after a while.
class Breaker {
public:
  Breaker(VirtualWorld& world, const std::vector<std::string>& hosts, const std::set<Fault>& faults,
          std::mt19937_64& chance)
      : world_(world), hosts_(hosts), faults_(faults.begin(), faults.end()), chance_(chance) {
    plan();
  }

  // What is due at this point between two messages; the fault that came, if one did.
  std::optional<Fault> look(bool request_in_flight) {
    const auto now = world_.clock().milliseconds;
    while (!repairs_.empty() && repairs_.begin()->first <= now) {
      const auto repair = repairs_.begin()->second;
      repairs_.erase(repairs_.begin());
      repair();
    }
    if (off_ || faults_.empty() || now < next_) return std::nullopt;
    if (wants_request_ && !request_in_flight) return std::nullopt;
    if (wait_-- > 0) return std::nullopt;
    const auto fault = faults_[dice(faults_.size())];
    plan();
    return bring(fault) ? std::optional(fault) : std::nullopt;
  }

  // No more faults; everything that is broken is repaired.
  void heal() {
    off_ = true;
    for (auto& [at, repair] : repairs_) repair();
    repairs_.clear();
    world_.set_faults({});
    world_.mend();
    world_.journal().full = world_.journal().loses_next = false;
  }

private:
  std::size_t dice(std::size_t sides) { return chance_() % sides; }
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return (least + static_cast<std::int64_t>(dice(static_cast<std::size_t>(most - least + 1)))) *
           second;
  }
  void plan() {
    next_ = world_.clock().milliseconds + between(2, 30);
    wait_ = static_cast<int>(dice(40)); // messages of that moment
    wants_request_ = dice(2) == 0;
  }
  void later(std::int64_t in_ms, std::function<void()> repair) {
    repairs_.emplace(world_.clock().milliseconds + in_ms, std::move(repair));
  }
  std::string some_host() { return hosts_[dice(hosts_.size())]; }

  bool take_down(const std::string& who, const char* verb, std::int64_t for_ms) {
    if (!world_.is_up(who) || paused_.contains(who)) return false;
    if (!world_.stage(verb, who)) return false;
    later(for_ms, [this, who] {
      if (!world_.is_up(who)) check(world_.stage("start", who).ok(), "what is down can start");
    });
    return true;
  }

  bool pause(const std::string& who, std::int64_t for_ms) {
    if (!world_.is_up(who) || !paused_.insert(who).second) return false;
    check(world_.stage("stop", who).ok(), "what is up can be paused");
    later(for_ms, [this, who] {
      paused_.erase(who);
      if (world_.is_up(who)) check(world_.stage("continue", who).ok(), "it goes on");
    });
    return true;
  }

  bool weather(Faults faults) {
    world_.set_faults(faults);
    later(between(5, 40), [this] { world_.set_faults({}); });
    return true;
  }

  bool cut(bool both_ways) {
    const auto host = some_host();
    const auto other = dice(3) == 0 ? some_host() : std::string();
    if (host == other) return false;
    world_.cut(host, other);
    if (both_ways || dice(2) == 0) world_.cut(other, host);
    later(between(3, 60), [this] { world_.mend(); });
    return true;
  }

  bool bring(Fault fault) {
    switch (fault) {
    case Fault::delay: return weather({0, 0, 300});
    case Fault::loss: return weather({100, 0, 0});
    case Fault::duplication: return weather({0, 200, 0});
    case Fault::partition: return cut(true);
    case Fault::one_way: return cut(false);
    case Fault::master_crash: return take_down("", "kill", between(1, 20));
    case Fault::agent_crash: return take_down(some_host(), "kill", between(1, 20));
    case Fault::host_crash: return take_down(some_host(), "crash", between(20, 90));
    case Fault::pause: return pause(dice(4) ? some_host() : std::string(), between(1, 30));
    case Fault::stale_agent: return take_down(some_host(), "kill", between(60, 180));
    case Fault::clock_jump: world_.clock().ahead_ms += between(1, 30); return true;
    case Fault::full_disk:
      world_.journal().full = true;
      later(between(5, 30), [this] { world_.journal().full = false; });
      return true;
    case Fault::torn_write: world_.journal().loses_next = world_.is_up(""); return world_.is_up("");
    }
    return false;
  }

  VirtualWorld& world_;
  const std::vector<std::string>& hosts_;
  std::vector<Fault> faults_;
  std::mt19937_64& chance_;
  std::multimap<std::int64_t, std::function<void()>> repairs_;
  std::set<std::string> paused_;
  std::int64_t next_ = 0;
  int wait_ = 0;
  bool wants_request_ = false; ///< it comes while a client waits for an answer
  bool off_ = false;
};

class Chaos {
public:
  Chaos(std::uint64_t seed, const ChaosSettings& settings)
      : settings_(settings), chance_(seed), world_(seed) {
    for (int i = 1; i <= settings.hosts; ++i) hosts_.push_back("n" + std::to_string(i));
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
    world_.set_patience(Duration{40});
    world_.before_step = [this] { between_messages(); };
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
    // Between a lost batch and the next message the machine of the master goes down.
    if (witness_->take_torn()) {
      if (world_.is_up("")) check(world_.stage("kill", "").ok(), "the master can be killed");
      restart_at_ = world_.clock().milliseconds + 3 * second;
    }
    if (restart_at_ > 0 && world_.clock().milliseconds >= restart_at_) {
      restart_at_ = 0;
      if (!world_.is_up("")) check(world_.stage("start", "").ok(), "the master can start");
    }
    if (const auto fault = breaker_->look(in_flight_)) count(*fault);
    witness_->look();
    if (witness_->commits() >= next_full_) {
      next_full_ = witness_->commits() + 1000;
      witness_->full_check();
    }
  }

  void count(Fault fault) {
    bool waiting = false, sent = false, running = false, ending = false, reserved = false;
    for (const auto& [key, job] : witness_->jobs()) {
      waiting = waiting || job.waiting_tasks() > 0;
      for (const auto& task : job.tasks) {
        sent = sent || task.state == TaskState::sent;
        running = running || task.state == TaskState::running;
        ending = ending || (task.is_active() && task.deleting);
        reserved = reserved || (task.is_active() && job.reservation_key != 0);
      }
    }
    auto& cells = result_.met[fault];
    const std::array seen{waiting, sent, running, ending, in_flight_, reserved};
    for (std::size_t i = 0; i < seen.size(); ++i) cells[i] += seen[i];
  }

  // ---- clients --------------------------------------------------------------------------------

  World::Output type(const std::vector<std::string>& words) {
    in_flight_ = true;
    auto output = world_.run("", words);
    in_flight_ = false;
    return output;
  }

  static bool is_unanswered(const World::Output& output) {
    return output.text.find("does not answer") != std::string::npos;
  }

  void work() {
    switch (dice(12)) {
    case 0: reserve(); break;
    case 1:
    case 2: remove(); break;
    case 3: type({"qstat", "-u", "*"}); break;
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

  void remove() {
    // One of late: it may still be there.
    constexpr std::size_t late = 20;
    const auto back = static_cast<std::int64_t>(dice(late));
    const auto it = client_.jobs.find("c" + std::to_string(submitted_ - back));
    if (it == client_.jobs.end()) return;
    it->second.may_vanish = true; // answered or not
    type({"qdel", it->first});
  }

  void submit() {
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
    if (dice(4) == 0 && !client_.reservation.empty()) {
      job.may_vanish = true; // waiting jobs go with their reservation
      add({"-ar", client_.reservation});
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
    come_to_rest();
    witness_->look();
    witness_->full_check();
    check_accounts();
    if (settings_.mutation == 17) lose_an_input();
    const auto again = replay(world_.journal());
    require(again.ok(), Invariant::the_journal_replays, again.ok() ? "" : again.what());
  }

  void lose_an_input() {
    auto& journal = world_.journal();
    const auto middle = last_input(journal).sequence / 2;
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
        if (record->record.failed != failed::rescheduled) ++ended[record->job_name][record->task];
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
        require(count == 1 || job.may_run_again, Invariant::acknowledged_is_kept,
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
  VirtualWorld world_;
  std::vector<std::string> hosts_;
  std::optional<Witness> witness_;
  std::optional<Breaker> breaker_;
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
  for (const auto fault : std::set<Fault>(settings.faults)) {
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
