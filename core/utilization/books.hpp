// Everything that is booked in a cell, and what of it reservations count on.
//
// Only who keeps the books from the records changes them.
#pragma once

#include "core/base/ids.hpp"
#include "core/utilization/ledger.hpp"

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace almanac {

/// What somebody has booked.
struct BookEntry {
  const std::vector<Booking>* bookings = nullptr;
  Window window;
  std::optional<Window> firm; ///< of it, what reservations count on; nothing: none
  bool is_reserved = false;   ///< by a reservation
  ReservationKey inside;      ///< none: of the cell
  std::int64_t slots = 0;     ///< of the bookings, in queue instances that are there
  Claim claim = Claim::plain;
};

class Books {
public:
  /// Bookings of all the cluster's jobs, holds and reservations.
  const Ledger& whole() const { return whole_; }
  /// The same without holds, jobs without a limit being endless; nullptr where that makes no
  /// difference that matters: where no job is taken for shorter than it may be.
  const Ledger* firm() const { return firm_ ? &*firm_ : nullptr; }
  /// Bookings of reservations alone; nullptr where there is no firm ledger: they make no difference.
  const Ledger* reserved() const { return firm_ ? &reserved_ : nullptr; }
  /// The same, always: what a reservation that preempts may not have (spec/plus.md P5.9).
  const Ledger& promised() const { return reserved_; }
  /// What is booked beside a diagram of these ledgers: with spare hosts, without rerunnable jobs;
  /// nullptr where no spare host lies.
  const Diagram* with_spares(const Diagram* diagram) const;
  /// What is booked without reservations that preempt, of a diagram of these ledgers: for jobs that
  /// start before these; nullptr where none lies.
  const Diagram* without_preempting(const Diagram* diagram) const;
  bool any_preempting() const { return !preempting_.empty(); }
  /// Bookings of a reservation's jobs within it.
  const Ledger& inside(ReservationKey key) const;
  /// Slots booked in all queue instances together, but for spare hosts and reservations that preempt.
  const Diagram& all_slots() const { return all_slots_; }
  /// Whether both have the same booked, at all places.
  bool operator==(const Books& other) const;

private:
  friend class Bookkeeping;
  void keep_two_lengths(bool wanted);
  void enter(const BookEntry& entry);
  void take_out(const BookEntry& entry);
  void count_slots(const BookEntry& entry, std::int64_t sign);
  void enter_firmly(const BookEntry& entry);

  /// Where, and of what.
  using Places = std::set<std::pair<Container, Resource>>;
  /// Bookings of a spare host come, or have gone. The answer: places that had none before, in which
  /// what rerunnable jobs have is still to be taken out.
  Places open_spares(const std::vector<Booking>& bookings);
  void close_spares(const std::vector<Booking>& bookings);
  void take_out_beside_spares(const BookEntry& entry, const Places& places);
  /// Bookings of a reservation that preempts come, or have gone.
  void open_preempted(const std::vector<Booking>& bookings);
  void close_preempted(const std::vector<Booking>& bookings);

  Ledger whole_;
  std::optional<Ledger> firm_;
  Ledger reserved_;
  std::map<ReservationKey, Ledger> inside_;
  Diagram all_slots_;
  std::map<std::pair<Container, Resource>, std::int64_t> spares_;     ///< how many, by place
  std::map<std::pair<Container, Resource>, std::int64_t> preempting_; ///< likewise
};

} // namespace almanac
