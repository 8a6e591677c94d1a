// What records of one user may take up in the master (qmaster_params MAX_USER_MB).
#include "planner_fixture.hpp"

using namespace almanac;

namespace {

class GivenUsersWithOneMegabyte : public PlannerFixture {
public:
  GivenUsersWithOneMegabyte() {
    hosts(1, 1);
    allow("MAX_USER_MB=1");
  }
  void allow(const std::string& param) { global({{"qmaster_params", param}}); }
  static JobRequest large() {
    auto request = job("large");
    for (const auto* name : {"A", "B", "C", "D"})
      request.environment.push_back({name, std::string(100'000, 'a')});
    return request;
  }
  Answer send(const Caller& caller, JobRequest request, std::int64_t script_bytes = 0) {
    return command(caller, Submit{std::move(request), "hash", script_bytes});
  }
  std::int64_t kept() const { return planner.state().waiting().kept_bytes_of("alice"); }
};

} // namespace

TEST_F(GivenUsersWithOneMegabyte, WhenJobsOfOneTakeUpMoreThenNoMoreOfThemAreTaken) {
  const auto first = submit(alice, large());
  submit(alice, large());
  const auto refused = send(alice, large());
  EXPECT_EQ(refused.exit_code, 25);
  EXPECT_NE(text(refused).find("more than 1 MB (qmaster_params MAX_USER_MB)"), std::string::npos);
  EXPECT_EQ(send(alice, job("small"), 300'000).exit_code, 25) << "scripts count, too";
  submit(alice, job("small"));
  submit(bob, large());
  for (int i = 0; i < 4; ++i) submit(root, large());
  EXPECT_EQ(command(alice, DeleteJobs{{std::to_string(first)}, {}, {}}).exit_code, 0);
  submit(alice, large());
}

TEST_F(GivenUsersWithOneMegabyte, WhenManySmallJobsAreAlteredToLargeOnesThenOnlySomeAre) {
  for (int i = 0; i < 12; ++i) submit(alice, job("small"));
  auto larger = job("small");
  larger.output = "/" + std::string(100'000, 'o');
  const auto answer = command(alice, AlterJobs{{"small"}, {}, {"-o"}, larger});
  EXPECT_EQ(answer.exit_code, 1) << text(answer) << kept();
  EXPECT_LE(kept(), 1 << 20);
  EXPECT_GT(kept(), 800'000) << text(answer);
}

TEST_F(GivenUsersWithOneMegabyte, WhenReservationsTakeUpMoreThenNoMoreAreTaken) {
  auto request = window(now.seconds + 10'000, 10);
  request.users.assign(3, std::string(100'000, 'u'));
  const ConfigurationChange change{
      ChangeVerb::add_entries, {ObjectKind::userset, "arusers", {}}, {"alice"}};
  EXPECT_EQ(command(root, Configure{change}).exit_code, 0);
  int taken = 0;
  Answer answer;
  for (; taken < 10; ++taken, request.start.seconds += 20)
    if (answer = command(alice, Reserve{request}); answer.exit_code != 0) break;
  EXPECT_EQ(taken, 3) << text(answer);
  EXPECT_EQ(answer.exit_code, 25) << text(answer);
}

TEST_F(GivenUsersWithOneMegabyte, WhenTheRecordsAreReadAgainThenTheyCountAsBefore) {
  submit(alice, large());
  const auto before = kept();
  EXPECT_GT(before, 400'000);
  planner = *Planner::restore(planner.state().records().copy());
  tell(Restarted{1, planner.digest(), false, {}, "master"});
  EXPECT_EQ(kept(), before);
}

TEST_F(GivenUsersWithOneMegabyte, WhenThereIsNoLimitThenAllAreTaken) {
  allow("MAX_USER_MB=0");
  for (int i = 0; i < 4; ++i) submit(alice, large());
}

TEST_F(GivenUsersWithOneMegabyte, WhenAJobWaitsForVeryManyThenThatIsKept) {
  auto request = job("a");
  request.predecessors = {"*"};
  int taken = 0;
  while (taken < 1'000 && send(alice, request).exit_code == 0) ++taken;
  EXPECT_GT(taken, 40);
  EXPECT_LT(taken, 80);
  EXPECT_EQ(command(alice, DeleteJobs{{"a"}, {}, {}, false}).exit_code, 0);
  EXPECT_EQ(kept(), 0);
}

TEST_F(GivenUsersWithOneMegabyte, WhenArraysAreCutIntoPiecesThenThoseAreKept) {
  auto request = job("array");
  request.tasks = {1, 2'000, 1};
  for (int i = 0; i < 50; ++i) submit(alice, request);
  std::vector<TaskRange> every_other;
  for (int i = 1; i < 900; ++i) every_other.push_back({2 * i, 2 * i, 1});
  EXPECT_EQ(command(alice, DeleteJobs{{}, every_other, {"alice"}, false}).exit_code, 0)
      << "one request may go a bit too far";
  for (auto& range : every_other) range.first = ++range.last;
  every_other.resize(300);
  every_other.push_back({1'900, 1'900, 1});
  const auto answer = command(alice, DeleteJobs{{"1"}, every_other, {}, false});
  EXPECT_EQ(answer.exit_code, 0) << "fewer ranges are left";
  const auto more = command(alice, DeleteJobs{{"2"}, {{1'900, 1'900, 1}}, {}, false});
  EXPECT_NE(text(more).find("denied: job 2: the records of \"alice\""), std::string::npos);
}

TEST_F(GivenUsersWithOneMegabyte, WhenMailGoesToManyThenTheirLettersCount) {
  auto request = job("letters");
  request.mail_at = "a";
  request.mail_to.assign(101, "bob@example.org");
  EXPECT_EQ(text(send(alice, request)),
            "Unable to run job: mail is sent to 100 addresses at most (-M).\nExiting.\n");
  request.mail_to.pop_back();
  int taken = 0;
  while (taken < 10 && send(alice, request).exit_code == 0) ++taken;
  EXPECT_EQ(taken, 2);
}
