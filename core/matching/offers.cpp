#include "core/matching/offers.hpp"

#include "core/matching/instance_obstacles.hpp"

#include <algorithm>

namespace almanac {

namespace {

Statement few_in(const Pool& pool, const Demand& demand) {
  Detail request("request", demand.description);
  switch (pool.kind) {
  case Container::Kind::global: return {AnswerCode::offers_few_globally, {std::move(request)}};
  case Container::Kind::host:
    return {AnswerCode::offers_few_at_host,
            {std::move(request), {"host", pool.instance->name.host}}};
  default:
    return {AnswerCode::offers_few_in_queue,
            {std::move(request), {"queue", pool.instance->name.text()}}};
  }
}

Statement named(const Pool& pool) {
  switch (pool.kind) {
  case Container::Kind::global: return {AnswerCode::in_the_cluster, {}};
  case Container::Kind::host:
    return {AnswerCode::at_the_host, {{"host", pool.instance->name.host}}};
  default: return {AnswerCode::in_queue_instance, {{"queue", pool.instance->name.text()}}};
  }
}

// Of what is not enough. Who would be alone, or beside others, finds nothing of it whatever else is free.
std::int64_t said_to_be_free(const ConsumableDemand& asked, std::int64_t free) {
  return is_exclusive(asked) ? 0 : free;
}

void add_offer(Statement& statement, const Snapshot& state, const Supply& supply, const Pool& pool,
               const ConsumableDemand& asked, Window window) {
  const auto free = std::max<std::int64_t>(0, supply.free(*pool.capacity, window).value_or(0));
  const auto* complex = state.configuration().complexes().find(asked.resource);
  statement.details.emplace_back("resource", asked.resource);
  const auto said = said_to_be_free(asked, free);
  statement.details.emplace_back("amount",
                                 complex ? complex->print_amount(said) : std::to_string(said));
  const auto now_free =
      supply.free(*pool.capacity, {window.start, window.start + Duration{1}}).value_or(0);
  if (now_free > free && now_free >= asked.amount)
    statement.details.emplace_back("why", Statement{AnswerCode::due_to_reservation, {}});
}

// A queue instance that running jobs have filled is said to be full, as Grid Engine does
// (spec/scheduling.md S15.3): what is booked ahead is told by its amounts.
void say_if_full(Statement& few, const ConsumableDemand& asked,
                 const std::vector<Statement>& shares) {
  const auto* amount = few.find("amount");
  if (few.code != AnswerCode::offers_few_in_queue || asked.resource != "slots" || shares.empty() ||
      few.find("why") || amount->text != "0" ||
      std::any_of(shares.begin(), shares.end(),
                  [](auto& share) { return share.code != AnswerCode::share_of_job; }))
    return;
  few = {AnswerCode::instance_full, {*few.find("queue")}};
}

bool is_configured(const Snapshot& state, const QueueInstance& instance,
                   const std::string& resource) {
  const auto& index = state.capacity_index(resource);
  return index.of_cell().total || index.of_host(instance).total || index.of_queue(instance).total;
}

bool has_asked_for_none(const Reservation& reservation, const ComplexTable& complexes,
                        const std::string& resource) {
  const auto requests = last_of_each(complexes, reservation.request.resources);
  return std::any_of(requests.begin(), requests.end(), [&](const Attribute& request) {
    const auto* complex = complexes.find(request.name);
    if (!complex || complex->name != resource) return false;
    const auto asked = asked_of(*complex, request.value);
    return asked && asked->amount == 0;
  });
}

// Whether there is no place where it has no pool. Of what a reservation has asked none of, its jobs
// take no default; who asks for nothing may be anywhere in it (spec/reservations.md R11.13).
bool needs_pool(const Snapshot& state, const Reservation* reservation,
                const QueueInstance& instance, const ConsumableDemand& asked) {
  if (!reservation) return asked.asked;
  if (asked.asked) return asked.amount > 0;
  return !is_exclusive(asked) && is_configured(state, instance, asked.resource) &&
         has_asked_for_none(*reservation, state.configuration().complexes(), asked.resource);
}

} // namespace

Offers::Offers(const Snapshot& state, const Supply& supply, const Demand& demand, Window window,
               Obstacles& obstacles)
    : state_(state),
      supply_(supply),
      demand_(demand),
      window_(window),
      obstacles_(obstacles),
      consumptions_(consumptions_of(demand, supply)),
      soft_(consumptions_of(demand.soft, supply)) {}

std::optional<CellOffer> Offers::of_cell() {
  CellOffer offer;
  for (const auto& consumption : consumptions_) {
    const auto pool = pool_of_cell(consumption);
    if (!pool) continue;
    const auto& asked = consumption.asked;
    const auto fits = times_free(supply_, *pool, asked, window_);
    const bool per_slot = asked.taking == Taking::per_slot;
    if (fits < (per_slot && !demand_.slots.empty() ? lowest(demand_.slots) : 1)) {
      explain_full(*pool, asked);
      return std::nullopt;
    }
    if (per_slot) offer.slots = std::min(offer.slots, fits);
    if (asked.taking == Taking::per_host) offer.hosts = std::min(offer.hosts, fits);
  }
  return offer;
}

Offer Offers::of(const QueueInstance& instance) {
  Offer offer;
  offer.instance = &instance;
  if (!supply_.is_open(instance, window_)) {
    explain_closed(instance);
    offer.slots = 0;
    return offer;
  }
  offer.can_be_master = may_be_master(state_, instance, demand_);
  offer.can_be_slave = may_be_slave(state_, instance, demand_);
  if (!offer.can_be_master && !demand_.master_fixed.empty()) explain_scope(instance, "master");
  if (!offer.can_be_slave) explain_scope(instance, "slave");
  if (!demand_.soft.is_empty()) offer.unmet = unmet_by(instance);
  for (const auto& consumption : consumptions_) count(consumption, offer);
  return offer;
}

// What one consumable leaves of the offer.
void Offers::count(const Consumption& consumption, Offer& offer) {
  const auto& asked = consumption.asked;
  const auto pools = pools_of(consumption, *offer.instance);
  for (const auto& pool : pools) {
    if (pool.kind == Container::Kind::global) continue; // see of_cell()
    const auto fits = times_free(supply_, pool, asked, window_);
    if (fits < 1 || is_less(fits, asked)) explain_full(pool, asked);
    if (asked.taking == Taking::per_slot) {
      offer.slots = std::min(offer.slots, fits);
      if (pool.kind == Container::Kind::host) offer.on_host = std::min(offer.on_host, fits);
    } else if (asked.taking == Taking::per_job) {
      offer.can_be_master = offer.can_be_master && fits >= 1;
    } else if (fits < 1) {
      offer.slots = 0;
    }
  }
  if (is_there(pools, asked) || !needs_pool(state_, supply_.reservation(), *offer.instance, asked))
    return;
  // The other slots of a job in a reservation need none (S7.14).
  if (supply_.reservation() && asked.taking == Taking::per_job) offer.can_be_master = false;
  else offer.slots = 0;
  explain_none(*offer.instance, asked);
}

// What a reservation has for a whole job at a host or an instance, it has where its own master lies, also
// where the cell has a pool of it for all.
bool Offers::is_there(const Pools& pools, const ConsumableDemand& asked) const {
  const auto* reservation = supply_.reservation();
  if (pools.empty() || !reservation || asked.taking != Taking::per_job) return !pools.empty();
  const auto is_elsewhere = [&](Container::Kind kind) {
    const auto& booked = reservation->shape.bookings;
    return std::none_of(pools.begin(), pools.end(),
                        [&](auto& pool) { return pool.kind == kind; }) &&
           std::any_of(booked.begin(), booked.end(), [&](auto& booking) {
             return booking.container.kind == kind && booking.resource == asked.resource;
           });
  };
  return !is_elsewhere(Container::Kind::host) && !is_elsewhere(Container::Kind::queue);
}

void Offers::explain_scope(const QueueInstance& instance, const char* scope) {
  obstacles_.add_made([&] {
    return Statement{AnswerCode::scope_not_met,
                     {{"scope", scope}, {"queue", instance.name.text()}}};
  });
}

void Offers::explain_none(const QueueInstance& instance, const ConsumableDemand& asked) {
  obstacles_.add_made([&] {
    return Statement{AnswerCode::offers_none_in_queue,
                     {{"request", demand_.description},
                      {"queue", instance.name.text()},
                      {"resource", asked.resource}}};
  });
}

// A soft consumable is met where one unit more would fit.
std::int64_t Offers::unmet_by(const QueueInstance& instance) const {
  auto count = unmet(state_, instance, demand_.soft);
  for (const auto& consumption : soft_) {
    const auto pools = pools_of(consumption, instance);
    const bool fits = std::all_of(pools.begin(), pools.end(), [&](const Pool& pool) {
      return times_free(supply_, pool, consumption.asked, window_) >= 1;
    });
    count += pools.empty() || !fits;
  }
  return count;
}

void Offers::explain_closed(const QueueInstance& instance) {
  if (const auto* closing = supply_.closing(instance, window_))
    return explain_maintenance(instance, *closing);
  obstacles_.add_made([&] {
    Statement closed{AnswerCode::closed_without_limit, {{"queue", instance.name.text()}}};
    if (const auto length = window_.length(); !length.is_endless()) {
      closed.code = AnswerCode::run_time_too_long;
      closed.details.emplace_back("seconds", length.seconds);
    }
    return closed;
  });
}

void Offers::explain_maintenance(const QueueInstance& instance, const Maintenance& closing) {
  obstacles_.add_made([&] {
    Statement begins{AnswerCode::maintenance_begins,
                     {{"queue", instance.name.text()},
                      {"reservation", closing.number},
                      {"start", closing.window.start}}};
    const auto offset = state_.configuration().scheduler().duration_offset;
    const auto left = closing.window.start - offset - window_.start;
    if (left.seconds > 0) begins.details.emplace_back("left", left);
    return begins;
  });
}

void Offers::explain_full(const Pool& pool, const ConsumableDemand& asked) {
  if (obstacles_.are_in_full())
    return explain_in_full(named(pool), *pool.capacity, pool.container(), asked);
  obstacles_.add_made([&] {
    auto full = few_in(pool, demand_);
    add_offer(full, state_, supply_, pool, asked, window_);
    auto takers = shares(pool.container(), asked);
    if (!demand_.reserves) say_if_full(full, asked, takers);
    add_taken(full, std::move(takers));
    return full;
  });
}

void Offers::explain_pe(const ParallelEnvironment& pe) {
  const ConsumableDemand slots{"slots", 1, Taking::per_slot, true};
  if (is_allocation_pe(pe.name) || !is_less(supply_.free_in(pe, window_), slots)) return;
  const auto container = Container::pe(pe.name);
  auto capacity = supply_.capacity_of(container, "slots");
  capacity.total = pe.slots;
  explain_in_full({AnswerCode::in_pe, {{"pe", pe.name}}}, capacity, container, slots);
}

void Offers::explain_in_full(Statement container, const Capacity& capacity, const Container& place,
                             const ConsumableDemand& asked) {
  const auto* complex = state_.configuration().complexes().find(asked.resource);
  const auto printed = [&](std::int64_t amount) {
    return complex ? complex->print_amount(amount) : std::to_string(amount);
  };
  const auto free = said_to_be_free(asked, supply_.free(capacity, window_).value_or(0));
  Statement binds{AnswerCode::container_binds,
                  {{"container", std::move(container)},
                   {"resource", asked.resource},
                   {"needed", printed(amount_for(asked, times_needed(asked)))},
                   {"free", printed(std::max<std::int64_t>(0, free))},
                   {"total", printed(capacity.total.value_or(0))}}};
  add_taken(binds, shares(place, asked));
  obstacles_.add(std::move(binds));
}

// Of what is taken for each slot, the smallest request takes so many times its amount.
std::int64_t Offers::times_needed(const ConsumableDemand& asked) const {
  return asked.taking == Taking::per_slot && !demand_.slots.empty() ? lowest(demand_.slots) : 1;
}

// Several containers together may still have enough: that is said by who puts them together.
bool Offers::is_less(std::int64_t times, const ConsumableDemand& asked) const {
  return obstacles_.are_in_full() && times < times_needed(asked);
}

Occupants& Offers::occupants() {
  if (!occupants_)
    occupants_.emplace(state_, window_, supply_.reservation_key(), supply_.is_of_promises(),
                       supply_.claim(),
                       supply_.preempts()    ? Occupants::Beside::jobs
                       : supply_.gives_way() ? Occupants::Beside::preempting
                                             : Occupants::Beside::nobody);
  return *occupants_;
}

// Who has what is not there.
std::vector<Statement> Offers::shares(const Container& container, const ConsumableDemand& asked) {
  if (!supply_.counts_jobs()) return {};
  const auto of = [&](const Resource& resource) {
    return obstacles_.are_in_full() ? occupants().shares_with_ends(container, resource)
                                    : occupants().shares(container, resource);
  };
  auto shares = of(asked.resource);
  if (asked.taking == Taking::alone)
    for (auto& other : of(Resource(asked.resource, true))) shares.push_back(std::move(other));
  return shares;
}

} // namespace almanac
