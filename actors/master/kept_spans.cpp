#include "actors/master/kept_spans.hpp"

#include "schema/codec.hpp"
#include "schema/store/spans.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace almanac {

namespace {

constexpr std::int64_t no_number = 0; // an instance needs none
constexpr Duration between_gaps{5};   // a look at them costs as much as one at many waiting jobs

Availability availability_of(const State& state, const QueueInstance& instance) {
  const auto& condition = state.condition_of(instance);
  if (state.host_of(instance).phase == HostPhase::unknown || condition.error)
    return Availability::down;
  if (condition.maintenance) return Availability::maintenance;
  if (condition.disabled || condition.suspended || condition.opening != Opening::on)
    return Availability::closed;
  return Availability::open;
}

UsageSpan configured_span(const State& state, const QueueInstance& instance, Instant now) {
  UsageSpan span;
  span.instance = instance.name, span.slots = instance.settings.slots;
  span.during = {now, Instant::never()};
  span.availability = availability_of(state, instance);
  return span;
}

// Whose it is, and who is charged.
void name_payer(UsageSpan& span, const Reservation& reservation) {
  span.reservation = {reservation.number, reservation.submitted};
  span.owner = reservation.owner.user, span.project = reservation.request.project;
  span.account = reservation.request.account;
}

// What is granted from now on, with its spare hosts; each instance once. A maintenance has none, and
// no slots: it is told of for the sake of its jobs.
std::vector<UsageSpan> spans_of(const Reservation& reservation, Instant now) {
  std::vector<UsageSpan> spans;
  const auto& window = reservation.shape.window;
  if (!reservation.is_granted() || window.end <= now) return spans;
  const Window to_come{std::max(window.start, now), window.end};
  if (reservation.request.maintenance) {
    auto& span = spans.emplace_back();
    span.of = SpanOf::reservation, span.during = to_come;
    name_payer(span, reservation);
  }
  std::map<InstanceName, std::size_t> seen; // where in the list
  for (const auto& grant : reservation.shape.with_spares()) {
    const auto [known, is_new] = seen.emplace(grant.instance, spans.size());
    if (!is_new) {
      spans[known->second].slots += grant.slots;
      continue;
    }
    auto& span = spans.emplace_back();
    span.of = SpanOf::reservation, span.instance = grant.instance, span.slots = grant.slots;
    span.during = to_come;
    name_payer(span, reservation);
  }
  return spans;
}

// Before its end nothing leaves but what is canceled or deleted; an end for idleness is none of these.
bool is_given_up(const Reservation* reservation, const UsageSpan& span, Instant now) {
  if (span.during.end <= now) return false;
  if (!reservation) return true;
  return reservation->phase == ReservationPhase::canceled ||
         reservation->phase == ReservationPhase::deleted;
}

UsageSpan ended(UsageSpan span, const Reservation* reservation, Instant now) {
  span.given_up = is_given_up(reservation, span, now);
  return span;
}

UsageSpan span_of(const State& state, const rules::Gap& gap, Instant now) {
  UsageSpan span;
  if (const auto* reservation = state.reservation_by_number(gap.reservation.number))
    name_payer(span, *reservation);
  span.of = SpanOf::gap, span.instance = gap.instance, span.slots = gap.slots;
  span.during = {now, Instant::never()};
  span.reservation = gap.reservation;
  return span;
}

// Whether what was known says the same of all that is to come.
bool still_holds(UsageSpan known, const UsageSpan& wanted, Instant now) {
  known.during.start = std::max(known.during.start, now);
  return known == wanted;
}

bool concerns_instances(const Event& event) {
  switch (event.kind.object) {
  case ObjectKind::cluster_queue:
  case ObjectKind::exec_host:
  case ObjectKind::host_group:
  case ObjectKind::orphan: return true;
  default: return false;
  }
}

} // namespace

void KeptSpans::begin(const State& state, const Archive& store, Instant now, Writes& writes) {
  store.scan_from(store::Family::usage, std::string(store::open_spans),
                  [&](std::string_view key, std::string_view value) {
                    const auto span = decode<UsageSpan>(value);
                    if (!span) writes.push_back({store::Family::usage, std::string(key), {}});
                    else if (span->of == SpanOf::instance) instances_[span->instance] = *span;
                    else if (span->of == SpanOf::gap) gaps_[std::string(key)] = *span;
                    else reservations_[{store::key_number(key.substr(2))}].push_back(*span);
                    return true;
                  });
  if (!store.get(store::Family::meta, store::usage_since_key))
    writes.push_back({store::Family::meta, store::usage_since_key, std::to_string(now.seconds)});
  look_at_all(state, now, writes);
  std::set<ReservationKey> keys;
  for (const auto& [key, spans] : reservations_) keys.insert(key);
  for (const auto& reservation : state.reservations()) keys.insert(reservation.key);
  for (const auto key : keys) look_at(state.reservation(key), key, now, writes);
  next_gaps_ = now + between_gaps; // passes come first
}

void KeptSpans::follow(const State& state, const std::vector<Effect>& effects,
                       const std::vector<Event>& events, Instant now, Writes& writes) {
  using Of = EventKind::Of;
  const auto& instances = state.configuration().instances();
  const bool all = std::any_of(events.begin(), events.end(), [](const Event& event) {
    return event.kind.of == Of::object && concerns_instances(event);
  });
  if (all) look_at_all(state, now, writes);
  for (const auto& event : events) {
    if (all || (event.kind.of != Of::host && event.kind.of != Of::instance)) continue;
    const auto name = InstanceName::parse(event.name);
    const auto host = on_host_.find(event.kind.of == Of::host ? event.name
                                    : name                    ? name->host
                                                              : std::string());
    if (host == on_host_.end()) continue;
    for (const auto position : host->second)
      if (event.kind.of == Of::host || instances[position].name == *name)
        look_at(state, instances[position], now, writes);
  }
  for (const auto& effect : effects)
    if (const auto* changed = std::get_if<ReservationPtr>(&effect))
      look_at(changed->get(), (*changed)->key, now, writes);
    else if (const auto* gone = std::get_if<Erased<Reservation>>(&effect))
      look_at(nullptr, gone->key, now, writes);
  if (now >= next_gaps_ && !state.waiting().in_a_pass) look_at_gaps(state, now, writes);
}

void KeptSpans::look_at_all(const State& state, Instant now, Writes& writes) {
  on_host_.clear();
  std::set<InstanceName> there;
  const auto& instances = state.configuration().instances();
  for (std::size_t position = 0; position < instances.size(); ++position) {
    const auto& instance = instances[position];
    on_host_[instance.name.host].push_back(position);
    there.insert(instance.name);
    look_at(state, instance, now, writes);
  }
  std::erase_if(instances_, [&](const auto& known) {
    if (there.contains(known.first)) return false;
    close(known.second, no_number, now, writes);
    return true;
  });
}

void KeptSpans::look_at(const State& state, const QueueInstance& instance, Instant now,
                        Writes& writes) {
  const auto wanted = configured_span(state, instance, now);
  const auto known = instances_.find(instance.name);
  if (known != instances_.end()) {
    if (still_holds(known->second, wanted, now)) return;
    close(known->second, no_number, now, writes);
  }
  instances_[instance.name] = wanted;
  writes.push_back(store::write_of_open(wanted, no_number));
}

void KeptSpans::look_at(const Reservation* reservation, ReservationKey key, Instant now,
                        Writes& writes) {
  auto wanted = reservation ? spans_of(*reservation, now) : std::vector<UsageSpan>();
  const auto known = reservations_.find(key);
  const auto before = known == reservations_.end() ? std::vector<UsageSpan>() : known->second;
  std::vector<UsageSpan> stay;
  for (const auto& span : before) {
    const auto same = std::find_if(wanted.begin(), wanted.end(), [&](const UsageSpan& one) {
      return still_holds(span, one, now);
    });
    if (same == wanted.end()) close(ended(span, reservation, now), key.value, now, writes);
    else wanted.erase(same), stay.push_back(span);
  }
  for (auto& span : wanted) {
    writes.push_back(store::write_of_open(span, key.value));
    stay.push_back(std::move(span));
  }
  if (stay.empty()) reservations_.erase(key);
  else reservations_[key] = std::move(stay);
}

void KeptSpans::look_at_gaps(const State& state, Instant now, Writes& writes) {
  next_gaps_ = now + between_gaps;
  std::map<std::string, UsageSpan> wanted;
  for (const auto& gap : rules::gaps(state, now)) {
    const auto span = span_of(state, gap, now);
    wanted[store::open_span_key(span, gap.reservation.number.value)] = span;
  }
  for (const auto& [key, span] : gaps_) {
    const auto same = wanted.find(key);
    if (same != wanted.end() && still_holds(span, same->second, now)) same->second = span;
    else close(span, span.reservation.number.value, now, writes);
  }
  for (const auto& [key, span] : wanted)
    if (const auto known = gaps_.find(key); known == gaps_.end() || known->second != span)
      writes.push_back(store::write_of_open(span, span.reservation.number.value));
  gaps_ = std::move(wanted);
}

// What comes instead lies under the same key, and is written behind this.
void KeptSpans::close(const UsageSpan& span, std::int64_t of, Instant now, Writes& writes) const {
  auto past = span;
  past.during.end = std::min(past.during.end, now);
  if (past.during.start < past.during.end) writes.push_back(store::write_of_past(past));
  writes.push_back(store::erase_of_open(span, of));
}

} // namespace almanac
