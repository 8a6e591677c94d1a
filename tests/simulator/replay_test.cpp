// Traces through the planner, against a simulator of one pool that is as simple as can be.
#include "tools/simulator/replay/replay.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>

using namespace almanac;

namespace {

// Second by second: who has what of the pool, and when.
class NaivePool {
public:
  NaivePool(std::vector<TracedJob> jobs, std::int64_t slots, std::string policy)
      : jobs_(std::move(jobs)), slots_(slots), policy_(std::move(policy)) {}

  std::vector<std::int64_t> starts() {
    result_.assign(jobs_.size(), -1);
    for (std::int64_t now = 0; !done(); ++now) {
      const bool changed = end(now) | submit(now) | has_due(now);
      if (changed) pass(now);
    }
    return result_;
  }

private:
  struct Booked {
    std::int64_t from, until, size;
  };
  bool done() const {
    return std::none_of(result_.begin(), result_.end(), [](auto start) { return start < 0; });
  }
  std::int64_t length(std::size_t i) const { return jobs_[i].estimate; }
  std::int64_t run(std::size_t i) const { return std::min(jobs_[i].run_time, jobs_[i].estimate); }

  bool end(std::int64_t now) {
    const auto size = running_.size();
    for (auto it = running_.begin(); it != running_.end();) {
      if (result_[*it] + run(*it) > now) {
        ++it;
        continue;
      }
      early_ = early_ || run(*it) < length(*it);
      it = running_.erase(it);
    }
    return running_.size() != size;
  }
  bool submit(std::int64_t now) {
    bool any = false;
    for (; next_ < jobs_.size() && jobs_[next_].submit <= now; ++next_)
      waiting_.push_back(next_), any = true;
    return any;
  }
  bool has_due(std::int64_t now) const {
    return std::any_of(held_.begin(), held_.end(), [&](auto& hold) { return hold.second <= now; });
  }

  std::int64_t used(std::int64_t at) const {
    std::int64_t sum = 0;
    for (const auto i : running_)
      if (result_[i] <= at && at < result_[i] + length(i)) sum += jobs_[i].size;
    for (const auto& [i, start] : held_)
      if (start <= at && at < start + length(i)) sum += jobs_[i].size;
    return sum;
  }
  bool fits(std::size_t i, std::int64_t start) const {
    for (auto at = start; at < start + length(i); ++at)
      if (used(at) + jobs_[i].size > slots_) return false;
    return true;
  }
  std::int64_t earliest(std::size_t i, std::int64_t from) const {
    while (!fits(i, from)) ++from;
    return from;
  }

  void begin(std::size_t i, std::int64_t now) {
    result_[i] = now;
    running_.push_back(i);
    waiting_.erase(std::find(waiting_.begin(), waiting_.end(), i));
    held_.erase(i);
  }

  void pass(std::int64_t now) {
    if (policy_ == "cons" || policy_ == "cons-scratch") return conservative(now);
    held_.clear();
    while (!waiting_.empty() && fits(waiting_.front(), now)) begin(waiting_.front(), now);
    if (waiting_.empty() || policy_ == "fcfs") return;
    held_[waiting_.front()] = earliest(waiting_.front(), now);
    std::vector<std::size_t> others(waiting_.begin() + 1, waiting_.end());
    if (policy_ == "easy-sjbf")
      std::stable_sort(others.begin(), others.end(),
                       [&](auto a, auto b) { return length(a) < length(b); });
    for (const auto i : others)
      if (fits(i, now)) begin(i, now);
  }

  void conservative(std::int64_t now) {
    if (policy_ == "cons-scratch") held_.clear();
    const auto order = waiting_;
    for (const auto i : order) {
      const bool known = held_.contains(i);
      if (known && !early_ && held_.at(i) > now) continue;
      held_.erase(i);
      const auto start = earliest(i, now);
      if (start == now) begin(i, now);
      else held_[i] = start;
    }
    early_ = false;
  }

  std::vector<TracedJob> jobs_;
  std::int64_t slots_;
  std::string policy_;
  std::vector<std::int64_t> result_;
  std::vector<std::size_t> running_, waiting_;
  std::map<std::size_t, std::int64_t> held_;
  std::size_t next_ = 0;
  bool early_ = false;
};

std::vector<TracedJob> any_trace(std::int64_t slots) {
  std::vector<TracedJob> jobs;
  std::int64_t submit = 0;
  const auto count = *rc::gen::inRange(1, 30);
  for (int i = 1; i <= count; ++i) {
    submit += *rc::gen::inRange(0, 6);
    const auto run = *rc::gen::inRange<std::int64_t>(1, 30);
    const std::int64_t estimate =
        *rc::gen::elementOf(std::vector<std::int64_t>{run, run + 5, 2 * run, run - run / 3});
    jobs.push_back({i, submit, run, *rc::gen::inRange<std::int64_t>(1, slots + 1), estimate});
  }
  return jobs;
}

std::string trace_file(const std::string& content) {
  const auto path = ::testing::TempDir() + "/trace.swf";
  std::ofstream(path) << content;
  return path;
}

} // namespace

RC_GTEST_PROP(GivenAnyTrace, WhenReplayedThenEveryStartIsThatOfTheNaivePool, ()) {
  const auto slots = *rc::gen::inRange<std::int64_t>(1, 9);
  const auto trace = any_trace(slots);
  for (const char* policy : {"fcfs", "easy", "easy-sjbf", "cons", "cons-scratch"}) {
    ReplaySettings settings;
    settings.slots = slots, settings.policy = policy;
    const auto jobs = replay_trace(trace, settings);
    const auto expected = NaivePool(trace, slots, policy).starts();
    RC_ASSERT(jobs.ok());
    for (std::size_t i = 0; i < trace.size(); ++i) {
      RC_LOG() << policy << " job " << i + 1 << "\n";
      RC_ASSERT((*jobs)[i].start == expected[i]);
    }
  }
}

RC_GTEST_PROP(GivenAnyTrace, WhenPartOfItIsReservedThenThoseStartAtTheirTimeAndNothingIsOverbooked,
              ()) {
  const std::int64_t slots = 6;
  ReplaySettings settings;
  settings.slots = slots, settings.reserved_percent = 50, settings.lead = 20;
  const auto jobs = replay_trace(any_trace(slots), settings);
  std::map<std::int64_t, std::int64_t> changes;
  for (const auto& job : *jobs) {
    if (job.refused) continue;
    if (job.reserved) RC_ASSERT(job.start == job.traced.submit + settings.lead);
    changes[job.start] += job.traced.size;
    changes[job.end] -= job.traced.size;
  }
  std::int64_t used = 0;
  for (const auto& [at, change] : changes) RC_ASSERT((used += change) <= slots);
}

TEST(GivenATraceFile, WhenReadThenJobsWithoutSizeOrRunTimeAreLeftOut) {
  const auto trace = read_trace(trace_file("; a comment\n"
                                           "1 0 -1 10 4 -1 -1 8 20 -1 1 1 1 1 1 1 -1 -1\n"
                                           "2 5 -1 10 -1 -1 -1 8 -1 -1 1 1 1 1 1 1 -1 -1\n"
                                           "3 6 -1 -1 4 -1 -1 8 20 -1 1 1 1 1 1 1 -1 -1\n"
                                           "4 7 -1 10 0 -1 -1 -1 20 -1 1 1 1 1 1 1 -1 -1\n"));
  ASSERT_TRUE(trace.ok()) << trace.what();
  ASSERT_EQ(trace->size(), 2u);
  EXPECT_EQ((*trace)[0].size, 4);
  EXPECT_EQ((*trace)[0].estimate, 20);
  EXPECT_EQ((*trace)[1].size, 8);
  EXPECT_EQ((*trace)[1].estimate, 10);
}

TEST(GivenATraceFile, WhenALineIsBrokenThenItIsNamed) {
  const auto few = read_trace(trace_file("1 0 -1 10\n"));
  EXPECT_NE(few.what().find("line 1: 4 fields, expected 18"), std::string::npos);
  const auto word = read_trace(trace_file("; x\n1 0 -1 ten 4 -1 -1 8 20 -1 1 1 1 1 1 1 -1 -1\n"));
  EXPECT_NE(word.what().find("line 2: field 4"), std::string::npos) << word.what();
  EXPECT_FALSE(read_trace("/nowhere/trace.swf").ok());
}
