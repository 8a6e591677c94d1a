// What each user has reserved: how many reservations, how much of the future, and what their
// records take up (spec/beyond.md section 10, qmaster_params MAX_USER_MB).
#pragma once

#include "core/records/index.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace almanac {

class ReservationsOf : public ComparedIndex<ReservationsOf> {
public:
  using Index::changed;
  bool operator==(const ReservationsOf&) const = default;
  void rebuild(const Records& records) override;
  void changed(const Reservation* before, const Reservation* after) override;
  void changed(const SettledTransaction* before, const SettledTransaction* after) override;
  void changed(const Series* before, const Series* after) override;

  /// All that are not over: granted ones, and those that are only proposed.
  std::int64_t standing() const { return standing_; }
  std::int64_t standing(std::string_view user) const;
  /// Slots times seconds that the user has ahead of `at`: of a reservation that changes those of
  /// the larger shape. Costs a step for each of the user's reservations that has begun or changes.
  std::int64_t slot_seconds(std::string_view user, Instant at) const;
  /// Hosts times seconds, likewise. Costs a step for each of the user's reservations that is not
  /// over.
  std::int64_t host_seconds(std::string_view user, Instant at) const;
  /// Offers to the user: those that are open, and those that ended without being accepted within
  /// the hour before `at` (spec/beyond.md B3.53, B3.54).
  std::int64_t open_offers(std::string_view user) const;
  std::int64_t unaccepted_offers(std::string_view user, Instant at) const;
  /// Of the user's requests, of the transactions that are remembered, and of series.
  std::int64_t kept_bytes(std::string_view user) const;
  /// Those of the user, past ones too, ascending.
  std::vector<ReservationKey> keys(std::string_view user) const;

  /// Letters in the names of all owners and of all reservations.
  std::int64_t bytes_of_owners() const { return bytes_of_owners_; }
  std::int64_t bytes_of_names() const { return bytes_of_names_; }

private:
  struct Span {
    std::int64_t slots = 0, hosts = 0;
    Window window;
    bool operator==(const Span&) const = default;
  };
  struct Entry {
    std::int64_t bytes = 0;
    std::vector<Span> spans; ///< of each shape that counts; none of one that is over
    bool is_offer = false;
    bool operator==(const Entry&) const = default;
  };
  struct User {
    std::map<ReservationKey, Entry> entries;
    std::set<std::pair<Instant, ReservationKey>> starts; ///< of those with one shape
    std::int64_t whole = 0;                              ///< slots times seconds of these
    std::set<ReservationKey> changing;                   ///< those with two
    std::int64_t standing = 0, bytes = 0, settled = 0, series = 0, offers = 0;
    std::multiset<Instant> unaccepted; ///< when these offers are forgotten
    bool operator==(const User&) const = default;
  };
  static Entry entry_of(const Reservation& reservation);
  static void count(User& user, ReservationKey key, const Entry& entry, std::int64_t sign);
  static std::int64_t most_ahead(const Entry& entry, std::int64_t Span::*count, Instant at);
  const User* find(std::string_view user) const;
  void enter(const Reservation& reservation);
  void leave(const Reservation& reservation);
  void drop_if_empty(const std::string& user);

  std::map<std::string, User, std::less<>> users_;
  std::int64_t standing_ = 0, bytes_of_owners_ = 0, bytes_of_names_ = 0;
};

} // namespace almanac
