// In which order jobs start by the keys of sched_conf (spec/plus.md section 6), against a
// comparison that is written here once more.
#include "core/configuration/configuration.hpp"
#include "core/policy/job_order.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <compare>
#include <limits>
#include <map>
#include <string>
#include <vector>

using namespace almanac;

namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

// What is compared of a job, as one would say it.
struct Plain {
  std::string name, queue;
  std::int64_t priority = 0, submitted = 0, slots = 0, limit = 0; ///< 0: none
  std::string pe{}, user = "ann", group = "staff", host = "n1";
};

// hi.q has the seq_no 1, lo.q and mid.q have 5.
const Configuration& cell() {
  static const auto made = [] {
    auto configuration = Configuration::initial("root", "master");
    for (const auto& [name, seq_no] : {std::pair("hi.q", "1"), {"mid.q", "5"}, {"lo.q", "5"}}) {
      auto queue = template_of(ObjectKind::cluster_queue, name);
      queue.set("seq_no", seq_no);
      configuration = configuration.with({ChangeVerb::add, queue, {}})->configuration;
    }
    auto pairs = template_of(ObjectKind::parallel_environment, "pairs");
    pairs.set("slots", "100");
    pairs.set("allocation_rule", "2");
    return configuration.with({ChangeVerb::add, pairs, {}})->configuration;
  }();
  return made;
}

Job job_of(const Plain& plain, std::int64_t key) {
  Job job;
  job.key = {key}, job.number = {key}, job.submitted = {plain.submitted};
  job.owner.user = plain.user, job.owner.group = plain.group, job.owner.host = plain.host;
  JobRequest request;
  request.name = plain.name, request.priority = plain.priority, request.pe = plain.pe;
  if (!plain.pe.empty()) request.slots = {{plain.slots, plain.slots}};
  if (plain.limit > 0) request.resources = {{"h_rt", std::to_string(plain.limit)}};
  job.request = request;
  return job;
}

SortKeys keys_of(const std::string& text) {
  const auto keys = parse_sort_keys(text);
  EXPECT_TRUE(keys.ok()) << keys.what();
  return *keys;
}

// The names in the order of the keys; jobs are as old as they stand here.
std::string ordered(const SortKeys& keys, const std::vector<Plain>& jobs) {
  JobOrder order(keys, cell());
  std::vector<std::pair<JobRank, std::int64_t>> ranked;
  if (order.counts_jobs())
    for (std::size_t i = 0; i < jobs.size(); ++i)
      order.count(job_of(jobs[i], static_cast<std::int64_t>(i)), jobs[i].queue);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const auto key = static_cast<std::int64_t>(i);
    ranked.emplace_back(order.rank_of(job_of(jobs[i], key), jobs[i].queue), key);
  }
  std::sort(ranked.begin(), ranked.end());
  std::string names;
  for (const auto& [rank, key] : ranked)
    names += (names.empty() ? "" : " ") + jobs[static_cast<std::size_t>(key)].name;
  return names;
}
std::string ordered(const std::string& keys, const std::vector<Plain>& jobs) {
  return ordered(keys_of("JobSortKey: " + keys), jobs);
}

// ---- the same once more, job against job --------------------------------------------------------

struct Lists {
  std::vector<std::string> owners, groups, hosts;
};

std::int64_t place(const std::vector<std::string>& list, const auto& fits) {
  const auto it = std::find_if(list.begin(), list.end(), fits);
  return it == list.end() ? most : it - list.begin();
}

std::int64_t seq_no(const std::string& queue) {
  return queue.empty() ? most : queue == "hi.q" ? 1 : 5;
}
std::int64_t slots(const Plain& job) { return job.pe.empty() ? 1 : job.slots; }
std::int64_t nodes(const Plain& job) {
  if (job.pe == "pairs") return (job.slots + 1) / 2;
  return job.pe == "mpi" ? job.slots : 1; // round robin; else one host
}
std::int64_t time_of(const Plain& job) { return job.limit == 0 ? most : job.limit; }

std::strong_ordering compare(JobSortKey key, const Lists& lists, const Plain& a, const Plain& b) {
  const auto by_list = [&](const auto& list, auto fits) {
    return place(list, [&](const std::string& name) { return fits(a, name); }) <=>
           place(list, [&](const std::string& name) { return fits(b, name); });
  };
  switch (key) {
  case JobSortKey::job_priority: return b.priority <=> a.priority;
  case JobSortKey::submit_time: return a.submitted <=> b.submitted;
  case JobSortKey::least_cpus: return slots(a) <=> slots(b);
  case JobSortKey::most_cpus: return slots(b) <=> slots(a);
  case JobSortKey::least_nodes: return nodes(a) <=> nodes(b);
  case JobSortKey::most_nodes: return nodes(b) <=> nodes(a);
  case JobSortKey::least_time: return time_of(a) <=> time_of(b);
  case JobSortKey::most_time: return time_of(b) <=> time_of(a);
  case JobSortKey::queue_priority: return seq_no(a.queue) <=> seq_no(b.queue);
  case JobSortKey::owners_name:
    return by_list(lists.owners, [](const Plain& job, auto& name) { return job.user == name; });
  case JobSortKey::owners_group:
    return by_list(lists.groups, [](const Plain& job, auto& name) { return job.group == name; });
  case JobSortKey::owners_host:
    return by_list(lists.hosts, [](const Plain& job, auto& name) {
      return job.host == name || job.host.ends_with("." + name);
    });
  case JobSortKey::queue_round_robin:
  case JobSortKey::by_queue: break;
  }
  return std::strong_ordering::equal;
}

class PlainOrder {
public:
  PlainOrder(std::vector<JobSortKey> keys, Lists lists, std::vector<Plain> jobs)
      : lists_(std::move(lists)), jobs_(std::move(jobs)) {
    const auto stage = std::find(keys.begin(), keys.end(), JobSortKey::by_queue);
    groups_ = stage != keys.end();
    if (groups_) before_.assign(keys.begin(), stage), after_.assign(stage + 1, keys.end());
    else after_ = keys;
  }

  bool less(std::size_t a, std::size_t b) const {
    const auto &one = jobs_[a], &other = jobs_[b];
    if (groups_ && one.queue != other.queue) return is_queue_before(one.queue, other.queue);
    if (const auto order = by(after_, one, other); order != 0) return order < 0;
    if (one.submitted != other.submitted) return one.submitted < other.submitted;
    return a < b;
  }

private:
  std::strong_ordering by(const std::vector<JobSortKey>& keys, const Plain& a,
                          const Plain& b) const {
    for (const auto key : keys)
      if (const auto order = compare(key, lists_, a, b); order != 0) return order;
    return std::strong_ordering::equal;
  }
  const Plain& best_of(const std::string& queue) const {
    const Plain* best = nullptr;
    for (const auto& job : jobs_)
      if (job.queue == queue && (!best || by(before_, job, *best) < 0)) best = &job;
    return *best;
  }
  bool is_queue_before(const std::string& a, const std::string& b) const {
    if (a.empty() || b.empty()) return !a.empty();
    const auto order = by(before_, best_of(a), best_of(b));
    return order != 0 ? order < 0 : a < b;
  }

  Lists lists_;
  std::vector<Plain> jobs_;
  std::vector<JobSortKey> before_, after_;
  bool groups_ = false;
};

std::string text_of(const std::vector<JobSortKey>& keys, const Lists& lists) {
  std::string text = "JobSortKey: ";
  for (const auto key : keys) text += (key == keys.front() ? "" : ", ") + std::string(name_of(key));
  for (const auto& [name, list] : {std::pair("OwnersOrder", &lists.owners),
                                   {"GroupsOrder", &lists.groups},
                                   {"HostsOrder", &lists.hosts}}) {
    text += "\n" + std::string(name) + ": ";
    for (const auto& entry : *list) text += (entry == list->front() ? "" : ", ") + entry;
  }
  return text;
}

} // namespace

RC_GTEST_PROP(GivenAnyKeysAndJobs, WhenTheJobsAreSortedThenTheyStandAsAPlainComparisonSays, ()) {
  std::vector<JobSortKey> keys;
  bool groups = false;
  const auto count = *rc::gen::inRange(1, 6);
  for (int i = 0; i < count; ++i) {
    const auto key = static_cast<JobSortKey>(*rc::gen::inRange(0, 14));
    const bool is_taken = std::find(keys.begin(), keys.end(), key) != keys.end();
    if (is_taken || key == JobSortKey::queue_round_robin || (is_grouping(key) && groups)) continue;
    groups = groups || is_grouping(key);
    keys.push_back(key);
  }
  if (keys.empty()) keys.push_back(JobSortKey::submit_time);
  const Lists lists{{"bob", "ann"}, {"guests"}, {"n2.a.org", "b.org", "a.org"}};
  std::vector<Plain> jobs(static_cast<std::size_t>(*rc::gen::inRange(1, 12)));
  for (auto& job : jobs) {
    job.name = "j" + std::to_string(&job - jobs.data());
    job.queue = *rc::gen::element<std::string>("hi.q", "mid.q", "lo.q", "");
    job.priority = *rc::gen::inRange(-2, 3), job.submitted = *rc::gen::inRange(1, 4);
    job.pe = *rc::gen::element<std::string>("", "smp", "mpi", "pairs");
    job.slots = *rc::gen::inRange(1, 6), job.limit = *rc::gen::element(0, 60, 120);
    job.user = *rc::gen::element<std::string>("ann", "bob", "eve", "joe");
    job.group = *rc::gen::element<std::string>("staff", "guests");
    job.host = *rc::gen::element<std::string>("n1.a.org", "n2.a.org", "b.org", "xb.org", "n1");
  }
  const PlainOrder plain(keys, lists, jobs);
  std::vector<std::size_t> places(jobs.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  std::sort(places.begin(), places.end(),
            [&](std::size_t a, std::size_t b) { return plain.less(a, b); });
  std::string expected;
  for (const auto at : places) expected += (expected.empty() ? "" : " ") + jobs[at].name;
  RC_ASSERT(ordered(keys_of(text_of(keys, lists)), jobs) == expected);
}

// plus.md P6.21: whatever is equal by all keys, no two jobs have the same place.
RC_GTEST_PROP(GivenAnyRanks, WhenTheyAreComparedThenTheOrderIsStrict, ()) {
  const auto rank = [] {
    JobRank made{*rc::gen::inRange(0, 3), {}};
    const auto length = *rc::gen::inRange(0, 3);
    for (int i = 0; i < length; ++i) made.rest.push_back(*rc::gen::inRange(0, 3));
    return made;
  };
  const auto a = rank(), b = rank(), c = rank();
  RC_ASSERT(!(a < a));
  RC_ASSERT(!(a < b && b < a));
  RC_ASSERT(!(a < b && b < c) || a < c);
  RC_ASSERT((a == b) == (!(a < b) && !(b < a)));
  RC_ASSERT(!(a < JobRank::lowest()));
}

// plus.md P6.11, P6.12, P6.13, P6.14, P6.15, P6.41
TEST(GivenJobs, WhenARequestDecidesThenTheOrderIsAsTheKeySays) {
  const std::vector<Plain> jobs{{"plain", "", 0, 1, 0, 0, ""},
                                {"wide", "", 5, 2, 6, 600, "mpi"},
                                {"pair", "", -5, 3, 4, 60, "pairs"}};
  EXPECT_EQ(ordered("JobPriority", jobs), "wide plain pair");
  EXPECT_EQ(ordered("SubmitTime", jobs), "plain wide pair");
  EXPECT_EQ(ordered("LeastCPURequested", jobs), "plain pair wide");
  EXPECT_EQ(ordered("MostCPURequested", jobs), "wide pair plain");
  EXPECT_EQ(ordered("LeastNodeRequested", jobs), "plain pair wide");
  EXPECT_EQ(ordered("MostNodeRequested", jobs), "wide pair plain");
  EXPECT_EQ(ordered("LeastTimeRequested", jobs), "pair wide plain");
  EXPECT_EQ(ordered("MostTimeRequested", jobs), "plain wide pair") << "none is infinite";
}

// plus.md P6.19, P6.20
TEST(GivenJobsOfSeveralOwners, WhenAListDecidesThenWhoIsNotListedIsLastAndEqual) {
  std::vector<Plain> jobs{{"a", "", 0, 1}, {"b", "", 0, 1}, {"c", "", 0, 1}, {"d", "", 0, 1}};
  jobs[0].user = "eve", jobs[1].user = "bob", jobs[2].user = "joe", jobs[3].user = "ann";
  EXPECT_EQ(ordered("OwnersName\nOwnersOrder: ann, bob", jobs), "d b a c");
  jobs[0].group = "x", jobs[3].group = "y";
  EXPECT_EQ(ordered("OwnersGroup\nGroupsOrder: y, x", jobs), "d a b c");
  jobs[1].host = "n1.apgrid.org", jobs[2].host = "N2.APGRID.ORG", jobs[3].host = "xapgrid.org";
  EXPECT_EQ(ordered("OwnersHost\nHostsOrder: apgrid.org", jobs), "b c a d");
}

// plus.md P6.16, P6.24, P6.40
TEST(GivenTwoQueuesToSort, WhenTheQueueDecidesThenItsSeqNoDoes) {
  const std::vector<Plain> jobs{{"l0", "lo.q", 0, 1},   {"h0", "hi.q", 0, 2},
                                {"l9", "lo.q", 900, 3}, {"h1", "hi.q", 100, 4},
                                {"none", "", 1000, 0},  {"m", "mid.q", 5, 5}};
  EXPECT_EQ(ordered("QueuePriority, JobPriority", jobs), "h1 h0 l9 m l0 none");
  EXPECT_EQ(ordered("QueuePriority, ByQueue, JobPriority", jobs), "h1 h0 l9 l0 m none");
  EXPECT_EQ(ordered("JobPriority, ByQueue, SubmitTime", jobs), "l0 l9 h0 h1 m none")
      << "the best job of a queue takes it to the front";
}

// plus.md P6.17, P6.22
TEST(GivenQueuesInTurn, WhenKeysStandBeforeThenTheyOrderTheQueues) {
  const auto turns = [](const char* text) {
    const auto keys = keys_of(text);
    JobOrder order(keys, cell());
    EXPECT_TRUE(order.takes_turns());
    return order.turns();
  };
  const std::map<std::string, std::int64_t> by_name{
      {"all.q", 0}, {"hi.q", 1}, {"lo.q", 2}, {"mid.q", 3}};
  EXPECT_EQ(turns("JobSortKey: QueueRoundRobin, SubmitTime"), by_name);
  // all.q has the seq_no 0.
  EXPECT_EQ(turns("JobSortKey: QueuePriority, QueueRoundRobin, SubmitTime"), by_name);
  const auto keys = keys_of("JobSortKey: SubmitTime, QueueRoundRobin, JobPriority");
  JobOrder order(keys, cell());
  ASSERT_TRUE(order.counts_jobs());
  order.count(job_of({"x", "mid.q", 0, 3}, 1), "mid.q");
  order.count(job_of({"y", "lo.q", 0, 7}, 2), "lo.q");
  EXPECT_EQ(order.turns().at("mid.q"), 0);
  EXPECT_EQ(order.turns().at("lo.q"), 1);
}

// The four switches of TORQUE's scheduler (plus.md P6.25 to P6.36; P8.1: strict_fifo has rows of
// its own): round robin, by queue, sorted queues, strict FIFO. What each means for two queues,
// against the keys of its row.
TEST(GivenTheTableOfTorque, WhenEachRowIsTakenThenItsKeysGiveThatOrder) {
  const std::vector<Plain> jobs{
      {"l0", "lo.q", 0, 1}, {"h0", "hi.q", 0, 2}, {"l9", "lo.q", 9, 3}, {"h5", "hi.q", 5, 4}};
  EXPECT_EQ(ordered("JobPriority", jobs), "l9 h5 l0 h0");                         // P6.25
  EXPECT_EQ(ordered("SubmitTime", jobs), "l0 h0 l9 h5");                          // P6.26
  EXPECT_EQ(ordered("QueuePriority, JobPriority", jobs), "h5 h0 l9 l0");          // P6.27
  EXPECT_EQ(ordered("QueuePriority, SubmitTime", jobs), "h0 h5 l0 l9");           // P6.28
  EXPECT_EQ(ordered("ByQueue, JobPriority", jobs), "h5 h0 l9 l0");                // P6.29
  EXPECT_EQ(ordered("ByQueue, SubmitTime", jobs), "h0 h5 l0 l9");                 // P6.30
  EXPECT_EQ(ordered("QueuePriority, ByQueue, JobPriority", jobs), "h5 h0 l9 l0"); // P6.31
  EXPECT_EQ(ordered("QueuePriority, ByQueue, SubmitTime", jobs), "h0 h5 l0 l9");  // P6.32
  // In turns jobs have places inside their queues; the planner takes the turns (sort_mode_test).
  const auto inside = [&](const std::string& keys, const std::string& queue) {
    auto own = jobs;
    std::erase_if(own, [&](const Plain& job) { return job.queue != queue; });
    return ordered(keys, own);
  };
  EXPECT_EQ(inside("QueueRoundRobin, JobPriority", "hi.q"), "h5 h0");                // P6.33
  EXPECT_EQ(inside("QueueRoundRobin, SubmitTime", "hi.q"), "h0 h5");                 // P6.34
  EXPECT_EQ(inside("QueuePriority, QueueRoundRobin, JobPriority", "lo.q"), "l9 l0"); // P6.35
  EXPECT_EQ(inside("QueuePriority, QueueRoundRobin, SubmitTime", "lo.q"), "l0 l9");  // P6.36
  EXPECT_FALSE(parse_sort_keys("JobSortKey: QueueRoundRobin, ByQueue").ok());        // P6.37
}
