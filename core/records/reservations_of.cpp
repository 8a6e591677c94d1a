#include "core/records/reservations_of.hpp"

#include "core/admission/kept_bytes.hpp"
#include "core/records/records.hpp"

#include <algorithm>

namespace almanac {

namespace {

bool is_unaccepted(const SettledTransaction& settled) {
  return settled.is_offer && !settled.committed;
}

std::int64_t size_of(const std::string& text) { return static_cast<std::int64_t>(text.size()); }

} // namespace

void ReservationsOf::rebuild(const Records& records) {
  *this = {};
  for (const auto& one : Listing<Reservation>(records.all<Reservation>())) enter(one);
  for (const auto& one : Listing<SettledTransaction>(records.all<SettledTransaction>()))
    changed(nullptr, &one);
  for (const auto& one : Listing<Series>(records.all<Series>())) changed(nullptr, &one);
}

void ReservationsOf::changed(const Reservation* before, const Reservation* after) {
  if (before) leave(*before);
  if (after) enter(*after);
}

void ReservationsOf::changed(const SettledTransaction* before, const SettledTransaction* after) {
  if (before) {
    auto& user = users_.find(before->by.user)->second;
    user.bytes -= almanac::kept_bytes(*before), --user.settled;
    if (is_unaccepted(*before)) user.unaccepted.erase(user.unaccepted.find(before->until));
    drop_if_empty(before->by.user);
  }
  if (!after) return;
  auto& user = users_[after->by.user];
  user.bytes += almanac::kept_bytes(*after), ++user.settled;
  if (is_unaccepted(*after)) user.unaccepted.insert(after->until);
}

void ReservationsOf::changed(const Series* before, const Series* after) {
  if (before) {
    auto& user = users_.find(before->owner.user)->second;
    user.bytes -= almanac::kept_bytes(*before), --user.series;
    drop_if_empty(before->owner.user);
  }
  if (!after) return;
  auto& user = users_[after->owner.user];
  user.bytes += almanac::kept_bytes(*after), ++user.series;
}

ReservationsOf::Entry ReservationsOf::entry_of(const Reservation& reservation) {
  Entry entry{almanac::kept_bytes(reservation.request), {}, is_offer(reservation)};
  if (reservation.is_over() || reservation.request.maintenance) return entry; // B6.13
  for (const auto* shape : shapes_of(reservation))
    entry.spans.push_back({shape->slots_with_spares(), shape->hosts_with_spares(), shape->window});
  return entry;
}

void ReservationsOf::count(User& user, ReservationKey key, const Entry& entry, std::int64_t sign) {
  user.bytes += sign * entry.bytes;
  if (entry.is_offer) user.offers += sign;
  if (entry.spans.empty()) return;
  user.standing += sign;
  if (entry.spans.size() > 1) {
    sign > 0 ? void(user.changing.insert(key)) : void(user.changing.erase(key));
    return;
  }
  const auto& span = entry.spans.front();
  user.whole += sign * almanac::slot_seconds(span.slots, span.window, span.window.start);
  const std::pair start(span.window.start, key);
  sign > 0 ? void(user.starts.insert(start)) : void(user.starts.erase(start));
}

void ReservationsOf::enter(const Reservation& reservation) {
  auto entry = entry_of(reservation);
  auto& user = users_[reservation.owner.user];
  count(user, reservation.key, entry, 1);
  standing_ += !entry.spans.empty();
  user.entries.emplace(reservation.key, std::move(entry));
  bytes_of_owners_ += size_of(reservation.owner.user);
  bytes_of_names_ += size_of(reservation.request.name);
}

void ReservationsOf::leave(const Reservation& reservation) {
  auto& user = users_.find(reservation.owner.user)->second;
  const auto gone = user.entries.extract(reservation.key);
  count(user, reservation.key, gone.mapped(), -1);
  standing_ -= !gone.mapped().spans.empty();
  bytes_of_owners_ -= size_of(reservation.owner.user);
  bytes_of_names_ -= size_of(reservation.request.name);
  drop_if_empty(reservation.owner.user);
}

void ReservationsOf::drop_if_empty(const std::string& name) {
  const auto user = users_.find(name);
  const auto& of = user->second;
  if (of.entries.empty() && of.settled == 0 && of.series == 0) users_.erase(user);
}

const ReservationsOf::User* ReservationsOf::find(std::string_view user) const {
  const auto it = users_.find(user);
  return it == users_.end() ? nullptr : &it->second;
}

std::int64_t ReservationsOf::standing(std::string_view user) const {
  const auto* found = find(user);
  return found ? found->standing : 0;
}

std::int64_t ReservationsOf::open_offers(std::string_view user) const {
  const auto* found = find(user);
  return found ? found->offers : 0;
}

std::int64_t ReservationsOf::unaccepted_offers(std::string_view user, Instant at) const {
  const auto* found = find(user);
  return found ? std::distance(found->unaccepted.upper_bound(at), found->unaccepted.end()) : 0;
}

std::int64_t ReservationsOf::kept_bytes(std::string_view user) const {
  const auto* found = find(user);
  return found ? found->bytes : 0;
}

std::int64_t ReservationsOf::most_ahead(const Entry& entry, std::int64_t Span::*count, Instant at) {
  std::int64_t most = 0;
  for (const auto& span : entry.spans)
    most = std::max(most, almanac::slot_seconds(span.*count, span.window, at));
  return most;
}

std::int64_t ReservationsOf::slot_seconds(std::string_view name, Instant at) const {
  const auto* user = find(name);
  if (!user) return 0;
  auto all = user->whole;
  for (const auto& [start, key] : user->starts) {
    if (start >= at) break;
    const auto& [slots, hosts, window] = user->entries.at(key).spans.front();
    all -= almanac::slot_seconds(slots, window, start) - almanac::slot_seconds(slots, window, at);
  }
  for (const auto key : user->changing) all += most_ahead(user->entries.at(key), &Span::slots, at);
  return all;
}

std::int64_t ReservationsOf::host_seconds(std::string_view name, Instant at) const {
  const auto* user = find(name);
  if (!user) return 0;
  std::int64_t all = 0;
  for (const auto& [start, key] : user->starts)
    all += most_ahead(user->entries.at(key), &Span::hosts, at);
  for (const auto key : user->changing) all += most_ahead(user->entries.at(key), &Span::hosts, at);
  return all;
}

std::vector<ReservationKey> ReservationsOf::keys(std::string_view user) const {
  std::vector<ReservationKey> keys;
  if (const auto* found = find(user))
    for (const auto& [key, entry] : found->entries) keys.push_back(key);
  return keys;
}

} // namespace almanac
