// New reservations by the name of the transaction that made them, of each user: those that are held, and
// those whose transaction was settled and is remembered (spec/metascheduler.md M5.8).
//
// Transactions without a name are not in it, and neither are offers.
#pragma once

#include "core/records/index.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace almanac {

class NewTransactions : public ComparedIndex<NewTransactions> {
public:
  using Index::changed;
  bool operator==(const NewTransactions&) const = default;
  void rebuild(const Records& records) override;
  void changed(const Reservation* before, const Reservation* after) override;
  void changed(const SettledTransaction* before, const SettledTransaction* after) override;

  /// The latest one of that name; nothing: there is none. Settled ones were committed or not.
  std::optional<ReservationNumber> held(const std::string& user, const std::string& name) const;
  std::optional<ReservationNumber> committed(const std::string& user,
                                             const std::string& name) const;
  std::optional<ReservationNumber> settled(const std::string& user, const std::string& name) const;

private:
  using Named = std::map<std::pair<std::string, std::string>, std::set<ReservationNumber>>;
  void count(const Reservation& reservation, bool is_there);
  void count(const SettledTransaction& settled, bool is_there);

  Named held_, committed_, settled_;
};

} // namespace almanac
