// Others' jobs on the spare hosts of a reservation (spec/beyond.md B1.103 to B1.105 and H2): hosts h1 to
// h4 of four slots each are n1 to n4 of its examples.
#include "four_hosts_fixture.hpp"

using namespace almanac;

namespace {

class GivenAReservationWithASpareHost : public FourHostsFixture {
public:
  void SetUp() override {
    FourHostsFixture::SetUp();
    scheduler({{"params", "DURATION_OFFSET=0"}, {"max_reservation", "5"}});
  }

  /// Of h1 and h2; h3 is its spare host.
  std::int64_t reserved(std::int64_t slots, std::int64_t in = 0) {
    auto request = on_pe(window(now.seconds + in, 600), "fill", slots);
    request.repair = Repair::yes, request.spare = 1;
    const auto number = reserve(root, std::move(request));
    EXPECT_EQ(spares(number), "h3=4");
    return number;
  }
  static JobRequest outside(const std::string& host, std::int64_t slots, Rerun rerun,
                            const std::string& limit = "") {
    auto request = job("outside", limit);
    request.pe = "smp", request.slots = {{slots, slots}}, request.rerun = rerun;
    if (!host.empty()) request.queues = {"*@" + host};
    return request;
  }
  std::int64_t waits_or_starts(const JobRequest& request) {
    const auto id = submit(root, request);
    pass();
    return id;
  }
  std::int64_t runs(const JobRequest& request) {
    const auto id = waits_or_starts(request);
    EXPECT_TRUE(is_active(id)) << text(planner.ask(ExplainJob{{id}}, now));
    start(id);
    return id;
  }
  bool is_put_back(std::int64_t job) const {
    return task(job).deleting && task(job).after_end == AfterEnd::again;
  }
  /// Its host says that it has ended as it was told to.
  void end_put_back(std::int64_t job) {
    ExitRecord record;
    record.failed = failed::killed;
    tell(TaskEnded{attempt(job), record});
    pass();
  }
  Answer qalter_r(std::int64_t job, Rerun rerun) {
    AlterJobs change;
    change.targets = {std::to_string(job)}, change.options = {"-r"}, change.request.rerun = rerun;
    return command(root, change);
  }
};

} // namespace

// beyond H2, B1.103, B1.104, B1.106.
TEST_F(GivenAReservationWithASpareHost, WhenItIsNeededThenRerunnableJobsThereArePutBack) {
  const auto number = reserved(8, 600);
  const auto J = runs(outside("h3", 2, Rerun::yes));
  const auto longer = waits_or_starts(outside("h3", 2, Rerun::no, "601"));
  EXPECT_FALSE(is_active(longer));
  EXPECT_NE(text(planner.ask(ExplainJob{{longer}}, now))
                .find("advance reservation " + std::to_string(number) + ": 4"),
            std::string::npos)
      << text(planner.ask(ExplainJob{{longer}}, now));
  const auto K = runs(outside("h3", 2, Rerun::no, "600"));
  later(600);
  end(K), pass();
  EXPECT_EQ(letter(number), 'r');
  EXPECT_TRUE(is_active(J));
  later(100);
  lose("h2");
  EXPECT_EQ(places(number), "h1=4 h3=4");
  EXPECT_EQ(spares(number), "h4=4");
  ASSERT_TRUE(is_put_back(J));
  EXPECT_EQ(task(J).reason,
            "rescheduled: its slots are spare of advance reservation " + std::to_string(number));

  auto inside = job("inside");
  inside.reservation = {number}, inside.pe = "fill", inside.slots = {{8, 8}};
  const auto user = waits_or_starts(inside);
  EXPECT_FALSE(is_active(user)) << "the slots are not free yet";
  end_put_back(J);
  EXPECT_TRUE(is_active(user));
  ASSERT_TRUE(find(J));
  EXPECT_FALSE(is_active(J));
  EXPECT_TRUE(task(J).restarted);
  EXPECT_FALSE(is_active(longer));
}

// B1.103: nothing that could not be put back runs there in the window.
TEST_F(GivenAReservationWithASpareHost, WhenAJobCannotBeRunAgainThenItIsKeptOff) {
  reserved(8);
  const auto plain = waits_or_starts(outside("h3", 1, Rerun::no));
  const auto as_queue = waits_or_starts(outside("h3", 1, Rerun::as_queue));
  const auto with_limit = waits_or_starts(outside("h3", 1, Rerun::no, "60"));
  for (const auto job : {plain, as_queue, with_limit}) EXPECT_FALSE(is_active(job));
  const auto granted = waits_or_starts(outside("h2", 1, Rerun::yes));
  EXPECT_FALSE(is_active(granted)) << "what is granted is nobody else's";
  queue("all.q", {{"rerun", "TRUE"}});
  pass();
  EXPECT_TRUE(is_active(as_queue));
  EXPECT_FALSE(is_active(plain));
}

// B1.105: of both the larger counts.
TEST_F(GivenAReservationWithASpareHost, WhenRerunnableJobsFillItThenItIsFull) {
  const auto number = reserved(8);
  const auto first = runs(outside("h3", 3, Rerun::yes));
  EXPECT_FALSE(is_active(waits_or_starts(outside("h3", 2, Rerun::yes))));
  runs(outside("h3", 1, Rerun::yes));
  EXPECT_EQ(planner.state().ledger().used(Container::queue({"all.q", "h3"}), "slots",
                                          {now, now + Duration{1}}),
            4);
  // They are not in the way of the spare host that lies there, nor of a change of it.
  AlterReservation change;
  change.number = {number}, change.options = {"-d"};
  change.request.duration = {900}, change.request.has_duration = true;
  const auto answer = command(root, change);
  EXPECT_EQ(answer.exit_code, 0) << text(answer);
  EXPECT_EQ(spares(number), "h3=4");
  EXPECT_TRUE(is_active(first));
  // In those of a reservation that takes what is granted, they are.
  auto other = on_pe(window(now.seconds, 100), "fill", 8);
  EXPECT_NE(command(root, Reserve{other}).exit_code, 0);
}

// B1.104: the youngest first, and only what is in the way.
TEST_F(GivenAReservationWithASpareHost, WhenLessThanAllIsNeededThenOnlyTheYoungestArePutBack) {
  const auto number = reserved(6);
  EXPECT_EQ(places(number), "h1=4 h2=2");
  const auto oldest = runs(outside("h3", 1, Rerun::yes));
  later(10);
  const auto old = runs(outside("h3", 1, Rerun::yes));
  later(10);
  const auto young = runs(outside("h3", 2, Rerun::yes));
  lose("h2");
  EXPECT_EQ(places(number), "h1=4 h3=2");
  EXPECT_TRUE(is_put_back(young));
  EXPECT_FALSE(is_put_back(old));
  EXPECT_FALSE(is_put_back(oldest));
}

// B1.104: a second loss does not wait for those that are being put back.
TEST_F(GivenAReservationWithASpareHost, WhenBothHostsAreLostThenBothAreReplacedAtOnce) {
  const auto number = reserved(8);
  const auto on_spare = runs(outside("h3", 4, Rerun::yes));
  lose("h2");
  EXPECT_TRUE(is_put_back(on_spare));
  EXPECT_EQ(spares(number), "h4=4");
  const auto on_next = runs(outside("h4", 4, Rerun::yes));
  lose("h1");
  EXPECT_EQ(places(number), "h4=4 h3=4");
  EXPECT_TRUE(is_put_back(on_next));
  end_put_back(on_spare), end_put_back(on_next);
  EXPECT_FALSE(is_active(on_spare));
  EXPECT_FALSE(is_active(on_next));
}

// B1.104, B1.31: what is held there moves, and says why.
TEST_F(GivenAReservationWithASpareHost, WhenAPlaceIsHeldThereThenTheHoldMoves) {
  const auto number = reserved(8);
  runs(outside("h4", 4, Rerun::no));
  runs(outside("h3", 4, Rerun::yes, "100"));
  auto request = outside("", 4, Rerun::yes, "50");
  request.reserve = true;
  const auto holder = waits_or_starts(request);
  ASSERT_EQ(find(holder)->holds.size(), 1u);
  EXPECT_EQ(find(holder)->holds.front().grants.front().instance.host, "h3");
  EXPECT_EQ(find(holder)->holds.front().window.start, now + Duration{100});
  EXPECT_TRUE(find(holder)->holds.front().rerunnable);
  lose("h2");
  EXPECT_EQ(places(number), "h1=4 h3=4");
  ASSERT_EQ(find(holder)->holds.size(), 1u);
  EXPECT_EQ(find(holder)->holds.front().window.start, now + Duration{600});
  EXPECT_EQ(find(holder)->holds.front().cause,
            "capacity was lost on h2 and replaced for advance reservation " +
                std::to_string(number));
}

// B1.103: what runs there cannot be made what may not.
TEST_F(GivenAReservationWithASpareHost, WhenARunningJobIsAlteredThenItStaysRerunnableOnlyThere) {
  const auto number = reserved(8);
  const auto on_spare = runs(outside("h3", 2, Rerun::yes));
  const auto beside = runs(outside("h4", 2, Rerun::yes));
  const auto digest = planner.state().digest();
  const auto refused = qalter_r(on_spare, Rerun::no);
  EXPECT_NE(refused.exit_code, 0);
  EXPECT_NE(
      text(refused).find("it runs on spare slots of advance reservation " + std::to_string(number)),
      std::string::npos)
      << text(refused);
  EXPECT_EQ(planner.state().digest(), digest);
  EXPECT_EQ(qalter_r(beside, Rerun::no).exit_code, 0);
  EXPECT_FALSE(task(beside).rerunnable);
  EXPECT_EQ(qalter_r(beside, Rerun::yes).exit_code, 0);
  EXPECT_TRUE(task(beside).rerunnable);
}

// B0.4, B1.105: while a change is prepared that would take the spare host, nobody is there.
TEST_F(GivenAReservationWithASpareHost, WhenAChangeIsPreparedThenItsCommitFindsTheSlotsFree) {
  const auto number = reserved(8);
  PrepareReservation prepare;
  prepare.number = {number}, prepare.transaction = "t", prepare.hold_for = {500};
  prepare.request = on_pe(window(now.seconds, 600), "fill", 10);
  const auto answer = command(root, prepare);
  ASSERT_EQ(answer.exit_code, 0) << text(answer);
  const auto& next = reservation(number).proposed.front().shape;
  const auto on_h3 = next.slots_on({"all.q", "h3"}), on_h4 = next.slots_on({"all.q", "h4"});
  ASSERT_EQ(on_h3 + on_h4, 2);
  const auto host = on_h3 > 0 ? "h3" : "h4";
  EXPECT_FALSE(is_active(waits_or_starts(outside(host, 3, Rerun::yes))));
  EXPECT_TRUE(is_active(waits_or_starts(outside(host, 2, Rerun::yes))));
  SettleReservation settle;
  settle.number = {number}, settle.transaction = "t", settle.commit = true;
  ASSERT_EQ(command(root, settle).exit_code, 0);
  EXPECT_EQ(reservation(number).shape.slots(), 10);
}

// -w v looks at the cell without jobs, and with what is reserved.
TEST_F(GivenAReservationWithASpareHost, WhenAJobIsVerifiedThenTheSpareHostCountsAsItWould) {
  auto request = on_pe(window(now.seconds, 600), "fill", 12);
  request.spare = 1;
  const auto number = reserve(root, request);
  EXPECT_EQ(spares(number), "h4=4");
  const auto verdict = [&](Rerun rerun) {
    auto wanted = outside("", 4, rerun);
    wanted.validation = Validation::verify;
    return ask(VerifySubmit{root, {wanted, ""}});
  };
  EXPECT_EQ(verdict(Rerun::yes).exit_code, 0) << text(verdict(Rerun::yes));
  EXPECT_NE(verdict(Rerun::no).exit_code, 0);
}
