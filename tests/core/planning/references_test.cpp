// What jobs and reservations refer to stays as it is while they do.
#include "planner_fixture.hpp"

using namespace almanac;

namespace {

class GivenObjectsInUse : public PlannerFixture {
public:
  Answer change(ChangeVerb verb, ObjectKind kind, const std::string& name,
                std::vector<Attribute> attributes = {}) {
    return command(root, Configure{{verb, {kind, name, std::move(attributes)}, {}}});
  }
  void made(ChangeVerb verb, ObjectKind kind, const std::string& name,
            std::vector<Attribute> attributes = {}) {
    const auto answer = change(verb, kind, name, std::move(attributes));
    EXPECT_EQ(answer.exit_code, 0) << text(answer);
  }
};

} // namespace

TEST_F(GivenObjectsInUse, WhenAnOrphanHasACalendarThenTheCalendarStays) {
  hosts(2, 1);
  made(ChangeVerb::add, ObjectKind::calendar, "c", {{"week", "sat-sun"}});
  made(ChangeVerb::add, ObjectKind::cluster_queue, "x.q", {{"hostlist", "h1"}, {"calendar", "c"}});
  auto request = window(now.seconds + 10, 100);
  request.queues = {"x.q"};
  const auto ar = reserve(root, request);
  made(ChangeVerb::erase, ObjectKind::cluster_queue, "x.q");
  EXPECT_EQ(text(change(ChangeVerb::erase, ObjectKind::calendar, "c")),
            "denied: calendar \"c\" is referenced in advance reservation 1\n");
  pass();
  command(root, DeleteReservations{{std::to_string(ar)}, {}, false});
  made(ChangeVerb::erase, ObjectKind::calendar, "c");
}

TEST_F(GivenObjectsInUse, WhenAnOrphanOffersAComplexThenItsMeaningStays) {
  hosts(1, 1);
  auto table = template_of(ObjectKind::complex, "");
  table.set("lic", "l INT <= YES YES 0 0");
  made(ChangeVerb::modify, ObjectKind::complex, "", table.attributes);
  made(ChangeVerb::add, ObjectKind::cluster_queue, "x.q",
       {{"hostlist", "h1"}, {"complex_values", "lic=4"}});
  auto request = window(now.seconds + 10, 100);
  request.queues = {"x.q"};
  reserve(root, request);
  made(ChangeVerb::erase, ObjectKind::cluster_queue, "x.q");
  table.set("lic", "l STRING == YES NO NONE 0");
  EXPECT_EQ(text(change(ChangeVerb::modify, ObjectKind::complex, "", table.attributes)),
            "denied: complex attribute \"lic\" is used by orphaned queue instance \"x.q@h1\": its "
            "shortcut, type, relop, requestable and consumable can't change\n");
}

TEST_F(GivenObjectsInUse, WhenAReservationNeedsAnObjectThenItStays) {
  hosts(2, 1);
  made(ChangeVerb::add, ObjectKind::userset, "course", {{"entries", "alice"}});
  auto request = on_pe(window(now.seconds + 10, 100), "smp", 1);
  request.users = {"@course"}, request.queues = {"*@h1"};
  reserve(root, request);
  made(ChangeVerb::modify, ObjectKind::host_group, "@allhosts", {{"hostlist", "h2"}});
  for (const auto& [kind, name, title] :
       {std::tuple(ObjectKind::userset, "course", "userset"),
        std::tuple(ObjectKind::parallel_environment, "smp", "parallel environment"),
        std::tuple(ObjectKind::exec_host, "h1", "host")})
    EXPECT_EQ(text(change(ChangeVerb::erase, kind, name)),
              std::string("denied: ") + title + " \"" + name +
                  "\" is referenced in advance reservation 1\n");
}

TEST_F(GivenObjectsInUse, WhenAJobNeedsAPEThenItStays) {
  hosts(1, 4);
  made(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q", {{"pe_list", "make"}});
  auto request = job("waits");
  request.pe = "smp", request.slots = {{2, 2}};
  const auto number = submit(root, request);
  EXPECT_EQ(text(change(ChangeVerb::erase, ObjectKind::parallel_environment, "smp")),
            "denied: Pe \"smp\" is still referenced in job 1.\n");
  command(root, DeleteJobs{{std::to_string(number)}, {}, {}, false});
  request.pe = "*";
  submit(root, request);
  made(ChangeVerb::erase, ObjectKind::parallel_environment, "smp");
}

TEST_F(GivenObjectsInUse, WhenAQueueListsACalendarOrAProjectThenThatIsSaidAsGridEngineSaysIt) {
  // C8.34
  hosts(1, 4);
  made(ChangeVerb::add, ObjectKind::calendar, "night", {{"week", "sat-sun"}});
  made(ChangeVerb::add, ObjectKind::project, "sky");
  made(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q",
       {{"calendar", "night"}, {"xprojects", "sky"}});
  EXPECT_EQ(text(change(ChangeVerb::erase, ObjectKind::calendar, "night")),
            "denied: Calendar \"night\" is still referenced in queue \"all.q\"\n");
  EXPECT_EQ(
      text(change(ChangeVerb::erase, ObjectKind::project, "sky")),
      "denied: project \"sky\" is still referenced in xprojects of cluster queue \"all.q\"\n");
}

TEST_F(GivenObjectsInUse, WhenAQueueHasValuesOfAGroupThenTheGroupStays) {
  hosts(1, 4);
  made(ChangeVerb::add, ObjectKind::host_group, "@big", {{"hostlist", "h1"}});
  made(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q", {{"slots", "1,[@big=2]"}});
  EXPECT_EQ(text(change(ChangeVerb::erase, ObjectKind::host_group, "@big")),
            "Host group \"@big\" is still referenced in cluster queue \"all.q\".\n");
  made(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q", {{"slots", "1"}});
  made(ChangeVerb::erase, ObjectKind::host_group, "@big");
}

TEST_F(GivenObjectsInUse, WhenAnObjectHasTheNameOfTheTemplateThenItIsRefused) {
  for (const auto& [kind, name] : {std::pair(ObjectKind::cluster_queue, "template"),
                                   std::pair(ObjectKind::host_group, "@template")})
    EXPECT_EQ(text(change(ChangeVerb::add, kind, name)),
              "Keyword (\"template\") not allowed as objectname\n");
}

// O0.5: what is empty in a list is no name.
TEST_F(GivenObjectsInUse, WhenAnObjectHasTheNameOfAKeywordThenItIsRefused) {
  for (const auto kind : {ObjectKind::parallel_environment, ObjectKind::calendar,
                          ObjectKind::checkpoint, ObjectKind::project, ObjectKind::user,
                          ObjectKind::userset, ObjectKind::cluster_queue, ObjectKind::exec_host})
    for (const std::string name : {"NONE", "none", "All", "TEMPLATE"})
      EXPECT_EQ(text(change(ChangeVerb::add, kind, name)),
                "Keyword (\"" + name + "\") not allowed as objectname\n");
  EXPECT_EQ(text(change(ChangeVerb::add, ObjectKind::cluster_queue, "#q")),
            "\"#q\" is not a valid object name (begins with '#')\n");
  made(ChangeVerb::add, ObjectKind::project, "none.at.all");
  made(ChangeVerb::add, ObjectKind::host_group, "@all");
}

TEST_F(GivenObjectsInUse, WhenANameOfAComplexHasAnOperatorThenItIsRefused) {
  for (const std::string name : {"a=b", "a<b", "a>b"}) {
    auto table = template_of(ObjectKind::complex, "");
    table.set(name, "l INT <= YES YES 0 0");
    const auto refused =
        "\"" + name + "\" is not a valid object name (contains '" + name[1] + "')\n";
    EXPECT_EQ(text(change(ChangeVerb::modify, ObjectKind::complex, "", table.attributes)), refused);
    table = template_of(ObjectKind::complex, "");
    table.set("lic", name + " INT <= YES YES 0 0");
    EXPECT_EQ(text(change(ChangeVerb::modify, ObjectKind::complex, "", table.attributes)), refused);
  }
  auto table = template_of(ObjectKind::complex, "");
  table.set("None", "l INT <= YES YES 0 0");
  EXPECT_EQ(text(change(ChangeVerb::modify, ObjectKind::complex, "", table.attributes)),
            "Keyword (\"None\") not allowed as objectname\n");
}

TEST_F(GivenObjectsInUse, WhenAJobHasAProjectThenTheProjectStays) {
  hosts(1, 4);
  made(ChangeVerb::add, ObjectKind::project, "sky");
  auto request = job("flies");
  request.project = "sky";
  const auto number = submit(root, request);
  EXPECT_EQ(text(change(ChangeVerb::erase, ObjectKind::project, "sky")),
            "denied: project \"sky\" is still referenced in job 1.\n");
  command(root, DeleteJobs{{std::to_string(number)}, {}, {}, false});
  made(ChangeVerb::erase, ObjectKind::project, "sky");
}

TEST_F(GivenObjectsInUse, WhenAJobAsksForACheckpointThenTheCheckpointStays) {
  hosts(1, 4);
  made(ChangeVerb::add, ObjectKind::checkpoint, "blcr");
  made(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q", {{"ckpt_list", "blcr"}});
  auto request = job("saved");
  request.checkpoint = "blcr";
  const auto number = submit(root, request);
  made(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q", {{"ckpt_list", "NONE"}});
  EXPECT_EQ(text(change(ChangeVerb::erase, ObjectKind::checkpoint, "blcr")),
            "denied: Ckpt \"blcr\" is still referenced in job 1.\n");
  command(root, DeleteJobs{{std::to_string(number)}, {}, {}, false});
  made(ChangeVerb::erase, ObjectKind::checkpoint, "blcr");
}

TEST_F(GivenObjectsInUse, WhenJobsRunInAQueueThenItStays) {
  // C8.35, C8.36, V7.9
  hosts(1, 4);
  submit(root, job("runs"));
  pass();
  EXPECT_EQ(text(change(ChangeVerb::erase, ObjectKind::cluster_queue, "all.q")),
            "There are still running jobs in the queue. Deletion denied.\n"
            "queue instance \"all.q@h1\": job 1\n");
  EXPECT_EQ(
      text(change(ChangeVerb::modify, ObjectKind::host_group, "@allhosts", {{"hostlist", "NONE"}})),
      "There are still running jobs in the queue instance \"all.q@h1\" (job 1). Change "
      "denied.\n");
}

TEST_F(GivenObjectsInUse, WhenAComplexIsBookedOrAskedForThenItsMeaningStays) {
  hosts(1, 4);
  const auto table = [&](const std::string& row) {
    auto all = template_of(ObjectKind::complex, "");
    if (!row.empty()) all.set("lic", row);
    return change(ChangeVerb::modify, ObjectKind::complex, "", all.attributes);
  };
  EXPECT_EQ(table("l INT <= YES YES 0 0").exit_code, 0);
  made(ChangeVerb::modify, ObjectKind::exec_host, "global", {{"complex_values", "lic=4"}});
  auto request = window(now.seconds + 10, 100);
  request.resources = {{"lic", "2"}};
  reserve(root, request);
  for (const char* row : {"l DOUBLE <= YES YES 0 0", "l INT <= YES NO 0 0", "l INT <= YES JOB 0 0",
                          "l INT <= NO YES 0 0", "k INT <= YES YES 0 0"})
    EXPECT_EQ(text(table(row)),
              "denied: complex attribute \"lic\" is used by advance reservation 1: its shortcut, "
              "type, relop, requestable and consumable can't change\n");
  EXPECT_EQ(table("l INT <= YES YES 0 10").exit_code, 0) << "its urgency may";
  reserve(root, window(now.seconds + 10, 100));
  EXPECT_EQ(text(table("l INT <= FORCED YES 0 0")),
            "denied: advance reservation 2 does not request complex attribute \"lic\": it can't "
            "become FORCED\n");
  command(root, DeleteReservations{{"1", "2"}, {}, false});
  made(ChangeVerb::modify, ObjectKind::exec_host, "global", {{"complex_values", "NONE"}});
  auto waiting = job("waits");
  waiting.resources = {{"lic", "2"}};
  const auto number = submit(root, waiting);
  EXPECT_EQ(text(table("")), "denied: complex attribute \"lic\" is referenced in job 1\n");
  command(root, DeleteJobs{{std::to_string(number)}, {}, {}, false});
  EXPECT_EQ(table("").exit_code, 0);
}

TEST_F(GivenObjectsInUse, WhenSlotsAreTakenAwayThenReservationsAndRunningJobsAreNamed) {
  hosts(1, 4);
  reserve(root, on_pe(window(now.seconds + 1000, 100), "fill", 2));
  submit(root, job("runs"));
  pass();
  const auto slots = [&](const char* count) {
    return change(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q",
                  {{"slots", std::string("1,[h1=") + count + "]"}});
  };
  EXPECT_EQ(text(slots("2")),
            "denied: 2 slots are already reserved in all.q@h1 by an advance reservation; 1 more "
            "are used by running jobs\n");
  EXPECT_EQ(slots("3").exit_code, 0);
}

// What is held for a waiting job gives way to the administrator.
TEST_F(GivenObjectsInUse, WhenOnlyAHoldIsInTheWayThenSlotsCanBeTakenAway) {
  hosts(1, 4);
  made(ChangeVerb::modify, ObjectKind::scheduler_configuration, "",
       {{"max_reservation", "10"}, {"default_duration", "1:0:0"}});
  auto request = job("runs", "100");
  request.pe = "fill", request.slots = {{2, 2}};
  submit(root, request);
  pass();
  request.name = "held", request.reserve = true, request.slots = {{4, 4}};
  const auto held = submit(root, request);
  reserve(root, on_pe(window(now.seconds + 2000, 100), "fill", 2));
  pass();
  ASSERT_EQ(find(held)->holds.size(), 1u);
  made(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q", {{"slots", "2"}});
  pass();
  EXPECT_TRUE(find(held)->holds.empty());
}

// What was granted stays usable for those it was granted to (guards G5 and G8 to G10).
TEST_F(GivenObjectsInUse, WhenAChangeWouldKeepAReservationsUsersOutThenItIsRefused) {
  hosts(2, 1);
  made(ChangeVerb::add, ObjectKind::userset, "staff", {{"entries", "alice"}});
  made(ChangeVerb::add, ObjectKind::userset, "others", {{"entries", "bob"}});
  made(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q", {{"user_lists", "staff"}});
  auto request = on_pe(window(now.seconds + 10, 100), "fill", 1);
  request.users = {"alice"}, request.queues = {"*@h1"};
  reserve(root, request);
  const auto queue = [&](const char* attribute, const char* value) {
    return change(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q", {{attribute, value}});
  };
  const std::string breaks = " would break advance reservation 1\n";
  EXPECT_EQ(text(queue("user_lists", "others")), "denied: the change in \"user_lists\"" + breaks);
  EXPECT_EQ(text(queue("xuser_lists", "NONE,[h1=staff]")),
            "denied: the change in \"xuser_lists\"" + breaks);
  EXPECT_EQ(queue("xuser_lists", "NONE,[h2=staff]").exit_code, 0);
  EXPECT_EQ(
      text(change(ChangeVerb::modify, ObjectKind::exec_host, "h1", {{"user_lists", "others"}})),
      "denied: the change in \"user_lists\"" + breaks);
  EXPECT_EQ(text(change(ChangeVerb::modify, ObjectKind::userset, "staff", {{"entries", "NONE"}})),
            "denied: the change in \"entries\"" + breaks);
  EXPECT_EQ(text(queue("pe_list", "make")), "denied: removing \"fill\" from pe_list" + breaks);
  EXPECT_EQ(queue("pe_list", "fill,[h2=NONE]").exit_code, 0);
}

// reservations G6, reservations G11
TEST_F(GivenObjectsInUse, WhenAReservationAsksForACheckpointThenItAndItsPlaceInListsStay) {
  hosts(2, 1);
  for (const char* name : {"blcr", "other"}) made(ChangeVerb::add, ObjectKind::checkpoint, name);
  const auto list = [&](const char* names) {
    return change(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q", {{"ckpt_list", names}});
  };
  const auto erase = [&](const char* name) {
    return change(ChangeVerb::erase, ObjectKind::checkpoint, name);
  };
  EXPECT_EQ(list("blcr other").exit_code, 0);
  auto request = window(now.seconds + 10, 100);
  request.checkpoint = "blcr", request.queues = {"*@h1"};
  const auto ar = reserve(root, request);
  const std::string breaks = "denied: removing \"blcr\" from ckpt_list would break advance "
                             "reservation 1\n";
  const auto before = *planner.state().configuration().find(ObjectKind::cluster_queue, "all.q");
  EXPECT_EQ(text(list("NONE")), breaks);
  EXPECT_EQ(text(list("blcr other,[h1=other]")), breaks);
  EXPECT_EQ(*planner.state().configuration().find(ObjectKind::cluster_queue, "all.q"), before);
  EXPECT_EQ(list("blcr,[h2=NONE]").exit_code, 0) << "nobody asks for the other one, nor on h2";
  EXPECT_EQ(erase("other").exit_code, 0);
  // The queue goes: its instance lives on for the reservation, and so does what it asks for.
  made(ChangeVerb::erase, ObjectKind::cluster_queue, "all.q");
  EXPECT_EQ(text(erase("blcr")), "denied: ckpt \"blcr\" is referenced in advance reservation 1\n");
  const auto again = [&](const char* names) {
    return change(ChangeVerb::add, ObjectKind::cluster_queue, "all.q",
                  {{"hostlist", "h1"}, {"ckpt_list", names}});
  };
  EXPECT_EQ(text(again("NONE")), breaks);
  EXPECT_EQ(again("blcr").exit_code, 0);
  command(root, DeleteReservations{{std::to_string(ar)}, {}, false});
  EXPECT_EQ(list("NONE").exit_code, 0);
  EXPECT_EQ(erase("blcr").exit_code, 0);
}

TEST_F(GivenObjectsInUse, WhenAPreparedReservationAsksForACheckpointThenItStaysUntilItIsDropped) {
  hosts(1, 1);
  made(ChangeVerb::add, ObjectKind::checkpoint, "blcr");
  made(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q", {{"ckpt_list", "blcr"}});
  auto request = window(now.seconds + 10, 100);
  request.checkpoint = "blcr";
  const auto held =
      command(root, PrepareReservation{"t", {}, ReservationVerb::change, request, {60}});
  ASSERT_EQ(held.exit_code, 0) << text(held);
  const auto empty = [&] {
    return change(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q", {{"ckpt_list", "NONE"}});
  };
  EXPECT_EQ(text(empty()),
            "denied: removing \"blcr\" from ckpt_list would break advance reservation 1\n");
  command(root, SettleReservation{"t", {held.number}, false});
  EXPECT_EQ(empty().exit_code, 0);
}

// Guard G2 (R10.22), on each level that can offer a value, and from what has to be requested.
TEST_F(GivenObjectsInUse, WhenAValueThatAReservationRequestedChangesThenItIsRefused) {
  hosts(2, 1);
  auto table = template_of(ObjectKind::complex, "");
  table.set("chip", "chp RESTRING == YES NO NONE 0");
  table.set("paid", "pay RESTRING == FORCED NO NONE 0");
  made(ChangeVerb::modify, ObjectKind::complex, "", table.attributes);
  const auto host = [&](const char* name, const char* values) {
    return change(ChangeVerb::modify, ObjectKind::exec_host, name, {{"complex_values", values}});
  };
  const auto queue = [&](const char* attribute, const char* value) {
    return change(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q", {{attribute, value}});
  };
  EXPECT_EQ(host("h1", "chip=fast").exit_code, 0);
  auto request = window(now.seconds + 10, 1000);
  request.resources = {{"chip", "fast|new"}, {"h_vmem", "4G"}};
  reserve(root, request);
  for (const char* values : {"chip=slow", "NONE"})
    EXPECT_EQ(text(host("h1", values)),
              "denied: changing \"chip\" in complex_values would break advance reservation\n");
  EXPECT_EQ(text(host("global", "chip=slow")),
            "denied: changing \"chip\" in complex_values would break advance reservation\n");
  EXPECT_EQ(text(queue("complex_values", "NONE,[h1=chip=slow]")),
            "denied: changing \"chip\" in complex_values would break advance reservation\n");
  EXPECT_EQ(text(queue("complex_values", "paid=yes")),
            "denied: changing \"paid\" in complex_values would break advance reservation\n");
  EXPECT_EQ(text(queue("h_vmem", "2G")),
            "denied: the change in \"h_vmem\" would break advance reservation 1\n");
  const auto* as_it_was = planner.state().configuration().find(ObjectKind::exec_host, "h1");
  EXPECT_EQ(*as_it_was->find("complex_values"), "chip=fast") << "R10.21";
  // What still satisfies the request, and other instances, may change.
  EXPECT_EQ(host("h1", "chip=new").exit_code, 0);
  EXPECT_EQ(host("h2", "chip=slow").exit_code, 0);
  EXPECT_EQ(queue("h_vmem", "8G").exit_code, 0);
  EXPECT_EQ(queue("complex_values", "NONE,[h2=chip=slow]").exit_code, 0);
  command(root, DeleteReservations{{"1"}, {}, false});
  EXPECT_EQ(host("h1", "chip=slow").exit_code, 0);
}

// Guards G8 to G10 in the cell's lists, and in those of an orphan (R10.23); projects alike (R10.24).
TEST_F(GivenObjectsInUse, WhenTheListsOfTheCellOrOfAnOrphanKeepUsersOutThenTheChangeIsRefused) {
  hosts(2, 1);
  made(ChangeVerb::add, ObjectKind::userset, "staff", {{"entries", "alice"}});
  made(ChangeVerb::add, ObjectKind::userset, "others", {{"entries", "bob"}});
  made(ChangeVerb::add, ObjectKind::project, "p", {});
  made(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q", {{"user_lists", "staff"}});
  auto request = window(now.seconds + 10, 1000);
  request.users = {"alice"}, request.queues = {"*@h1"};
  reserve(root, request);
  const auto global = [&](ObjectKind kind, const char* attribute, const char* value) {
    return change(ChangeVerb::modify, kind, kind == ObjectKind::exec_host ? "global" : "",
                  {{attribute, value}});
  };
  const std::string breaks = " would break advance reservation 1\n";
  for (const auto kind : {ObjectKind::exec_host, ObjectKind::global_configuration}) {
    EXPECT_EQ(text(global(kind, "user_lists", "others")),
              "denied: the change in \"user_lists\"" + breaks);
    EXPECT_EQ(text(global(kind, "xuser_lists", "staff")),
              "denied: the change in \"xuser_lists\"" + breaks);
    EXPECT_EQ(global(kind, "xuser_lists", "others").exit_code, 0);
    EXPECT_EQ(text(global(kind, "projects", "p")), "denied: the change in \"projects\"" + breaks);
    EXPECT_EQ(global(kind, "xprojects", "p").exit_code, 0) << "it is of no project";
  }
  made(ChangeVerb::modify, ObjectKind::host_group, "@allhosts", {{"hostlist", "h2"}});
  made(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q", {{"user_lists", "NONE"}});
  EXPECT_EQ(text(change(ChangeVerb::modify, ObjectKind::userset, "staff", {{"entries", "carl"}})),
            "denied: the change in \"entries\"" + breaks);
  EXPECT_EQ(text(change(ChangeVerb::erase, ObjectKind::userset, "staff")),
            "denied: userset \"staff\" is referenced in advance reservation 1\n");
  made(ChangeVerb::modify, ObjectKind::userset, "staff", {{"entries", "alice,carl"}});
  command(root, DeleteReservations{{"1"}, {}, false});
  made(ChangeVerb::erase, ObjectKind::userset, "staff");
}

// reservations G4, R10.25: what is named is what is accepted. More than before is always enough.
TEST_F(GivenObjectsInUse, WhenAPEIsLoweredThenThePeakWithWhatRunsIsNamed) {
  hosts(2, 8);
  reserve(root, on_pe(window(now.seconds + 1000, 1000), "fill", 4));
  reserve(root, on_pe(window(now.seconds + 2000, 1000), "fill", 4));
  auto endless = job("runs");
  endless.pe = "fill", endless.slots = {{3, 3}};
  submit(root, endless);
  pass();
  const auto slots = [&](const char* count) {
    return change(ChangeVerb::modify, ObjectKind::parallel_environment, "fill", {{"slots", count}});
  };
  EXPECT_EQ(text(slots("6")),
            "denied: lowering slots amount below 7 would break advance reservations\n");
  EXPECT_EQ(slots("7").exit_code, 0) << "the reservations do not meet";
  EXPECT_EQ(slots("99").exit_code, 0);
}

// Whoever needs it: the reservation, or a task that still runs there (R10.16).
TEST_F(GivenObjectsInUse, WhenATaskRunsInAnOrphanThenItStaysUntilTheTaskIsGone) {
  hosts(2, 1);
  made(ChangeVerb::add, ObjectKind::cluster_queue, "x.q", {{"hostlist", "h1"}, {"slots", "1"}});
  auto request = window(now.seconds, 1000);
  request.queues = {"x.q"};
  const auto ar = reserve(root, request);
  auto inside = job("inside");
  inside.reservation = {ar};
  made(ChangeVerb::erase, ObjectKind::cluster_queue, "x.q");
  const auto number = submit(root, inside);
  pass();
  start(number);
  const InstanceName orphan{"x.q", "h1"};
  command(root, DeleteReservations{{"1"}, {}, false});
  EXPECT_TRUE(planner.state().configuration().instance(orphan)) << "its job still ends there";
  end(number);
  EXPECT_FALSE(planner.state().configuration().instance(orphan));
}
