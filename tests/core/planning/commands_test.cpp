// What commands about jobs mean: which jobs and tasks, and what they are told.
#include "planner_fixture.hpp"

using namespace almanac;

using GivenJobsOfTwoUsers = PlannerFixture;

TEST_F(GivenJobsOfTwoUsers, WhenATaskOfAPlainJobIsDeletedThenOnlyTaskOneMeansTheJob) {
  const auto id = std::to_string(submit(alice, job("plain")));
  const auto refused = command(alice, DeleteJobs{{id + ".5"}, {}, {}, false});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_EQ(text(refused), "denied: task \"" + id + ".5\" does not exist\n");
  EXPECT_EQ(command(alice, DeleteJobs{{id}, {{2, 4, 1}}, {}, false}).exit_code, 1);
  ASSERT_NE(find(1), nullptr);
  EXPECT_EQ(text(command(alice, DeleteJobs{{id + ".1"}, {}, {}, false})),
            "alice has deleted job " + id + "\n");
  EXPECT_EQ(find(1), nullptr);
}

TEST_F(GivenJobsOfTwoUsers, WhenAHostCallsAnotherUidByAUsersNameThenNothingIsTheirs) {
  const auto id = std::to_string(submit(alice, job("mine")));
  auto other = alice;
  other.uid = 5002;
  EXPECT_EQ(command(other, DeleteJobs{{id}, {}, {}, false}).exit_code, 1);
  EXPECT_EQ(command(other, DeleteJobs{{"mine"}, {}, {}, false}).exit_code, 1);
  EXPECT_EQ(command(other, ChangeHold{{id}, {}, false, true, false, false}).exit_code, 1);
  EXPECT_NE(find(1), nullptr);
  hosts(1, 1);
  command(root,
          Configure{{ChangeVerb::add_entries, {ObjectKind::userset, "arusers", {}}, {"alice"}}});
  auto inside = job("inside");
  inside.reservation = {reserve(alice, window(now.seconds + 100, 100))};
  EXPECT_EQ(command(other, Submit{inside, ""}).exit_code, 1);
  EXPECT_EQ(command(alice, Submit{inside, ""}).exit_code, 0);
}

constexpr const char* too_long =
    "denied: so many names and patterns take too long to compare: name fewer at a time\n";

std::vector<std::string> long_patterns() {
  std::vector<std::string> patterns;
  for (int i = 0; i < 1'000; ++i)
    patterns.push_back("*" + std::string(250, 'a') + "b" + std::to_string(i));
  return patterns;
}

TEST_F(GivenJobsOfTwoUsers, WhenNamesTakeTooLongToCompareThenNobodyWaitsForIt) {
  auto request = job("a");
  request.name = std::string(500, 'a');
  for (int i = 0; i < 20; ++i) submit(alice, request);
  const auto patterns = long_patterns();
  const auto refused = command(alice, DeleteJobs{patterns, {}, {}, false});
  EXPECT_EQ(text(refused), too_long);
  request.predecessors = patterns;
  EXPECT_EQ(command(alice, Submit{request, ""}).exit_code, 1);
  EXPECT_EQ(command(alice, DeleteJobs{{"a*", "*a"}, {}, {}, false}).statements.size(), 20u);
}

TEST_F(GivenJobsOfTwoUsers, WhenShortNamesAreComparedOftenThenThatCounts) {
  for (int i = 0; i < 6'000; ++i) submit(alice, job("a"));
  const ChangeHold same{std::vector<std::string>(1'000, "*"), {}, true};
  EXPECT_EQ(command(alice, same).statements.size(), 6'000u) << "one pattern is tried once";
  std::vector<std::string> patterns;
  for (int i = 0; i < 500; ++i) patterns.push_back("b" + std::to_string(i) + "*");
  EXPECT_EQ(text(command(alice, ChangeHold{patterns, {}, true})), too_long);
  EXPECT_EQ(command(root, ChangeHold{{}, {"*"}, true}).statements.size(), 6'000u);
  for (auto& pattern : patterns) pattern.back() = 'a';
  EXPECT_EQ(command(alice, ChangeHold{patterns, {}, true}).statements.size(), 500u)
      << "names are looked up";
}

TEST_F(GivenJobsOfTwoUsers, WhenNamesOfReservationsTakeTooLongToCompareThenNobodyWaitsForIt) {
  hosts(1, 4);
  for (int i = 0; i < 20; ++i) {
    auto request = on_pe(window(1'000'000 + 100 * i, 100), "fill", 1);
    request.name = std::string(500, 'a');
    reserve(root, request);
  }
  EXPECT_EQ(text(command(root, DeleteReservations{long_patterns(), {}, false})), too_long);
  EXPECT_EQ(command(root, DeleteReservations{{"a*", "*a"}, {}, false}).statements.size(), 20u);
}

TEST_F(GivenJobsOfTwoUsers, WhenAPredecessorIsNotThereThenThereIsNothingToWaitFor) {
  hosts(1, 1);
  auto request = job("last");
  request.predecessors = {"nosuch", "no*", "4711"};
  const auto id = submit(alice, request);
  pass();
  EXPECT_TRUE(is_active(id));
}

// O7.8
TEST_F(GivenJobsOfTwoUsers, WhenAnIdIsBelowTheLowestThatRunJobsThenItIsRefused) {
  hosts(1, 1);
  const auto lowest = [&](const char* uid, const char* gid) {
    const ConfigurationObject global{
        ObjectKind::global_configuration, "", {{"min_uid", uid}, {"min_gid", gid}}};
    ASSERT_EQ(command(root, Configure{{ChangeVerb::modify, global, {}}}).exit_code, 0);
  };
  auto caller = alice;
  caller.uid = 1500, caller.gid = 150;
  lowest("1500", "150");
  EXPECT_EQ(command(caller, Submit{job("fits"), ""}).exit_code, 0);
  lowest("1501", "150");
  EXPECT_NE(
      text(command(caller, Submit{job("low"), ""})).find("the uid 1500 is below min_uid 1501"),
      std::string::npos);
  lowest("1500", "151");
  EXPECT_NE(text(command(caller, Submit{job("low"), ""})).find("the gid 150 is below min_gid 151"),
            std::string::npos);
}

TEST_F(GivenJobsOfTwoUsers, WhenAnOperatorClearsErrorsByPatternThenEverybodysJobsAreMeant) {
  hosts(1, 1);
  const auto id = submit(bob, job("broken"));
  pass();
  start(id);
  end(id, 100);
  ASSERT_EQ(find(id)->tasks.front().state, TaskState::error);
  EXPECT_EQ(command(alice, ClearJobErrors{{"brok*"}}).exit_code, 1);
  EXPECT_EQ(find(id)->tasks.front().state, TaskState::error);
  EXPECT_EQ(text(command(root, ClearJobErrors{{"*"}})),
            "root@master cleared error state of job " + std::to_string(id) + "\n");
  EXPECT_EQ(find(id)->tasks.front().state, TaskState::pending);
  EXPECT_EQ(text(command(root, ClearJobErrors{{std::to_string(id) + ".5"}})),
            "Job " + std::to_string(id) + " is not in error state\n");
}

TEST_F(GivenJobsOfTwoUsers, WhenAJobIsNamedTwiceThenItIsOne) {
  const auto id = std::to_string(submit(alice, job("twice")));
  EXPECT_EQ(command(alice, ChangeHold{{id, "twice", id}, {}, true}).exit_code, 0);
  const auto deleted = command(alice, DeleteJobs{{id, id, "twi*"}, {}, {}, false});
  EXPECT_EQ(text(deleted), "alice has deleted job " + id + "\n");
  EXPECT_EQ(deleted.exit_code, 0);
}

// While its jobs are written anew nobody else is served.
TEST_F(GivenJobsOfTwoUsers, WhenOneRequestChangesVeryMuchThenTheRestIsAsItWas) {
  auto request = job("long");
  request.output = std::string(120'000, 'o');
  for (int i = 0; i < 300; ++i) submit(alice, request);
  const auto held = command(alice, ChangeHold{{"long"}, {}, true});
  EXPECT_EQ(held.exit_code, 1);
  EXPECT_TRUE(find(274)->held_by_user);
  EXPECT_FALSE(find(275)->held_by_user);
  EXPECT_EQ(gridengine::text_of(held.statements.back()),
            "denied: one request changes at most 32 MB of jobs: job 275 and "
            "those after it are as they were; name fewer at a time");
  EXPECT_EQ(command(alice, ChangeHold{{"long"}, {}, true}).exit_code, 0)
      << "what is as it shall be costs nothing";
  AlterJobs change{{"long"}, {}, {"-e"}, request};
  change.request.error = "/short";
  EXPECT_EQ(command(alice, change).exit_code, 1);
  change.options = {"-o"}, change.request.output = "/short";
  EXPECT_EQ(command(alice, change).exit_code, 1) << "what is copied counts";
  EXPECT_EQ(command(alice, change).exit_code, 0);
  change = {{"long"}, {}, {"-p"}, {}};
  change.request.priority = -7;
  EXPECT_EQ(command(alice, change).exit_code, 0) << "now they are short";
}

TEST_F(GivenJobsOfTwoUsers, WhenAnAlterationIsRepeatedThenItGoesOnWhereItStopped) {
  auto request = job("long");
  request.environment = {{"X", std::string(120'000, 'x')}};
  for (int i = 0; i < 600; ++i) submit(alice, request);
  AlterJobs change{{}, {"alice"}, {"-p"}, {}};
  change.request.priority = -7;
  EXPECT_EQ(command(alice, change).exit_code, 1);
  EXPECT_EQ(find(300)->request->priority, 0);
  EXPECT_EQ(command(alice, change).exit_code, 1);
  EXPECT_EQ(find(300)->request->priority, -7);
  EXPECT_EQ(find(600)->request->priority, 0);
  EXPECT_EQ(command(alice, change).exit_code, 0);
  EXPECT_EQ(find(600)->request->priority, -7);
}

TEST_F(GivenJobsOfTwoUsers, WhenAJobIsToStartAtOnceThenTheAnswerSaysThatItHas) {
  hosts(1, 1);
  auto request = job("now");
  request.immediate = true;
  EXPECT_EQ(text(command(alice, Submit{request, ""})),
            "Your job 1 (\"now\") has been submitted\n"
            "Waiting for immediate job to be scheduled.\n"
            "Your immediate job 1 has been successfully scheduled.\n");
  EXPECT_NE(text(command(alice, Submit{request, ""})).find("could not be scheduled"),
            std::string::npos);
}

TEST_F(GivenJobsOfTwoUsers, WhenLessThanNothingIsAskedForThenItIsRefused) {
  hosts(1, 1);
  auto table = *planner.state().configuration().find(ObjectKind::complex, "");
  table.set("dbl", "dbl DOUBLE <= YES YES 0 0");
  ASSERT_EQ(command(root, Configure{{ChangeVerb::modify, table, {}}}).exit_code, 0);
  auto request = job("negative");
  request.resources = {{"dbl", "-1"}};
  EXPECT_EQ(text(command(alice, Submit{request, ""})),
            "Unable to run job: \"dbl=-1\": a request cannot be negative.\nExiting.\n");
  auto reservation = window(now.seconds, 100);
  reservation.resources = {{"dbl", "-0.5"}};
  EXPECT_EQ(text(command(root, Reserve{reservation})),
            "\"dbl=-0.5\": a request cannot be negative\n");
  request.resources = {{"dbl", "0"}};
  EXPECT_EQ(command(alice, Submit{request, ""}).number, 1) << "what was refused took no number";
}

using GivenAReservationOfACourse = PlannerFixture;

TEST_F(GivenAReservationOfACourse, WhenAListNamesSomebodyWhoIsKeptOutThenTheAnswerWarns) {
  hosts(1, 2);
  for (const auto& [list, users] :
       {std::pair<std::string, std::vector<std::string>>{"team", {"alice", "bob"}},
        {"bad", {"bob"}}})
    command(root, Configure{{ChangeVerb::add_entries, {ObjectKind::userset, list, {}}, users}});
  const ConfigurationObject queue{ObjectKind::cluster_queue, "all.q", {{"xuser_lists", "bad"}}};
  ASSERT_EQ(command(root, Configure{{ChangeVerb::modify, queue, {}}}).exit_code, 0);
  auto request = window(now.seconds + 10, 601);
  request.users = {"@team"};
  EXPECT_EQ(text(command(root, Reserve{request})),
            "Your advance reservation 1 has been granted\n"
            "warning: user \"bob\" of @team has no permission for \"all.q@h1\"\n");
}

TEST_F(GivenAReservationOfACourse, WhenAListIsNamedThenItsMembersReservationsAreMeant) {
  hosts(1, 2);
  const auto add = [&](const std::string& list, const std::vector<std::string>& users) {
    EXPECT_EQ(
        command(root, Configure{{ChangeVerb::add_entries, {ObjectKind::userset, list, {}}, users}})
            .exit_code,
        0);
  };
  add("arusers", {"alice", "bob"});
  add("team", {"alice"});
  const auto first = reserve(alice, window(now.seconds + 10, 600));
  const auto second = reserve(bob, window(now.seconds + 10, 600));
  EXPECT_EQ(command(root, DeleteReservations{{}, {"@team"}, false}).exit_code, 0);
  EXPECT_EQ(letter(first), '-');
  EXPECT_EQ(letter(second), 'w');
  const auto job_of_alice = submit(alice, job("a")), job_of_bob = submit(bob, job("b"));
  EXPECT_EQ(command(root, DeleteJobs{{}, {}, {"@team"}, false}).exit_code, 0);
  EXPECT_EQ(find(job_of_alice), nullptr);
  EXPECT_NE(find(job_of_bob), nullptr);
}

TEST_F(GivenAReservationOfACourse, WhenItWouldLastForCenturiesThenItIsRefused) {
  hosts(1, 2);
  EXPECT_EQ(text(command(root, Reserve{window(now.seconds + 1, hundred_years.seconds)})),
            "the advance reservation would end more than 100 years from now\n");
  EXPECT_EQ(command(root, Reserve{window(now.seconds + 10, hundred_years.seconds - 10)}).exit_code,
            0);
}

// Whoever sends a megabyte does not get it back.
TEST_F(GivenJobsOfTwoUsers, WhenNamesAreLongThenRefusalsAreShort) {
  hosts(1, 1);
  const std::string name(100'000, 'x');
  const std::vector<std::string> many(1000, name);
  const auto is_short = [&](CommandBody body) {
    const auto said = text(command(root, std::move(body)));
    EXPECT_FALSE(said.empty());
    EXPECT_LT(said.size(), 2000) << said.substr(0, 200);
  };
  is_short(DeleteJobs{{}, {}, many, false});
  is_short(ChangeHold{{}, many});
  is_short(DeleteReservations{{name}, {}, false});
  is_short(DeleteReservations{{"7" + name}, {}, false});
  is_short(DeleteReservations{{}, many, false});
  auto request = window(now.seconds, 100);
  request.users = {"@" + name};
  is_short(Reserve{request});
  const auto asks = [&](const auto& set) {
    auto reservation = window(now.seconds, 100);
    set(reservation);
    is_short(Reserve{reservation});
    auto work = job("work");
    set(work);
    is_short(Submit{work, ""});
  };
  asks([&](auto& r) { r.queues = {name}; });
  asks([&](auto& r) { r.pe = name, r.slots = {{1, 1}}; });
  asks([&](auto& r) { r.resources = {{name, "1"}}; });
  asks([&](auto& r) { r.resources = {{"h_rt", name}}; });
  asks([&](auto& r) { r.resources = {{"hostname", name}}; });
  asks([&](auto& r) { r.resources = {{"slots", name}}; });
  auto work = job("work");
  work.project = name;
  is_short(Submit{work, ""});
  is_short(Configure{
      {ChangeVerb::modify, {ObjectKind::cluster_queue, "all.q", {{"pe_list", name}}}, {}}});
}

TEST_F(GivenJobsOfTwoUsers, WhenEntriesAreAddedThenEachIsTold) {
  const auto change = [&](ChangeVerb verb) {
    return text(
        command(root, Configure{{verb, {ObjectKind::userset, "team", {}}, {"ann", "ben"}}}));
  };
  EXPECT_EQ(change(ChangeVerb::add_entries), "root@master added \"ann\" to access list \"team\"\n"
                                             "root@master added \"ben\" to access list \"team\"\n");
  EXPECT_EQ(change(ChangeVerb::remove_entries),
            "root@master removed \"ann\" from access list \"team\"\n"
            "root@master removed \"ben\" from access list \"team\"\n");
}

TEST_F(GivenJobsOfTwoUsers, WhenComplexesChangeThenEachIsTold) {
  auto table = *planner.state().configuration().find(ObjectKind::complex, "");
  const auto put = [&] { return text(command(root, Configure{{ChangeVerb::modify, table, {}}})); };
  EXPECT_EQ(put(), "complex entry list is unchanged\n");
  table.set("license", "lic INT <= YES YES 0 0");
  EXPECT_EQ(put(), "root@master added \"license\" to complex entry list\n");
  table.set("license", "lic INT <= YES YES 0 5");
  EXPECT_EQ(put(), "root@master modified \"license\" in complex entry list\n");
  std::erase_if(table.attributes, [](auto& a) { return a.name == "license"; });
  EXPECT_EQ(put(), "root@master removed \"license\" from complex entry list\n");
}

// C4.3: what is booked for it and the limits that its processes have stay.
TEST_F(GivenJobsOfTwoUsers,
       WhenAJobRunsThenOnlyThoseRequestsChangeThatAreNeitherConsumedNorLimits) {
  hosts(1, 1);
  auto table = *planner.state().configuration().find(ObjectKind::complex, "");
  table.set("license", "lic INT <= YES YES 0 0");
  command(root, Configure{{ChangeVerb::modify, table, {}}});
  command(root,
          Configure{
              {ChangeVerb::modify,
               {ObjectKind::exec_host, "h1", {{"hostname", "h1"}, {"complex_values", "license=5"}}},
               {}}});
  auto request = job("runs");
  request.resources = {{"license", "1"}, {"h_rt", "100"}};
  const auto id = submit(alice, request);
  pass();
  start(id);
  const auto alter = [&](const std::vector<Attribute>& resources) {
    JobRequest wanted;
    wanted.resources = resources;
    return text(command(alice, AlterJobs{{std::to_string(id)}, {}, {"-l"}, wanted}));
  };
  const std::vector<Attribute> next{{"lic", "1"}, {"h_rt", "0:1:40"}, {"arch", "*"}};
  EXPECT_EQ(alter(next), "modified hard resource list of job 1\n");
  EXPECT_EQ(find(id)->request->resources, next);
  const auto denied = [](const char* resource, const char* why) {
    return std::string("denied: ") + resource + " of running job 1 cannot be changed: " + why +
           " where it runs (-l replaces all requests)\n";
  };
  EXPECT_EQ(alter({{"license", "2"}, {"h_rt", "100"}}), denied("license", "it is consumed"));
  for (const char* limit : {"200", "50"})
    EXPECT_EQ(alter({{"license", "1"}, {"h_rt", limit}}), denied("h_rt", "the limit is in force"));
  EXPECT_EQ(alter({{"license", "1"}}), denied("h_rt", "the limit is in force"));
  EXPECT_EQ(alter({{"license", "1"}, {"h_rt", "100"}, {"h_vmem", "1G"}}),
            denied("h_vmem", "the limit is in force"));
  EXPECT_EQ(find(id)->request->resources, next);
}

TEST_F(GivenJobsOfTwoUsers, WhenAHostIsChangedInOtherLettersThenItIsTheSameHost) {
  hosts(1, 1);
  const ConfigurationObject object{
      ObjectKind::exec_host, "H1", {{"hostname", "H1"}, {"complex_values", "mem_free=1G"}}};
  const auto answer = command(root, Configure{{ChangeVerb::modify, object, {}}});
  EXPECT_EQ(text(answer), "root@master modified \"h1\" in exechost list\n");
  EXPECT_EQ(
      *planner.state().configuration().find(ObjectKind::exec_host, "h1")->find("complex_values"),
      "mem_free=1G");
}
