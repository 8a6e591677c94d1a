// A metascheduler that asks a cell and reserves in it (spec/metascheduler.md section 4).
#pragma once

#include "core/answer/ggf.hpp"
#include "core/planning/wanted_starts.hpp"
#include "planner_fixture.hpp"

namespace almanac {

// Four hosts of one slot; X has two of them in [now + 200, now + 300).
class GivenAMetascheduler : public PlannerFixture {
public:
  void SetUp() override {
    hosts(4, 1);
    allow("alice");
    reserve(root, on_pe(window(now.seconds + 200, 100), "fill", 2));
  }
  static ReservationRequest lasting(std::int64_t slots, std::int64_t seconds = 100) {
    ReservationRequest request;
    request.duration = {seconds}, request.has_duration = true;
    return on_pe(request, "fill", slots);
  }
  StartsQuery query(std::int64_t slots, std::int64_t latest = 1000) const {
    StartsQuery query;
    query.request = lasting(slots);
    query.search.latest = now + Duration{latest};
    return query;
  }
  /// "[0,100] [300,1000]", from now on; or the status of a refusal.
  std::string starts(const StartsQuery& query, const Caller& who) {
    const auto answer = ask(AskStarts{who, query});
    if (answer.exit_code != 0) return std::to_string(ggf::status_of(answer).code);
    std::string text;
    for (const auto& said : answer.statements) {
      EXPECT_EQ(said.code, AnswerCode::start_range);
      const auto since = [&](const char* name) {
        return std::to_string(said.find(name)->number - now.seconds);
      };
      text += (text.empty() ? "[" : " [") + since("first") + "," + since("last") + "]";
    }
    return text;
  }
  std::string starts(const StartsQuery& query) { return starts(query, root); }
  ReserveEarliest set(std::int64_t slots) const {
    ReserveEarliest command;
    command.prepare.request = lasting(slots);
    return command;
  }
  ReserveEarliest set_at(std::int64_t slots, std::int64_t after) const {
    auto command = set(slots);
    command.prepare.request.start = now + Duration{after};
    return command;
  }
  std::int64_t status(const Caller& who, const ReserveEarliest& wanted) {
    return ggf::status_of(command(who, wanted)).code;
  }
  Answer command_for(const OnBehalf& whom, const Caller& who, CommandBody body) {
    return *handle(Command{who, std::move(body), {}, {whom}}).answer;
  }
  std::int64_t status_for(const OnBehalf& whom, const Caller& who, CommandBody body) {
    return ggf::status_of(command_for(whom, who, std::move(body))).code;
  }
  static const Statement* find(const Answer& answer, AnswerCode code) {
    for (const auto& said : answer.statements)
      if (said.code == code) return &said;
    return nullptr;
  }
  void remove_reservation(std::int64_t number) {
    ASSERT_EQ(command(root, DeleteReservations{{std::to_string(number)}, {}, false}).exit_code, 0);
  }
  /// As STATUS says it: "HELD until", with the word where there is a HOLDUNTIL.
  std::string state_of(std::int64_t number) {
    const auto answer = ask(AskSite{bob, {}, {number}});
    const auto* said = find(answer, AnswerCode::meta_reservation_state);
    return said ? said->find("state")->text + (said->find("until") ? " until" : "") : "none";
  }
  static OnBehalf of(const Caller& user) { return {user}; }
};

} // namespace almanac
