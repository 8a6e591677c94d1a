#include "tools/simulator/chaos/hostile_requests.hpp"

#include "tools/simulator/chaos/spoiler.hpp"

namespace almanac {

namespace {

class RequestMaker {
public:
  RequestMaker(std::mt19937_64& chance, const Targets& targets)
      : chance_(chance), targets_(targets) {}

  // What a command might ask, were it not for whose things it names.
  door::RequestBody make() {
    switch (dice(18)) {
    case 0: return door::RunCommand{Submit{job(), "hash"}};
    case 1: return door::RunCommand{DeleteJobs{{target()}, {}, users(), dice(2) == 0}};
    case 2:
      return door::RunCommand{ChangeHold{{target()}, users(), true, true, true, dice(2) == 0}};
    case 3:
      if (dice(2)) return door::RunCommand{ClearJobErrors{{target()}}};
      return door::RunCommand{
          ModifyJobs{JobAction(dice(4)), {target()}, dice(2) == 0, dice(2) == 0}};
    case 4: return door::RunCommand{ModifyQueues{QueueAction(dice(6)), {"all.q@" + host()}}};
    case 5: return door::RunCommand{Reserve{reservation()}};
    case 6: return door::RunCommand{DeleteReservations{{reservation_id()}, users(), dice(2) == 0}};
    case 7:
      return door::RunCommand{
          PrepareReservation{"t", {number()}, ReservationVerb(dice(3)), reservation(), {60}}};
    case 8:
      if (dice(4) == 0)
        return door::RunCommand{
            SettleReservation{"t", {number()}, true}, {}, {{{"mallory"}, dice(2) ? "grid" : ""}}};
      return door::RunCommand{SettleReservation{"t", {number()}, dice(2) == 0}};
    case 9:
      if (dice(4) == 0) return door::RunCommand{ConfigureAll{{change(), change()}}};
      return door::RunCommand{Configure{change()}};
    case 10:
      if (dice(2)) return door::RunCommand{ChangeHostKey{KeyAction(dice(3)), host()}};
      return door::RunCommand{AddHost{dice(2) ? host() : "mine", 1000}};
    case 11: {
      AlterJobs changes{{target()}, users(), {"-p", "-N", "-a"}, job()};
      if (dice(4) == 0) return door::RunCommand{ResubmitJobs{std::move(changes)}};
      return door::RunCommand{std::move(changes)};
    }
    case 12:
      return dice(2) ? door::RequestBody(door::AskSubmit{{job(), ""}})
                     : door::RequestBody(door::AskReserve{{reservation()}});
    case 13: return door::AskWhy{{number()}, true};
    case 14: return door::GetJobs{{target()}, users(), true};
    case 15: return door::AwaitJob{{number()}};
    case 16: return door::Inherit{{number()}, 0, host(), {"id"}, {{"A", "1"}}, "/", true};
    default: return question();
    }
  }

private:
  door::RequestBody question() {
    switch (dice(9)) {
    case 0: return door::GetReservations{};
    case 1: return door::GetCluster{};
    case 2: return door::GetObjects{ObjectKind(dice(5))};
    case 3: return door::GetAccounting{};
    case 4: return door::ListActors{};
    case 5: return door::InspectActor{number(), true};
    case 6: return door::GetInputs{-number(), {{"job 1"}}};
    case 7: return door::GetLines{users(), true};
    default: return about(number());
    }
  }

  // Either takes as much chance, so that seeds mean what they did.
  static door::RequestBody about(std::int64_t number) {
    if (number % 2) return door::GetMessages{number, 0};
    if (number % 16 == 2) return door::AskNodes{};
    if (number % 8 == 6) return door::GetUsage{{number, -number}, {number}, {}};
    if (number % 16 == 10) return door::AskSite{{{"mallory"}}, {number}};
    if (number % 16 == 8) {
      StartsQuery query;
      query.request.pe = "fill", query.request.slots = {{1, number}};
      query.request.duration = {60}, query.request.has_duration = true;
      return door::AskStarts{std::move(query)};
    }
    if (number % 16 == 4) return door::GetGrant{{number}};
    if (number % 16 == 12)
      return door::RunCommand{SpendChallenge{{number}}, {{"v1.AA.AA", "AAAA", "no proof"}}};
    QuotaSelection all;
    all.users = {"*", "m*", "@*"}, all.hosts = {"@all*", "*1"};
    return door::GetQuotas{all, {number % 4 ? number : 0}, true};
  }

  JobRequest job() {
    JobRequest request;
    request.name = "m" + std::to_string(dice(9)), request.binary = true;
    request.command = "sleep", request.arguments = {std::to_string(dice(9))};
    request.environment = {{"A", "1"}}, request.directory = "/";
    request.resources = {{"h_rt", std::to_string(1 + dice(60))}};
    if (dice(4) == 0) request.pe = "fill", request.slots = {{1, 1 + number()}};
    if (dice(4) == 0) request.reserve = true, request.tasks = {1, 4, 1};
    if (dice(8) == 0) request.reservation = {number()};
    return request;
  }

  ReservationRequest reservation() {
    ReservationRequest request;
    request.name = "m", request.pe = "fill", request.slots = {{1, 12}};
    request.duration = {60}, request.has_duration = true, request.users = {"mallory"};
    return request;
  }

  ConfigurationChange change() {
    if (dice(2))
      return {ChangeVerb::add_entries, {ObjectKind::userset, "arusers", {}}, {"mallory"}};
    if (dice(2))
      return {ChangeVerb::add, {ObjectKind::quota_set, "m", {{"limit", "limit to slots=0"}}}, {}};
    return {ChangeVerb::replace_values, {ObjectKind::cluster_queue, "all.q", {{"slots", "0"}}}, {}};
  }

  std::size_t dice(std::size_t sides) { return chance_() % sides; }
  std::int64_t number() { return static_cast<std::int64_t>(1 + dice(40)); }
  std::string reservation_id() { return dice(4) ? std::to_string(number()) : "*"; }
  std::string one_of(const std::vector<std::string>& names) {
    return names.empty() ? "*" : names[dice(names.size())];
  }
  std::string host() { return one_of(targets_.hosts); }
  std::string target() { return dice(4) ? one_of(targets_.jobs) : "*"; }
  std::vector<std::string> users() {
    if (dice(2)) return {};
    return {dice(3) ? one_of(targets_.users) : "*"};
  }

  std::mt19937_64& chance_;
  const Targets& targets_;
};

} // namespace

door::Request hostile_request(std::mt19937_64& chance, const Targets& targets) {
  door::Request request;
  // Ids of others, ids that were used before, and new ones.
  request.id = chance() % 4 ? "m-" + std::to_string(chance() % 100'000)
                            : "request-" + std::to_string(chance() % 200);
  request.body = RequestMaker(chance, targets).make();
  Spoiler spoiler(chance);
  for (auto times = chance() % 3; times > 0; --times)
    std::visit([&](auto& body) { spoiler.spoil(body); }, request.body);
  constexpr std::size_t seldom = 16;
  if (chance() % seldom == 0) request.id = hostile_text(chance);
  if (chance() % seldom == 0) request.version = hostile_number(chance);
  return request;
}

std::string mangled(std::string frame, std::mt19937_64& chance) {
  const auto bytes = 1 + chance() % 8;
  for (std::size_t i = 0; i < bytes && !frame.empty(); ++i)
    frame[chance() % frame.size()] = static_cast<char>(chance());
  switch (chance() % 4) {
  case 0: frame.resize(chance() % (frame.size() + 1)); break;
  case 1: frame.append(chance() % 64, static_cast<char>(chance())); break;
  default: break;
  }
  return frame;
}

} // namespace almanac
