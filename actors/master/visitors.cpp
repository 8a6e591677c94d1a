#include "actors/master/visitors.hpp"

#include <utility>

namespace almanac {

namespace {

constexpr std::int64_t most_in_flight = 4096, kept_in_flight = 64;
// The others wait for their user's turn.
constexpr std::size_t most_in_service = 128, kept_in_service = 8;

constexpr RequestPlaces::Limits flight{
    most_in_flight, kept_in_flight, 256, {most_in_flight, kept_in_flight, 64, 16}};
constexpr RequestPlaces::Limits rest_of_days{
    std::numeric_limits<std::int64_t>::max(), 0, 8192, {1u << 20, 0, 8192, 128}};

// Those who knock at a door of the master are counted there by whom the kernel knows.
RequestPlaces::Asker asker_of(const Caller& caller) {
  return {caller.uid, caller.through == agent_on(caller.host) ? caller.through : ""};
}

} // namespace

Visitors::Visitors()
    : in_flight_(flight), at_rest_(rest_of_days), turns_({most_in_service, kept_in_service}) {}

Share::Rank Visitors::rank_of(const Caller& caller) const {
  return is_first(caller) ? Share::Rank::first : Share::Rank::ordinary;
}

bool Visitors::take_place(Visit& visit) {
  if (in_flight_.take(asker_of(visit.caller), rank_of(visit.caller))) {
    visit.at_rest = false;
    return true;
  }
  turn_away();
  return false;
}

void Visitors::line_up(Visit visit, door::RequestBody body) {
  const auto uid = visit.caller.uid;
  const auto rank = rank_of(visit.caller);
  turns_.add(uid, rank, {std::move(visit), std::move(body)});
}

std::optional<Visitors::Pending> Visitors::next() {
  auto turn = turns_.next();
  if (!turn) return std::nullopt;
  turn->entry.visit.place = turn->place;
  return std::move(turn->entry);
}

void Visitors::leave(const Visit& visit) {
  if (visit.at_rest) return;
  turns_.leave(visit.place);
  in_flight_.give_back(asker_of(visit.caller));
}

bool Visitors::rest(Visit& visit) {
  if (!at_rest_.take(asker_of(visit.caller))) return false;
  leave(visit);
  visit.at_rest = true;
  return true;
}

void Visitors::wake(const Visit& visit) { at_rest_.give_back(asker_of(visit.caller)); }

std::string Visitors::shown() const {
  std::string text = "in_flight: " + std::to_string(in_flight_.taken()) +
                     "\nin_service: " + std::to_string(turns_.served()) +
                     "\nin_service at places kept for root and managers: " +
                     std::to_string(turns_.served_at_kept_places()) +
                     "\nwaiting for a turn: " + std::to_string(turns_.size()) +
                     "\nturned_away: " + std::to_string(turned_away_) + "\n";
  for (const auto& [uid, count] : in_flight_.of_users())
    text += "in_flight of uid " + std::to_string(uid) + ": " + std::to_string(count) + "\n";
  for (const auto& [uid, count] : at_rest_.of_users())
    text += "waiting for jobs, uid " + std::to_string(uid) + ": " + std::to_string(count) + "\n";
  return text;
}

} // namespace almanac
