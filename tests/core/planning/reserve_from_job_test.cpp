// Reservations that are made for a waiting job (spec/beyond.md section 4).
#include "holds_fixture.hpp"

using namespace almanac;

namespace {

class GivenAJobToReserveFor : public HoldsFixture {
public:
  GivenAJobToReserveFor() {
    hosts(1, 1);
    scheduler({{"max_reservation", "5"}, {"params", "DURATION_OFFSET=60"}});
  }
  /// R runs for a while, J waits.
  std::int64_t waiting(JobRequest request) {
    const auto running = submit(root, job("R", "100"));
    pass(), start(running);
    const auto number = submit(root, std::move(request));
    pass();
    return number;
  }
  Reserve for_job(std::int64_t number) const {
    Reserve command;
    command.from_job = {number};
    return command;
  }
};

} // namespace

// A4, B4.22 to B4.25
TEST_F(GivenAJobToReserveFor, WhenItHasAHoldThenTheReservationTakesItsPlace) {
  auto request = holding("J", "300");
  const auto number = waiting(request);
  ASSERT_FALSE(find(number)->holds.empty());
  const auto answer = command(root, for_job(number));
  ASSERT_EQ(answer.exit_code, 0) << text(answer);
  const auto start = reservation().shape.window.start;
  EXPECT_LE(start, now + Duration{160});
  EXPECT_EQ(reservation().shape.window.length(), Duration{360});
  EXPECT_TRUE(find(number)->holds.empty());
  EXPECT_EQ(find(number)->reservation_key, reservation().key);
  EXPECT_TRUE(reservation().request.ends_when_idle);
}

// D9: a job may be called so, a reservation may not.
TEST_F(GivenAJobToReserveFor, WhenItsNameIsAnIdOfAReservationThenThatHasNone) {
  ASSERT_EQ(command(root, for_job(waiting(job("R84", "300")))).exit_code, 0);
  EXPECT_EQ(reservation().request.name, "");
}

// A5
TEST_F(GivenAJobToReserveFor, WhenItIsDeletedBeforeThenTheReservationGoesWithIt) {
  const auto number = waiting(job("J", "300"));
  ASSERT_EQ(command(root, for_job(number)).exit_code, 0);
  command(root, DeleteJobs{{std::to_string(number)}, {}, {}, false});
  ASSERT_TRUE(step(reservation(), now).is_idle);
  due(1);
  EXPECT_EQ(letter(1), '-');
}

// B4.25, B4.43
TEST_F(GivenAJobToReserveFor, WhenItIsOnHoldThenTheReservationEndsWithItAndWhenItIsLetGo) {
  auto request = job("J", "300");
  request.held_by_user = true;
  const auto deleted = submit(root, request);
  ASSERT_EQ(command(root, for_job(deleted)).exit_code, 0);
  EXPECT_EQ(letter(1), 'r');
  EXPECT_FALSE(step(reservation(), now).is_idle);
  command(root, DeleteJobs{{std::to_string(deleted)}, {}, {}, false});
  ASSERT_TRUE(step(reservation(), now).is_idle);
  due(1);
  EXPECT_EQ(letter(1), '-');

  const auto let_go = submit(root, request);
  ASSERT_EQ(command(root, for_job(let_go)).exit_code, 0);
  AlterJobs command_of_qalter;
  command_of_qalter.targets = {std::to_string(let_go)}, command_of_qalter.options = {"-ar"};
  ASSERT_EQ(command(root, command_of_qalter).exit_code, 0);
  EXPECT_EQ(letter(2), 'r');
  due(2);
  EXPECT_EQ(letter(2), '-');
}

// B4.24, B0.3: an id that was never given stands nowhere.
TEST_F(GivenAJobToReserveFor, WhenItCannotBeBoundThenNobodyHasBeenToldOfTheReservation) {
  global({{"reporting_params", "reporting=true"}, {"ar_confirm", "/hook"}, {"ar_start", "/hook"}});
  auto too_short = for_job(submit(root, job("J", "100")));
  too_short.request.duration = {20}, too_short.request.has_duration = true;
  too_short.request.mail_at = "bea";
  auto with_job = job("K", "58");
  with_job.reserve_for = {60};
  for (const auto& body : {CommandBody{too_short}, CommandBody{Submit{with_job, "hash"}}}) {
    const auto before = planner.digest();
    const auto decisions = handle(Command{root, body});
    EXPECT_EQ(decisions.answer->exit_code, 1);
    for (const auto& effect : decisions.effects) {
      EXPECT_FALSE(std::holds_alternative<Letter>(effect));
      EXPECT_FALSE(std::holds_alternative<HookCall>(effect));
      EXPECT_FALSE(std::holds_alternative<ReportingRecord>(effect));
    }
    EXPECT_EQ(planner.digest(), before);
  }
}

// B4.2, B4.3: a question is answered as the command would be.
TEST_F(GivenAJobToReserveFor, WhenItIsOnlyAskedForThenItIsCompletedByTheJobAndNothingIsKept) {
  const auto number = waiting(holding("J", "300"));
  ASSERT_FALSE(find(number)->holds.empty());
  const auto before = planner.digest();
  const auto asked = ask(VerifyReserve{root, for_job(number)});
  EXPECT_EQ(asked.exit_code, 0) << text(asked);
  EXPECT_NE(text(asked).find("\nstarts "), std::string::npos) << text(asked);
  auto too_short = for_job(number);
  too_short.request.duration = {200}, too_short.request.has_duration = true;
  const auto refused = ask(VerifyReserve{root, too_short});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_EQ(text(refused), text(command(root, too_short)));
  EXPECT_EQ(planner.digest(), before);
}

// B4.22, B4.23
TEST_F(GivenAJobToReserveFor, WhenOnlyAnEndIsGivenThenItBeginsAsSoonAsItFitsBefore) {
  const auto number = waiting(job("J", "300"));
  auto before = for_job(number);
  before.request.end = now + Duration{400};
  EXPECT_EQ(command(root, before).statements.back().code, AnswerCode::no_start_before);
  const auto instead = ask(VerifyReserve{root, before, true});
  ASSERT_FALSE(instead.statements.empty());
  EXPECT_EQ(instead.statements.front().code, AnswerCode::alternative_later);
  before.request.end = now + Duration{600};
  ASSERT_EQ(command(root, before).exit_code, 0);
  EXPECT_EQ(reservation().shape.window.length(), Duration{360});
  EXPECT_GT(reservation().shape.window.start, now);
  EXPECT_LE(reservation().shape.window.end, before.request.end);
}

// B4.22, B4.23: as soon as possible is what is meant without -a, and the job's length the larger of
// both limits.
TEST_F(GivenAJobToReserveFor, WhenItHasBothLimitsThenTheLargerOneCounts) {
  auto request = job("J", "60");
  request.resources.push_back({"s_rt", "100"});
  auto asap = for_job(submit(root, request));
  asap.request.asap = true;
  const auto answer = command(root, asap);
  ASSERT_EQ(answer.exit_code, 0) << text(answer);
  EXPECT_EQ(reservation().shape.window, (Window{now, now + Duration{160}}));
}

// B4.42
TEST_F(GivenAJobToReserveFor, WhenItIsOnHoldOrWaitsForOthersThenTheWarningNamesThem) {
  const auto first = submit(root, job("first", "10")), second = submit(root, job("second", "10"));
  auto request = job("J", "300");
  request.held_by_user = true;
  request.predecessors = {std::to_string(first), std::to_string(second)};
  const auto number = submit(root, request);
  const auto said = text(command(root, for_job(number)));
  EXPECT_NE(said.find("job 3 is on hold by its user, and the reservation does not wait"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("job 3 waits for job 1, 2, and the reservation does not"), std::string::npos)
      << said;
}

// B4.4
TEST_F(GivenAJobToReserveFor, WhenItCannotHaveOneThenItSaysWhyAndNothingIsReserved) {
  const auto refused = [&](std::int64_t number) {
    const auto before = planner.digest();
    const auto answer = command(root, for_job(number));
    EXPECT_EQ(answer.exit_code, 1);
    EXPECT_EQ(planner.digest(), before);
    return text(answer);
  };
  const auto endless = waiting(job("J"));
  EXPECT_EQ(refused(endless), "denied: no reservation for job " + std::to_string(endless) +
                                  ": it requests no run time: give -d\n");
  EXPECT_EQ(refused(1), "denied: no reservation for job 1: it runs\n");
  EXPECT_NE(refused(99).find("99"), std::string::npos);
  auto array = job("A", "10");
  array.tasks = {1, 3, 1};
  EXPECT_NE(refused(submit(root, array)).find("it is an array"), std::string::npos);
  auto with_time = for_job(endless);
  with_time.request.duration = {600}, with_time.request.has_duration = true;
  EXPECT_EQ(command(root, with_time).exit_code, 0);
  EXPECT_NE(refused(endless).find("it is bound to advance reservation 1"), std::string::npos);
}
