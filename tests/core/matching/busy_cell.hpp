// A small cluster that chance has filled with jobs that run, holds and reservations to come; and
// what is booked there and free, counted from the records one by one.
#pragma once

#include "matching_fixture.hpp"

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace almanac {

class BusyCell : public MatchingFixture {
public:
  BusyCell() {
    host_count = *rc::gen::inRange(1, 4);
    hosts(host_count, *rc::gen::inRange(1, 4));
    queue("all.q", {{"load_thresholds", "NONE"}});
    complex("license", "lic INT <= YES YES 0 0");
    complex("gpu", "gpu INT <= YES YES 0 0");
    complex("disk", "dsk INT <= YES HOST 0 0");
    complex("dongle", "dgl INT <= YES JOB 0 0");
    offer("global", "license=" + number_below(1, 5));
    for (int i = 1; i <= host_count; ++i)
      offer("h" + std::to_string(i), "gpu=" + number_below(0, 5) + ",disk=" + number_below(1, 4) +
                                         ",dongle=" + number_below(0, 2));
    if (*rc::gen::arbitrary<bool>())
      queue("all.q", {{"complex_values", "gpu=" + number_below(1, 5)}});
    // The first instance in the configuration is the first that is tried.
    scheduler({{"max_reservation", "3"},
               {"params", "DURATION_OFFSET=0"},
               {"load_formula", "0"},
               {"job_load_adjustments", "NONE"},
               {"default_duration", *rc::gen::element<std::string>("70", "INFINITY")}});
    const auto count = *rc::gen::inRange(0, 10);
    for (int i = 0; i < count; ++i) add_something();
  }

  /// Of one slot, or of up to six; with a limit or without, with other resources or without.
  static JobRequest any_request(const std::string& pe = "fill") {
    auto request = *rc::gen::arbitrary<bool>()
                       ? job("one")
                       : parallel(pe, *rc::gen::inRange<std::int64_t>(1, 5), 6);
    if (*rc::gen::inRange(0, 4) > 0) request.resources = {{"h_rt", number_below(1, 120)}};
    for (const char* resource : {"license", "gpu"})
      if (*rc::gen::inRange(0, 3) == 0) request.resources.push_back({resource, number_below(1, 3)});
    return request;
  }
  static std::string number_below(std::int64_t least, std::int64_t end) {
    return std::to_string(*rc::gen::inRange(least, end));
  }

  // ---- counted by hand ------------------------------------------------------------------------

  struct Entry {
    std::vector<Booking> bookings;
    Window booked, firm; ///< firm: for reservations; empty where they do not count it
  };
  std::vector<Entry> entries() const {
    std::vector<Entry> all;
    for (const auto& task : state().tasks())
      if (task.is_active())
        all.push_back(
            {task.bookings,
             task.booked,
             {task.booked.start, task.limit.is_endless() ? Instant::never() : task.booked.end}});
    for (const auto& [key, job] : state().jobs())
      for (const auto& hold : job->holds) all.push_back({hold.bookings, hold.window, {}});
    for (const auto& reservation : state().reservations())
      all.push_back(
          {reservation.shape.bookings, reservation.shape.window, reservation.shape.window});
    return all;
  }
  /// The most that is booked at one time of the window: it only grows where something begins.
  std::int64_t booked(const Container& container, const std::string& resource, Window window,
                      Window Entry::*of = &Entry::booked) const {
    const auto all = entries();
    std::vector<Instant> times{window.start};
    for (const auto& entry : all)
      if (window.contains((entry.*of).start)) times.push_back((entry.*of).start);
    std::int64_t most = 0;
    for (const auto time : times) {
      std::int64_t then = 0;
      for (const auto& entry : all)
        if ((entry.*of).contains(time))
          for (const auto& booking : entry.bookings)
            if (booking.container == container && booking.resource == resource)
              then += booking.amount;
      most = std::max(most, then);
    }
    return most;
  }
  std::optional<std::int64_t> total(const Container& container, const std::string& resource) const {
    return configured_capacity(state().configuration(), container, resource);
  }
  static std::vector<Container> containers_of(const QueueInstance& instance) {
    return {Container::global(), Container::host(instance.name.host),
            Container::queue(instance.name)};
  }
  /// How many slots of the demand the instance has in the window, by itself and with the cell.
  /// `firm`: for which also nothing that reservations count on may be in the way; empty: for none.
  std::int64_t slots_free(const QueueInstance& instance, const Demand& demand, Window window,
                          Window firm) const {
    auto slots = most_slots;
    for (const auto& asked : demand.consumables) {
      bool is_there = false;
      for (const auto& container : containers_of(instance)) {
        const auto total = this->total(container, asked.resource);
        if (!total) continue;
        is_there = true;
        auto used = booked(container, asked.resource, window);
        if (firm.start < firm.end)
          used = std::max(used, booked(container, asked.resource, firm, &Entry::firm));
        slots = std::min(slots, std::max<std::int64_t>(0, *total - used) / asked.amount);
      }
      if (!is_there) return 0;
    }
    return slots;
  }

  int host_count = 0;

private:
  // A reservation to come, or a job that runs, holds a place or waits.
  void add_something() {
    const auto slots = *rc::gen::inRange<std::int64_t>(1, 4);
    if (*rc::gen::inRange(0, 3) == 0) {
      const auto start = now.seconds + *rc::gen::inRange<std::int64_t>(1, 100);
      command(root, Reserve{on_pe(window(start, 30), "fill", slots)});
      return;
    }
    auto request = parallel("fill", slots);
    if (*rc::gen::inRange(0, 4) > 0) request.resources = {{"h_rt", number_below(5, 90)}};
    for (const char* resource : {"license", "gpu", "disk", "dongle"})
      if (*rc::gen::inRange(0, 3) == 0) request.resources.push_back({resource, "1"});
    request.reserve = *rc::gen::arbitrary<bool>();
    submit(alice, request);
    pass();
  }
};

} // namespace almanac
