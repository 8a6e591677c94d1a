// A cell in Berlin on 2026-01-01 with four hosts of four slots, for standing reservations.
#pragma once

#include "planner_fixture.hpp"

#include <chrono>

namespace almanac {

class SeriesFixture : public PlannerFixture {
public:
  /// Seconds since 1970 of a date, as if clocks showed UTC.
  static std::int64_t date(int year, int month, int day, int hour = 0, int minute = 0) {
    const std::chrono::sys_days midnight{std::chrono::year(year) / month / day};
    return midnight.time_since_epoch().count() * 86400 + hour * 3600 + minute * 60;
  }

  SeriesFixture() {
    now = {date(2026, 1, 1)};
    hosts(4, 4);
  }

  static Reserve series(const std::string& rule, std::int64_t first, std::int64_t slots = 4) {
    Reserve command;
    command.request = on_pe({}, "fill", slots);
    auto& recurrence = command.recurrence;
    recurrence.rule = rule, recurrence.first = first;
    recurrence.zone = "Europe/Berlin";
    recurrence.zone_changes = {{{date(2025, 10, 26, 1)}, 3600},
                               {{date(2026, 3, 29, 1)}, 7200},
                               {{date(2026, 10, 25, 1)}, 3600},
                               {{date(2027, 3, 28, 1)}, 7200},
                               {{date(2027, 10, 31, 1)}, 3600}};
    return command;
  }
  static Reserve lasting(Reserve command, std::int64_t seconds) {
    command.request.duration = {seconds}, command.request.has_duration = true;
    return command;
  }
  static Reserve until_time(Reserve command, int hour, int minute = 0) {
    command.recurrence.ends_at = hour + minute == 0 ? 86400 : hour * 3600 + minute * 60;
    return command;
  }
  static Reserve waiting(Reserve command) {
    command.recurrence.waits = true;
    return command;
  }
  /// S1: Tuesday, 2026-11-24 09:00 to 11:00.
  static Reserve s1() {
    return until_time(series("FREQ=WEEKLY;BYDAY=MO,TH;COUNT=3", date(2026, 11, 24, 9)), 11);
  }

  const Series* standing(std::int64_t number = 1) const { return planner.state().series({number}); }
  const Reservation* occurrence(std::int64_t number) const {
    return planner.state().reservation_by_number({number});
  }
  /// All that are not over, in the order of their numbers.
  std::vector<Window> windows() const {
    std::vector<Window> list;
    for (const auto& one : planner.state().reservations())
      if (one.series && one.is_granted()) list.push_back(one.shape.window);
    return list;
  }
  std::vector<std::int64_t> starts() const {
    std::vector<std::int64_t> list;
    for (const auto& window : windows()) list.push_back(window.start.seconds);
    return list;
  }
  void expect_refused(const Reserve& command, const std::string& part, std::int64_t code = 1) {
    const auto before = planner.digest();
    const auto answer = this->command(root, command);
    EXPECT_EQ(answer.exit_code, code);
    EXPECT_NE(text(answer).find(part), std::string::npos) << text(answer);
    EXPECT_EQ(planner.digest(), before);
  }
  /// Goes on to then, one timer after the other.
  void go_on(std::int64_t until) {
    for (;;) {
      auto next = planner.state().occupancy().standing_series.next_due();
      const Reservation* due = nullptr;
      for (const auto& one : planner.state().reservations())
        if (const auto look = step(one, now).look_again; !look.is_never() && look <= next)
          next = look, due = &one;
      if (next.seconds > until) break;
      now = std::max(now, next);
      if (due) tell(ReservationDue{due->key});
      else pass();
    }
    now = {until};
  }
};

using Times = std::vector<std::int64_t>;

} // namespace almanac
