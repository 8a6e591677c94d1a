#include "core/policy/standing.hpp"
#include "planner_fixture.hpp"

using namespace almanac;

namespace {

// One host, h1, whose ticket has the serial 1.
class GivenAHostWithAKey : public PlannerFixture {
public:
  GivenAHostWithAKey() {
    tell(Restarted{1, planner.digest(), false, {}, "master"});
    EXPECT_EQ(command(root, AddHost{"h1", 4}).number, 1);
    EXPECT_EQ(registers("K", 1), "");
  }

  static HostFacts facts(const std::string& spool = "spool") {
    return {"lx-amd64", 4, 8LL << 30, "boot", spool, "10.0.0.1:7000"};
  }
  /// Why it is not let in.
  std::string registers(const std::string& key, std::int64_t serial,
                        const HostFacts& where = facts(), Rival rival = Rival::none) {
    const auto decisions = handle(HostRegistered{"h1", where, 0, {key, serial, {}}, rival});
    return decisions.answer ? gridengine::text_of(decisions.answer->statements.front()) : "";
  }
  Answer change(const Caller& caller, KeyAction action, const std::string& host = "h1") {
    return command(caller, ChangeHostKey{action, host});
  }
  const HostKey& key() const { return planner.state().host_key("h1"); }
  Answer remove_host() {
    ConfigurationChange leave{
        ChangeVerb::modify, {ObjectKind::host_group, "@allhosts", {{"hostlist", "NONE"}}}, {}};
    EXPECT_EQ(command(root, Configure{leave}).exit_code, 0);
    return command(root, Configure{{ChangeVerb::erase, {ObjectKind::exec_host, "h1", {}}, {}}});
  }
};

} // namespace

TEST_F(GivenAHostWithAKey, WhenItIsRekeyedThenTheOldKeyCountsUntilTheNewOneComes) {
  const auto issued = change(root, KeyAction::issue);
  EXPECT_EQ(issued.number, 2) << text(issued);
  EXPECT_EQ(registers("K", 1), "");
  EXPECT_EQ(registers("L", 2, facts("another"), Rival::there), "")
      << "and from the one that is there";
  EXPECT_EQ(key().key, "L");
  EXPECT_NE(registers("K", 1).find("its key was replaced"), std::string::npos);
  EXPECT_EQ(planner.state().host("h1").facts.spool_id, "another")
      << "who is refused changes nothing";
}

TEST_F(GivenAHostWithAKey, WhenItsKeyIsReplacedAtOnceOrRevokedThenItIsRefused) {
  const auto issued = change(root, KeyAction::replace);
  EXPECT_EQ(issued.number, 2) << text(issued);
  EXPECT_NE(registers("K", 1).find("its key is revoked"), std::string::npos);
  EXPECT_EQ(registers("L", 2), "");
  EXPECT_EQ(change(root, KeyAction::revoke).exit_code, 0);
  EXPECT_NE(registers("L", 2).find("its key is revoked"), std::string::npos);
  EXPECT_EQ(change(root, KeyAction::issue).number, 3);
  EXPECT_EQ(registers("M", 3), "");
}

TEST_F(GivenAHostWithAKey, WhenTheHostIsRemovedAndAddedThenTheOldFolderIsRefused) {
  const auto removed = remove_host();
  EXPECT_EQ(removed.exit_code, 0) << text(removed);
  EXPECT_EQ(key().state, KeyState::revoked);
  EXPECT_EQ(command(root, AddHost{"h1", 4}).number, 2);
  EXPECT_NE(registers("K", 1).find("its key is revoked"), std::string::npos);
  EXPECT_EQ(registers("L", 2, facts("another")), "")
      << "though the first one was here a moment ago";
}

TEST_F(GivenAHostWithAKey, WhenASecondAgentComesThenItIsRefusedAndTheRecordSaysSo) {
  EXPECT_NE(registers("K", 1, facts("copy"), Rival::there).find("another agent of this host"),
            std::string::npos);
  EXPECT_NE(key().alarm.find("spool copy"), std::string::npos) << key().alarm;
  EXPECT_EQ(key().alarm_at, now);
  EXPECT_TRUE(
      handle(HostRegistered{"h1", facts("copy"), 0, {"K", 1, {}}, Rival::there}).effects.empty())
      << "it may try as often as it likes";
  EXPECT_EQ(planner.state().host("h1").facts.spool_id, "spool");
  tell(HostSilent{"h1", false});
  EXPECT_NE(registers("K", 1, facts("copy")), "") << "the first one may come back";
  tell(HostSilent{"h1", true});
  EXPECT_EQ(registers("K", 1, facts("copy")), "") << "a host that was installed anew gets in";
}

TEST_F(GivenAHostWithAKey, WhenSomebodyElseChangesKeysThenNothingIsChanged) {
  const auto before = planner.state().host_key("h1");
  for (const auto action : {KeyAction::issue, KeyAction::replace, KeyAction::revoke}) {
    EXPECT_NE(change(alice, action).exit_code, 0);
    auto elsewhere = root;
    elsewhere.host = "h1";
    EXPECT_NE(text(change(elsewhere, action)).find("is no admin host"), std::string::npos);
    EXPECT_NE(text(change(root, action, "h9")).find("does not exist"), std::string::npos);
    EXPECT_NE(change(root, action, "global").exit_code, 0);
    EXPECT_NE(change(root, action, "two words").exit_code, 0);
  }
  EXPECT_EQ(key(), before);
}

TEST_F(GivenAHostWithAKey, WhenTheMasterIsStartedAgainThenTheRegisterIsWhatItWas) {
  change(root, KeyAction::revoke);
  auto restored = Planner::restore(planner.state().records().copy());
  ASSERT_TRUE(restored.ok());
  EXPECT_EQ(restored->state().host_key("h1"), key());
  EXPECT_EQ(restored->digest(), planner.digest());
}

TEST_F(GivenAHostWithAKey, WhenAHostIsSquashedThenItsUsersAreNobody) {
  const auto squash = [&](const std::string& text) {
    return command(
        root,
        Configure{{ChangeVerb::modify, {ObjectKind::exec_host, "h1", {{"squash", text}}}, {}}});
  };
  auto relayed = alice;
  relayed.host = "h1", relayed.through = agent_on("h1");
  const auto submits = [&](const Caller& caller) {
    return text(command(caller, Submit{job("j"), "hash"}));
  };
  EXPECT_NE(submits(relayed).find("has been submitted"), std::string::npos) << submits(relayed);
  for (const char* text : {"all", "1001", "0,1000-1999", "ALL"}) {
    EXPECT_EQ(squash(text).exit_code, 0) << text;
    EXPECT_NE(submits(relayed).find("uid 1001 is nobody in this cell"), std::string::npos) << text;
    EXPECT_EQ(planner.ask(MayEnter{relayed}, now).exit_code, 0) << "nobody may look";
  }
  EXPECT_NE(submits(alice).find("has been submitted"), std::string::npos) << "elsewhere";
  auto here = relayed;
  here.through = "unix door"; // of the master, on the same machine: the kernel's word
  EXPECT_NE(submits(here).find("has been submitted"), std::string::npos);
  EXPECT_EQ(squash("0-1000,1002").exit_code, 0);
  EXPECT_NE(submits(relayed).find("has been submitted"), std::string::npos) << "others";
  for (const char* text : {"alice", "5-1", "1-", "-1", "1;2", "99999999999"})
    EXPECT_NE(squash(text).exit_code, 0) << text;
}
