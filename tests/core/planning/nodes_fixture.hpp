// Reservations by hosts, as PluS makes them: nodes, whole or in part.
#pragma once

#include "planner_fixture.hpp"

namespace almanac {

class NodesFixture : public PlannerFixture {
public:
  void TestBody() override {}

  /// So many whole hosts, from so many seconds after now on.
  ReservationRequest whole(std::int64_t nodes, std::int64_t in = 100,
                           std::int64_t length = 1000) const {
    auto request = window(now.seconds + in, length);
    request.nodes = nodes, request.whole_nodes = true;
    return request;
  }
  ReservationRequest part(std::int64_t nodes, std::int64_t slots, std::int64_t in = 100) const {
    auto request = whole(nodes, in);
    request.whole_nodes = false, request.node_slots = slots;
    return request;
  }
  /// plus_reserve and plus_modify, each under a name of its own; hold_for 0: without -T.
  Answer prepare(const Caller& caller, ReservationRequest request, std::int64_t hold_for = 0,
                 std::int64_t number = 0, ReservationVerb verb = ReservationVerb::change) {
    last_name_ = "t" + std::to_string(++names_);
    return command(caller,
                   PrepareReservation{last_name_, {number}, verb, std::move(request), {hold_for}});
  }
  std::int64_t granted(const Caller& caller, ReservationRequest request) {
    const auto answer = prepare(caller, std::move(request));
    EXPECT_EQ(answer.exit_code, 0) << text(answer);
    return answer.number;
  }
  Answer settle(const Caller& caller, std::int64_t number, bool commits,
                const std::string& name = "") {
    return command(caller, SettleReservation{name, {number}, commits});
  }
  Answer remove(const Caller& caller, std::int64_t number, ReservationVerb verb) {
    return command(caller, RemoveReservations{{"R" + std::to_string(number)}, {}, verb});
  }
  std::int64_t booked(const char* host, std::int64_t in = 100) const {
    return planner.state().ledger().used(Container::queue({"all.q", host}), "slots",
                                         {now + Duration{in}, now + Duration{in + 1}});
  }
  JobRequest inside(std::int64_t number, const std::string& limit = "") const {
    auto request = job("inside", limit);
    request.reservation = {number};
    return request;
  }
  const std::string& last_name() const { return last_name_; }

private:
  int names_ = 0;
  std::string last_name_;
};

} // namespace almanac
