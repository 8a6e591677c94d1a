// A change of an advance reservation in two phases: it is prepared, and then committed or aborted
// (spec/plus.md section 4).
//
// 1. Until then both shapes are booked: at each moment and place the larger of both, never their
//    sum (spec/rulings.md D31).
// 2. What runs in the reservation fits into both shapes, and what starts in it does, too. So a
//    commit never asks for capacity.
// 3. How a transaction ended is remembered for an hour, and its number is not given again.
#pragma once

#include "core/base/caller.hpp"
#include "core/base/describe.hpp"
#include "core/base/ids.hpp"
#include "core/reservation/reservation_request.hpp"
#include "core/reservation/shape.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace almanac {

struct Reservation;
enum class ReservationEvent : std::uint8_t;

/// What is proposed: another shape, which for a reservation that is not granted yet is its first
/// one; or that it ends. A canceled one is kept as a record, and its jobs end by themselves; one
/// that is destroyed goes with its jobs.
enum class ReservationVerb : std::uint8_t {
  change,
  cancel,
  destroy,
  amend ///< only its request changes: mail, name and the like; its shape stays
};
template <> inline constexpr ReservationVerb last_of<ReservationVerb> = ReservationVerb::amend;

/// Describes `verb` with what versions before it wrote: only a destruction, as `removal`.
template <class V> void describe_verb(V& visit, ReservationVerb& verb) {
  bool removal = verb == ReservationVerb::destroy;
  visit("verb", verb);
  visit("removal", removal);
  if (removal) verb = ReservationVerb::destroy;
}

/// A change that is prepared.
struct Proposal {
  std::string transaction;
  Instant held_until;
  ReservationVerb verb = ReservationVerb::change;
  Shape shape;                  ///< of a change
  ReservationRequest request{}; ///< what the shape was found for
  Caller by{};                  ///< who may settle it; nobody: as the owner
  bool is_offer = false;        ///< kept for who was refused (spec/beyond.md section 3)
  std::int64_t asks = 0;        ///< the hook that must succeed first, by its sequence; 0: none
  bool is_agreed = false;       ///< that hook has succeeded
  Duration hold_for{};          ///< how long it is held; 0: it is committed at once
  bool force = false;           ///< qralter -f
  std::int64_t asked = 0;       ///< fingerprint of what was asked for; 0: nobody knows

  /// A program of the site runs that may deny it (spec/beyond.md B8.51).
  bool awaits_site() const { return asks != 0 && !is_agreed; }
};
template <class V> void describe(V& visit, Proposal& p) {
  visit("transaction", p.transaction);
  visit("held_until", p.held_until);
  describe_verb(visit, p.verb);
  visit("shape", p.shape);
  visit("request", p.request);
  visit("by", p.by);
  visit("is_offer", p.is_offer);
  visit("asks", p.asks);
  visit("is_agreed", p.is_agreed);
  visit("hold_for", p.hold_for);
  visit("force", p.force);
  visit("asked", p.asked);
}

struct TransactionKey {
  ReservationNumber number;
  std::string transaction;
  auto operator<=>(const TransactionKey&) const = default;
};

/// How a transaction of a reservation ended, which need not be there any more.
struct SettledTransaction {
  ReservationNumber number;
  std::string transaction;
  bool committed = false; ///< false: aborted, or its time was over
  Instant until;          ///< when it is forgotten
  Caller by;
  bool is_offer = false;
  bool is_new = false; ///< of a reservation that was not granted before
  std::int64_t order =
      0; ///< the last one of a reservation has the largest; 0: of an earlier version
  std::int64_t asked = 0; ///< as in the proposal
  bool at_once = false;   ///< in one phase: nothing was held
};
template <class V> void describe(V& visit, SettledTransaction& t) {
  visit("number", t.number);
  visit("transaction", t.transaction);
  visit("committed", t.committed);
  visit("until", t.until);
  visit("by", t.by);
  visit("is_offer", t.is_offer);
  visit("is_new", t.is_new);
  visit("order", t.order);
  visit("asked", t.asked);
  visit("at_once", t.at_once);
}
inline TransactionKey key_of(const SettledTransaction& settled) {
  return {settled.number, settled.transaction};
}

/// How long it is remembered (spec/plus.md section 4, rules 8 and 10).
inline constexpr Duration remembered_for{3600};

/// Whether it is a new reservation that waits to be accepted (spec/beyond.md section 3).
bool is_offer(const Reservation& reservation);

/// Who may settle what is proposed for it.
const Caller& requester(const Reservation& reservation);

/// When what is proposed for the reservation ends by itself: its time is over, the reservation
/// ends, or the start of what is proposed comes (spec/plus.md section 4, rule 7). A start that
/// stays as it is ends nothing, and neither does that of an offer, or one that comes while the site
/// is asked.
Instant lapses_at(const Reservation& reservation);

/// The change with what it does not name as it was.
ReservationRequest changed(ReservationRequest was, const ReservationRequest& change);

/// What jobs in it may use: while another shape is proposed, on each instance the lesser of both,
/// in the time that both have in common (spec/beyond.md B0.41). What is left behind is booked in
/// it, too.
Shape usable(const Reservation& reservation);

/// What is proposed becomes what is reserved, with the request that it was found for. An offer
/// whose start has passed begins now, and keeps its end (spec/beyond.md B3.43). The answer is what
/// that means for its state: `committed` if it was not granted yet, `moved` if it has begun and its
/// start is later than `now`.
std::optional<ReservationEvent> commit(Reservation& reservation, Instant now);

/// Amounts by where and of what.
using Amounts = std::map<std::pair<Container, Resource>, std::int64_t>;
Amounts amounts_of(const std::vector<Booking>& bookings);
std::vector<Booking> bookings_of(const Amounts& amounts); ///< in their order

/// The larger amount of both wherever one of them has any.
std::vector<Booking> larger(const std::vector<Booking>& a, const std::vector<Booking>& b);

/// What is booked, and when.
struct BookedPart {
  std::vector<Booking> bookings;
  Window window;
  Claim claim = Claim::plain;
};

/// What is booked while both may become what counts: the larger of the sum of the parts and of the
/// shape, in windows that do not overlap. Of spare hosts that is what the larger of all of it has
/// beyond the larger of the rest.
std::vector<BookedPart> larger(const std::vector<BookedPart>& parts, const Shape& next);

template <class Take>
void each_booked(const std::vector<BookedPart>& parts, const Shape& next, Take take) {
  for (const auto& part : larger(parts, next)) take(part.bookings, part.window, part.claim);
}

} // namespace almanac
