#include "core/records/new_transactions.hpp"

#include "core/records/records.hpp"

namespace almanac {

namespace {

using Named = std::map<std::pair<std::string, std::string>, std::set<ReservationNumber>>;

void enter(Named& named, const std::string& user, const std::string& name, ReservationNumber number,
           bool is_there) {
  if (name.empty()) return;
  const std::pair key(user, name);
  if (is_there) return void(named[key].insert(number));
  const auto it = named.find(key);
  if (it == named.end()) return;
  it->second.erase(number);
  if (it->second.empty()) named.erase(it);
}

std::optional<ReservationNumber> last_in(const Named& named, const std::string& user,
                                         const std::string& name) {
  const auto it = named.find({user, name});
  return it == named.end() ? std::nullopt : std::optional(*it->second.rbegin());
}

} // namespace

void NewTransactions::rebuild(const Records& records) {
  *this = {};
  for (const auto& one : Listing<Reservation>(records.all<Reservation>())) changed(nullptr, &one);
  for (const auto& one : Listing<SettledTransaction>(records.all<SettledTransaction>()))
    changed(nullptr, &one);
}

void NewTransactions::count(const Reservation& one, bool is_there) {
  if (one.phase != ReservationPhase::proposed || one.proposed.empty() || is_offer(one)) return;
  enter(held_, requester(one).user, one.proposed.front().transaction, one.number, is_there);
}

void NewTransactions::count(const SettledTransaction& one, bool is_there) {
  if (!one.is_new || one.is_offer) return;
  enter(settled_, one.by.user, one.transaction, one.number, is_there);
  if (one.committed) enter(committed_, one.by.user, one.transaction, one.number, is_there);
}

void NewTransactions::changed(const Reservation* before, const Reservation* after) {
  if (before) count(*before, false);
  if (after) count(*after, true);
}

void NewTransactions::changed(const SettledTransaction* before, const SettledTransaction* after) {
  if (before) count(*before, false);
  if (after) count(*after, true);
}

std::optional<ReservationNumber> NewTransactions::held(const std::string& user,
                                                       const std::string& name) const {
  return last_in(held_, user, name);
}

std::optional<ReservationNumber> NewTransactions::committed(const std::string& user,
                                                            const std::string& name) const {
  return last_in(committed_, user, name);
}

std::optional<ReservationNumber> NewTransactions::settled(const std::string& user,
                                                          const std::string& name) const {
  return last_in(settled_, user, name);
}

} // namespace almanac
