#include "actors/master/record_views.hpp"

#include "core/text/words.hpp"

#include <set>

namespace almanac {

namespace {

door::TaskView view_of(const Task& task) {
  return {task.number,
          task.state,
          task.restarted,
          task.deleting,
          task.suspended,
          task.throttled,
          task.reason,
          task.pe,
          task.grants,
          task.booked,
          task.started,
          task.attracted_by,
          task.suspended_by_user,
          task.suspended_by_queue,
          task.suspended_by_slots,
          task.after_end,
          {},
          {}};
}

door::BookingView view_of(const Booking& booking, const ComplexTable& complexes) {
  const auto* complex = complexes.find(booking.resource.name);
  return {booking.container, booking.resource, booking.amount,
          complex ? complex->type_amount(booking.amount) : std::to_string(booking.amount)};
}

} // namespace

door::ShownJob view_of(const Job& job, const std::vector<TaskPtr>& tasks) {
  door::ShownJob view{job.key,
                      job.number,
                      job.owner,
                      job.submitted,
                      job.request,
                      job.reservation_key,
                      job.waits_for,
                      job.held_by_user,
                      job.held_by_operator,
                      job.held_by_system,
                      job.fresh,
                      {},
                      {}};
  for (const auto& task : tasks) view.tasks.push_back(view_of(*task));
  for (const auto& hold : job.holds)
    view.holds.push_back({hold.window, hold.pe, hold.grants, hold.cause});
  return view;
}

door::ShownJob brief_view_of(const Job& job, const std::vector<TaskPtr>& tasks) {
  auto view = view_of(job, tasks);
  auto& request = view.request.edit();
  request.command.clear();
  request.environment.clear();
  request.arguments.clear();
  request.origin.clear();
  return view;
}

namespace {

// "all.q@n2=4 (job 17)"
std::string text_of(const LeftBehind& left) {
  return left.instance.text() + "=" + std::to_string(left.slots) +
         (left.jobs.size() == 1 ? " (job " : " (jobs ") + join(left.jobs, ",") + ")";
}

std::string note_of(const Reservation& r) {
  if (r.note.empty() || r.hook_failure.empty()) return r.note + r.hook_failure;
  return r.note + "; " + r.hook_failure;
}

// An amendment changes nothing of what is reserved, and is a modification all the same.
const char* word_of(ReservationVerb verb) {
  switch (verb) {
  case ReservationVerb::cancel: return "cancel";
  case ReservationVerb::destroy: return "destroy";
  default: return "modify";
  }
}

std::vector<std::string> texts_of(const Loan& loan, const ComplexTable& complexes) {
  std::vector<std::string> parts;
  for (const auto& grant : loan.grants)
    parts.push_back(grant.instance.text() + "=" + std::to_string(grant.slots));
  for (const auto& booking : loan.bookings) {
    const auto view = view_of(booking, complexes);
    if (view.resource == "slots" || view.resource.beside) continue;
    const auto& name = view.container.name;
    parts.push_back((name.empty() ? view.container.text() : name) + "=" + view.resource.name + "=" +
                    view.printed_amount());
  }
  return parts;
}

// Of several windows each thing is said once.
std::vector<std::string> lent_by(const Reservation& reservation, const ComplexTable& complexes,
                                 const Records& records) {
  std::vector<std::string> texts;
  std::set<std::string> said;
  for (const auto& loan : reservation.lent) {
    const auto* borrower = records.find<Reservation>(loan.to);
    if (!borrower) continue;
    for (const auto& part : texts_of(loan, complexes)) {
      auto text = part + " (reservation " + to_string(borrower->number) + ")";
      if (said.insert(text).second) texts.push_back(std::move(text));
    }
  }
  return texts;
}

} // namespace

door::ReservationView view_of(const Reservation& r, const ComplexTable& complexes,
                              const Records& records) {
  const bool is_new = r.phase == ReservationPhase::proposed && !r.proposed.empty();
  const auto& shape = is_new ? r.proposed.front().shape : r.shape;
  door::ReservationView view{r.key,
                             r.number,
                             r.owner,
                             r.submitted,
                             r.request,
                             r.shown_phase(),
                             {shape.window, shape.grants, {}, shape.pe, shape.users},
                             r.bad,
                             note_of(r),
                             r.shape.spares,
                             {},
                             {},
                             r.series,
                             {}};
  if (is_offer(r)) view.offer_until = lapses_at(r);
  if (!r.proposed.empty()) {
    view.operation = is_new ? "reserve" : word_of(r.proposed.front().verb);
    view.held_until = lapses_at(r);
  }
  for (const auto& booking : shape.bookings)
    view.shape.bookings.push_back(view_of(booking, complexes));
  for (const auto& left : r.left_behind) view.left_behind.push_back(text_of(left));
  view.lent = lent_by(r, complexes, records);
  if (r.series) view.occurrence = print_wall_clock(r.occurrence);
  return view;
}

door::SeriesView view_of(const Series& series, const std::vector<ReservationPtr>& granted) {
  door::SeriesView view;
  view.number = series.number;
  view.name = series.request.name, view.owner = series.owner.user;
  view.rule = print_rule(series.recurrence), view.zone = series.recurrence.zone;
  view.granted = static_cast<std::int64_t>(granted.size());
  for (const auto& one : granted)
    if (const auto start = one->shape.window.start;
        one->phase == ReservationPhase::waiting && (view.next == Instant{} || start < view.next))
      view.next = start;
  for (const auto& conflict : series.conflicts)
    view.conflicts.push_back(
        {print_wall_clock(conflict.occurrence), conflict.window, conflict.why});
  return view;
}

door::ShownHost view_of(const HostState& host) {
  const auto& facts = host.facts;
  return {host.name,
          host.phase,
          {facts.arch, facts.processors, facts.memory, facts.address, facts.topology}};
}

door::HostKeyView view_of(const HostKey& key) {
  return {key.state, key.key, key.serial, key.since, key.expires, key.alarm, key.alarm_at};
}

} // namespace almanac
