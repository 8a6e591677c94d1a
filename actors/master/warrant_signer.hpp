// Gives the orders for one host their warrants, numbered and signed: without one the host's helper
// launches nothing.
//
// A helper takes each warrant once and says which version it reads, so an order is signed anew each
// time it is sent. An agent that has named no nonce has no helper that asks for warrants: its orders
// go without.
#pragma once

#include "actors/trust/handshake.hpp"
#include "core/base/result.hpp"
#include "schema/session_messages.hpp"
#include "schema/warrant.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace almanac {

class WarrantSigner {
public:
  /// In whose name, and the count of all warrants of this master.
  struct Master {
    const Identity* identity = nullptr; ///< needed once an agent has named a nonce
    std::string store_id;
    Term term;
    std::shared_ptr<std::atomic<std::int64_t>> signed_warrants;
  };
  WarrantSigner(Master master, std::string host)
      : master_(std::move(master)), host_(std::move(host)) {}

  /// Why the agent that gives this list can't be sent orders; nothing if it can.
  std::optional<std::string> obstacle(const session::Register& list) const;
  /// The agent registers, or asks for its lease: later warrants have to name what it says here.
  void take(const session::Register& list);
  void take(const session::Renew& renew);

  /// The order could not be signed.
  struct Failure {
    std::string why;
    bool is_users_fault = false; ///< trying elsewhere would not help
  };
  std::variant<session::Launch, Failure> sign(session::Launch order) const;
  /// With a warrant that was made for it.
  std::variant<session::Launch, Failure> sign(session::Launch order, Warrant warrant) const;
  /// What the agent is told beside its tasks, with the load sensors that it is to run.
  session::Registered told(session::Registered settings,
                           const std::vector<std::string>& load_sensors) const;
  const Master& master() const { return master_; }
  const std::string& host() const { return host_; }
  /// That a task there may run for so many seconds.
  session::Control limit(const Attempt& attempt, std::int64_t seconds) const;

private:
  Master master_;
  std::string host_;
  Bytes nonce_;                            ///< of the agent's helper
  std::int64_t version_ = warrant_version; ///< that it reads
};

} // namespace almanac
