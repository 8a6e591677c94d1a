#include "core/matching/node_policy.hpp"

#include "core/text/words.hpp"

#include <utility>

namespace almanac {

namespace {

constexpr std::int64_t most_explained = 3; // hosts
constexpr std::size_t most_remembered = 16;

// As it counts for its owner; nothing: it does not.
std::optional<UsedReservation> used(const Reservation& reservation, Instant now) {
  const auto of = [&](const Shape& shape) {
    return UsedReservation{shape.window,
                           static_cast<std::int64_t>(granted_hosts(shape.grants).size()),
                           reservation.canceled_at};
  };
  if (reservation.request.maintenance) return std::nullopt;
  switch (reservation.phase) {
  case ReservationPhase::proposed:
    if (reservation.proposed.empty() || lapses_at(reservation) <= now) return std::nullopt;
    return of(reservation.proposed.front().shape);
  case ReservationPhase::canceled:
    if (reservation.canceled_at == Instant{}) return std::nullopt; // of an earlier version
    break;
  case ReservationPhase::deleted: return std::nullopt;
  case ReservationPhase::waiting:
  case ReservationPhase::running:
  case ReservationPhase::closed:
  case ReservationPhase::expired: break;
  }
  return of(reservation.shape);
}

// Its hosts, where it asks for no other time than it has.
std::set<std::string> kept_hosts(const Snapshot& state, const NodeDemand& demand) {
  const auto* own = state.reservation(demand.changes);
  if (!own || !own->is_granted()) return {};
  const auto& had = own->shape.window;
  const auto& next = demand.question->window;
  if (next.start < had.start || next.end > had.end) return {};
  return granted_hosts(own->shape.grants);
}

Statement condition_of(const AdReason& reason, bool with_values) {
  Statement condition{AnswerCode::condition_not_met,
                      {{"expression", reason.expression}, {"result", reason.result}}};
  std::vector<std::string> values;
  for (const auto& [name, value] : reason.values) values.push_back(name + "=" + value);
  if (with_values && !values.empty()) condition.details.emplace_back("values", join(values, ", "));
  return condition;
}

} // namespace

OwnerUsage reserved_by(const Snapshot& state, const std::string& owner, Window within,
                       ReservationKey except, Instant now) {
  std::vector<UsedReservation> all;
  for (const auto key : state.occupancy().reservations_of.keys(owner)) {
    if (key == except) continue;
    if (auto one = used(*state.reservation(key), now)) all.push_back(std::move(*one));
  }
  return usage_within(all, within);
}

NodePolicy::NodePolicy(const Snapshot& state, const NodeDemand& demand, Obstacles& obstacles)
    : state_(state),
      demand_(demand),
      obstacles_(obstacles),
      known_(known_nodes(state, demand.question->now)),
      kept_(kept_hosts(state, demand)) {
  const auto* conditions = state.site_policy().conditions();
  if (!conditions) return;
  const auto& [now, window] = *demand.question;
  check_.emplace(
      *conditions, PolicyRequest{demand.owner, window, demand.count, demand.users}, known_.all,
      [this](const std::string& owner, Window within) { return usage_of(owner, within); }, now);
}

OwnerUsage NodePolicy::usage_of(const std::string& owner, Window within) {
  tells_of_others_ = tells_of_others_ || owner != demand_.owner;
  auto* memo = demand_.usage.get();
  if (memo)
    for (const auto& one : memo->known)
      if (one.owner == owner && one.within == within) return one.usage;
  const auto usage = reserved_by(state_, owner, within, demand_.changes, demand_.question->now);
  if (memo && memo->known.size() < most_remembered) memo->known.push_back({owner, within, usage});
  return usage;
}

bool NodePolicy::admits(const Node& node) {
  if (is_kept(node)) return true;
  const auto place = known_.places[node.host_index];
  const bool is_known = check_ && place != KnownNodes::none;
  if (is_known && check_->admits(place)) return true;
  if (is_known) state_.site_policy().note_odd_result(check_->odd_result());
  ++refused_;
  if (is_known && refused_ <= most_explained) explain(node, place);
  return false;
}

void NodePolicy::explain(const Node& node, std::size_t place) {
  obstacles_.add_made([&] {
    const auto reasons = check_->reasons(place);
    std::vector<Statement> why;
    for (const auto& reason : reasons) why.push_back(condition_of(reason, !tells_of_others_));
    return Statement{AnswerCode::node_not_reservable,
                     {{"host", node.host()}, {"why", std::move(why)}}};
  });
}

void NodePolicy::allocate(const Node& node) {
  const auto place = known_.places[node.host_index];
  if (check_ && place != KnownNodes::none) check_->allocate(place);
}

std::optional<Statement> NodePolicy::shortage(std::int64_t admitted) const {
  if (refused_ == 0 || admitted + refused_ < demand_.count) return std::nullopt;
  if (!check_)
    return Statement{AnswerCode::policy_is_unreadable, {{"why", state_.site_policy().fault()}}};
  return Statement{AnswerCode::too_few_nodes_reservable,
                   {{"requested", demand_.count}, {"available", admitted}, {"refused", refused_}}};
}

} // namespace almanac
