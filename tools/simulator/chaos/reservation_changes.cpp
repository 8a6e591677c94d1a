#include "tools/simulator/chaos/reservation_changes.hpp"

#include <algorithm>

namespace almanac {

std::optional<PrepareReservation> ReservationChanges::prepare(ReservationNumber number) {
  if (dice(2) == 0) return std::nullopt;
  PrepareReservation change;
  change.transaction = std::to_string(++made_);
  change.number = number;
  change.hold_for = {1 + dice(60)};
  if (const auto verb = dice(6); verb < 2)
    change.verb = verb == 0 ? ReservationVerb::cancel : ReservationVerb::destroy;
  else {
    change.request.pe = "fill", change.request.slots = {{1, 1 + dice(12)}};
    change.request.has_duration = dice(2) == 0;
    if (change.request.has_duration) change.request.duration = {1 + dice(400)};
  }
  return change;
}

PrepareReservation ReservationChanges::named() {
  PrepareReservation change;
  change.transaction = std::to_string(++made_);
  change.hold_for = {1 + dice(60)};
  return change;
}

// Time enough for a commit before the start comes, but not always.
PrepareReservation ReservationChanges::on_nodes(std::int64_t hosts, Instant now,
                                                ReservationNumber lender) {
  auto change = named();
  if (dice(4) == 0) change.hold_for = {0};
  auto& request = change.request;
  request.nodes = 1 + dice(std::min<std::int64_t>(hosts, 3));
  request.whole_nodes = dice(3) != 0;
  if (!request.whole_nodes) request.node_slots = 1 + dice(4);
  request.preempts = lender.value == 0 && dice(4) != 0;
  if (lender) request.room_of = {lender};
  request.start = now + Duration{30 + dice(120)};
  request.has_duration = true, request.duration = {1 + dice(300)};
  return change;
}

PrepareReservation ReservationChanges::change_on_nodes(ReservationNumber number) {
  auto change = named();
  change.number = number;
  if (const auto verb = dice(6); verb < 2)
    change.verb = verb == 0 ? ReservationVerb::cancel : ReservationVerb::destroy;
  else {
    if (dice(2) == 0) change.request.nodes = 1 + dice(4);
    change.request.has_duration = true, change.request.duration = {1 + dice(400)};
  }
  return change;
}

std::vector<std::string> ReservationChanges::modify(ReservationNumber number) {
  const auto name = std::to_string(++made_);
  return {"gmeta", "MODIFY",
          "RESID=R" + to_string(number) + ";NODES=" + std::to_string(1 + dice(4)) +
              ";HOLD=" + std::to_string(1 + dice(60)) + ";TXID=" + name};
}

std::vector<std::string> ReservationChanges::wishes() {
  std::vector<std::string> words;
  const auto add = [&](std::initializer_list<std::string> more) {
    words.insert(words.end(), more);
  };
  const auto number = [&](std::int64_t most) { return std::to_string(1 + dice(most)); };
  if (dice(3) == 0) add({"-spare", number(2)});
  if (dice(4) == 0) add({"-repair", "fail"});
  if (dice(3) == 0) add({"-attract", "y"});
  if (dice(4) == 0) add({"-idle", std::to_string(dice(3))});
  if (dice(4) == 0) add({"-he", "y"});
  if (dice(4) == 0) add({"-offer", number(120)});
  return words;
}

std::vector<std::string> ReservationChanges::maintenance(std::int64_t hosts) {
  std::vector<std::string> line{"qrsub",  "-maintenance",
                                "-hosts", "n" + std::to_string(1 + dice(hosts)),
                                "-d",     std::to_string(1 + dice(120))};
  if (dice(2) == 0) line.insert(line.end(), {"-running", "requeue"});
  if (dice(2) == 0) line.push_back("-f");
  return line;
}

std::vector<std::string> ReservationChanges::alter(const std::string& reservation) {
  std::vector<std::string> line{"qralter", reservation};
  const auto number = [&](std::int64_t most) { return std::to_string(1 + dice(most)); };
  if (dice(2) == 0) line.push_back("-f");
  if (dice(2) == 0) line.insert(line.end(), {"-d", number(400)});
  if (dice(2) == 0) line.insert(line.end(), {"-pe", "fill", "1-" + number(12)});
  if (dice(4) == 0) line.insert(line.end(), {"-u", dice(2) == 0 ? "root,alice" : "nobody"});
  if (line.size() < 4) line.insert(line.end(), {"-N", "n" + number(9)});
  if (dice(8) == 0) line.insert(line.end(), {"-w", "v"});
  return line;
}

std::optional<SettleReservation> ReservationChanges::settle(ReservationNumber number) {
  if (dice(4) == 0) return std::nullopt;
  const auto name = dice(2) == 0 ? std::to_string(made_) : std::string();
  return SettleReservation{name, number, dice(3) != 0};
}

} // namespace almanac
