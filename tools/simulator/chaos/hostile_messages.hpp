// What an agent that means harm may say in its session, chosen by chance.
#pragma once

#include "core/base/caller.hpp"
#include "core/host/host.hpp"
#include "schema/session_messages.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace almanac {

/// Every kind of message, with nothing in it.
session::Message message_of_kind(std::size_t kind);
/// A message of any kind, with one field spoilt.
session::Message hostile_message(std::mt19937_64& chance);
/// How a task is doing, or how it ended: in any way.
session::TaskReport hostile_report(std::mt19937_64& chance, Attempt attempt,
                                   const session::Welcome& welcome);
/// A list with such reports, and facts that may not be its own.
session::Register hostile_list(std::mt19937_64& chance, HostFacts facts,
                               const std::function<session::TaskReport()>& report);
HostLoad hostile_load(std::mt19937_64& chance);
/// Who asks through its door, as it says.
Caller hostile_caller(std::mt19937_64& chance);
/// To another agent, with the credential of one of these launches, or none.
session::Message hostile_peer_order(std::mt19937_64& chance,
                                    const std::function<Attempt()>& some_attempt,
                                    const std::vector<session::Launch>& launches);

/// What an order of the master launches.
std::optional<session::Launch> launch_in(const session::SignedOrder& order);
/// Whether an agent may say this to a master, once its session is open.
bool may_be_said(const std::string& content);

} // namespace almanac
