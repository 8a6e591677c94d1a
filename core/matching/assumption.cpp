#include "core/matching/assumption.hpp"

#include "core/job/inside.hpp"

namespace almanac {

void Assumption::start(const Job& job, const Task& task) {
  overlay_.add(entry_of(state_.configuration(), task, reservation_of(job, task)));
  if (state_.quotas().counts(task)) count(job, task.pe, task.grants, task.booked, 1);
  std::set<std::size_t> hosts;
  for (const auto& grant : task.grants)
    if (const auto* instance = state_.configuration().instance(grant.instance))
      hosts.insert(instance->host_index);
  for (const auto host : hosts) ++starts_[host];
}

void Assumption::stop(const Job& job, const Task& task) {
  overlay_.take_out(entry_of(state_.configuration(), task, reservation_of(job, task)));
  if (state_.quotas().counts(task)) count(job, task.pe, task.grants, task.booked, -1);
}

void Assumption::drop_holds(const Job& job) {
  if (!without_holds_.insert(job.key).second) return;
  for (const auto& hold : job.holds) {
    overlay_.take_out(entry_of(state_.configuration(), hold));
    count(job, hold.pe, hold.grants, hold.window, -1);
  }
}

void Assumption::drop(const Reservation& reservation) {
  each_booked(reservation, [&](const std::vector<Booking>& bookings, Window window, Claim claim) {
    give_back(bookings, window, claim);
  });
}

void Assumption::reserve(const std::vector<Booking>& bookings, Window window, Claim claim) {
  overlay_.add(reserved_entry(state_.configuration(), bookings, window, claim));
}

void Assumption::give_back(const std::vector<Booking>& bookings, Window window, Claim claim) {
  overlay_.take_out(reserved_entry(state_.configuration(), bookings, window, claim));
}

void Assumption::close(const Reservation& maintenance, const Reservation* instead) {
  maintenances_ = state_.occupancy().maintenances;
  if (instead) maintenances_->changed(instead, nullptr);
  maintenances_->add(maintenance);
  closures_ = state_.closures().with(&*maintenances_);
}

void Assumption::count(const Job& job, const std::string& pe, const std::vector<Grant>& grants,
                       Window window, std::int64_t sign) {
  const auto& quotas = state_.quotas();
  for (const auto& use : quotas.uses_of(job, pe, grants))
    overlay_.change(quotas.at(use.set, use.key), window, sign * use.amount);
}

Snapshot Assumption::look() const { return state_.assuming(*this); }

std::int64_t Assumption::starts_on(std::size_t host_index) const {
  const auto it = starts_.find(host_index);
  return it == starts_.end() ? 0 : it->second;
}

} // namespace almanac
