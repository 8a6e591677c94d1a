// Jobs that go elsewhere when they are suspended: objects.md O6.8, O6.13, O6.15; cli.md C9.53, C9.96.
#include "assignment_fixture.hpp"

#include "core/text/words.hpp"

#include <map>

using namespace almanac;

namespace {

class GivenAJobThatSavesItself : public AssignmentFixture {
public:
  GivenAJobThatSavesItself() {
    hosts(2, 1);
    environment("own", {{"when", "x"}});
    environment("still", {{"when", "sm"}});
    environment("kernel", {{"interface", "transparent"}, {"signal", "USR2"}});
    environment("lost", {{"when", "r"}});
    queue("all.q", {{"ckpt_list", "own still kernel lost"}});
  }
  void environment(const std::string& name, std::vector<Attribute> attributes) {
    change({ObjectKind::checkpoint, name, std::move(attributes)}, ChangeVerb::add);
  }
  std::int64_t running(const std::string& environment, const std::string& occasions = "") {
    auto request = job("saves");
    request.checkpoint = environment, request.checkpoint_at = occasions;
    request.notify = with_notice;
    const auto number = AssignmentFixture::running(request);
    start(number);
    return number;
  }
  void suspend(std::int64_t number) {
    EXPECT_EQ(command(root, ModifyJobs{JobAction::suspend, {std::to_string(number)}, false, false})
                  .exit_code,
              0);
  }
  /// The record of its end where it ran.
  AccountingRecord ended(std::int64_t number, const ExitRecord& record) {
    for (const auto& effect : handle(TaskEnded{attempt(number), record}).effects)
      if (const auto* written = std::get_if<AccountingRecord>(&effect)) return *written;
    return {};
  }
  bool with_notice = false; ///< -notify

  static ExitRecord killed() {
    ExitRecord record;
    record.failed = failed::killed, record.exit_status = 137;
    return record;
  }
};

} // namespace

TEST_F(GivenAJobThatSavesItself, WhenItIsSuspendedThenItEndsThereAndRunsAgain) {
  const auto number = running("own");
  suspend(number);
  EXPECT_TRUE(task(number).is_moving());
  EXPECT_EQ(state_letters(task(number), false), "s") << "it is not being deleted";
  const auto record = ended(number, killed());
  EXPECT_EQ(record.record.failed, failed::migrate);
  EXPECT_EQ(record.record.reason,
            "it was suspended, and moves as checkpointing environment \"own\" says");
  EXPECT_TRUE(task(number).restarted);
  EXPECT_FALSE(task(number).suspended || task(number).deleting);
  pass();
  EXPECT_TRUE(is_active(number));
}

TEST_F(GivenAJobThatSavesItself, WhenItsQueueInstanceIsSuspendedThenItRunsInAnotherOne) {
  const auto number = running("own");
  const auto before = task(number).grants.front().instance;
  EXPECT_EQ(command(root, ModifyQueues{QueueAction::suspend, {before.text()}}).exit_code, 0);
  EXPECT_TRUE(task(number).is_moving());
  end_as_told(number);
  pass();
  ASSERT_TRUE(is_active(number));
  EXPECT_NE(task(number).grants.front().instance, before);
}

TEST_F(GivenAJobThatSavesItself, WhenItIsNotToMoveThenItStandsStill) {
  for (const auto& [environment, occasions] :
       {std::pair("own", "n"), {"own", "sm"}, {"still", ""}, {"still", "600"}}) {
    const auto number = running(environment, occasions);
    suspend(number);
    EXPECT_TRUE(task(number).suspended && !task(number).deleting) << environment << occasions;
    command(root, DeleteJobs{{std::to_string(number)}, {}, {}, false});
    end_as_told(number);
  }
  const auto asks = running("still", "x");
  suspend(asks);
  EXPECT_TRUE(task(asks).is_moving()) << "-c counts before the environment";
}

// S4.10, S11.6.
TEST_F(GivenAJobThatSavesItself, WhenItMovesThenTheScheduleSaysSo) {
  change({ObjectKind::scheduler_configuration, "", {{"params", "MONITOR=1"}}});
  const auto moves = running("own"), stands = running("own", "n");
  const auto states = [&] {
    std::map<std::string, std::string> states;
    for (const auto& line : handle(Pass{}).schedule)
      if (const auto words = split(line, ':'); words.size() > 3) states[words[0]] = words[2];
    return states;
  };
  suspend(moves), suspend(stands);
  const auto shown = states();
  EXPECT_EQ(shown.at(std::to_string(moves)), "MIGRATING");
  EXPECT_EQ(shown.at(std::to_string(stands)), "SUSPENDED");
}

// O6.8.
TEST_F(GivenAJobThatSavesItself, WhenItsInterfaceIsAnotherOneThenItMovesAllTheSame) {
  const auto number = running("kernel");
  suspend(number);
  EXPECT_TRUE(task(number).is_moving());
}

// O6.19.
TEST_F(GivenAJobThatSavesItself, WhenItWasSavedThenItsNextAttemptsKnowOfWhichProcess) {
  const auto number = running("own");
  suspend(number);
  auto record = killed();
  record.checkpoint_pid = 4711;
  ended(number, record);
  EXPECT_EQ(task(number).checkpoint_pid, 4711);
  pass();
  start(number);
  suspend(number);
  ended(number, killed());
  EXPECT_EQ(task(number).checkpoint_pid, 4711) << "of the last one that was saved";
}

// O6.19: its host can't say it any more.
TEST_F(GivenAJobThatSavesItself, WhenItsHostIsLostThenTheCheckpointBeforeIsKnown) {
  const auto number = running("lost");
  handle(TaskSaved{attempt(number), 4711});
  EXPECT_EQ(task(number).checkpoint_pid, 4711);
  auto old = attempt(number);
  --old.attempt;
  handle(TaskSaved{old, 12});
  handle(TaskSaved{attempt(number), 0});
  EXPECT_EQ(task(number).checkpoint_pid, 4711);
  handle(TaskLost{attempt(number), task(number).grants.front().instance.host});
  EXPECT_TRUE(task(number).restarted && task(number).checkpoint_pid == 4711);
}

// O6.13: r.
TEST_F(GivenAJobThatSavesItself, WhenItsHostIsLostThenWithRItRunsElsewhere) {
  for (const auto& [environment, again] : {std::pair("lost", true), {"own", false}}) {
    auto request = job("lost");
    request.checkpoint = environment, request.rerun = Rerun::no;
    const auto number = AssignmentFixture::running(request);
    start(number);
    handle(TaskLost{attempt(number), task(number).grants.front().instance.host});
    EXPECT_EQ(find(number) != nullptr, again) << environment;
  }
}

TEST_F(GivenAJobThatSavesItself, WhenItSavesItselfAtTheNoticeThenItRunsAgain) {
  with_notice = true;
  const auto number = running("own");
  suspend(number);
  EXPECT_EQ(ended(number, {}).record.failed, failed::migrate) << "it exited with 0";
  pass();
  EXPECT_TRUE(is_active(number));
}

TEST_F(GivenAJobThatSavesItself, WhenItEndsByItselfOrIsDeletedMeanwhileThenItIsOver) {
  const auto done = running("own");
  suspend(done);
  EXPECT_EQ(ended(done, {}).record.failed, failed::none);
  EXPECT_EQ(find(done), nullptr);
  const auto deleted = running("own");
  suspend(deleted);
  command(root, DeleteJobs{{std::to_string(deleted)}, {}, {}, false});
  EXPECT_FALSE(task(deleted).is_moving());
  EXPECT_EQ(ended(deleted, killed()).record.failed, failed::killed);
  EXPECT_EQ(find(deleted), nullptr);
}
