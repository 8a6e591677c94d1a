#include "actors/master/life_cycles.hpp"

#include "actors/inspection.hpp"
#include "actors/support.hpp"

namespace almanac {

namespace {

// It owns the waiting for one reservation's moments; the planner opens, closes and drops.
struct ReservationState {
  static inline const char* name = "reservation";
  explicit ReservationState(ReservationActor::pointer self) : self(self) {}

  void change(const ReservationChanged& change) {
    if (reservation) report(*change.reservation);
    reservation = change.reservation;
    advance();
  }

  void report(const Reservation& next) const {
    if (next.note != reservation->note && !next.note.empty())
      spdlog::warn("reservation id={} {}", next.number.value, next.note);
    if (next.others_end_since != reservation->others_end_since &&
        next.others_end_since != Instant{})
      spdlog::info("reservation closed id={} others give way", next.number.value);
  }

  void advance() {
    const auto now = context.clock->now();
    const auto due = step(*reservation, now);
    if (due.is_due()) {
      spdlog::info("reservation due id={} opens={} closes={} idle={}", reservation->number.value,
                   due.opens, due.closes, due.is_idle);
      caf::anon_send(context.calendar, Tell{ReservationDue{reservation->key}});
    }
    ++generation;
    if (!due.look_again.is_never())
      self->delayed_send(self, until(due.look_again, now), Wake{generation});
  }

  ReservationActor::pointer self;
  LifeCycleContext context;
  ReservationPtr reservation;
  std::int64_t generation = 0;
};

ReservationActor::behavior_type reservation_actor(Watched<ReservationActor, ReservationState> self,
                                                  LifeCycleContext context,
                                                  ReservationNumber number) {
  end_process_on_exception(self, "reservation");
  enlist(self, context.directory, "reservation", to_string(number));
  self->state.context = std::move(context);
  return {
      [self](const ReservationChanged& change) { self->state.change(change); },
      [self](const ReservationGone&) { self->quit(); },
      [self](const Wake& wake) {
        if (wake.generation == self->state.generation) self->state.advance();
      },
      [self](const Inspect& inspect) {
        return ActorState{self->state.reservation ? show(*self->state.reservation, inspect.json)
                                                  : ""};
      },
  };
}

} // namespace

ReservationActor spawn_reservation(caf::actor_system& system, const LifeCycleContext& context,
                                   ReservationNumber number) {
  return system.spawn(reservation_actor, context, number);
}

} // namespace almanac
