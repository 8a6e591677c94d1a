#include "tools/simulator/chaos/hostile_messages.hpp"

#include "actors/session/protocol.hpp"
#include "schema/codec.hpp"
#include "schema/valid_message.hpp"
#include "tools/simulator/chaos/spoiler.hpp"

#include <array>
#include <utility>

namespace almanac {

namespace {

template <std::size_t I = 0> session::Message empty_message(std::size_t kind) {
  if constexpr (I + 1 < std::variant_size_v<session::Message>)
    if (kind != I) return empty_message<I + 1>(kind);
  return session::Message(std::in_place_index<I>);
}

} // namespace

session::Message message_of_kind(std::size_t kind) { return empty_message(kind); }

session::Message hostile_message(std::mt19937_64& chance) {
  auto message = message_of_kind(chance() % std::variant_size_v<session::Message>);
  Spoiler(chance).spoil(message);
  return message;
}

session::TaskReport hostile_report(std::mt19937_64& chance, Attempt attempt,
                                   const session::Welcome& welcome) {
  const auto dice = [&](std::size_t sides) { return chance() % sides; };
  session::TaskReport report;
  report.attempt = std::move(attempt);
  if (dice(8) == 0) report.attempt.attempt += dice(2) ? 1 : -1;
  report.phase = static_cast<session::TaskPhase>(dice(3));
  report.began = dice(2) == 0, report.user_fault = dice(4) == 0;
  report.store_id = dice(8) ? welcome.store_id : "other";
  report.term = welcome.term;
  constexpr std::array<std::int64_t, 8> codes{
      failed::none,        failed::prolog, failed::epilog,       failed::lost,
      failed::rescheduled, failed::killed, failed::no_directory, failed::application};
  constexpr std::array<std::int64_t, 4> statuses{0, 99, 100, 137};
  report.record.failed = codes[dice(codes.size())];
  report.record.exit_status = statuses[dice(statuses.size())];
  report.record.step_status = statuses[dice(statuses.size())];
  report.record.reason = "as it likes";
  Spoiler spoiler(chance);
  if (dice(2)) spoiler.spoil(report.record);
  if (dice(8) == 0) spoiler.spoil(report);
  return report;
}

session::Register hostile_list(std::mt19937_64& chance, HostFacts facts,
                               const std::function<session::TaskReport()>& report) {
  session::Register list{std::move(facts), {}};
  if (chance() % 2) Spoiler(chance).spoil(list.facts);
  if (chance() % 2)
    for (auto count = chance() % 6; count > 0; --count) list.tasks.push_back(report());
  return list;
}

HostLoad hostile_load(std::mt19937_64& chance) {
  HostLoad load{10, 10, 10, 100, 1 << 30, 0, 0};
  Spoiler(chance).spoil(load);
  return load;
}

Caller hostile_caller(std::mt19937_64& chance) {
  constexpr std::array<std::int64_t, 5> uids{0, 1000, 4711, -1, 1LL << 40};
  const auto uid = [&] { return uids[chance() % uids.size()]; };
  Caller caller{chance() % 2 ? "root" : "mallory",
                "root",
                uid(),
                uid(),
                "simulator",
                "the master's own door"};
  if (chance() % 8 == 0) Spoiler(chance).spoil(caller);
  return caller;
}

session::Message hostile_peer_order(std::mt19937_64& chance,
                                    const std::function<Attempt()>& some_attempt,
                                    const std::vector<session::Launch>& launches) {
  session::PeerStart start;
  start.call = static_cast<std::int64_t>(chance() % 9);
  start.attempt = some_attempt();
  start.command = {"id"}, start.directory = "/";
  if (chance() % 2 && !launches.empty()) {
    const auto& launch = launches[chance() % launches.size()];
    start.credential = launch.credential, start.signature = launch.signature;
  }
  if (chance() % 4 == 0) Spoiler(chance).spoil(start);
  if (chance() % 2 == 0) return start;
  return session::PeerClear{start.attempt, start.credential, start.signature};
}

std::optional<session::Launch> launch_in(const session::SignedOrder& order) {
  const auto read = decode<session::Order>(order.order.content);
  if (!read) return std::nullopt;
  const auto inner = decode<session::Envelope>(read->message.content);
  if (!inner) return std::nullopt;
  const auto* launch = std::get_if<session::Launch>(&inner->body);
  return launch ? std::optional(*launch) : std::nullopt;
}

bool may_be_said(const std::string& content) {
  const auto read = decode<session::Envelope>(content);
  return read && after(Listener::master, Stage::open, read->body) && valid_message(read->body).ok();
}

} // namespace almanac
