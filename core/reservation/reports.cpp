#include "core/reservation/reports.hpp"

#include "core/text/resource_list.hpp"

#include <set>
#include <string>

namespace almanac {

namespace {

bool is_told_of(const Reservation* reservation) {
  return reservation && reservation->phase != ReservationPhase::proposed;
}

class Reports {
public:
  std::vector<ReportingRecord> found;

  void began(const Reservation& after) {
    add(ReportKind::new_ar, after).owner = after.owner.user;
    has_attributes(after);
    if (!after.bad.empty()) log(after, ReportEvent::resources_unsatisfied);
    if (after.phase == ReservationPhase::running) log(after, ReportEvent::start_time_reached);
  }

  void changed(const Reservation& before, const Reservation& after) {
    if (after.is_granted()) {
      if (differ(before, after)) has_attributes(after);
      left(before, after);
      if (before.phase == ReservationPhase::waiting && after.phase == ReservationPhase::running)
        log(after, ReportEvent::start_time_reached);
      if (before.bad.empty() != after.bad.empty())
        log(after, after.bad.empty() ? ReportEvent::resources_satisfied
                                     : ReportEvent::resources_unsatisfied);
    }
    if (!before.accounted && after.accounted) ended(after, end_of(after));
  }

  // A past one of an earlier version may not say that it has been accounted.
  void gone(const Reservation& before) {
    if (!before.accounted && before.phase != ReservationPhase::expired)
      ended(before, before.not_repaired ? ReportEvent::not_repaired : ReportEvent::deleted);
  }

private:
  ReportingRecord& add(ReportKind kind, const Reservation& of) {
    auto& record = found.emplace_back();
    record.kind = kind;
    record.number = of.number, record.submitted = of.submitted;
    return record;
  }

  void has_attributes(const Reservation& of) {
    auto& record = add(ReportKind::ar_attribute, of);
    record.name = of.request.name, record.account = of.request.account;
    record.window = of.shape.window;
    record.pe = of.shape.pe, record.resources = print_resource_requests(of.request.resources);
  }

  static bool was_idle(const Reservation& of) {
    const auto& since = of.idle_since;
    return since != Instant{} && !since.is_never() &&
           since + of.request.idle_for <= of.shape.window.end;
  }

  static ReportEvent end_of(const Reservation& of) {
    if (of.not_repaired) return ReportEvent::not_repaired;
    if (of.phase != ReservationPhase::closed) return ReportEvent::deleted;
    if (!was_idle(of)) return ReportEvent::terminated;
    return of.request.idle_for == Duration{} ? ReportEvent::last_job_left : ReportEvent::was_idle;
  }

  void log(const Reservation& of, ReportEvent event) {
    auto& record = add(ReportKind::ar_log, of);
    record.state = state_letter(of), record.event = event;
    if (event == ReportEvent::was_idle) record.idle_minutes = of.request.idle_for.seconds / 60;
  }

  void account(const Reservation& of, const InstanceName& instance, std::int64_t slots) {
    auto& record = add(ReportKind::ar_acct, of);
    record.queue = instance.queue, record.host = instance.host, record.slots = slots;
  }

  void ended(const Reservation& of, ReportEvent event) {
    log(of, event);
    each_instance(of.shape, [&](const InstanceName& instance) {
      account(of, instance, of.shape.slots_on(instance));
    });
  }

  void left(const Reservation& before, const Reservation& after) {
    each_instance(before.shape, [&](const InstanceName& instance) {
      const auto slots = before.shape.slots_on(instance) - after.shape.slots_on(instance);
      if (slots > 0) account(after, instance, slots);
    });
  }

  // Each once, in the order of the grants.
  template <class Use> static void each_instance(const Shape& shape, Use use) {
    std::set<InstanceName> seen;
    for (const auto& grant : shape.grants)
      if (seen.insert(grant.instance).second) use(grant.instance);
  }

  static bool differ(const Reservation& a, const Reservation& b) {
    return a.shape.window != b.shape.window || a.shape.grants != b.shape.grants ||
           a.shape.users != b.shape.users || a.shape.pe != b.shape.pe ||
           a.request.name != b.request.name || a.request.account != b.request.account ||
           print_resource_requests(a.request.resources) !=
               print_resource_requests(b.request.resources);
  }
};

} // namespace

std::vector<ReportingRecord> reports_of(const Reservation* before, const Reservation* after) {
  Reports reports;
  const bool was = is_told_of(before), is = is_told_of(after);
  if (was && is) reports.changed(*before, *after);
  else if (is) reports.began(*after);
  else if (was) reports.gone(*before);
  return std::move(reports.found);
}

} // namespace almanac
