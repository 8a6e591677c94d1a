#include "core/policy/standing.hpp"
#include "planner_fixture.hpp"

using namespace almanac;

namespace {

// A cell of two execution hosts; its master runs on the host "master".
class GivenHosts : public PlannerFixture {
public:
  GivenHosts() {
    tell(Restarted{1, planner.digest(), false, {}, "master"});
    hosts(2, 4);
  }
  static Caller on(Caller caller, const std::string& host) {
    caller.host = host;
    return caller;
  }
  Answer change(const Caller& caller, ChangeVerb verb, ObjectKind kind, const std::string& host) {
    ConfigurationChange change;
    change.verb = verb, change.object.kind = kind, change.entries = {host};
    return command(caller, Configure{change});
  }
  Answer submit_as(const Caller& caller) { return command(caller, Submit{job("j"), "hash"}); }
  using PlannerFixture::ask;
  Answer ask(const ValidQuestion& question) { return planner.ask(question, now); }
  static std::string said(const Answer& answer) {
    return answer.statements.empty() ? "" : text(answer).substr(0, text(answer).size() - 1);
  }
};

} // namespace

TEST_F(GivenHosts, WhenAHostIsAddedThenItsUsersMaySubmitAndConfigureNothing) {
  EXPECT_EQ(submit_as(on(alice, "h1")).exit_code, 0);
  EXPECT_EQ(said(change(on(alice, "h1"), ChangeVerb::add_entries, ObjectKind::admin_hosts, "h1")),
            "denied: host \"h1\" is no admin host");
  EXPECT_FALSE(planner.state().configuration().is_admin_host("h1"));
}

TEST_F(GivenHosts, WhenManagersAreOnAnAdminHostThenTheyComeFirstAndNobodyElseDoes) {
  const auto first = [this](const Caller& caller) {
    return precedence_in(planner.state().configuration()).is_first(caller);
  };
  EXPECT_TRUE(first(root));
  EXPECT_TRUE(first(on(root, "MASTER")));
  EXPECT_FALSE(first(on(root, "h1"))) << "only a submit host";
  EXPECT_FALSE(first(alice));
  ConfigurationChange change;
  change.verb = ChangeVerb::add_entries, change.object.kind = ObjectKind::managers;
  change.entries = {"alice"};
  EXPECT_EQ(command(root, Configure{change}).exit_code, 0);
  EXPECT_TRUE(first(alice));
  EXPECT_FALSE(first(on(alice, "h1")));
}

TEST_F(GivenHosts, WhenAHostIsNeitherThenNothingIsDoneThere) {
  const std::string denied = "denied: host \"h9\" is neither submit nor admin host";
  EXPECT_EQ(said(submit_as(on(alice, "h9"))), denied);
  EXPECT_EQ(said(submit_as(on(root, ""))), "denied: host \"\" is neither submit nor admin host");
  EXPECT_EQ(said(ask(MayEnter{on(root, "h9")})), denied);
  EXPECT_EQ(said(ask(VerifySubmit{on(alice, "h9"), Submit{job("j"), "hash"}})), denied);
  EXPECT_EQ(ask(MayEnter{on(alice, "h1")}).exit_code, 0);
}

TEST_F(GivenHosts, WhenManagersAndOperatorsAreElsewhereThenTheyArePlainUsers) {
  const auto number = submit(alice, job("hers"));
  const auto kill = DeleteJobs{{std::to_string(number)}, {}, {}, false};
  const Caller carol{"carol", "users", 1003, 1003, "master"};
  ConfigurationChange promotion;
  promotion.verb = ChangeVerb::add_entries, promotion.object.kind = ObjectKind::managers;
  promotion.entries = {"carol"};
  EXPECT_EQ(command(root, Configure{promotion}).exit_code, 0);
  const auto refused = said(command(on(carol, "h1"), kill));
  EXPECT_NE(refused.find("do not have the necessary privileges"), std::string::npos) << refused;
  EXPECT_NE(refused.find("denied: host \"h1\" is no admin host: \"carol\" is a plain user there"),
            std::string::npos)
      << refused;
  EXPECT_EQ(said(command(on(bob, "h1"), kill)).find("admin host"), std::string::npos)
      << "bob is no operator anywhere";
  EXPECT_NE(said(ask(MayLookInside{on(carol, "h1")})).find("h1"), std::string::npos);
  EXPECT_EQ(ask(MayLookInside{root}).exit_code, 0);
  EXPECT_EQ(command(root, kill).exit_code, 0);
}

// Who holds the key of one host would be root of all through a job.
TEST_F(GivenHosts, WhenRootOrAnAccountOfTheSystemIsElsewhereThenItIsNobody) {
  const Caller daemon{"almanac", "almanac", 999, 999, "master"};
  const Caller by_name{"root", "users", 1009, 1009, "master"};
  const Caller without_number{"root", "root", nobody, nobody, "master"};
  for (const auto& caller : {root, daemon, by_name, without_number})
    for (const char* through : {"", "the agent on h1"}) {
      auto there = on(caller, "h1");
      there.through = through;
      for (const auto& body :
           {CommandBody(Submit{job("j"), "hash"}), CommandBody(Reserve{}), CommandBody(AlterJobs{}),
            CommandBody(DeleteJobs{{"1"}, {}, {}, false})})
        EXPECT_NE(said(command(there, body)).find("is nobody in this cell"), std::string::npos);
      EXPECT_NE(ask(MayLookInside{there}).exit_code, 0);
    }
  EXPECT_EQ(submit_as(daemon).exit_code, 0) << "on an admin host";
  EXPECT_EQ(change(root, ChangeVerb::add_entries, ObjectKind::admin_hosts, "h1").exit_code, 0);
  EXPECT_EQ(submit_as(on(root, "h1")).exit_code, 0);
}

TEST_F(GivenHosts, WhenUsersBeginAtAnotherNumberThenMinUidSaysIt) {
  const Caller portal{"www-data", "www-data", 33, 33, "h1"};
  EXPECT_NE(said(submit_as(portal)).find("below 1000 (min_uid)"), std::string::npos);
  ConfigurationChange least;
  least.verb = ChangeVerb::modify;
  least.object = *planner.state().configuration().find(ObjectKind::global_configuration, "");
  least.object.set("min_uid", "33");
  EXPECT_EQ(command(root, Configure{least}).exit_code, 0);
  EXPECT_EQ(submit_as(portal).exit_code, 0);
  EXPECT_NE(submit_as(on(root, "h1")).exit_code, 0) << "root is below any";
}

TEST_F(GivenHosts, WhenAHostBecomesAnAdminHostThenItsManagersAreSuch) {
  EXPECT_EQ(said(change(root, ChangeVerb::add_entries, ObjectKind::admin_hosts, "H1")),
            "H1 added to administrative host list");
  EXPECT_EQ(said(change(root, ChangeVerb::add_entries, ObjectKind::admin_hosts, "h1")),
            "adminhost \"h1\" already exists");
  EXPECT_EQ(
      change(on(root, "h1"), ChangeVerb::add_entries, ObjectKind::submit_hosts, "desk").exit_code,
      0);
  EXPECT_EQ(submit_as(on(alice, "Desk")).exit_code, 0);
  EXPECT_EQ(said(change(root, ChangeVerb::remove_entries, ObjectKind::submit_hosts, "desk")),
            "root@master removed \"desk\" from submit host list");
  EXPECT_EQ(said(change(root, ChangeVerb::remove_entries, ObjectKind::submit_hosts, "desk")),
            "denied: submit host \"desk\" does not exist");
  EXPECT_EQ(submit_as(on(alice, "desk")).exit_code, 1);
  EXPECT_EQ(change(root, ChangeVerb::remove_entries, ObjectKind::submit_hosts, "h1").exit_code, 0);
  EXPECT_EQ(said(submit_as(on(alice, "h1"))), "denied: host \"h1\" is no submit host");
  PrepareReservation of_plus{"plus", {}, ReservationVerb::change, {}, {60}};
  of_plus.request = window(now.seconds + 100, 100), of_plus.request.nodes = 1;
  EXPECT_EQ(said(command(on(alice, "h1"), of_plus)), "denied: host \"h1\" is no submit host")
      << "plus_reserve goes by the rules of qrsub (plus.md P2.1)";
}

TEST_F(GivenHosts, WhenAListNamesNoHostThenItIsRefused) {
  EXPECT_EQ(change(root, ChangeVerb::add_entries, ObjectKind::admin_hosts, "a b").exit_code, 1);
  EXPECT_EQ(change(root, ChangeVerb::add_entries, ObjectKind::submit_hosts, "../x").exit_code, 1);
}

TEST_F(GivenHosts, WhenTheMastersOwnHostIsToGoThenThatIsDenied) {
  EXPECT_EQ(said(change(root, ChangeVerb::remove_entries, ObjectKind::admin_hosts, "master")),
            "denied: can't delete master host \"master\" from admin host list");
  EXPECT_EQ(said(change(root, ChangeVerb::remove_entries, ObjectKind::submit_hosts, "master")),
            "denied: can't delete master host \"master\" from submit host list");
  tell(Restarted{2, planner.digest(), false, {}, "standby"});
  EXPECT_EQ(submit_as(on(alice, "standby")).exit_code, 0) << "where the master runs now";
  EXPECT_EQ(
      change(on(root, "standby"), ChangeVerb::remove_entries, ObjectKind::admin_hosts, "master")
          .exit_code,
      0);
}

TEST(GivenNobody, WhenACallerIsNotKnownThenItIsNotRoot) {
  EXPECT_EQ(Caller().uid, nobody);
  EXPECT_NE(Caller().uid, 0);
  EXPECT_NE(Caller().gid, 0);
}
