// An advance reservation as it is kept (spec/reservations.md section 4, spec/plus.md section 4).
//
// 1. A reservation has a current shape (unless it is only proposed) and at most one change that is
//    prepared (transaction.hpp).
// 2. One that is over, canceled or ending books what its tasks still hold, and nothing else.
#pragma once

#include "core/base/caller.hpp"
#include "core/base/describe.hpp"
#include "core/base/result.hpp"
#include "core/reservation/loan.hpp"
#include "core/reservation/transaction.hpp"

#include <string>
#include <vector>

namespace almanac {

// docs/pictures.md draws how a reservation goes from one of these to another; reservation_machine
// is the table. A canceled one lets its jobs end by themselves; those of one that is deleted or
// closed are ended. The letters w W r E d x h follow from the phase and from what is wrong with
// reserved instances.
enum class ReservationPhase : std::uint8_t {
  proposed,
  waiting,
  running,
  deleted,
  closed,
  canceled,
  expired
};
template <> inline constexpr ReservationPhase last_of<ReservationPhase> = ReservationPhase::expired;

/// Its hook at the start, where that has to succeed before jobs start in it (spec/beyond.md
/// section 8).
enum class StartHook : std::uint8_t { not_awaited, runs, failed };
template <> inline constexpr StartHook last_of<StartHook> = StartHook::failed;

/// What tasks hold of a share that was lost and replaced, until it is sure that they have ended
/// (spec/beyond.md B1.2).
struct LeftBehind {
  InstanceName instance;
  std::int64_t slots = 0;
  std::vector<Booking> bookings; ///< beside those of the shape
  Instant until;                 ///< they are booked until then, and on while tasks are late
  std::vector<std::string> jobs; ///< whose tasks these are: "17", "18.3"
  bool operator==(const LeftBehind&) const = default;
};
template <class V> void describe(V& visit, LeftBehind& l) {
  visit("instance", l.instance);
  visit("slots", l.slots);
  visit("bookings", l.bookings);
  visit("until", l.until);
  visit("jobs", l.jobs);
}

struct Reservation {
  ReservationKey key;
  ReservationNumber number;
  Caller owner;
  Instant submitted;
  ReservationRequest request;
  ReservationPhase phase = ReservationPhase::proposed;
  Shape shape;
  std::vector<Proposal> proposed; ///< none or one
  std::vector<std::string> bad;   ///< "reserved queue q@h is disabled", all, by grant
  std::vector<Grant> original;    ///< what was granted, where a repair has changed it
  std::string note;               ///< what a repair did, or what keeps it from being done
  Instant idle_since;             ///< with -idle: never(): in use; 0: it was not used yet
  StartHook start_hook = StartHook::not_awaited;
  Instant hook_again;       ///< one that has failed is tried again then
  std::string hook_failure; ///< how the last hook that was run failed; "": it did not
  bool accounted = false;   ///< it has ended, and the reporting file has been told what it had
  std::vector<LeftBehind> left_behind;
  std::vector<Instant> repaired; ///< when it was repaired last, up to three times, ascending
  Instant gives_up_at;           ///< with -repair fail: it ends then; 0: nothing is lost
  ReservationNumber series;      ///< that it is an occurrence of; 0: none
  std::int64_t occurrence = 0; ///< of a series: its start by the wall clock, in seconds since 1970
  bool altered = false;        ///< of a series: changed alone, and keeps its window and places
  Instant closes_since;        ///< of a maintenance: when its window was decided; 0: of none
  bool not_repaired = false;   ///< it was given up, and ends for that
  std::string
      sealed_secret; ///< what claims are proved with, sealed for the store; "": a key, or none
  Instant others_end_since; ///< when jobs on its hosts were told to give way; 0: they were not
  Instant canceled_at;      ///< 0: it is not
  std::vector<Loan> lent;   ///< by the key of who has it, then by time (loan.hpp)

  bool is_granted() const {
    return phase == ReservationPhase::waiting || phase == ReservationPhase::running;
  }
  /// Its jobs run in any parallel environment: hosts were granted, not slots of one.
  bool takes_any_pe() const { return request.maintenance || request.nodes > 0; }
  /// It goes once its jobs have.
  bool is_ending() const {
    return phase == ReservationPhase::deleted || phase == ReservationPhase::closed;
  }
  /// As it is shown: a canceled one stays canceled, however old it is (spec/plus.md P4.16).
  ReservationPhase shown_phase() const {
    const bool was_canceled = phase == ReservationPhase::expired && canceled_at != Instant{};
    return was_canceled ? ReservationPhase::canceled : phase;
  }
  /// Nothing starts in it any more.
  bool is_over() const {
    return is_ending() || phase == ReservationPhase::canceled || phase == ReservationPhase::expired;
  }
};
template <class V> void describe(V& visit, Reservation& r) {
  visit("key", r.key);
  visit("number", r.number);
  visit("owner", r.owner);
  visit("submitted", r.submitted);
  visit("request", r.request);
  visit("phase", r.phase);
  visit("shape", r.shape);
  visit("proposed", r.proposed);
  visit("bad", r.bad);
  visit("original", r.original);
  visit("note", r.note);
  visit("idle_since", r.idle_since);
  visit("start_hook", r.start_hook);
  visit("hook_again", r.hook_again);
  visit("hook_failure", r.hook_failure);
  visit("accounted", r.accounted);
  visit("left_behind", r.left_behind);
  visit("repaired", r.repaired);
  visit("gives_up_at", r.gives_up_at);
  visit("series", r.series);
  visit("occurrence", r.occurrence);
  visit("altered", r.altered);
  visit("closes_since", r.closes_since);
  visit("not_repaired", r.not_repaired);
  visit("sealed_secret", r.sealed_secret);
  visit("others_end_since", r.others_end_since);
  visit("canceled_at", r.canceled_at);
  visit("lent", r.lent);
}
inline ReservationKey key_of(const Reservation& reservation) { return reservation.key; }

/// Whether it is a maintenance of this host.
bool closes_host(const Reservation& reservation, const std::string& host);
/// Whether its jobs may run there.
bool has_part_on(const Reservation& reservation, const InstanceName& instance);

/// w W r E d x (spec/reservations.md section 4.1), h of one that is only proposed (spec/plus.md
/// P4.18).
char state_letter(const Reservation& reservation);

struct Statement;

/// How far from now a reservation may end.
inline constexpr Duration furthest_end = hundred_years;

/// The window that -a, -e and -d mean at `now` (spec/reservations.md section 3), or what is wrong
/// with them. In a change `of` a reservation what is not given stays as it is, and one that has
/// begun keeps its start; without any of them its window stays.
Result<Window, Statement> requested_window(ReservationRequest request, Instant now,
                                           const Reservation* of = nullptr);

/// When what is left behind is booked.
Window window_of(const LeftBehind& left, const Shape& shape);

/// All that a granted one has booked, but for what is proposed.
std::vector<BookedPart> parts_of(const Reservation& reservation);

/// How it books what is granted. One that preempts lets jobs start until its own start comes, when
/// its hosts are closed to them (spec/plus.md P5.10, P5.11).
Claim booked_claim(const Reservation& reservation);

/// As each_booked(), if the reservation lent nothing.
template <class Take> void each_booked_with_lent(const Reservation& reservation, Take take_plain) {
  const auto& present = reservation.shape;
  const auto take = [&](const std::vector<Booking>& bookings, Window window, Claim claim) {
    take_plain(bookings, window, claim == Claim::plain ? booked_claim(reservation) : claim);
  };
  if (reservation.is_over())
    return take(present.bookings, Window{present.window.start, Instant::never()}, Claim::plain);
  const bool changes =
      !reservation.proposed.empty() && reservation.proposed.front().verb == ReservationVerb::change;
  const bool is_granted = reservation.phase != ReservationPhase::proposed;
  if (changes && is_granted)
    return each_booked(parts_of(reservation), reservation.proposed.front().shape, take);
  const auto& shape = changes ? reservation.proposed.front().shape : present;
  take(shape.bookings, shape.window, Claim::plain);
  if (!shape.spare_bookings.empty()) take(shape.spare_bookings, shape.window, Claim::spare);
  for (const auto& left : reservation.left_behind)
    take(left.bookings, window_of(left, present), Claim::plain);
}

/// Hands over all that the reservation keeps booked: `take(bookings, window, claim)`. What is
/// handed over for the same moment and place adds up. Of one that is over that is what its tasks
/// hold, as long as they are there. What it lends is booked by who has it.
template <class Take> void each_booked(const Reservation& reservation, Take take) {
  if (reservation.lent.empty()) return each_booked_with_lent(reservation, take);
  std::vector<BookedPart> parts;
  each_booked_with_lent(reservation,
                        [&](const std::vector<Booking>& bookings, Window window, Claim claim) {
                          parts.push_back({bookings, window, claim});
                        });
  for (const auto& part : without_lent(parts, reservation.lent))
    take(part.bookings, part.window, part.claim);
}

/// The shapes that somebody counts on: the present one, as long as it is in force or tasks are in
/// it, and the one that is proposed.
std::vector<const Shape*> shapes_of(const Reservation& reservation);

/// When the last of it is free again; 0: nothing of it is booked.
Instant booked_until(const Reservation& reservation);

/// How long one that preempts waits for the jobs on its hosts to end before it begins all the same:
/// longer than a notice, a terminate_method and a kill take. Its own jobs wait for what is still
/// held then.
inline constexpr Duration longest_giving_way{300};

/// What a reservation owes the world: an input to hand in, and when to look again. Asking twice
/// changes nothing.
struct ReservationStep {
  bool opens = false;
  bool closes = false;
  bool proposal_expires = false;
  bool is_idle = false; ///< for as long as it may be
  bool calls_hook = false;
  bool gives_up = false; ///< it could not be repaired in time
  Instant look_again = Instant::never();

  bool is_due() const {
    return opens || closes || proposal_expires || is_idle || calls_hook || gives_up;
  }
};
ReservationStep step(const Reservation& reservation, Instant now);

} // namespace almanac
