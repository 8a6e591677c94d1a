// Reservations that end when nothing uses them, and which of them may have become idle or busy.
#pragma once

#include "core/records/index.hpp"

#include <set>

namespace almanac {

class IdleWatch : public Index {
public:
  explicit IdleWatch(const Records& records) : records_(records) {}

  using Index::changed;
  void rebuild(const Records& records) override;
  bool agrees(const Records& records) const override;
  void changed(const Reservation* before, const Reservation* after) override;
  void changed(const Job* before, const Job* after) override;
  void changed(const Task* before, const Task* after) override;

  /// Granted ones with -idle, ascending.
  const std::set<ReservationKey>& watched() const { return watched_; }
  /// Those whose records, jobs or tasks have changed since this was asked last.
  std::set<ReservationKey> take_touched();

private:
  void touch(ReservationKey key);

  const Records& records_;
  std::set<ReservationKey> watched_;
  std::set<ReservationKey> touched_;
};

} // namespace almanac
