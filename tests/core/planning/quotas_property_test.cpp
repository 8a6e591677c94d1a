// Any history of a small cell with resource quota sets, against a counter that counts all again
// (tests/core/policy/brute_quotas.hpp).
#include "brute_quotas.hpp"
#include "chance.hpp"
#include "core/matching/placement.hpp"
#include "core/matching/quota_limits.hpp"
#include "quota_fixture.hpp"

#include <rapidcheck/gtest.h>

#include <set>

using namespace almanac;

namespace {

using Words = std::vector<std::string>;

std::string any_of_these(const Words& words) {
  return words[*rc::gen::inRange<std::size_t>(0, words.size())];
}
std::string number(std::int64_t least, std::int64_t end) {
  return std::to_string(*rc::gen::inRange(least, end));
}

// One filter of a rule, or none: names, patterns, sets, exclusions, braces.
std::string any_filter(const std::string& keyword, const Words& words, bool braces) {
  std::set<std::string> items;
  for (auto count = *rc::gen::inRange(1, 4); count > 0; --count)
    items.insert((one_in(4) ? "!" : "") + any_of_these(words));
  std::string list;
  for (const auto& item : items) list += (list.empty() ? "" : ",") + item;
  return keyword + " " + (braces ? "{" + list + "}" : list) + " ";
}

std::string any_rule() {
  std::string rule;
  const auto add = [&](const std::string& keyword, const Words& words) {
    if (!one_in(3)) return;
    rule += any_filter(keyword, words, one_in(2));
  };
  add("users", {"ann", "bob", "cyd", "*", "?n*", "@s1", "@s2", "@s*", "@nosuch"});
  add("projects", {"p1", "p2", "*", "p?"});
  add("pes", {"mpi", "smp", "fill", "*", "[ms]*"});
  add("queues", {"all.q", "long.q", "*", "l*"});
  bool by_host = false;
  if (one_in(2)) {
    by_host = one_in(2);
    rule +=
        any_filter("hosts", {"h1", "h2", "h3", "H1", "h[12]", "*", "@g1", "@g2", "@g*"}, by_host);
  }
  Words limits;
  const auto limit = [&](const std::string& text) { limits.push_back(text); };
  if (!one_in(3)) limit("slots=" + number(0, 5));
  else if (by_host) limit("slots=$num_proc*" + any_of_these({"1", "2", "0.5"}) + "-1");
  if (one_in(3)) limit("lic=" + number(0, 5));
  if (one_in(4)) limit("gas=" + number(1, 6));
  if (one_in(4)) limit("tok=" + number(0, 3));
  if (one_in(4)) limit("disk=" + number(0, 4));
  if (one_in(5)) limit("level=" + number(1, 4));
  if (one_in(6)) limit("exclusive=TRUE");
  if (limits.empty()) limit("slots=" + number(0, 5));
  std::string all;
  for (const auto& one : limits) all += (all.empty() ? "" : ",") + one;
  return rule + "to " + all;
}

Words any_rules() {
  Words rules(*rc::gen::inRange<std::size_t>(1, 4));
  for (auto& rule : rules) rule = any_rule();
  return rules;
}

// Resources are plenty: what keeps a job of one slot waiting is a slot, an exclusive host or a quota.
class QuotaWorld : public QuotaFixture {
public:
  QuotaWorld() {
    steady_hosts(3, *rc::gen::inRange(1, 4));
    queue("all.q", {{"pe_list", "mpi smp fill"}});
    queue("long.q", {{"hostlist", "@allhosts"},
                     {"slots", "2"},
                     {"pe_list", "mpi fill"},
                     {"load_thresholds", "NONE"}});
    complex("lic", "lic INT <= YES YES 0 0");
    complex("gas", "gas INT <= YES YES 1 0");
    complex("tok", "tok INT <= YES JOB 0 0");
    complex("disk", "dsk INT <= YES HOST 0 0");
    complex("level", "lvl INT <= YES NO 0 0");
    complex("exclusive", "excl BOOL EXCL YES YES 0 0");
    offer("global", "lic=1000,gas=1000,tok=1000");
    for (const char* host : {"h1", "h2", "h3"}) offer(host, "disk=1000,level=9,exclusive=TRUE");
    scheduler({{"max_reservation", any_of_these({"0", "3"})}});
    for (const char* name : {"p1", "p2"}) project(name);
    userset("s1", any_entries()), userset("s2", any_entries());
    host_group("@g1", any_hosts("")), host_group("@g2", any_hosts("@g1"));
    for (auto sets = *rc::gen::inRange(1, 4); sets > 0; --sets)
      quotas(std::string(1, static_cast<char>('A' + sets)), any_rules());
    std::int64_t i = 0;
    for (const auto& host : {"h1", "h2", "h3"}) processors(host, ++i);
  }

  void step() {
    now = now + Duration{*rc::gen::inRange<std::int64_t>(0, 20)};
    happen();
    check();
    book_on();
    check();
    std::map<TaskId, std::int64_t> before;
    for (int round = 0; round < 10; ++round) {
      before.clear();
      for (const auto& task : state().tasks()) before[task.id()] = task.attempt;
      const auto decided = handle(Pass{});
      check();
      check_starts(before);
      if (decided.effects.empty()) break;
    }
    check_waiting();
  }

private:
  static std::string any_entries() {
    return any_of_these({"ann", "bob", "cyd", "ann,bob", "@crew", "@users", "@crew,bob", "NONE"});
  }
  static std::string any_hosts(const std::string& group) {
    auto hosts = any_of_these({"h1", "h2", "h1 h2", "h2 h3", "h3"});
    return !group.empty() && one_in(2) ? hosts + " " + group : hosts;
  }
  void processors(const std::string& host, std::int64_t count) {
    tell(HostRegistered{host, {"lx-amd64", count, 8LL << 30, "boot", "spool", "127.0.0.1:1"}});
  }
  Attempt any_active(const std::vector<Attempt>& running) const {
    return running[*rc::gen::inRange<std::size_t>(0, running.size())];
  }

  // ---- what happens ---------------------------------------------------------------------------

  JobRequest any_request() const {
    auto request = wants();
    if (one_in(2)) {
      const auto low = *rc::gen::inRange<std::int64_t>(1, 4);
      request = wants({}, any_of_these({"mpi", "smp", "fill", "*"}), low,
                      low + *rc::gen::inRange<std::int64_t>(0, 3));
    }
    request.resources = {{"h_rt", number(1, 100)}};
    for (const char* name : {"lic", "gas", "tok", "disk", "level"})
      if (one_in(4)) request.resources.push_back({name, number(1, 4)});
    if (one_in(12)) request.resources.push_back({"exclusive", "TRUE"});
    request.project = any_of_these({"", "", "p1", "p2"});
    request.reserve = one_in(3);
    if (one_in(6)) request.tasks = {1, 3, 1};
    return request;
  }
  void submit_any() {
    auto request = any_request();
    const auto& reservations = state().reservations();
    if (one_in(10) && !reservations.empty()) {
      request.reservation = reservations.begin()->number;
      command(root, Submit{std::move(request), "hash"}); // which may be over
      return;
    }
    submit(any_of_these({"ann", "bob", "cyd"}) == "cyd" ? user("cyd", "crew")
                                                        : user(any_of_these({"ann", "bob"})),
           std::move(request));
  }
  void happen() {
    const auto running = active();
    switch (*rc::gen::inRange(0, 16)) {
    case 0:
      if (!running.empty()) tell(TaskStarted{any_active(running)});
      break;
    case 1:
    case 2:
      if (!running.empty()) {
        ExitRecord record;
        record.exit_status = one_in(4) ? 99 : 0;
        tell(TaskEnded{any_active(running), record});
      }
      break;
    case 3:
      command(root, ModifyQueues{one_in(2) ? QueueAction::suspend : QueueAction::unsuspend,
                                 {any_of_these({"*@h1", "long.q", "all.q@h2"})}});
      break;
    case 4: delete_any(); break;
    case 5: quotas("B", any_rules()); break;
    case 6: userset(any_of_these({"s1", "s2", "s3"}), any_entries()); break;
    case 7: change_group(); break;
    case 8: switch_set("B", one_in(2) ? "TRUE" : "FALSE"); break;
    case 9:
      processors(any_of_these({"h1", "h2", "h3"}), *rc::gen::inRange<std::int64_t>(1, 6));
      break;
    case 10:
      if (one_in(3))
        command(root,
                Reserve{on_pe(window(now.seconds + *rc::gen::inRange<std::int64_t>(0, 50), 60),
                              "fill", *rc::gen::inRange<std::int64_t>(1, 4))});
      break;
    default: submit_any();
    }
  }
  void change_group() {
    if (one_in(2)) host_group("@g1", any_hosts(""));
    else host_group("@g2", any_hosts("@g1"));
  }
  void delete_any() {
    if (state().jobs().empty()) return;
    auto it = state().jobs().begin();
    std::advance(it, *rc::gen::inRange<std::ptrdiff_t>(
                         0, static_cast<std::ptrdiff_t>(state().jobs().size())));
    command(root, DeleteJobs{{to_string(it->second->number)}, {}, {}, one_in(2)});
  }
  // What is past its booked end is said to be, as the actors do; reservations begin and end in time.
  void book_on() {
    for (const auto& attempt : active()) tell(TaskOverdue{attempt});
    std::vector<ReservationKey> due;
    for (const auto& reservation : state().reservations()) due.push_back(reservation.key);
    for (const auto key : due) tell(ReservationDue{key});
  }

  // ---- what must hold -------------------------------------------------------------------------

  void check() const {
    RC_ASSERT(state().records().followers_agree());
    const auto uses = BruteQuotas(state().records()).all();
    std::set<std::string> counters;
    std::set<Instant> times{now};
    for (const auto& use : uses) {
      if (use.window.start >= use.window.end) continue;
      counters.insert(use.counter);
      times.insert(use.window.start), times.insert(use.window.end);
    }
    std::set<std::string> found;
    const auto& quotas = state().quotas();
    for (std::size_t set = 0; set < quotas.rules().sets().size(); ++set)
      for (const auto& [key, booked] : quotas.table(set).counters()) {
        if (booked.is_empty()) continue;
        const auto name = name_of(set, key);
        RC_ASSERT(found.insert(name).second);
        for (const auto time : times)
          RC_ASSERT(booked.at(time) == BruteQuotas::sum(uses, name, time));
      }
    RC_ASSERT(found == counters);
  }
  std::string name_of(std::size_t set, const QuotaKey& key) const {
    const auto& quotas = *state().quotas().rules().sets()[set].quotas;
    return quotas.name + "/" + std::to_string(key.rule + 1) + " " +
           quotas.rules[key.rule].limits[key.limit].complex + (key.beside ? " beside " : " ") +
           state().quotas().text_of(key);
  }
  // Q4.23, Q4.24, Q4.39: whoever starts fits for all of its time, beside all that runs and is held.
  void check_starts(const std::map<TaskId, std::int64_t>& before) const {
    const BruteQuotas brute(state().records());
    const auto uses = brute.all();
    for (const auto& task : state().tasks()) {
      const auto known = before.find(task.id());
      if (!task.is_active() || (known != before.end() && known->second == task.attempt)) continue;
      for (const auto& use : brute.of(*state().job(task.job), task.pe, task.grants, task.booked)) {
        if (use.counter.find(" exclusive ") == std::string::npos)
          RC_ASSERT(BruteQuotas::most(uses, use.counter, task.booked) <= use.limit);
      }
    }
  }
  // For each waiting job of one slot both say the same of each place; and where both let it in, no
  // slot is free.
  void check_waiting() const {
    const BruteQuotas brute(state().records());
    for (const auto& [key, job] : state().jobs()) {
      if (!job->request->pe.empty() || job->reservation_key || !job->holds.empty() ||
          obstacle(state(), *job, now))
        continue;
      const auto wanted = make_class_request(state(), *job);
      RC_ASSERT(wanted.ok());
      const auto supply = Supply::of_cluster(state());
      const QuotaLimits limits(state(), supply, (*wanted).demand, "");
      const Window window{now, now + (*wanted).length};
      for (const auto& there : state().configuration().instances()) {
        auto unread = Obstacles::unwanted();
        const bool admitted = !limits.any() || (limits.everywhere(window, unread).slots >= 1 &&
                                                limits.admits(there, window, unread));
        RC_ASSERT(admitted == brute.admit(*job, there.name, window));
        if (admitted) RC_ASSERT(!is_free(supply, there, window) || asks_to_be_alone());
      }
    }
  }
  bool is_free(const Supply& supply, const QueueInstance& there, Window window) const {
    return !state().instance(there.name).suspended && supply.free_slots(there, window) >= 1;
  }
  bool asks_to_be_alone() const {
    return std::any_of(state().jobs().begin(), state().jobs().end(), [](const auto& entry) {
      const auto& asked = entry.second->request->resources;
      return std::any_of(asked.begin(), asked.end(),
                         [](const Attribute& one) { return one.name == "exclusive"; });
    });
  }
};

} // namespace

RC_GTEST_PROP(GivenAnyQuotaSets, WhenAnyHistoryGoesOnThenCountersAndVerdictsAreThoseOfBruteForce,
              ()) {
  QuotaWorld world;
  const auto steps = *rc::gen::inRange(1, 40);
  for (int i = 0; i < steps; ++i) world.step();
}
