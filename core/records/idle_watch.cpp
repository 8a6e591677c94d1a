#include "core/records/idle_watch.hpp"

#include "core/records/records.hpp"

#include <utility>

namespace almanac {

namespace {

bool is_watched(const Reservation& reservation) {
  return reservation.request.ends_when_idle && reservation.is_granted();
}

std::set<ReservationKey> watched_in(const Records& records) {
  std::set<ReservationKey> keys;
  for (const auto& [key, reservation] : records.all<Reservation>())
    if (is_watched(*reservation)) keys.insert(key);
  return keys;
}

} // namespace

void IdleWatch::rebuild(const Records& records) { watched_ = touched_ = watched_in(records); }

bool IdleWatch::agrees(const Records& records) const { return watched_ == watched_in(records); }

void IdleWatch::changed(const Reservation* before, const Reservation* after) {
  if (before) watched_.erase(before->key);
  if (after && is_watched(*after)) watched_.insert(after->key), touched_.insert(after->key);
}

void IdleWatch::changed(const Job* before, const Job* after) {
  if (before && before->reservation_key) touch(before->reservation_key);
  if (after && after->reservation_key) touch(after->reservation_key);
}

// One that goes with its job is told of there.
void IdleWatch::changed(const Task* before, const Task* after) {
  if (watched_.empty()) return;
  for (const auto* task : {before, after})
    if (task && task->attracted_by) touch(task->attracted_by);
  const auto& jobs = records_.all<Job>();
  const auto job = jobs.find((before ? before : after)->job);
  if (job != jobs.end() && job->second->reservation_key) touch(job->second->reservation_key);
}

std::set<ReservationKey> IdleWatch::take_touched() { return std::exchange(touched_, {}); }

void IdleWatch::touch(ReservationKey key) {
  if (watched_.contains(key)) touched_.insert(key);
}

} // namespace almanac
