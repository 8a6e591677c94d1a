// SORT_MODE=plus: who starts next by the keys of sched_conf, which come as inputs and stand in a record
// (spec/plus.md section 6).
#include "planner_fixture.hpp"

#include <utility>
#include <vector>

using namespace almanac;

namespace {

// One slot on one host, and two queues on it: b.q has the better seq_no.
class GivenTwoQueuesOfOneSlot : public PlannerFixture {
public:
  GivenTwoQueuesOfOneSlot() {
    hosts(1, 1);
    change({ObjectKind::exec_host, "h1", {{"complex_values", "slots=1"}}});
    queue("a.q", {{"hostlist", "h1"}, {"slots", "1"}, {"seq_no", "7"}});
    queue("b.q", {{"hostlist", "h1"}, {"slots", "1"}, {"seq_no", "3"}});
    params("SORT_MODE=plus");
    blocker_ = running(job("blocker", "600"));
  }

  Decisions handle(const Input& input) override {
    inputs_.emplace_back(input, now);
    return PlannerFixture::handle(input);
  }

  void params(const std::string& text) { scheduler({{"params", text}}); }
  Decisions write(const std::string& text, const std::string& name = "sched_conf") {
    return handle(SiteFileRead{name, text});
  }
  const SiteFile* file(const std::string& name = "sched_conf") const {
    return planner.state().records().find<SiteFile>(name);
  }

  void wait(const std::string& name, const std::string& queue, std::int64_t priority = 0) {
    wait(root, name, queue, priority);
  }
  void wait(const Caller& who, const std::string& name, const std::string& queue,
            std::int64_t priority = 0) {
    auto request = job(name);
    if (!queue.empty()) request.queues = {queue};
    request.priority = priority;
    now = now + Duration{1}; // nobody is as old as another
    numbers_.push_back(submit(who, request));
  }
  /// "": nobody runs.
  std::string runs() const {
    for (const auto number : numbers_)
      if (is_active(number)) return find(number)->request->name;
    return "";
  }
  /// Ends what runs; what starts then.
  std::string next() {
    for (const auto number : numbers_)
      if (is_active(number)) {
        end(number);
        break;
      }
    if (is_active(blocker_)) end(blocker_);
    pass();
    return runs();
  }
  /// All of them, in the order in which they start.
  std::string starts() {
    std::string names;
    for (auto name = next(); !name.empty(); name = next())
      names += (names.empty() ? "" : " ") + name;
    return names;
  }
  /// What all inputs come to, decided again.
  std::uint64_t replayed() const {
    auto again = Planner::restore(Planner::initial_records("root", "master"));
    for (const auto& [input, at] : inputs_)
      again->handle(std::get<ValidInput>(validated_input(input)), at);
    return again->digest();
  }

private:
  std::int64_t blocker_ = 0;
  std::vector<std::int64_t> numbers_;
  std::vector<std::pair<Input, Instant>> inputs_;
};

} // namespace

// plus.md P3.3, P6.31
TEST_F(GivenTwoQueuesOfOneSlot, WhenThereIsNoFileThenTheDefaultKeysCount) {
  wait("a0", "a.q", 0), wait("a9", "a.q", 900), wait("b0", "b.q", 0), wait("b1", "b.q", 100);
  EXPECT_EQ(starts(), "b1 b0 a9 a0");
}

// plus.md P6.3
TEST_F(GivenTwoQueuesOfOneSlot, WhenTheSiteDoesNotSortThenPrioritiesCountAgain) {
  write("JobSortKey: SubmitTime\n");
  params("SORT_MODE=default");
  wait("a0", "a.q", 0), wait("a9", "a.q", 900), wait("b1", "b.q", 100);
  EXPECT_EQ(next(), "a9");
  params("SORT_MODE=plus");
  EXPECT_EQ(starts(), "a0 b1") << "at once, with the next pass";
}

// plus.md P6.18, P6.22
TEST_F(GivenTwoQueuesOfOneSlot, WhenByQueueThenAQueueIsEmptiedBeforeTheNext) {
  write("JobSortKey: ByQueue, SubmitTime\n");
  wait("a1", "a.q"), wait("b1", "b.q"), wait("a2", "a.q"), wait("b2", "b.q");
  EXPECT_EQ(starts(), "a1 a2 b1 b2");
}

// plus.md P6.17, P6.22
TEST_F(GivenTwoQueuesOfOneSlot, WhenQueuesTakeTurnsThenEachStartsOneJob) {
  write("JobSortKey: QueueRoundRobin, SubmitTime\n");
  wait("a1", "a.q"), wait("a2", "a.q"), wait("b1", "b.q"), wait("b2", "b.q"), wait("a3", "a.q");
  EXPECT_EQ(starts(), "a1 b1 a2 b2 a3");
  EXPECT_EQ(planner.state().counters().last_queue, "a.q");
  EXPECT_EQ(replayed(), planner.digest());
}

TEST_F(GivenTwoQueuesOfOneSlot, WhenKeysStandBeforeTurnsThenTheyOrderTheQueues) {
  write("JobSortKey: QueuePriority, QueueRoundRobin, JobPriority\n"); // plus.md P6.35
  wait("a1", "a.q"), wait("b1", "b.q"), wait("b2", "b.q", 5), wait("a2", "a.q", 5);
  EXPECT_EQ(starts(), "b2 a2 b1 a1");
}

// plus.md P6.39
TEST_F(GivenTwoQueuesOfOneSlot, WhenTheMasterIsStartedAgainThenTheTurnsGoOn) {
  write("JobSortKey: QueueRoundRobin, SubmitTime\n");
  wait("a1", "a.q"), wait("a2", "a.q"), wait("b1", "b.q"), wait("b2", "b.q");
  EXPECT_EQ(next(), "a1");
  auto restored = Planner::restore(planner.state().records().copy());
  ASSERT_TRUE(restored.ok());
  EXPECT_EQ(restored->digest(), planner.digest());
  tell(Restarted{});
  EXPECT_EQ(starts(), "b1 a2 b2");
  EXPECT_EQ(replayed(), planner.digest());
}

// plus.md P6.24
TEST_F(GivenTwoQueuesOfOneSlot, WhenQueuePriorityDecidesThenPriorityDoesInside) {
  write("JobSortKey: QueuePriority, JobPriority\n");
  wait("lo", "a.q", 900), wait("hi0", "b.q", 0), wait("hi100", "b.q", 100);
  EXPECT_EQ(starts(), "hi100 hi0 lo");
}

// plus.md P6.38
TEST_F(GivenTwoQueuesOfOneSlot, WhenAJobNamesNoQueueThenItBelongsToTheFirstThatSuits) {
  write("JobSortKey: ByQueue, SubmitTime\n");
  change({ObjectKind::cluster_queue, "all.q", {{"seq_no", "9"}}});
  wait("a", "a.q"), wait("any", ""), wait("b", "b.q"), wait("pattern", "a*");
  EXPECT_EQ(starts(), "a pattern any b") << "b.q has the lowest seq_no";
}

// plus.md P6.20: jobs that differ in nothing but their host are told apart.
TEST_F(GivenTwoQueuesOfOneSlot, WhenHostsDecideThenTheHostOfSubmissionCounts) {
  write("JobSortKey: OwnersHost\nHostsOrder: h1\n");
  auto from_h1 = alice;
  from_h1.host = "h1";
  wait("x", "a.q"), wait("y", "a.q"), wait(from_h1, "z", "a.q");
  EXPECT_EQ(starts(), "z x y");
}

// plus.md P6.2
TEST_F(GivenTwoQueuesOfOneSlot, WhenAFileIsWrongThenTheOldKeysStay) {
  EXPECT_TRUE(write("JobSortKey: SubmitTime\n").warnings.empty());
  const auto read_at = file()->read_at;
  now = now + Duration{5};
  const auto decisions = write("JobSortKey: Speed\n");
  ASSERT_EQ(decisions.warnings.size(), 1u);
  EXPECT_EQ(decisions.warnings.front(),
            "sched_conf, line 1: \"Speed\" is not a value of JobSortKey");
  EXPECT_EQ(file()->text, "JobSortKey: SubmitTime\n");
  EXPECT_EQ(file()->error, decisions.warnings.front());
  EXPECT_EQ(file()->read_at, read_at);
  wait("a", "a.q"), wait("b", "b.q", 900);
  EXPECT_EQ(starts(), "a b");
  write("JobSortKey: SubmitTime\n");
  EXPECT_EQ(file()->error, "");
  EXPECT_EQ(replayed(), planner.digest());
}

TEST_F(GivenTwoQueuesOfOneSlot, WhenTheFileIsTakenAwayThenTheDefaultsCount) {
  write("JobSortKey: SubmitTime\n");
  wait("a", "a.q"), wait("b", "b.q");
  write("");
  EXPECT_EQ(file(), nullptr);
  EXPECT_EQ(starts(), "b a");
}

TEST_F(GivenTwoQueuesOfOneSlot, WhenNothingNewIsReadThenNoRecordChanges) {
  write("JobSortKey: SubmitTime\n");
  EXPECT_TRUE(write("JobSortKey: SubmitTime\n").effects.empty());
  write("?");
  EXPECT_TRUE(write("?").effects.empty()) << "the same error";
  EXPECT_TRUE(write("x", "sge_request").effects.empty()) << "no such file is known";
  EXPECT_EQ(file("sge_request"), nullptr);
  EXPECT_TRUE(write(std::string(largest_site_file + 1, '#')).warnings.front().size() < 200);
  write("PLUS_NODE_RESERVABLE = true", "reservable.ad");
  EXPECT_EQ(file("reservable.ad")->text, "PLUS_NODE_RESERVABLE = true");
}

// plus.md P6.9
TEST_F(GivenTwoQueuesOfOneSlot, WhenTheLastTaskLeavesAHostThenItIsIdleFromThenOn) {
  EXPECT_EQ(planner.state().host("h1").idle_since, Instant{});
  wait("x", "a.q");
  now = now + Duration{5};
  EXPECT_EQ(next(), "x");
  now = now + Duration{5};
  EXPECT_EQ(next(), "");
  EXPECT_EQ(planner.state().host("h1").idle_since, now);
  const auto before = now;
  params("SORT_MODE=default");
  wait("y", "a.q");
  now = now + Duration{5};
  pass();
  EXPECT_EQ(next(), "");
  EXPECT_EQ(planner.state().host("h1").idle_since, before) << "nobody goes by it";
}

// plus.md P6.39: an array has a turn for each task that starts.
TEST_F(GivenTwoQueuesOfOneSlot, WhenQueuesTakeTurnsThenTasksOfAnArrayDoSo) {
  write("JobSortKey: QueueRoundRobin, SubmitTime\n");
  auto tasks = array(2);
  tasks.queues = {"a.q"};
  const auto number = submit(root, tasks);
  wait("b1", "b.q"), wait("b2", "b.q");
  EXPECT_EQ(next(), "");
  ASSERT_TRUE(is_active(number));
  end(number, 0, 1), pass();
  EXPECT_EQ(runs(), "b1");
  EXPECT_EQ(next(), "");
  end(number, 0, 2), pass();
  EXPECT_EQ(runs(), "b2");
}

// plus.md P6.42: holds go by the same keys.
TEST_F(GivenTwoQueuesOfOneSlot, WhenPlacesAreHeldThenTheFirstByTheKeysHasTheEarliest) {
  scheduler({{"params", "SORT_MODE=plus,DURATION_OFFSET=0"},
             {"max_reservation", "5"},
             {"default_duration", "0:10:0"}});
  write("JobSortKey: MostTimeRequested\n");
  const auto reserving = [&](const std::string& name, const std::string& limit) {
    auto request = job(name, limit);
    request.reserve = true, request.queues = {"a.q"};
    return submit(root, request);
  };
  const auto brief = reserving("brief", "60"), lengthy = reserving("lengthy", "600");
  pass();
  ASSERT_FALSE(find(brief)->holds.empty());
  ASSERT_FALSE(find(lengthy)->holds.empty());
  EXPECT_LT(find(lengthy)->holds.front().window.start, find(brief)->holds.front().window.start);
  write("JobSortKey: LeastTimeRequested\n");
  pass();
  EXPECT_LT(find(lengthy)->holds.front().window.start, find(brief)->holds.front().window.start)
      << "what is held moves later for a cause only";
  EXPECT_EQ(replayed(), planner.digest());
}
