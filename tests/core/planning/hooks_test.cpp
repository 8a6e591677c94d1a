// Which hooks are called for what happens to a reservation, and what their outcome means.
#include "planner_fixture.hpp"

using namespace almanac;

namespace {

class GivenHooks : public PlannerFixture {
public:
  GivenHooks() {
    hosts(1, 4);
    global({{"ar_confirm", "/hook"},
            {"ar_start", "/hook"},
            {"ar_change", "/hook"},
            {"ar_end", "/hook"},
            {"ar_cancel", "/hook"},
            {"ar_error", "/hook"}});
  }

  /// The hooks that an input calls, as "start(1): its start has come".
  std::vector<std::string> calls_of(const Input& input) {
    std::vector<std::string> calls;
    for (const auto& effect : handle(input).effects)
      if (const auto* call = std::get_if<HookCall>(&effect))
        calls.push_back(std::string(name_of(call->event)) + "(" + to_string(call->number) +
                        "): " + call->cause);
    return calls;
  }
  Input reserve_input(std::int64_t start, std::int64_t length) const {
    return Command{root, Reserve{on_pe(window(start, length), "fill", 2)}};
  }
  Input due_input(std::int64_t number) const {
    return ReservationDue{planner.state().reservation_by_number({number})->key};
  }
  Input delete_input(std::int64_t number) const {
    return Command{root, DeleteReservations{{std::to_string(number)}, {}, false}};
  }
  void hook_ends(std::int64_t number, const std::string& failure = "") {
    tell(HookEnded{reservation(number).key, HookEvent::start, failure});
  }
};

using Calls = std::vector<std::string>;

} // namespace

// B8.21, B8.22, B8.24, B8.26
TEST_F(GivenHooks, WhenAReservationIsGrantedBeginsAndEndsThenEachIsCalledInOrder) {
  EXPECT_EQ(calls_of(reserve_input(now.seconds + 60, 600)), (Calls{"confirm(1): it was granted"}));
  now = now + Duration{60};
  EXPECT_EQ(calls_of(due_input(1)), (Calls{"start(1): its start has come"}));
  EXPECT_EQ(calls_of(HostSilent{"h1", true}),
            (Calls{"error(1): its resources are not there: reserved queue all.q@h1 is unknown"}));
  now = now + Duration{600};
  EXPECT_EQ(calls_of(due_input(1)), (Calls{"end(1): advance reservation 1 ended"}));
}

// B8.27
TEST_F(GivenHooks, WhenNothingHappensThenNoneIsCalled) {
  EXPECT_EQ(calls_of(Command{root, Reserve{on_pe(window(now.seconds, 60), "fill", 5)}}), Calls{});
  EXPECT_EQ(calls_of(reserve_input(now.seconds + 60, 600)), (Calls{"confirm(1): it was granted"}));
  now = now + Duration{1000};
  EXPECT_EQ(calls_of(due_input(1)), Calls{}) << "its start and its end were missed";
}

// B8.25
TEST_F(GivenHooks, WhenAReservationBeginsAtOnceThenItIsConfirmedFirst) {
  EXPECT_EQ(calls_of(reserve_input(now.seconds, 600)),
            (Calls{"confirm(1): it was granted", "start(1): its start has come"}));
  EXPECT_EQ(calls_of(delete_input(1)), (Calls{"cancel(1): advance reservation deleted by root"}));
}

// B8.23
TEST_F(GivenHooks, WhenAChangeIsCommittedThenItIsCalledAndNotBefore) {
  calls_of(reserve_input(now.seconds + 60, 600));
  auto longer = window(now.seconds + 60, 900);
  EXPECT_EQ(
      calls_of(Command{root, PrepareReservation{"t1", {1}, ReservationVerb::change, longer, {60}}}),
      Calls{});
  EXPECT_EQ(calls_of(Command{root, SettleReservation{"t1", {1}, true}}),
            (Calls{"change(1): it was changed"}));
}

TEST_F(GivenHooks, WhenThereIsNoProgramThenNothingIsCalled) {
  global({{"ar_confirm", "NONE"}, {"ar_start", "NONE"}});
  EXPECT_EQ(calls_of(reserve_input(now.seconds, 600)), Calls{});
}

// B8.53
TEST_F(GivenHooks, WhenTheStartMustSucceedThenNoJobStartsBeforeAndItIsTriedAgain) {
  global({{"hook_must_succeed", "start"}});
  const auto ar = reserve(root, on_pe(window(now.seconds, 600), "fill", 2));
  auto request = job("inside");
  request.reservation = {ar};
  const auto number = submit(root, request);
  pass();
  EXPECT_FALSE(is_active(number));
  hook_ends(ar, "/hook exited with 1");
  EXPECT_EQ(reservation(ar).hook_failure, "hook ar_start failed: /hook exited with 1");
  EXPECT_EQ(step(reservation(ar), now).look_again, now + Duration{60});
  now = now + Duration{60};
  EXPECT_EQ(calls_of(due_input(ar)), (Calls{"start(1): its start has come"}));
  pass();
  EXPECT_FALSE(is_active(number));
  hook_ends(ar);
  pass();
  EXPECT_TRUE(is_active(number));
  EXPECT_EQ(reservation(ar).hook_failure, "");
}

// B8.5: without that nothing is blocked.
TEST_F(GivenHooks, WhenTheStartFailsAndNeedNotSucceedThenJobsStartAndItIsTold) {
  const auto ar = reserve(root, on_pe(window(now.seconds, 600), "fill", 2));
  hook_ends(ar, "/hook took too long");
  EXPECT_EQ(reservation(ar).hook_failure, "hook ar_start failed: /hook took too long");
  auto request = job("inside");
  request.reservation = {ar};
  const auto number = submit(root, request);
  pass();
  EXPECT_TRUE(is_active(number));
}

TEST_F(GivenHooks, WhenTheMasterWasAwayWhileItRanThenItIsCalledAgain) {
  global({{"hook_must_succeed", "start"}});
  const auto ar = reserve(root, on_pe(window(now.seconds, 600), "fill", 2));
  tell(Restarted{});
  EXPECT_TRUE(step(reservation(ar), now).calls_hook);
  EXPECT_EQ(calls_of(due_input(ar)), (Calls{"start(1): its start has come"}));
}

// B13.31
TEST_F(GivenHooks, WhenTheConfigurationNamesWhatCannotBeAHookThenItIsRefused) {
  const auto refused = [&](const std::string& name, const std::string& value) {
    auto object = *planner.state().configuration().find(ObjectKind::global_configuration, "");
    object.set(name, value);
    const auto answer = command(root, Configure{{ChangeVerb::modify, object, {}}});
    EXPECT_EQ(answer.exit_code, 1) << name << " " << value;
    return text(answer);
  };
  EXPECT_NE(refused("ar_start", "hook").find("\"hook\""), std::string::npos);
  EXPECT_NE(refused("ar_start", "ann@/hook").find("\"ann@\" is not user@host"), std::string::npos);
  EXPECT_NE(refused("ar_start", "@n1/hook").find("\"@n1\" is not user@host"), std::string::npos);
  EXPECT_NE(refused("ar_start", "ann@n9/hook")
                .find("attribute \"ar_start\": host \"n9\" is not an exec host"),
            std::string::npos);
  global({{"ar_start", "ann@h1/hook"}});
  EXPECT_NE(refused("ar_start", "-x@n1/hook").find("is not user@host"), std::string::npos);
  EXPECT_NE(refused("ar_start", "ann@n1 hook").find("is not NONE or [user@host]/path"),
            std::string::npos);
  EXPECT_NE(refused("ar_start", "hook").find("\"hook\" is not NONE or [user@host]/path"),
            std::string::npos);
  EXPECT_NE(
      refused("ar_start", "/hook $foo").find("\"$foo\" is not $ar_id, $ar_name, $owner or $event"),
      std::string::npos);
  EXPECT_NE(refused("hook_must_succeed", "confirm,confirm").find("\"confirm\" stands there twice"),
            std::string::npos);
  EXPECT_NE(refused("administrator_mail", "a|b").find("\"a|b\" is not a mail address"),
            std::string::npos);
  EXPECT_NE(refused("ar_hook_timeout", "0").find("is not a time from 0:0:1 to 1:0:0"),
            std::string::npos);
  EXPECT_NE(refused("hook_must_succeed", "end").find("\"end\" is not confirm, change or start"),
            std::string::npos);
}

// B8.41
TEST_F(GivenHooks, WhenAReservationChangesThenItsHookHasWhatWasBefore) {
  handle(reserve_input(now.seconds + 60, 600));
  const auto was = reservation(1).shape;
  AlterReservation longer;
  longer.number = {1}, longer.options = {"-d", "-N"};
  longer.request.duration = {900}, longer.request.has_duration = true;
  longer.request.name = "longer";
  int calls = 0;
  for (const auto& effect : handle(Command{root, longer}).effects)
    if (const auto* call = std::get_if<HookCall>(&effect)) {
      ++calls;
      EXPECT_EQ(call->event, HookEvent::change);
      EXPECT_EQ(call->window.length(), Duration{900});
      EXPECT_EQ(call->grants, was.grants);
      ASSERT_EQ(call->before.size(), 1u);
      EXPECT_EQ(call->before.front().window, was.window);
      EXPECT_EQ(call->before.front().grants, was.grants);
      EXPECT_EQ(call->before.front().name, "");
    }
  EXPECT_EQ(calls, 1);
}

// B8.42, K5: what users wrote stays one word.
TEST(GivenACall, WhenItsWordsAreMadeThenVariablesAreWholeWords) {
  HookCall call;
  call.command = "/hook -n $ar_name --id=$ar_id $ar_id $owner $event";
  call.number = {7}, call.name = "$(touch x) $owner", call.owner = "ann";
  call.event = HookEvent::end;
  EXPECT_EQ(hook_command(call).words, (std::vector<std::string>{"/hook", "-n", "$(touch x) $owner",
                                                                "--id=$ar_id", "7", "ann", "end"}));
}

// B8.12
TEST(GivenACall, WhenItNamesAPlaceThenItIsRunThere) {
  HookCall call;
  call.command = "ann@n1/hook x@y";
  const auto command = hook_command(call);
  EXPECT_EQ(command.user, "ann");
  EXPECT_EQ(command.host, "n1");
  EXPECT_EQ(command.words, (std::vector<std::string>{"/hook", "x@y"}));
  EXPECT_EQ(parse_hook_command("/hook x@y")->host, "");
  EXPECT_TRUE(parse_hook_command("NONE")->words.empty());
}
