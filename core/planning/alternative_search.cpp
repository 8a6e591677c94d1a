#include "core/planning/alternative_search.hpp"

#include "core/matching/reservation_places.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <utility>

namespace almanac::rules {

namespace {

constexpr Duration second{1};

bool names_host(const Attribute& resource) {
  return resource.name == "h" || resource.name == "hostname";
}

// Of what is asked for as soon as possible, without an end, all starts have been looked at.
StartRange later_than(const ReservationRequest& request, Window window, Instant now) {
  if (request.asap && request.end == Instant{}) return {now, now - second};
  return {window.start + second, now + reservation_horizon};
}

StartRange earlier_than(const ReservationRequest& request, Window window, Instant now) {
  return {now, request.asap ? now - second : window.start - second};
}

// What only names a time becomes one.
ReservationRequest with_window(ReservationRequest request, Instant start, Duration length) {
  request.asap = false;
  request.start = start, request.end = {};
  request.duration = length, request.has_duration = true;
  return request;
}

} // namespace

AlternativeSearch::AlternativeSearch(const Snapshot& state, Caller caller,
                                     ReservationRequest request, Window window, Demand demand,
                                     Instant now)
    : state_(state),
      caller_(std::move(caller)),
      request_(std::move(request)),
      window_(window),
      demand_(std::move(demand)),
      now_(now),
      later_(state, demand_, window.length(), later_than(request_, window, now), now),
      earlier_(state, demand_, window.length(), earlier_than(request_, window, now), now),
      possible_(0),
      impossible_(window.length().seconds) {
  if (request_.asap) search_in_time();
}

void AlternativeSearch::search_in_time() {
  shorter_in_time_.emplace(
      [this](std::int64_t seconds) { return starts_in_time(demand_, Duration{seconds}); },
      impossible_);
  if (demand_.pe.empty() || lowest(demand_.slots) <= 1) return;
  const auto most = lowest(demand_.slots) - 1;
  fewer_in_time_.emplace(
      [this, most](std::int64_t slots) {
        auto fewer = demand_;
        fewer.slots = {{slots, most}};
        return starts_in_time(std::move(fewer), window_.length());
      },
      most + 1);
}

FeasibleStarts AlternativeSearch::starts_in_time(Demand demand, Duration length) const {
  const auto latest = request_.end == Instant{} ? now_ + reservation_horizon : request_.end;
  return {
      state_, std::move(demand), length, {std::max(now_, request_.start), latest - length}, now_};
}

bool AlternativeSearch::look(AlternativeKind kind) {
  switch (kind) {
  case AlternativeKind::later: return later_.ranges().empty() && later_.look(1);
  case AlternativeKind::earlier: return earlier_.look(1);
  case AlternativeKind::shorter:
    return shorter_in_time_ ? shorter_in_time_->look() : look_shorter();
  case AlternativeKind::fewer:
    if (request_.asap) return fewer_in_time_ && fewer_in_time_->look();
    return look_fewer(), false;
  case AlternativeKind::elsewhere: return look_elsewhere(), false;
  }
  return false;
}

std::vector<Alternative> AlternativeSearch::found(AlternativeKind kind) const {
  const auto length = window_.length();
  switch (kind) {
  case AlternativeKind::later:
    if (later_.ranges().empty()) return {};
    return {at(kind, later_.ranges().front().first, length)};
  case AlternativeKind::earlier:
    if (earlier_.ranges().empty()) return {};
    return {at(kind, earlier_.ranges().back().last, length)};
  case AlternativeKind::shorter: {
    const auto longest = shorter_in_time_ ? shorter_in_time_->value() : possible_;
    if (longest == 0) return {};
    const auto start = shorter_in_time_ ? shorter_in_time_->start() : window_.start;
    return {at(kind, start, Duration{longest})};
  }
  case AlternativeKind::fewer: {
    const auto most = fewer_in_time_ ? fewer_in_time_->value() : fewer_;
    if (most == 0) return {};
    auto fewer = at(kind, fewer_in_time_ ? fewer_in_time_->start() : window_.start, length);
    fewer.slots = most, fewer.request.slots = {{most, most}};
    return {std::move(fewer)};
  }
  case AlternativeKind::elsewhere: return elsewhere_;
  }
  return {};
}

std::vector<Statement> AlternativeSearch::troubles_of(const Alternative& found) const {
  const auto demand = demand_of_reservation(state_, caller_, found.request);
  if (!demand) return {};
  const auto place = find_place(state_, *demand, found.window, now_);
  if (!place.on_unhealthy) return {};
  Reservation granted;
  granted.request = found.request;
  granted.shape.window = found.window, granted.shape.grants = place.assignment->grants;
  return health(state_, granted);
}

Alternative AlternativeSearch::at(AlternativeKind kind, Instant start, Duration length) const {
  const auto asked = request_.asap ? std::max(now_, request_.start) : window_.start;
  return {kind, with_window(request_, start, length), {start, start + length}, start - asked, 0,
          {}};
}

// What fits for so long fits for less, too.
bool AlternativeSearch::look_shorter() {
  if (impossible_ - possible_ <= 1) return false;
  const auto length = possible_ + (impossible_ - possible_) / 2;
  const Window window{window_.start, window_.start + Duration{length}};
  (has_place(state_, demand_, window, now_) ? possible_ : impossible_) = length;
  return true;
}

// Of a range the most that there are are taken.
void AlternativeSearch::look_fewer() {
  if (demand_.pe.empty() || lowest(demand_.slots) <= 1) return;
  auto fewer = demand_;
  fewer.slots = {{1, lowest(demand_.slots) - 1}};
  const auto found = find_place(state_, fewer, window_, now_);
  fewer_ = found.assignment ? slots_of(found.assignment->grants) : 0;
}

void AlternativeSearch::look_elsewhere() {
  elsewhere_.clear();
  const auto add = [&](auto change, const std::string& option) {
    auto other = at(AlternativeKind::elsewhere, window_.start, window_.length());
    change(other.request);
    other.option = option;
    if (fits(other.request)) elsewhere_.push_back(std::move(other));
  };
  if (!request_.queues.empty())
    add([](auto& request) { request.queues.clear(); }, "-q " + join(request_.queues, ","));
  const auto& resources = request_.resources;
  const auto host = std::find_if(resources.begin(), resources.end(), names_host);
  if (host != resources.end())
    add([](auto& request) { std::erase_if(request.resources, names_host); },
        "-l " + host->name + "=" + host->value);
}

bool AlternativeSearch::fits(const ReservationRequest& request) const {
  const auto demand = demand_of_reservation(state_, caller_, request);
  return demand && has_place(state_, *demand, window_, now_);
}

} // namespace almanac::rules
