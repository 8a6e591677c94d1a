// The lines that tell what happened to a job (acceptance, friendliness 18).
#include "actors/master/chronicle.hpp"
#include "core/planning/planner.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

class GivenAChronicle : public ::testing::Test {
public:
  GivenAChronicle() {
    records.apply(planner.state().records().as_effects());
    records.follow(chronicle);
    chronicle.listen(true);
    command(AddHost{"h1", 4});
    tell(HostRegistered{"h1", {"lx-amd64", 4, 8LL << 30, "boot", "spool", "127.0.0.1:1"}});
  }
  Decisions tell(const Input& input) {
    const auto checked = validated_input(input);
    auto decisions = planner.handle(std::get<ValidInput>(checked), {1'000'000});
    records.apply(decisions.effects);
    lines.clear();
    for (auto& line : chronicle.take({{93}, "somebody says so"})) lines += line + "\n";
    return decisions;
  }
  std::int64_t command(CommandBody body) {
    return tell(Command{{"root", "root", 0, 0, "master"}, std::move(body)}).answer->number;
  }
  bool has(const std::string& line) const { return lines.find(line) != std::string::npos; }

  Planner planner{*Planner::restore(Planner::initial_records("root", "master"))};
  Records records;
  Chronicle chronicle{records};
  std::string lines;
};

} // namespace

TEST_F(GivenAChronicle, WhenAJobLivesThenEachStepIsALineWithItsNumberPlaceAndCause) {
  Submit submit;
  submit.request.name = "a-b", submit.script_hash = "hash";
  const auto job = command(submit);
  EXPECT_TRUE(has("job=1 to=submitted user=\"root\" name=\"a-b\" input=93 "
                  "cause=\"somebody says so\"\n"))
      << lines;
  tell(Pass{});
  EXPECT_TRUE(has("job=1 to=sent from=waiting host=h1 queue=all.q@h1 attempt=1 input=93")) << lines;
  const auto& key = planner.state().job_by_number({job})->key;
  tell(TaskStarted{{key, 0, 1}});
  EXPECT_TRUE(has("job=1 to=running from=sent host=h1")) << lines;
  tell(TaskSaved{{key, 0, 1}, 4711});
  EXPECT_TRUE(has("job=1 to=running from=running host=h1 queue=all.q@h1 attempt=1 "
                  "checkpointed_process=4711 input=93"))
      << lines;
  ExitRecord end;
  end.exit_status = 3, end.wallclock = 7;
  tell(TaskEnded{{key, 0, 1}, end});
  EXPECT_TRUE(has("job=1 to=ended host=h1 exit_status=3 failed=0 wallclock=7 input=93")) << lines;
  EXPECT_TRUE(has("job=1 to=gone")) << lines;
}

TEST_F(GivenAChronicle, WhenAQueueIsDrainedThenTheLineSaysWhy) {
  command(ModifyQueues{QueueAction::disable, {"h1"}, false, "new \"disks\""});
  EXPECT_TRUE(has("queue=all.q@h1 host=h1 to=disabled from=open why=\"new \\\"disks\\\"\""))
      << lines;
  tell(HostSilent{"h1", true});
  EXPECT_TRUE(has("host=h1 to=unknown from=up")) << lines;
}

TEST_F(GivenAChronicle, WhenNobodyListensThenNothingIsSaid) {
  chronicle.listen(false);
  command(ModifyQueues{QueueAction::disable, {"h1"}});
  EXPECT_EQ(lines, "");
}
