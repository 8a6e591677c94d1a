// What plus_* commands print (docs/spec/plus.md sections 2 and 3).
#include "tests/process/command_call.hpp"
#include "tests/process/result_schema.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/process_door.hpp"
#include "tools/output/plus_accounts.hpp"
#include "tools/output/plus_reservations.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <time.h>

using namespace almanac;

namespace {

constexpr Instant one_o_clock{1'171'976'400}; // 2007-02-20T13:00:00Z

door::ReservationView view(std::int64_t number, const std::string& owner,
                           const std::vector<std::string>& hosts) {
  door::ReservationView made;
  made.number = {number}, made.owner.user = owner;
  made.shape.window = {one_o_clock, one_o_clock + Duration{7200}};
  for (const auto& host : hosts) made.shape.grants.push_back({{"all.q", host}, 4});
  return made;
}

std::string table(const std::vector<door::ReservationView>& list, PlusNodes nodes) {
  std::ostringstream out;
  print_plus_table(out, list, nodes);
  return out.str();
}

door::ReservationUsageView usage(std::int64_t number, const std::string& owner, bool given_up,
                                 std::int64_t hours, const std::vector<NodeUsage>& nodes) {
  door::ReservationUsageView made;
  made.number = {number}, made.submitted = {number}, made.owner = owner, made.given_up = given_up;
  made.reserved_for = hours * 3600, made.nodes = nodes;
  return made;
}

// P3.66: plus R1, plus R2, plus R3
std::vector<door::ReservationUsageView> three_reservations() {
  constexpr std::int64_t hour = 3600;
  return {usage(1, "ann", false, 2,
                {{"n1", 2 * hour, 2 * hour},
                 {"n2", 2 * hour, 2 * hour},
                 {"n3", 2 * hour, 2 * hour},
                 {"n4", 2 * hour, 2 * hour}}),
          usage(2, "ann", true, 1, {{"n1", hour, 0}}),
          usage(3, "bob", false, 1, {{"n1", hour, hour}, {"n2", hour, 0}})};
}

std::string accounts(const AccountsWanted& wanted) {
  std::ostringstream out;
  print_plus_accounts(out, wanted.row, accounts_of(three_reservations(), wanted));
  return out.str();
}

class GivenReservationsOfPlus : public ::testing::Test {
public:
  GivenReservationsOfPlus() { ::setenv("TZ", "UTC", 1), ::tzset(); }
};

class GivenTheSchemaOfPlus : public ::testing::Test, public ResultSchema {
public:
  GivenTheSchemaOfPlus() : ResultSchema("plus.xsd") {}
};

// Grants everything under number 7, and is gone then.
class LeavingDoor : public Door {
public:
  Outcome call(door::RequestBody body, const OnFrame& on_frame) override {
    if (std::holds_alternative<door::GetReservations>(body)) return Error{"the master is gone"};
    Answer answer;
    answer.number = 7;
    door::ReplyBody reply = answer;
    on_frame(reply);
    return Done{};
  }
};

// What it is asked cannot be sent.
class FaultyDoor : public Door {
public:
  Outcome call(door::RequestBody, const OnFrame&) override { return Error{"it is too large"}; }
  bool is_at_fault() const override { return true; }
};

class GivenNoMaster : public ::testing::Test {
public:
  /// The exit code, and what is printed on either stream.
  std::string call(int (*command)(Context&), const std::string& name,
                   std::vector<std::string> arguments) {
    ProcessDoor door({{"ALMANAC_DEADLINE", "1"}}, "/nowhere");
    CommandCall call(door, name, std::move(arguments));
    call.context.now = [] { return one_o_clock; };
    return call.text_of(command);
  }
};

} // namespace

// P3.36, P3.38, P3.32
TEST_F(GivenReservationsOfPlus, WhenTheyArePrintedThenAsTheSpecificationShowsThem) {
  const auto ann = view(123, "ann", {"node1", "node2", "node3", "node4"});
  EXPECT_EQ(table({ann}, PlusNodes::named),
            "id        owner      nodes start               end                 state\n"
            "R123      ann            4 2007-02-20T13:00:00 2007-02-20T15:00:00 Confirm\n"
            "          node1,node2,node3,node4\n");
  EXPECT_EQ(table({ann}, PlusNodes::counted),
            "id        owner      nodes start               end                 state\n"
            "R123      ann            4 2007-02-20T13:00:00 2007-02-20T15:00:00 Confirm\n");
  EXPECT_EQ(table({}, PlusNodes::named), "") << "P3.37";
}

// P4.11 to P4.17, P4.18 to P4.22
TEST(GivenStatesOfPlus, WhenTheirStatesAreShownThenEachHasItsWord) {
  auto one = view(1, "ann", {"n1"});
  const auto state = [&](ReservationPhase phase, const char* operation) {
    one.phase = phase, one.operation = operation;
    return plus_state(one);
  };
  using Phase = ReservationPhase;
  EXPECT_EQ(state(Phase::proposed, "reserve"), "Held");
  EXPECT_EQ(state(Phase::waiting, ""), "Confirm");
  EXPECT_EQ(state(Phase::waiting, "modify"), "HeldModify");
  EXPECT_EQ(state(Phase::running, "modify"), "HeldModify");
  EXPECT_EQ(state(Phase::waiting, "cancel"), "HeldCancel");
  EXPECT_EQ(state(Phase::running, "destroy"), "HeldDestroy");
  EXPECT_EQ(state(Phase::running, ""), "Running");
  EXPECT_EQ(state(Phase::canceled, ""), "Canceled");
  EXPECT_EQ(state(Phase::deleted, ""), "Canceled");
  EXPECT_EQ(state(Phase::closed, ""), "Expired");
  EXPECT_EQ(state(Phase::expired, ""), "Expired");
  EXPECT_EQ(state(Phase::canceled, "destroy"), "HeldDestroy") << "P4.14: it is not done yet";
  EXPECT_EQ(state(Phase::expired, "destroy"), "HeldDestroy");
}

// P2.6, P3.24, P3.35
TEST_F(GivenTheSchemaOfPlus, WhenReservationsArePrintedThenItTakesThem) {
  auto held = view(7, "a<b", {"n1", "n2"});
  held.phase = ReservationPhase::proposed, held.operation = "reserve";
  held.held_until = one_o_clock, held.shape.users = {"ann", "@set"};
  auto endless = view(8, "ann", {});
  endless.shape.window.end = Instant::never(), endless.request.nodes = 3;
  for (const auto& list : {std::vector<door::ReservationView>{}, {held, endless}}) {
    std::ostringstream out;
    print_plus_xml(out, list);
    EXPECT_TRUE(takes(out.str())) << out.str() << why();
  }
  std::ostringstream out;
  print_plus_xml(out, held);
  EXPECT_TRUE(takes(out.str())) << out.str() << why();
  EXPECT_NE(out.str().find("<reservation id=\"R7\" state=\"Held\">"), std::string::npos)
      << out.str();
  EXPECT_FALSE(takes("<?xml version='1.0'?>\n<reservation id=\"7\" state=\"Held\"/>\n"));
}

// P3.53
TEST_F(GivenTheSchemaOfPlus, WhenNodesArePrintedThenItTakesThem) {
  for (const auto& nodes : {std::vector<std::string>{}, {"n1", "n2"}}) {
    std::ostringstream out;
    print_plus_nodes_xml(out, nodes);
    EXPECT_TRUE(takes(out.str())) << out.str() << why();
  }
}

// P3.62 to P3.66
TEST(GivenReservedNodeHours, WhenTheyAreSummedUpByOwnerThenTheFiguresAreThoseOfTheSpecification) {
  EXPECT_EQ(accounts({AccountRow::owner, "", {}}),
            "owner      reservations canceled reserved_hours node_hours used_node_hours "
            "utilisation%\n"
            "ann                   2        1           3.00       9.00            8.00 "
            "        88.9\n"
            "bob                   1        0           1.00       2.00            1.00 "
            "        50.0\n");
}

// P3.58, P3.59, P3.60, P3.61
TEST(GivenReservedNodeHours, WhenTheyAreSummedUpOtherwiseThenEachRowSaysWhatItIsAbout) {
  const auto all = accounts_of(three_reservations(), {AccountRow::all, "", {}});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].name, std::vector<std::string>{"total"});
  EXPECT_EQ(all[0].of_nodes, 11 * 3600);
  EXPECT_EQ(accounts_of(three_reservations(), {AccountRow::owner, "bob", {}}).size(), 1u);
  const auto nodes = accounts_of(three_reservations(), {AccountRow::node, "", {"n1", "n2"}});
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(nodes[0].name, std::vector<std::string>{"n1"});
  EXPECT_EQ(nodes[0].reservations, 3);
  EXPECT_EQ(nodes[0].of_nodes, 4 * 3600);
  EXPECT_EQ(nodes[1].of_nodes, 3 * 3600);
  const auto each = accounts_of(three_reservations(), {AccountRow::reservation, "", {}});
  ASSERT_EQ(each.size(), 3u);
  EXPECT_EQ(each[1].name, (std::vector<std::string>{"R2", "ann"}));
  EXPECT_EQ(accounts_of(three_reservations(), {AccountRow::owner_and_node, "", {}}).size(), 6u);
}

// P2.7, P2.8, P2.9, P2.10; scripts go by whether it is zero (P2.4)
TEST_F(GivenNoMaster, WhenACommandOfPlusIsCalledThenItsExitStatusSaysWhatIsWrong) {
  const auto unreached = [&](const std::string& said, const std::string& name) {
    EXPECT_EQ(said.substr(0, 2), "3 ") << said;
    EXPECT_NE(said.find("err: " + name + ": "), std::string::npos) << said;
  };
  unreached(call(plus_status, "plus_status", {}), "plus_status");
  unreached(call(plus_commit, "plus_commit", {"-r", "R1"}), "plus_commit");
  const auto without_master = call(plus_scheduler, "plus_scheduler", {});
  unreached(without_master, "plus_scheduler");
  EXPECT_NE(without_master.find("plus_scheduler: a master is started by the service manager of its "
                                "host: systemctl start almanac-master\n"),
            std::string::npos)
      << without_master << "P3.7";
  EXPECT_EQ(call(plus_commit, "plus_commit", {}),
            "2 out: err: plus_commit: option -r is missing\n");
  EXPECT_EQ(
      call(plus_scheduler, "plus_scheduler", {"-t", "TORQUE"}),
      "1 out: err: plus_scheduler: -t TORQUE: this cell has a scheduler of its own, and drives "
      "no TORQUE\n");
  EXPECT_EQ(call(plus_abort, "plus_abort", {"-help"}),
            "0 out: usage: plus_abort [options]\n"
            "   -r rsvID                  which reservation: R123 or 123\n"
            "   -help                     print this help\nerr: ");
}

// P2.8, P2.10: what no master could take is refused, and says nothing of masters.
TEST(GivenARequestThatCannotBeSent, WhenItIsMadeThenTheExitStatusIsNotThatOfAMissingMaster) {
  FaultyDoor door;
  CommandCall commit(door, "plus_commit", {"-r", "7"});
  EXPECT_EQ(commit.text_of(plus_commit), "1 out: err: plus_commit: it is too large\n");
  CommandCall status(door, "plus_status");
  EXPECT_EQ(status.text_of(plus_status), "1 out: err: plus_status: it is too large\n");
  ProcessDoor wrong({{"ALMANAC_DEADLINE", "x"}}, "/nowhere");
  CommandCall abort(wrong, "plus_abort", {"-r", "7"});
  EXPECT_EQ(abort.text_of(plus_abort),
            "1 out: err: plus_abort: ALMANAC_DEADLINE: \"x\" is not a number of seconds of at "
            "least 1\n");
}

TEST(GivenWordsThatAreRefused, WhenTheyAreShownThenNoTerminalObeysThem) {
  FaultyDoor door;
  CommandCall call(door, "plus_reserve", {"-os", "a\x1b[31m"});
  const auto text = call.text_of(plus_reserve);
  EXPECT_TRUE(text.ends_with(": a name has a blank or a control character in it\n")) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
}

// P3.24: whoever is told nothing might reserve a second time.
TEST(GivenAMasterThatLeaves, WhenItHasGrantedThenTheIdIsPrintedWhateverWasAskedFor) {
  for (const bool as_xml : {false, true}) {
    LeavingDoor door;
    std::vector<std::string> arguments{"-s", "@2000", "-D", "1h", "-n", "1"};
    if (as_xml) arguments.push_back("-x");
    CommandCall call(door, "plus_reserve", arguments);
    EXPECT_EQ(call.text_of(plus_reserve), std::string("0 out: R7\nerr: ") +
                                              (as_xml ? "plus_reserve: the master is gone\n" : ""));
  }
}
