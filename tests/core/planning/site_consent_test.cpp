// Hooks that must succeed before a reservation is granted or changed, seen by the planner.
#include "planner_fixture.hpp"

using namespace almanac;

namespace {

class GivenASiteThatIsAsked : public PlannerFixture {
public:
  GivenASiteThatIsAsked() {
    hosts(2, 4);
    global({{"ar_confirm", "/confirm"},
            {"ar_change", "/change"},
            {"ar_cancel", "/cancel"},
            {"hook_must_succeed", "confirm,change"},
            {"administrator_mail", "ops@site"}});
    allow("alice"), allow("bob");
  }

  const Reservation* find_reservation(std::int64_t number) const {
    return planner.state().reservation_by_number({number});
  }
  /// What is decided, and which hooks it calls: "confirm(1): it is to be granted".
  Decisions decide(const Input& input) {
    auto decisions = handle(input);
    calls.clear(), letters.clear();
    for (const auto& effect : decisions.effects) {
      if (const auto* letter = std::get_if<Letter>(&effect))
        letters.push_back(letter->to + ": " + letter->note);
      const auto* call = std::get_if<HookCall>(&effect);
      if (!call) continue;
      last_call = *call;
      calls.push_back(std::string(name_of(call->event)) + "(" + to_string(call->number) +
                      "): " + call->cause);
    }
    return decisions;
  }
  Decisions ask_for(ReservationRequest request, std::int64_t slots = 4) {
    return decide(Command{alice, Reserve{on_pe(std::move(request), "fill", slots)}});
  }
  Decisions site_says(const std::string& failure = "", const std::string& said = "") {
    return decide(
        HookEnded{last_call.reservation, last_call.event, failure, last_call.sequence, said});
  }
  /// As qralter.
  Decisions alter(std::vector<std::string> options, ReservationRequest request,
                  bool force = false) {
    return decide(
        Command{alice, AlterReservation{{1}, std::move(options), std::move(request), force}});
  }
  Decisions close(const std::string& host, std::int64_t start, std::int64_t length,
                  bool force = false) {
    Reserve command{window(start, length)};
    command.request.maintenance = true, command.request.hosts = {host}, command.force = force;
    return decide(Command{root, std::move(command)});
  }
  std::int64_t granted(std::int64_t start, std::int64_t length) {
    const auto asked = ask_for(window(start, length));
    EXPECT_EQ(text(*site_says().answer).find("granted") != std::string::npos, true);
    return asked.answer->number;
  }

  HookCall last_call;
  std::vector<std::string> calls, letters;
};

using Texts = std::vector<std::string>;

} // namespace

// B8.51
TEST_F(GivenASiteThatIsAsked, WhenSomebodyReservesThenThePlaceIsKeptUntilItAgrees) {
  const auto asked = ask_for(window(now.seconds + 600, 660));
  EXPECT_TRUE(asked.awaits);
  EXPECT_EQ(asked.answer->exit_code, 1) << "what counts where nothing comes of it";
  EXPECT_EQ(calls, (Texts{"confirm(1): it is to be granted"}));
  EXPECT_EQ(last_call.slots, 4);
  EXPECT_EQ(last_call.window, (Window{now + Duration{600}, now + Duration{1260}}));
  EXPECT_EQ(letter(1), 'h');
  EXPECT_EQ(find_reservation(1)->proposed.front().held_until, now + Duration{40});
  const auto other = command(bob, Reserve{on_pe(window(now.seconds + 600, 660), "fill", 8)});
  EXPECT_EQ(other.exit_code, 1) << "four slots are kept: " << text(other);
  const auto settled = site_says();
  EXPECT_EQ(settled.answers, find_reservation(1)->key);
  EXPECT_EQ(text(*settled.answer), "Your advance reservation 1 has been granted\n");
  EXPECT_EQ(letter(1), 'w');
  EXPECT_EQ(calls, Texts{}) << "it was called already";
}

// B8.52, K2, B0.32
TEST_F(GivenASiteThatIsAsked, WhenItDeniesThenTheUserReadsWhyAndNothingIsLeftButTheNumber) {
  ask_for(window(now.seconds + 600, 600), 8);
  const auto denied = site_says("/confirm exited with 3", "no budget");
  EXPECT_EQ(denied.answer->exit_code, 1);
  EXPECT_EQ(text(*denied.answer), "denied by the site: no budget\n");
  EXPECT_EQ(find_reservation(1), nullptr);
  EXPECT_EQ(calls, Texts{});
  EXPECT_EQ(letters, Texts{}) << "it is the site's word, nothing is broken";
  EXPECT_EQ(ask_for(window(now.seconds + 600, 600), 8).answer->number, 2);
}

TEST_F(GivenASiteThatIsAsked, WhenItsProgramIsBrokenThenAdministratorsHearOfIt) {
  ask_for(window(now.seconds + 600, 600));
  EXPECT_EQ(text(*site_says("/confirm took too long").answer),
            "denied by the site: /confirm took too long\n");
  EXPECT_EQ(letters, (Texts{"ops@site: hook ar_confirm failed: /confirm took too long"}));
}

TEST_F(GivenASiteThatIsAsked, WhenTheStartComesWhileItIsAskedThenItBeginsOnceItAgrees) {
  ask_for(window(now.seconds, 600));
  now = now + Duration{20};
  due(1);
  EXPECT_EQ(letter(1), 'h');
  EXPECT_EQ(site_says().answer->exit_code, 0);
  EXPECT_EQ(letter(1), 'r');
}

TEST_F(GivenASiteThatIsAsked, WhenItSaysNothingInTimeThenItIsGivenUpAndHearsOfThat) {
  ask_for(window(now.seconds + 600, 600));
  const auto key = find_reservation(1)->key;
  EXPECT_EQ(step(*find_reservation(1), now).look_again, now + Duration{40});
  now = now + Duration{40};
  const auto asked = last_call;
  decide(ReservationDue{key});
  EXPECT_EQ(find_reservation(1), nullptr);
  EXPECT_EQ(calls, (Texts{"cancel(1): it was not granted"}));
  last_call = asked;
  EXPECT_FALSE(site_says().answer) << "too late";
}

// K2
TEST_F(GivenASiteThatIsAsked, WhenTheMasterWasAwayMeanwhileThenItIsGivenUp) {
  ask_for(window(now.seconds + 600, 600));
  const auto asked = last_call;
  decide(Restarted{});
  EXPECT_EQ(find_reservation(1), nullptr);
  EXPECT_EQ(calls, (Texts{"cancel(1): it was not granted"}));
  last_call = asked;
  EXPECT_FALSE(site_says().answer);
  EXPECT_EQ(find_reservation(1), nullptr);
}

TEST_F(GivenASiteThatIsAsked, WhenACheckpointIsTakenThenItIsStillAsked) {
  ask_for(window(now.seconds + 600, 600));
  Restarted checkpoint;
  checkpoint.is_checkpoint = true;
  tell(checkpoint);
  EXPECT_EQ(site_says().answer->exit_code, 0);
}

TEST_F(GivenASiteThatIsAsked, WhenTheReservationIsDeletedMeanwhileThenItHearsOfThat) {
  ask_for(window(now.seconds + 600, 600));
  decide(Command{alice, DeleteReservations{{"1"}, {}, false}});
  EXPECT_EQ(find_reservation(1), nullptr);
  EXPECT_EQ(calls, (Texts{"cancel(1): it was not granted"}));
}

// P4 rule 6: the first phase is what may be denied.
TEST_F(GivenASiteThatIsAsked, WhenAReservationIsPreparedThenItIsAskedBeforeAndTheCommitSucceeds) {
  const auto prepared =
      decide(Command{alice, PrepareReservation{"t1",
                                               {},
                                               ReservationVerb::change,
                                               on_pe(window(now.seconds + 600, 600), "fill", 2),
                                               {60}}});
  EXPECT_TRUE(prepared.awaits);
  EXPECT_EQ(command(alice, SettleReservation{"t1", {1}, true}).exit_code, 1)
      << "not before it agrees";
  now = now + Duration{30};
  EXPECT_EQ(site_says().answer->exit_code, 0);
  EXPECT_EQ(find_reservation(1)->proposed.front().held_until, now + Duration{60});
  const auto committed = decide(Command{alice, SettleReservation{"t1", {1}, true}});
  EXPECT_EQ(committed.answer->exit_code, 0);
  EXPECT_EQ(calls, Texts{});
  EXPECT_EQ(letter(1), 'w');
}

TEST_F(GivenASiteThatIsAsked, WhenWhatItAgreedToIsAbortedThenItHearsOfThat) {
  decide(Command{alice, PrepareReservation{"t1",
                                           {},
                                           ReservationVerb::change,
                                           on_pe(window(now.seconds + 600, 600), "fill", 2),
                                           {60}}});
  site_says();
  decide(Command{alice, SettleReservation{"t1", {1}, false}});
  EXPECT_EQ(calls, (Texts{"cancel(1): it was not granted"}));
}

// B6.35
TEST_F(GivenASiteThatIsAsked,
       WhenAMaintenanceClosesTheHostMeanwhileThenThePlaceMovesAndItHearsOfThat) {
  ask_for(window(now.seconds + 600, 660));
  const auto asked = last_call;
  const auto maintenance = close("h1", now.seconds + 600, 600);
  EXPECT_NE(text(*maintenance.answer).find("advance reservation 1 moves from all.q@h1=4 to "),
            std::string::npos)
      << text(*maintenance.answer);
  EXPECT_EQ(calls, (Texts{"confirm(2): it was granted",
                          "change(1): moved from all.q@h1=4 to all.q@h2=4: maintenance 2 closes "
                          "the hosts"}));
  last_call = asked;
  EXPECT_EQ(text(*site_says().answer), "Your advance reservation 1 has been granted\n");
  EXPECT_EQ(find_reservation(1)->shape.grants.front().instance.host, "h2");
  EXPECT_EQ(letter(1), 'w');
}

// B6.33, B6.35, D28
TEST_F(GivenASiteThatIsAsked, WhenAChangeComesToLieOnAClosedHostThenItsUserIsTold) {
  granted(now.seconds + 600, 600);
  ReservationRequest request;
  request.queues = {"*@h2"};
  alter({"-q"}, request);
  const auto asked = last_call;
  EXPECT_EQ(close("h2", now.seconds + 600, 600).answer->exit_code, 1);
  EXPECT_EQ(close("h2", now.seconds + 600, 600, true).answer->exit_code, 0);
  last_call = asked;
  const auto said = text(*site_says().answer);
  EXPECT_NE(said.find("warning: reserved queue all.q@h2 is closed by maintenance 2"),
            std::string::npos)
      << said;
  EXPECT_EQ(letter(1), 'W');
}

// B12.22
TEST_F(GivenASiteThatIsAsked, WhenAReservationIsChangedThenBothShapesAreKeptUntilItAgrees) {
  granted(now.seconds + 600, 600);
  const auto asked = alter({"-d"}, window(0, 1200));
  EXPECT_TRUE(asked.awaits);
  EXPECT_EQ(calls, (Texts{"change(1): alice wants to change it"}));
  EXPECT_EQ(find_reservation(1)->shape.window.length(), Duration{600});
  EXPECT_EQ(alter({"-d"}, window(0, 900)).answer->exit_code, 1) << "one at a time";
  last_call.sequence = find_reservation(1)->proposed.front().asks;
  EXPECT_EQ(text(*site_says().answer), "alice modified advance reservation 1\n");
  EXPECT_EQ(find_reservation(1)->shape.window.length(), Duration{1200});
  EXPECT_EQ(calls, Texts{});
}

TEST_F(GivenASiteThatIsAsked, WhenItDeniesAChangeThenAllIsAsBefore) {
  granted(now.seconds + 600, 600);
  alter({"-d"}, window(0, 1200));
  EXPECT_EQ(text(*site_says("/change exited with 1", "no budget").answer),
            "denied by the site: no budget\nadvance reservation 1 was not changed\n");
  EXPECT_EQ(find_reservation(1)->shape.window.length(), Duration{600});
  EXPECT_TRUE(find_reservation(1)->proposed.empty());
  EXPECT_EQ(letter(1), 'w');
}

TEST_F(GivenASiteThatIsAsked, WhenOnlyTheNameChangesThenItsPlaceStaysAsItIs) {
  granted(now.seconds + 600, 600);
  ReservationRequest request;
  request.name = "course";
  EXPECT_TRUE(alter({"-N"}, request).awaits);
  EXPECT_EQ(last_call.name, "course");
  EXPECT_EQ(last_call.slots, 4);
  EXPECT_EQ(find_reservation(1)->request.name, "");
  EXPECT_EQ(site_says().answer->exit_code, 0);
  EXPECT_EQ(find_reservation(1)->request.name, "course");
  EXPECT_EQ(find_reservation(1)->shape.window.length(), Duration{600});
}

TEST_F(GivenASiteThatIsAsked, WhenAJobComesMeanwhileThatDoesNotFitThenTheChangeIsRefused) {
  granted(now.seconds + 600, 1200);
  alter({"-d"}, window(0, 300));
  auto request = job("inside", "0:15:0");
  request.reservation = {1};
  command(alice, Submit{request, "hash"});
  const bool is_let_in = find(1) != nullptr;
  const auto settled = site_says();
  EXPECT_EQ(settled.answer->exit_code, is_let_in ? 1 : 0) << text(*settled.answer);
  EXPECT_EQ(calls.size(), is_let_in ? 1u : 0u);
}

TEST_F(GivenASiteThatIsAsked, WhenAJobIsToGoWithItsReservationThenItIsRefused) {
  auto request = job("brings", "0:5:0");
  request.reserve_for = {600};
  const auto answer = command(alice, Submit{request, "hash"});
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_NE(text(answer).find("-reserve does not wait for ar_confirm"), std::string::npos);
}

// B8.5: what goes wrong with hooks and reservations is told to administrators.
TEST_F(GivenASiteThatIsAsked, WhenAReservationOrAHookFailsThenAdministratorsGetAMail) {
  global({{"hook_must_succeed", "NONE"}, {"ar_error", "/error"}});
  decide(Command{alice, Reserve{on_pe(window(now.seconds, 600), "fill", 8)}});
  last_call.sequence = 99;
  site_says("/confirm exited with 1");
  EXPECT_EQ(letters, (Texts{"ops@site: hook ar_confirm failed: /confirm exited with 1"}));
  decide(HostSilent{"h1", true});
  EXPECT_EQ(letters, (Texts{"ops@site: its resources are not there: reserved queue all.q@h1 is "
                            "unknown"}));
}
