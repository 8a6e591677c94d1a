// Jobs that wait for a standing reservation.
#pragma once

#include "series_fixture.hpp"

namespace almanac {

// Hourly windows of half an hour, from 09:00 on: reservations 2, 3 and 4 of series 1.
class JobsOfASeriesFixture : public SeriesFixture {
public:
  JobsOfASeriesFixture() {
    auto command = lasting(series("FREQ=DAILY;COUNT=3;BYHOUR=9,10,11", date(2026, 1, 1, 9)), 1800);
    EXPECT_EQ(this->command(root, command).exit_code, 0);
  }
  static std::int64_t at(int hour, int minute = 0) { return date(2026, 1, 1, hour - 1, minute); }
  JobRequest in(std::int64_t reservation, const std::string& limit = "") const {
    auto request = job("J", limit);
    request.reservation = {reservation};
    request.mail_at = "a";
    return request;
  }
  AlterReservation rest_from(std::int64_t reservation, const std::string& name) const {
    AlterReservation rest;
    rest.number = {reservation}, rest.options = {"-N"};
    rest.rest = true, rest.request.name = name;
    return rest;
  }
  void remove(std::vector<std::string> targets) {
    EXPECT_EQ(command(root, DeleteReservations{std::move(targets), {}, false}).exit_code, 0);
  }
  /// By number, and with a record each.
  std::vector<std::int64_t> told_of_aborted(const DeleteReservations& removal) {
    std::vector<std::int64_t> numbers, recorded;
    for (const auto& effect : handle(Command{root, removal}).effects)
      if (const auto* letter = std::get_if<Letter>(&effect)) {
        EXPECT_NE(letter->record.reason.find("deleted by root"), std::string::npos);
        numbers.push_back(letter->number);
      } else if (const auto* record = std::get_if<AccountingRecord>(&effect))
        recorded.push_back(record->job_number.value);
    EXPECT_EQ(numbers, recorded);
    return numbers;
  }
  ReservationKey bound(std::int64_t number) const { return find(number)->reservation_key; }
  ReservationKey key(std::int64_t reservation) const { return occurrence(reservation)->key; }
};

} // namespace almanac
