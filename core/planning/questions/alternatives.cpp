#include "core/planning/questions/alternatives.hpp"

#include "core/matching/feasible_starts.hpp"
#include "core/planning/proposals.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <optional>

namespace almanac::rules {

namespace {

constexpr Duration horizon{366 * 86400};
constexpr Duration second{1};

bool names_host(const Attribute& resource) {
  return resource.name == "h" || resource.name == "hostname";
}

std::int64_t slots_of_cell(const Configuration& configuration) {
  std::int64_t slots = 0;
  for (const auto& instance : configuration.instances())
    if (!instance.orphaned) slots += instance.settings.slots;
  return slots;
}

class Alternatives : public Answering {
public:
  Alternatives(const State& state, Caller caller, ReservationRequest request, Window window,
               Demand demand, Instant now)
      : state_(state),
        caller_(std::move(caller)),
        request_(std::move(request)),
        window_(window),
        demand_(std::move(demand)),
        now_(now),
        later_(state, demand_, window.length(), {window.start + second, now + horizon}, now),
        earlier_(state, demand_, window.length(), {now, window.start - second}, now),
        possible_(0),
        impossible_(window.length().seconds) {}

  bool look() override {
    if (later_.ranges().empty() && later_.look(1)) return true;
    if (earlier_.look(1)) return true;
    if (look_shorter()) return true;
    look_fewer();
    look_elsewhere();
    return false;
  }

  Answer answer() override {
    Answer answer;
    const auto length = window_.length();
    if (!later_.ranges().empty()) {
      const auto start = later_.ranges().front().first;
      answer.warn({AnswerCode::alternative_later,
                   {{"start", start},
                    {"end", start + length},
                    {"seconds", (start - window_.start).seconds}}});
    }
    if (!earlier_.ranges().empty()) {
      const auto start = earlier_.ranges().back().last;
      answer.warn({AnswerCode::alternative_earlier,
                   {{"start", start},
                    {"end", start + length},
                    {"seconds", (window_.start - start).seconds}}});
    }
    if (possible_ > 0)
      answer.warn(
          {AnswerCode::alternative_shorter, {{"seconds", possible_}, {"asked", length.seconds}}});
    if (fewer_ > 0) answer.warn({AnswerCode::alternative_fewer, {{"slots", fewer_}}});
    for (const auto& option : elsewhere_)
      answer.warn({AnswerCode::alternative_elsewhere, {{"option", option}}});
    if (answer.statements.empty()) answer.warn(nothing());
    return answer;
  }

private:
  Statement nothing() const {
    Statement none{AnswerCode::no_alternative, {{"days", horizon.seconds / 86400}}};
    const auto slots = demand_.slots.empty() ? 1 : lowest(demand_.slots);
    const auto has = slots_of_cell(state_.configuration());
    if (slots > has)
      none.details.emplace_back("slots", slots), none.details.emplace_back("has", has);
    return none;
  }

  // What fits for so long fits for less, too.
  bool look_shorter() {
    if (impossible_ - possible_ <= 1) return false;
    const auto length = possible_ + (impossible_ - possible_) / 2;
    const Window window{window_.start, window_.start + Duration{length}};
    (has_place(state_, demand_, window, now_) ? possible_ : impossible_) = length;
    return true;
  }

  // Of a range the most that there are are taken.
  void look_fewer() {
    if (demand_.pe.empty() || lowest(demand_.slots) <= 1) return;
    auto fewer = demand_;
    fewer.slots = {{1, lowest(demand_.slots) - 1}};
    const auto found = find_place(state_, fewer, window_, now_);
    if (found.assignment)
      for (const auto& grant : found.assignment->grants) fewer_ += grant.slots;
  }

  void look_elsewhere() {
    auto request = request_;
    request.queues.clear();
    if (!request_.queues.empty() && fits(request))
      elsewhere_.push_back("-q " + join(request_.queues, ","));
    request = request_;
    for (const auto& resource : request_.resources)
      if (names_host(resource)) {
        std::erase_if(request.resources, names_host);
        if (fits(request)) elsewhere_.push_back("-l " + resource.name + "=" + resource.value);
        return;
      }
  }
  bool fits(const ReservationRequest& request) const {
    const auto demand = demand_of_reservation(state_, caller_, request);
    return demand && has_place(state_, *demand, window_, now_);
  }

  const State& state_;
  const Caller caller_;
  const ReservationRequest request_;
  const Window window_;
  const Demand demand_;
  const Instant now_;
  FeasibleStarts later_, earlier_;
  std::int64_t possible_, impossible_; ///< seconds at the asked start
  std::int64_t fewer_ = 0;             ///< slots
  std::vector<std::string> elsewhere_; ///< options without which it would fit
};

} // namespace

std::unique_ptr<Answering> alternatives(const State& state, const VerifyReserve& asked,
                                        Instant now) {
  const auto& request = asked.command.request;
  const auto nothing = [] { return std::make_unique<Answered>(Answer()); };
  if (!state.configuration().global().names_alternatives) return nothing();
  if (simple_obstacle(state, asked.caller, request, true)) return nothing();
  const auto window = requested_window(request, now);
  if (!window) return nothing();
  auto demand = demand_of_reservation(state, asked.caller, request);
  if (!demand) return nothing();
  return std::make_unique<Alternatives>(state, asked.caller, request, *window, std::move(*demand),
                                        now);
}

} // namespace almanac::rules
