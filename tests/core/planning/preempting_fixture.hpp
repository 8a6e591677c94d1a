// Reservations that preempt, and jobs on their hosts (spec/plus.md section 5): h1 to h4 of four slots.
#pragma once

#include "four_hosts_fixture.hpp"

namespace almanac {

class PreemptingFixture : public FourHostsFixture {
public:
  void SetUp() override {
    FourHostsFixture::SetUp();
    params("");
  }
  void params(const std::string& more) {
    scheduler({{"params", "DURATION_OFFSET=0" + (more.empty() ? "" : "," + more)},
               {"max_reservation", "5"}});
  }

  ReservationRequest preempting(std::int64_t in, std::int64_t slots,
                                const std::string& host = "") const {
    auto request = on_pe(window(now.seconds + in, 1000), "fill", slots);
    request.preempts = true;
    if (!host.empty()) request.queues = {"*@" + host};
    return request;
  }
  Answer prepare(const ReservationRequest& request) {
    PrepareReservation prepared;
    prepared.transaction = transaction_ = "t" + std::to_string(++prepared_);
    prepared.hold_for = {100}, prepared.request = request;
    return command(root, prepared);
  }
  Answer settle(std::int64_t number, bool commit) {
    return command(root, SettleReservation{transaction_, {number}, commit});
  }
  /// Prepared and committed, as plus_reserve does it.
  std::int64_t granted(const ReservationRequest& request) {
    const auto answer = prepare(request);
    EXPECT_EQ(answer.exit_code, 0) << text(answer);
    const auto committed = settle(answer.number, true);
    EXPECT_EQ(committed.exit_code, 0) << text(committed);
    return answer.number;
  }

  static JobRequest on(const std::string& host, std::int64_t slots, const std::string& limit = "",
                       Rerun rerun = Rerun::as_queue) {
    auto request = job("outside", limit);
    request.pe = "smp", request.slots = {{slots, slots}}, request.rerun = rerun;
    if (!host.empty()) request.queues = {"*@" + host};
    return request;
  }
  std::int64_t waits_or_starts(const JobRequest& request) {
    const auto id = submit(request.reservation.value > 0 ? root : alice, request);
    pass();
    return id;
  }
  std::int64_t runs(const JobRequest& request) {
    const auto id = waits_or_starts(request);
    EXPECT_TRUE(is_active(id)) << text(planner.ask(ExplainJob{{id}}, now));
    start(id);
    return id;
  }
  JobRequest inside(std::int64_t number, std::int64_t slots) const {
    auto request = job("inside");
    request.reservation = {number}, request.pe = "fill", request.slots = {{slots, slots}};
    return request;
  }

  bool is_put_back(std::int64_t job) const {
    return task(job).deleting && task(job).after_end == AfterEnd::again;
  }
  /// Its host says that it has ended as it was told to. What accounting is told.
  std::vector<AccountingRecord> end_as_told(std::int64_t job, std::int64_t task = 0) {
    ExitRecord record;
    record.failed = failed::killed;
    std::vector<AccountingRecord> accounted;
    for (const auto& effect : handle(TaskEnded{attempt(job, task), record}).effects)
      if (const auto* one = std::get_if<AccountingRecord>(&effect)) accounted.push_back(*one);
    pass();
    return accounted;
  }

private:
  int prepared_ = 0;
  std::string transaction_; ///< of the last one
};

} // namespace almanac
