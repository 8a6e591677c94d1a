#include "tools/simulator/chaos/storm.hpp"

#include "actors/trust/keyring.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"
#include "tools/simulator/chaos/reservation_changes.hpp"
#include "tools/simulator/replay/golden_journal.hpp"
#include "tools/simulator/world/virtual_world.hpp"

#include <map>

namespace almanac {

namespace {

class Storm {
public:
  Storm(std::uint64_t seed, bool changes)
      : chance_(seed), changes_(~seed), with_changes_(changes), world_(seed, {20, 20}) {
    remember_signatures();
    world_.set_checking();
  }

  Result<StormResult> run(int steps) {
    if (auto begun = world_.begin(hosts_, 3); !begun) return begun.error();
    for (int i = 0; i < steps; ++i) {
      if (dice(8) == 0 || (down_.contains("") && dice(2) == 0)) fault();
      else work();
      world_.wait(Duration{static_cast<std::int64_t>(dice(4))});
    }
    heal();
    if (auto calm = wait_for_calm(); !calm) return calm.error();
    if (auto sound = check_accounts(); !sound) return sound.error();
    if (auto sound = world_.finish(); !sound) return sound.error();
    result_.trace = world_.trace();
    return result_;
  }

  const Journal& journal() { return world_.journal(); }

private:
  struct Acknowledged {
    std::string name;
    std::size_t tasks = 1;
    bool may_vanish = false; // deleted, perhaps before it ran
  };

  std::size_t dice(std::size_t sides) { return chance_() % sides; }
  std::string number(std::size_t sides) { return std::to_string(1 + dice(sides)); }

  void work() {
    if (down_.contains("")) return;
    switch (dice(8)) {
    case 0:
    case 1:
      if (auto out = world_.run("", {"qrsub", "-pe", "fill", "1-" + number(6), "-d", number(200)});
          out.code == 0) {
        ++result_.reservations;
        reservation_ = words(out.text, " ").at(3);
      }
      if (with_changes_) change_reservation();
      break;
    case 2: remove("j" + number(20)); break;
    case 3:
      world_.run("", {"qmod", dice(2) ? "-d" : "-e", "all.q@" + hosts_[dice(hosts_.size())]});
      break;
    default: submit();
    }
  }

  void change_reservation() {
    const auto parsed = parse_number(reservation_);
    if (!parsed) return;
    const ReservationNumber reservation{*parsed};
    if (auto change = changes_.prepare(reservation)) world_.perform("", std::move(*change));
    for (auto jobs = changes_.jobs(); jobs > 0; --jobs) submit();
    if (auto end = changes_.settle(reservation)) world_.perform("", std::move(*end));
  }

  void remove(const std::string& name) {
    for (auto& [id, job] : acknowledged_) job.may_vanish = job.may_vanish || job.name == name;
    world_.run("", {"qdel", name});
  }

  void submit() {
    Acknowledged job;
    job.name = "j" + number(20);
    std::vector<std::string> line{"qsub", "-terse", "-N", job.name};
    const auto add = [&](std::initializer_list<std::string> more) {
      line.insert(line.end(), more);
    };
    if (dice(3) == 0) add({"-pe", dice(2) ? "mpi" : "fill", "1-" + number(5)});
    if (dice(3) == 0) {
      const auto last = number(4);
      job.tasks = std::stoul(last);
      add({"-t", "1-" + last});
    }
    if (dice(3) == 0) add({"-l", "h_rt=" + number(40)});
    if (dice(4) == 0 && !reservation_.empty()) {
      job.may_vanish = true; // waiting jobs go with their reservation
      add({"-ar", reservation_});
    }
    add({"-b", "y", "sleep", number(20)});
    if (auto out = world_.run("", line); out.code == 0) {
      ++result_.jobs;
      acknowledged_.emplace(out.text.substr(0, out.text.find_first_of(".\n")), job);
    }
  }

  void fault() {
    ++result_.faults;
    const auto who =
        down_.contains("") || dice(3) == 0 ? std::string() : hosts_[dice(hosts_.size())];
    if (down_.contains(who)) {
      if (world_.stage(down_[who] == "stop" ? "continue" : "start", who)) down_.erase(who);
      return;
    }
    const std::string verb = who.empty() || dice(2) ? "kill" : "stop";
    if (world_.stage(verb, who)) down_[who] = verb;
  }

  void heal() {
    for (const auto& [who, verb] : down_)
      if (!world_.stage(verb == "stop" ? "continue" : "start", who)) continue;
    down_.clear();
    world_.wait(Duration{20});
    world_.run("", {"qmod", "-e", "all.q"});
    world_.run("", {"qmod", "-cq", "all.q"});
  }

  // In a canceled reservation they wait until somebody does (spec/plus.md P3.41).
  void delete_jobs_of_reservations() {
    for (const auto& [number, job] : acknowledged_)
      if (job.may_vanish) world_.run("", {"qdel", number});
  }

  Outcome wait_for_calm() {
    constexpr int long_calm = 600;
    for (int i = 0; i < 3000; ++i) {
      const auto left = world_.run("", {"qstat", "-u", "*"});
      if (left.code == 0 && left.text.empty()) return Done{};
      if (i == long_calm) delete_jobs_of_reservations();
      world_.wait(Duration{5});
    }
    auto text = "jobs do not come to an end:\n" + world_.run("", {"qstat", "-f"}).text;
    for (const auto& host : hosts_)
      text += host + ":\n" + world_.run("", {"almanac-console", "show", "host/" + host}).text +
              world_.told_of(host);
    return Error{text};
  }

  // What is acknowledged and was never deleted is accounted, once for each task; nothing else is.
  Outcome check_accounts() {
    const auto text = world_.run("", {"qacct", "-j"}).text;
    std::map<std::string, std::size_t> seen;
    std::string job;
    for (const auto& line : split(text, '\n')) {
      const auto parts = words(line, " ");
      if (parts.size() == 2 && parts[0] == "jobnumber") job = parts[1];
      if (parts.size() == 2 && parts[0] == "taskid") ++seen[job];
    }
    for (const auto& [id, count] : seen)
      if (!acknowledged_.contains(id))
        return Error{"job " + id + " ran and was never acknowledged"};
    for (const auto& [id, known] : acknowledged_)
      if (seen[id] > known.tasks || (seen[id] < known.tasks && !known.may_vanish))
        return Error{"job " + id + " has " + std::to_string(seen[id]) + " records for " +
                     std::to_string(known.tasks) + " tasks"};
    return Done{};
  }

  const std::vector<std::string> hosts_{"n1", "n2", "n3"};
  std::mt19937_64 chance_;
  ReservationChanges changes_;
  bool with_changes_;
  VirtualWorld world_;
  std::map<std::string, std::string> down_;          // and by which verb
  std::map<std::string, Acknowledged> acknowledged_; // by number
  std::string reservation_;
  StormResult result_;
};

} // namespace

Result<StormResult> storm(std::uint64_t seed, int steps, const StormOptions& options) {
  Storm storm(seed, options.changes);
  auto result = storm.run(steps);
  if (!result || options.journal.empty()) return result;
  if (auto saved = save_journal(storm.journal(), options.journal); !saved) return saved.error();
  return result;
}

} // namespace almanac
