#include "core/utilization/usage.hpp"

#include "core/base/wide.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace almanac {

namespace {

struct Change {
  enum class Of : std::uint8_t { configured, reserved, used, gap };
  Instant at;
  std::int64_t sign = 0; ///< a span begins or ends
  std::int64_t slots = 0;
  Of of = Of::configured;
  Availability availability = Availability::open;
  ReservationId reservation;
};

void add(std::int64_t& sum, std::int64_t slots, Duration length) {
  sum = clamped(Wide(sum) + Wide(slots) * length.seconds);
}

// One instance, from one change to the next.
class Instance {
public:
  explicit Instance(Usage& usage) : usage_(usage) {}

  void apply(const Change& change) {
    const auto delta = change.sign * change.slots;
    if (change.of == Change::Of::configured) {
      slots_ += delta;
      configured_.at(static_cast<std::size_t>(change.availability)) += change.sign;
    } else if (change.of == Change::Of::gap) {
      if ((gaps_[change.reservation] += delta) == 0) gaps_.erase(change.reservation);
    } else if (!change.reservation.number) outside_ += delta;
    else {
      auto& share = shares_[change.reservation];
      (change.of == Change::Of::used ? share.used : share.reserved) += delta;
      if (share.used == 0 && share.reserved == 0) shares_.erase(change.reservation);
    }
  }

  void pass(Duration length) {
    auto& cell = usage_.cell;
    std::int64_t inside = 0;
    for (const auto& [id, share] : shares_) inside += share.used;
    const auto used = inside + outside_;
    add(cell.used_inside, inside, length), add(cell.used_outside, outside_, length);
    add(cell.over, std::max<std::int64_t>(0, used - slots_), length);
    const auto rest = std::max<std::int64_t>(0, slots_ - used);
    const auto availability = present();
    const auto taken = share_out(availability == Availability::open ? rest : 0, length);
    add(cell.idle_reserved, taken, length);
    switch (availability) {
    case Availability::open: return pass_free(rest - taken, length);
    case Availability::closed: return add(cell.closed, rest, length);
    case Availability::maintenance: return add(cell.maintenance, rest, length);
    case Availability::down: return add(cell.down, rest, length);
    }
  }

private:
  struct Share {
    std::int64_t reserved = 0, used = 0;
  };

  // One that is not configured is gone.
  Availability present() const {
    for (auto one = configured_.size(); one-- > 0;)
      if (configured_[one] > 0) return static_cast<Availability>(one);
    return Availability::down;
  }

  void pass_free(std::int64_t free, Duration length) {
    for (const auto& [id, slots] : gaps_) {
      const auto gap = std::min(slots, free);
      add(usage_.cell.gap, gap, length);
      if (id.number && gap > 0) add(usage_.reservations[id].gap, gap, length);
      free -= gap;
    }
    add(usage_.cell.free, free, length);
  }

  // How many of the slots that can be had are idle in reservations.
  std::int64_t share_out(std::int64_t available, Duration length) {
    std::int64_t taken = 0;
    for (const auto& [id, share] : shares_) {
      const auto wanted = std::max<std::int64_t>(0, share.reserved - share.used);
      const auto idle = std::min(wanted, available - taken);
      auto& own = usage_.reservations[id];
      add(own.used, share.used, length), add(own.idle, idle, length);
      add(own.unavailable, wanted - idle, length);
      taken += idle;
    }
    return taken;
  }

  Usage& usage_;
  std::int64_t slots_ = 0, outside_ = 0;
  std::array<std::int64_t, static_cast<std::size_t>(last_of<Availability>) + 1> configured_{};
  std::map<ReservationId, Share> shares_;
  std::map<ReservationId, std::int64_t> gaps_;
};

class Changes {
public:
  explicit Changes(Window window) : window_(window) {}

  std::map<InstanceName, std::vector<Change>> by_instance;

  void enter(const SlotSpan& span, Change change) {
    const auto begin = std::max(span.during.start, window_.start);
    const auto end = std::min(span.during.end, window_.end);
    if (begin >= end) return;
    auto& changes = by_instance[span.instance];
    change.slots = span.slots;
    change.at = begin, change.sign = 1;
    changes.push_back(change);
    change.at = end, change.sign = -1;
    changes.push_back(change);
  }

private:
  Window window_;
};

} // namespace

Usage usage_of(const UsageSpans& spans, Window window) {
  using Of = Change::Of;
  Changes changes(window);
  for (const auto& span : spans.configured)
    changes.enter(span, {{}, 0, 0, Of::configured, span.availability, {}});
  for (const auto& span : spans.reserved)
    changes.enter(span, {{}, 0, 0, Of::reserved, {}, span.reservation});
  for (const auto& span : spans.used)
    changes.enter(span, {{}, 0, 0, Of::used, {}, span.reservation});
  for (const auto& span : spans.gaps)
    changes.enter(span, {{}, 0, 0, Of::gap, {}, span.reservation});
  Usage usage;
  for (auto& [name, of_instance] : changes.by_instance) {
    std::stable_sort(of_instance.begin(), of_instance.end(),
                     [](const Change& a, const Change& b) { return a.at < b.at; });
    Instance instance(usage);
    auto at = of_instance.front().at;
    for (const auto& change : of_instance) {
      if (change.at > at) instance.pass(change.at - std::exchange(at, change.at));
      instance.apply(change);
    }
  }
  return usage;
}

} // namespace almanac
