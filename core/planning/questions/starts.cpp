#include "core/planning/questions/starts.hpp"

#include "core/matching/lent_room.hpp"
#include "core/matching/reservation_places.hpp"
#include "core/planning/acting.hpp"
#include "core/planning/proposals.hpp"
#include "core/planning/wanted_starts.hpp"
#include "core/policy/standing.hpp"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace almanac::rules {

namespace {

std::int64_t rounded_up(std::int64_t value, std::int64_t grain) {
  return (value + grain - 1) / grain * grain;
}

class Starts : public Answering {
public:
  Starts(const Snapshot& state, const StartsQuery& query, const Demand& demand, StartRange among,
         Instant now)
      : grain_(query.grain.seconds),
        least_(query.min_length),
        most_(static_cast<std::size_t>(query.max_ranges)),
        room_(state, query.request.room_of),
        view_(room_.look()),
        search_(view_, demand, query.request.duration, query.search, among, now) {}

  bool look() override {
    const bool more = search_.look(1);
    for (; taken_ < search_.ranges().size() && found_.size() < most_; ++taken_)
      take(search_.ranges()[taken_]);
    return more && found_.size() < most_;
  }

  Answer answer() override {
    Answer answer;
    for (const auto& [first, last] : found_)
      answer.say({AnswerCode::start_range, {{"first", first}, {"last", last}}});
    return answer;
  }

private:
  void take(StartRange range) {
    range.first = {rounded_up(range.first.seconds, grain_)};
    range.last = {range.last.seconds / grain_ * grain_};
    if (range.first <= range.last && range.last - range.first >= least_) found_.push_back(range);
  }

  const std::int64_t grain_;
  const Duration least_;
  const std::size_t most_;
  const LentRoom room_; ///< that counts as free (M4.11)
  const Snapshot view_;
  WantedStarts search_;
  std::size_t taken_ = 0;
  std::vector<StartRange> found_;
};

std::unique_ptr<Answering> answered(Answer answer) {
  return std::make_unique<Answered>(std::move(answer));
}

bool is_malformed(const Statement& why) {
  return why.code == AnswerCode::resource_value_malformed ||
         why.code == AnswerCode::amount_below_zero || why.code == AnswerCode::ratio_without_rule ||
         why.code == AnswerCode::slots_requested;
}

// What keeps the user from any reservation (M4.13).
std::optional<Answer> obstacle(const State& state, const Caller& user, const StartsQuery& query) {
  if (auto why = simple_obstacle(state, user, query.request, true, OthersRoom::used)) return why;
  return number_allowance_obstacle(state, user);
}

} // namespace

std::unique_ptr<Answering> starts(const State& state, const AskStarts& asked, Instant now) {
  const auto& query = asked.query;
  if (auto why = host_obstacle(state.configuration(), asked.caller))
    return answered(Answer::refusal(*why));
  const auto user = acting_for(state.configuration(), asked.caller, query.whom);
  if (!user) return answered(user.error());
  if (auto why = obstacle(state, *user, query)) return answered(std::move(*why));
  const auto among =
      searched_starts(state.configuration(), query.search, query.request.duration, now);
  if (!among) return answered(Answer::refusal(among.error()));
  // What names nothing that there is fits nowhere, and that is an answer (M8.25, example). A value that
  // its complex does not have is a mistake of who asks (M8.5).
  const auto demand = demand_of_reservation(state, *user, query.request);
  if (!demand)
    return answered(is_malformed(demand.error()) ? Answer::refusal(demand.error()) : Answer());
  return std::make_unique<Starts>(state, query, *demand, *among, now);
}

namespace {

const char* word_of(ReservationPhase phase) {
  switch (phase) {
  case ReservationPhase::proposed: return "HELD";
  case ReservationPhase::waiting: return "WAITING";
  case ReservationPhase::running: return "RUNNING";
  case ReservationPhase::deleted:
  case ReservationPhase::closed: return "ENDING";
  case ReservationPhase::canceled: return "CANCELED";
  case ReservationPhase::expired: break;
  }
  return "EXPIRED";
}

// What is shown of one, held ones too (M3.42).
Statement state_of(const Reservation& reservation) {
  const bool is_held = !reservation.proposed.empty();
  const bool is_new = is_held && reservation.phase == ReservationPhase::proposed;
  const auto& shape = is_new ? reservation.proposed.front().shape : reservation.shape;
  std::set<std::string> hosts;
  for (const auto& grant : shape.grants) hosts.insert(grant.instance.host);
  Statement said{AnswerCode::meta_reservation_state,
                 {{"reservation", reservation.number},
                  {"state", word_of(reservation.shown_phase())},
                  {"start", shape.window.start},
                  {"end", shape.window.end},
                  {"nodes", hosts.size()}}};
  if (is_held) said.details.emplace_back("until", lapses_at(reservation));
  return said;
}

// HELLO of a subject is for nobody in particular.
std::optional<Answer> obstacle(const Configuration& configuration, const AskSite& asked) {
  const auto& whom = asked.whom;
  if (!whom.subject.empty() && whom.user.user.empty() && !asked.reservation)
    return subject_obstacle(configuration, asked.caller, whom.subject);
  const auto user = acting_for(configuration, asked.caller, whom);
  return user ? std::nullopt : std::optional(user.error());
}

} // namespace

Answer site(const State& state, const AskSite& asked, Instant now) {
  if (const auto why = host_obstacle(state.configuration(), asked.caller))
    return Answer::refusal(*why);
  if (auto why = obstacle(state.configuration(), asked)) return *why;
  Answer answer;
  answer.say({AnswerCode::site_time, {{"now", now}}});
  if (!asked.reservation) return answer;
  const auto* reservation = state.reservation_by_number(asked.reservation);
  if (!reservation)
    return Answer::refusal({AnswerCode::no_such_reservation, {{"reservation", asked.reservation}}});
  answer.say(state_of(*reservation));
  return answer;
}

} // namespace almanac::rules
