#include "core/records/records.hpp"

#include "core/records/occupancy.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace almanac;

namespace {

Job job(std::int64_t key) {
  Job made;
  made.key = {key}, made.number = {key}, made.owner.user = "alice";
  return made;
}

Task running(std::int64_t job) {
  Task made;
  made.job = {job}, made.number = 1, made.state = TaskState::running;
  return made;
}

// Writes down what it hears; of a task also whether its job is there.
class Listener : public Index {
public:
  explicit Listener(const Records& records) : records_(records) {}

  using Index::changed;
  void rebuild(const Records&) override {}
  bool agrees(const Records&) const override { return true; }
  void changed(const Job* before, const Job* after) override {
    heard.push_back("job " + text(before) + ">" + text(after));
  }
  void changed(const Task* before, const Task* after) override {
    const bool has_job = records_.find<Job>((before ? before : after)->job);
    heard.push_back(std::string("task ") + (before ? "was" : "") + ">" + (after ? "is" : "") +
                    (has_job ? "" : " without its job"));
  }

  std::vector<std::string> heard;

private:
  static std::string text(const Job* job) { return job ? job->request->name : "-"; }

  const Records& records_;
};

class GivenRecordsThatAreFollowed : public testing::Test {
public:
  GivenRecordsThatAreFollowed() { records.follow(listener); }

  Records records;
  Listener listener{records};
};

} // namespace

TEST_F(GivenRecordsThatAreFollowed, WhenOneChangesThenWhatWasAndWhatIsAreTold) {
  records.put(job(1));
  const auto* before = records.find<Job>({1});
  records.edit<Job>({1}, [](Job& changed) { changed.request.edit().name = "named"; });
  EXPECT_EQ(before->request->name, "") << "rules may go on looking at it";
  records.erase<Job>({1});
  EXPECT_EQ(listener.heard, (std::vector<std::string>{"job ->", "job >named", "job named>-"}));
}

TEST_F(GivenRecordsThatAreFollowed, WhenEffectsAreTakenThenEachRecordIsInThemOnce) {
  records.put(job(2));
  records.put(running(2));
  records.put(job(1));
  records.edit<Job>({2}, [](Job& changed) { changed.request.edit().name = "b"; });
  const auto effects = records.take_effects({});
  ASSERT_EQ(effects.size(), 3u);
  EXPECT_EQ(std::get<JobPtr>(effects[0])->key, JobKey{1});
  EXPECT_EQ(std::get<JobPtr>(effects[1])->request->name, "b");
  EXPECT_EQ(std::get<TaskPtr>(effects[2])->job, JobKey{2});
  EXPECT_TRUE(records.take_effects({}).empty());
}

TEST_F(GivenRecordsThatAreFollowed, WhenEffectsAreAppliedElsewhereThenItIsTheSame) {
  Records other;
  Listener reader(other);
  other.follow(reader);
  records.put(job(1)), records.put(running(1));
  other.apply(records.take_effects({}));
  EXPECT_EQ(other.digest(), records.digest());
  records.erase<Task>({{1}, 1}), records.erase<Job>({1});
  other.apply(records.take_effects({}));
  EXPECT_EQ(other.digest(), records.digest());
  EXPECT_EQ(reader.heard, (std::vector<std::string>{"job ->", "task >is", "task was>", "job >-"}));
}

TEST_F(GivenRecordsThatAreFollowed, WhenAFollowerHasMissedSomethingThenItDoesNotAgree) {
  records.put(job(1));
  TaskTallies tallies;
  RunningTasks users(records);
  records.follow(tallies), records.follow(users);
  records.put(running(1));
  EXPECT_TRUE(records.followers_agree());
  EXPECT_EQ(users.of("alice"), 1);
  NumbersInUse late;
  records.follow(late);
  EXPECT_FALSE(records.followers_agree());
  late.rebuild(records);
  EXPECT_TRUE(records.followers_agree());
}
