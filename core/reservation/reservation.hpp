// An advance reservation as it is asked for and as it is kept (spec/reservations.md section 2).
//
//   (granted) waiting --start--> running --end--> closed --last task gone--> (removed)
//                 \________ qrdel ______/-------> deleted --last task gone-/
//
// The letters w W r E d x follow from the phase and from what is wrong with reserved instances.
//
// 1. A reservation has a current shape (unless it is only held) and at most one proposed one; each
// is booked.
// 2. A commit never asks for capacity again.
#pragma once

#include "core/base/describe.hpp"
#include "core/base/attribute.hpp"
#include "core/base/caller.hpp"
#include "core/job/grant.hpp"
#include "core/text/ranges.hpp"
#include "core/utilization/booking.hpp"

#include <string>
#include <vector>

namespace almanac {

/// Whether what is lost of it is replaced.
enum class Repair : std::uint8_t { as_site, yes, no };
template <> inline constexpr Repair last_of<Repair> = Repair::no;

/// What `qrsub` asks for.
struct ReservationRequest {
  std::string name;
  std::string account = "sge";
  Instant start; ///< 0: not given
  Instant end;   ///< 0: not given
  Duration duration;
  bool has_duration = false;
  std::vector<Attribute> resources;
  std::vector<std::string> queues;
  std::string pe;
  std::vector<SlotRange> slots;
  std::vector<std::string> users;   ///< -u: users, @lists, with '!' in front those kept out
  bool hard = false;                ///< -he y
  Repair repair = Repair::as_site;  ///< -repair
  std::string mail_at;              ///< -m: letters of "bea"; "": no mail
  std::vector<std::string> mail_to; ///< -M, beside the owner
  std::vector<Attribute> groups{};  ///< of plain users in -u their primary group, where it is known
};
template <class V> void describe(V& visit, ReservationRequest& r) {
  visit("name", r.name);
  visit("account", r.account);
  visit("start", r.start);
  visit("end", r.end);
  visit("duration", r.duration);
  visit("has_duration", r.has_duration);
  visit("resources", r.resources);
  visit("queues", r.queues);
  visit("pe", r.pe);
  visit("slots", r.slots);
  visit("users", r.users);
  visit("hard", r.hard);
  visit("repair", r.repair);
  visit("mail_at", r.mail_at);
  visit("mail_to", r.mail_to);
  visit("groups", r.groups);
}

/// What is promised: when, where, to whom.
struct Shape {
  Window window;
  std::vector<Grant> grants;
  std::vector<Booking> bookings;
  std::string pe;
  std::vector<std::string> users;
  std::string allocation_rule{}; ///< of the PE when it was granted; "": as it is today
};
template <class V> void describe(V& visit, Shape& s) {
  visit("window", s.window);
  visit("grants", s.grants);
  visit("bookings", s.bookings);
  visit("pe", s.pe);
  visit("users", s.users);
  visit("allocation_rule", s.allocation_rule);
}

/// A change that is booked but not yet agreed: a new shape, or the removal.
struct Proposal {
  std::string transaction;
  Instant held_until;
  bool removal = false;
  Shape shape;
  ReservationRequest request{}; ///< what the shape was found for
};
template <class V> void describe(V& visit, Proposal& p) {
  visit("transaction", p.transaction);
  visit("held_until", p.held_until);
  visit("removal", p.removal);
  visit("shape", p.shape);
  visit("request", p.request);
}

enum class ReservationPhase : std::uint8_t { proposed, waiting, running, deleted, closed };
template <> inline constexpr ReservationPhase last_of<ReservationPhase> = ReservationPhase::closed;

struct Reservation {
  ReservationKey key;
  ReservationNumber number;
  Caller owner;
  Instant submitted;
  ReservationRequest request;
  ReservationPhase phase = ReservationPhase::proposed;
  Shape shape;
  std::vector<Proposal> proposed; ///< none or one
  std::vector<std::string> bad;   ///< "reserved queue q@h is disabled", in the order of the grants
  std::vector<Grant> original;    ///< what was granted, where a repair has changed it
  std::string note;               ///< what a repair did, or what keeps it from being done

  bool is_granted() const {
    return phase == ReservationPhase::waiting || phase == ReservationPhase::running;
  }
  bool is_ending() const {
    return phase == ReservationPhase::deleted || phase == ReservationPhase::closed;
  }
  std::int64_t slots_on(const InstanceName& instance) const;
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
}
inline ReservationKey key_of(const Reservation& reservation) { return reservation.key; }

/// w W r E d x (spec/reservations.md section 4.1).
char state_letter(const Reservation& reservation);

/// The window that -a, -e and -d mean at `now` (spec/reservations.md section 3), or the shipped
/// message.
Result<Window> requested_window(const ReservationRequest& request, Instant now);

/// What a reservation owes the world: an input to hand in, and when to look again. Asking twice
/// changes nothing.
struct ReservationStep {
  bool opens = false;
  bool closes = false;
  bool proposal_expires = false;
  Instant look_again = Instant::never();
};
ReservationStep step(const Reservation& reservation, Instant now);

} // namespace almanac
