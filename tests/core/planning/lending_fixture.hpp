// A cell in which reservations use room of others (spec/metascheduler.md M3.13, M4.11).
#pragma once

#include "core/answer/ggf.hpp"
#include "planner_fixture.hpp"

#include <set>

namespace almanac {

class LendingFixture : public PlannerFixture {
public:
  static ReserveEarliest using_room_of(ReservationRequest request,
                                       std::vector<ReservationNumber> lenders) {
    ReserveEarliest command;
    command.prepare.request = std::move(request);
    command.prepare.request.room_of = std::move(lenders);
    return command;
  }
  std::int64_t status(const Caller& who, const ReserveEarliest& wanted) {
    return ggf::status_of(command(who, wanted)).code;
  }
  /// Slots that it lends at that time.
  std::int64_t lent(std::int64_t number, Instant at) const {
    std::int64_t slots = 0;
    for (const auto& loan : reservation(number).lent)
      if (loan.window.contains(at)) slots += slots_of(loan.grants);
    return slots;
  }
  /// Slots of its jobs.
  std::int64_t used_in(std::int64_t number) const {
    std::int64_t slots = 0;
    for (const auto& task : planner.state().tasks())
      if (planner.state().job(task.job)->reservation_key == reservation(number).key)
        slots += slots_of(task.grants);
    return slots;
  }
  /// Slots that are booked of all hosts together.
  std::int64_t booked(Instant at) const {
    std::int64_t slots = 0;
    for (const auto& instance : planner.state().configuration().instances())
      slots += planner.state().ledger().used(Container::queue(instance.name), "slots",
                                             {at, at + Duration{1}});
    return slots;
  }
  std::int64_t submit_into(const Caller& caller, std::int64_t number, const std::string& limit) {
    auto request = job("inside", limit);
    request.reservation = {number};
    return submit(caller, std::move(request));
  }
  void remove(std::int64_t number) {
    DeleteReservations removed;
    removed.targets = {std::to_string(number)};
    EXPECT_EQ(command(root, removed).exit_code, 0);
  }
  bool books_agree() const { return planner.state().records().followers_agree(); }
};

} // namespace almanac
