#include "core/matching/occupants.hpp"

#include "core/job/inside.hpp"

#include <algorithm>

namespace almanac {

template <class Take> void Occupants::each_job(const Snapshot& state, Take take) {
  auto keys = state.occupancy().ends.jobs();
  const auto& held = state.occupancy().jobs_with_holds.keys();
  keys.insert(keys.end(), held.begin(), held.end());
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  for (const auto key : keys)
    if (const auto* job = state.job(key)) take(*job);
}

// Takes each task with the name that it has here.
template <class Take> void Occupants::each_task(const Snapshot& state, const Job& job, Take take) {
  const auto name = to_string(job.number);
  for (const auto& task : state.tasks_of(job.key))
    take(Statement{AnswerCode::share_of_job,
                   {{"job", name + (task.number > 0 ? "." + std::to_string(task.number) : "")}}},
         task);
}

// Likewise each hold that counts.
template <class Take> void Occupants::each_hold(const Snapshot& state, const Job& job, Take take) {
  if (state.is_aside(job.key)) return;
  for (const auto& hold : job.holds)
    take(Statement{AnswerCode::share_of_hold, {{"job", to_string(job.number)}}}, hold);
}

namespace {

Window booked_window(const Task& task, bool firmly) {
  return firmly && !task.bookings.empty() ? firm_window(task) : task.booked;
}
Window booked_window(const Hold& hold, bool) { return hold.window; }

Statement name_of(const Reservation& reservation) {
  if (is_offer(reservation))
    return {AnswerCode::share_of_offer,
            {{"user", reservation.owner.user}, {"until", lapses_at(reservation)}}};
  return {AnswerCode::share_of_reservation, {{"reservation", reservation.number}}};
}

} // namespace

Occupants::Occupants(const Snapshot& state, Window window, ReservationKey reservation_key,
                     bool firmly, Claim claim, Beside beside)
    : Occupants(state.configuration(), window) {
  if (beside != Beside::jobs) add_jobs(state, reservation_key, firmly);
  if (reservation_key) {
    add_loans(state, reservation_key);
    return;
  }
  for (const auto& reservation : state.reservations())
    each_booked(reservation, [&](const std::vector<Booking>& bookings, Window booked, Claim of) {
      const bool is_beside = (of == Claim::spare && claim == Claim::rerunnable) ||
                             (of == Claim::preempting && beside == Beside::preempting);
      if (!is_beside) add(name_of(reservation), bookings, booked);
    });
}

void Occupants::add_jobs(const Snapshot& state, ReservationKey reservation_key, bool firmly) {
  each_job(state, [&](const Job& job) {
    each_task(state, job, [&](const Statement& who, const Task& task) {
      if (reservation_of(job, task) == reservation_key)
        add(who, task.bookings, booked_window(task, firmly));
    });
    if (reservation_key) return; // what is held for a job is no part of a reservation
    each_hold(state, job, [&](const Statement& who, const Hold& hold) {
      add(who, hold.bookings, hold.window);
    });
  });
}

void Occupants::add_loans(const Snapshot& state, ReservationKey lender) {
  const auto* reservation = state.reservation(lender);
  if (!reservation) return;
  for (const auto& loan : reservation->lent)
    if (const auto* borrower = state.reservation(loan.to))
      add(name_of(*borrower), loan.bookings, loan.window);
}

Occupants Occupants::of_quotas(const Snapshot& state, Window window) {
  Occupants holders(state.configuration(), window);
  each_job(state, [&](const Job& job) {
    const auto add = [&](const Statement& who, const auto& part) {
      holders.add(who, state.quotas().bookings_of(job, part.pe, part.grants),
                  booked_window(part, false));
    };
    each_task(state, job, [&](const Statement& who, const Task& task) {
      if (state.quotas().counts(task)) add(who, task);
    });
    each_hold(state, job, add);
  });
  return holders;
}

void Occupants::add(const Statement& who, const std::vector<Booking>& bookings, Window booked) {
  if (!booked.overlaps(window_)) return;
  for (const auto& booking : bookings)
    shares_[{booking.container, booking.resource}].push_back({who, booking.amount, booked.end});
}

std::vector<Occupants::Share> Occupants::shares_of(const Container& container,
                                                   const Resource& resource) const {
  const auto it = shares_.find({container, resource});
  if (it == shares_.end()) return {};
  auto shares = it->second;
  std::stable_sort(shares.begin(), shares.end(),
                   [](const Share& a, const Share& b) { return a.amount > b.amount; });
  return shares;
}

Statement Occupants::said(const Share& share, const Resource& resource) const {
  const auto* complex = configuration_.complexes().find(resource.name);
  auto who = share.who;
  who.details.emplace_back("amount", complex ? complex->print_amount(share.amount)
                                             : std::to_string(share.amount));
  return who;
}

std::vector<Statement> Occupants::shares(const Container& container,
                                         const Resource& resource) const {
  std::vector<Statement> statements;
  for (const auto& share : shares_of(container, resource))
    statements.push_back(said(share, resource));
  return statements;
}

std::vector<Statement> Occupants::shares_with_ends(const Container& container,
                                                   const Resource& resource) const {
  std::vector<Statement> statements;
  for (const auto& share : shares_of(container, resource)) {
    statements.push_back(said(share, resource));
    statements.back().details.emplace_back("end", taken_to(share.end));
  }
  return statements;
}

Statement taken_to(Instant end) {
  if (end.is_never()) return {AnswerCode::taken_without_end, {}};
  return {AnswerCode::taken_until, {{"at", end}}};
}

void add_taken(Statement& statement, std::vector<Statement> shares) {
  constexpr std::size_t most = 10;
  if (shares.empty()) return;
  const auto more = shares.size() > most ? shares.size() - most : 0;
  shares.resize(shares.size() - more);
  statement.details.emplace_back("taken", std::move(shares));
  if (more > 0) statement.details.emplace_back("more", more);
}

} // namespace almanac
