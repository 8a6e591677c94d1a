#include "core/request/reserve_alterations.hpp"

#include <algorithm>

namespace almanac {

namespace {

using R = ReservationRequest;

template <auto... members> void copy([[maybe_unused]] R& into, [[maybe_unused]] const R& from) {
  ((into.*members = from.*members), ...);
}

const ReserveAlteration alterations[]{
    {.name = "-a", .copy = copy<&R::start, &R::asap>, .reshapes = true, .clears = false},
    {.name = "-e", .copy = copy<&R::end>, .reshapes = true, .clears = false},
    {.name = "-d", .copy = copy<&R::duration, &R::has_duration>, .reshapes = true, .clears = false},
    {.name = "-l", .copy = copy<&R::resources>, .reshapes = true, .clears = true},
    {.name = "-q", .copy = copy<&R::queues>, .reshapes = true, .clears = true},
    {.name = "-pe",
     .copy = copy<&R::pe, &R::slots, &R::allocation_rule>,
     .reshapes = true,
     .clears = false},
    {.name = "-par", .copy = copy<&R::pe_rule>, .reshapes = true, .clears = false},
    {.name = "-u", .copy = copy<&R::users, &R::groups>, .reshapes = true, .clears = true},
    {.name = "-he", .copy = copy<&R::hard>, .reshapes = false, .clears = false},
    {.name = "-repair", .copy = copy<&R::repair>, .reshapes = false, .clears = false},
    {.name = "-spare", .copy = copy<&R::spare>, .reshapes = true, .clears = false},
    {.name = "-idle",
     .copy = copy<&R::ends_when_idle, &R::idle_for>,
     .reshapes = false,
     .clears = false},
    {.name = "-attract", .copy = copy<&R::attract>, .reshapes = false, .clears = false},
    {.name = "-m", .copy = copy<&R::mail_at>, .reshapes = false, .clears = false},
    {.name = "-M", .copy = copy<&R::mail_to>, .reshapes = false, .clears = true},
    {.name = "-N", .copy = copy<&R::name>, .reshapes = false, .clears = true},
    {.name = "-A", .copy = copy<&R::account>, .reshapes = false, .clears = false},
    {.name = "-repeat", .copy = copy<>, .reshapes = true, .clears = false},
    {.name = "-until", .copy = copy<>, .reshapes = true, .clears = false},
    {.name = "-skip", .copy = copy<>, .reshapes = true, .clears = false},
    {.name = "-zone", .copy = copy<>, .reshapes = true, .clears = false},
    {.name = "-conflict", .copy = copy<>, .reshapes = true, .clears = false},
};

} // namespace

bool is_of_series(std::string_view name) {
  return name == "-repeat" || name == "-until" || name == "-skip" || name == "-zone" ||
         name == "-conflict";
}

std::span<const ReserveAlteration> reserve_alterations() { return alterations; }

const ReserveAlteration* find_reserve_alteration(std::string_view name) {
  const auto* found = std::find_if(std::begin(alterations), std::end(alterations),
                                   [&](auto& row) { return *row.name == name; });
  return found == std::end(alterations) ? nullptr : found;
}

std::vector<UsageLine> reserve_alteration_usage() {
  std::vector<UsageLine> lines{
      {"-f", "",
       "also where jobs in it are in the way: they end earlier or at once, or get a user hold"},
      {"-reskey", "file", "the key of the reservation stands in this file"},
      {"-rest", "", "this occurrence of a series and all later ones, as a series of their own"}};
  for (auto& line : reserve_usage())
    if (find_reserve_alteration(line.name) || line.name == "-help") lines.push_back(line);
    else if (line.name == "-w")
      lines.push_back(
          {"-w", line.values, "v: only tell what would change; p: and what it would cost others"});
  return lines;
}

} // namespace almanac
