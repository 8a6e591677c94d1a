#include "actors/master/warrant_signer.hpp"

#include "actors/master/warrants.hpp"
#include "schema/sensor_order.hpp"

#include <algorithm>

namespace almanac {

std::optional<std::string> WarrantSigner::obstacle(const session::Register& list) const {
  const auto version = list.warrant_version;
  if (list.nonce.content.empty() ||
      (version >= oldest_warrant_version && version <= warrant_version))
    return std::nullopt;
  return "agent " + host_ + " reads warrants of version " +
         std::to_string(std::max<std::int64_t>(1, version)) + ": upgrade " +
         (version < warrant_version ? "it" : "the master");
}

void WarrantSigner::take(const session::Register& list) {
  nonce_ = list.nonce, version_ = list.warrant_version;
}

void WarrantSigner::take(const session::Renew& renew) {
  if (!renew.nonce.content.empty()) nonce_ = renew.nonce;
}

std::variant<session::Launch, WarrantSigner::Failure>
WarrantSigner::sign(session::Launch order) const {
  if (nonce_.content.empty()) return order;
  auto warrant = warrant_for(order, host_);
  if (!warrant) return Failure{warrant.what(), false};
  return sign(std::move(order), std::move(*warrant));
}

std::variant<session::Launch, WarrantSigner::Failure> WarrantSigner::sign(session::Launch order,
                                                                          Warrant warrant) const {
  if (nonce_.content.empty()) return order;
  warrant.nonce = nonce_, warrant.number = ++*master_.signed_warrants;
  warrant.store_id = master_.store_id, warrant.term = master_.term;
  auto bytes = sendable(warrant, version_);
  if (!bytes) return Failure{bytes.what(), true};
  order.warrant.content = std::move(*bytes);
  order.warrant_signature.content =
      master_.identity->key.sign(warrant_label + order.warrant.content);
  return order;
}

session::Registered WarrantSigner::told(session::Registered settings,
                                        const std::vector<std::string>& load_sensors) const {
  if (load_sensors.empty()) return settings;
  settings.sensors.content = print_sensor_order({host_, nonce_, load_sensors});
  if (!nonce_.content.empty())
    settings.sensors_signature.content =
        master_.identity->key.sign(sensor_label + settings.sensors.content);
  return settings;
}

session::Control WarrantSigner::limit(const Attempt& attempt, std::int64_t seconds) const {
  const LimitWarrant warrant{
      host_, nonce_, ++*master_.signed_warrants, master_.store_id, master_.term, attempt, seconds};
  session::Control order{attempt, session::TaskAction::prolong, {print_limit(warrant)}, {}};
  if (!nonce_.content.empty())
    order.warrant_signature.content =
        master_.identity->key.sign(limit_label + order.warrant.content);
  return order;
}

} // namespace almanac
