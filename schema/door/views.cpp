#include "schema/door/views.hpp"

namespace almanac::door {

std::string TaskView::letters(bool held) const {
  Task task;
  task.state = state, task.restarted = restarted, task.deleting = deleting;
  task.suspended = suspended, task.throttled = throttled;
  task.suspended_by_user = suspended_by_user, task.suspended_by_queue = suspended_by_queue;
  task.suspended_by_slots = suspended_by_slots, task.after_end = after_end;
  return state_letters(task, held);
}

char ReservationView::letter() const {
  Reservation reservation;
  reservation.phase = phase, reservation.bad = bad;
  return state_letter(reservation);
}

} // namespace almanac::door
