#include "actors/session/protocol.hpp"

namespace almanac {

namespace {

// The place of a type among the messages.
template <class T, std::size_t I = 0> constexpr std::size_t place_of_message() {
  if constexpr (std::is_same_v<T, std::variant_alternative_t<I, session::Message>>) return I;
  else return place_of_message<T, I + 1>();
}

struct AllowedMessage {
  Listener listener;
  Stage stage;
  std::size_t message;
  Stage next;
};

template <class T> constexpr AllowedMessage may(Listener listener, Stage stage, Stage next) {
  return {listener, stage, place_of_message<T>(), next};
}

const auto& allowed_messages() {
  using enum Listener;
  using enum Stage;
  static constexpr std::array table{
      may<session::Challenge>(agent, challenge, welcome),
      may<session::Refused>(agent, challenge, refused),
      may<session::Welcome>(agent, welcome, list),
      may<session::Refused>(agent, welcome, refused),
      may<session::Registered>(agent, list, open),
      may<session::RelayAnswer>(agent, list, list), // to what was asked in the session before
      may<session::Refused>(agent, list, refused),  // its name is another's, or its key is revoked
      may<session::Registered>(agent, open, open),
      may<session::Refused>(agent, open, refused),
      may<session::RelayAnswer>(agent, open, open),
      may<session::Renewed>(agent, open, open),
      may<session::CommonFiles>(agent, open, open),
      may<session::CommonFile>(agent, open, open),
      may<session::SignedOrder>(agent, open, open),
      may<session::Launch>(agent, ordered, open),
      may<session::Control>(agent, ordered, open),
      may<session::Forget>(agent, ordered, open),
      may<session::PeerStart>(agent, ordered, open), // hooks
      may<session::PeerInput>(agent, open, open),

      may<session::Hello>(master, hello, proof),
      may<session::Proof>(master, proof, admission),
      may<session::Register>(master, list, open),
      may<session::TaskReport>(master, open, open),
      may<HostLoad>(master, open, open),
      may<session::TaskUses>(master, open, open),
      may<session::Relay>(master, open, open),
      may<PartSilent>(master, open, open),
      may<session::Renew>(master, open, open),
      may<session::GetCommonFile>(master, open, open),
      may<session::PeerOutput>(master, open, open),
      may<session::PeerEnded>(master, open, open),

      may<session::Challenge>(caller, challenge, welcome),
      may<session::Refused>(caller, challenge, refused),
      may<session::Welcome>(caller, welcome, open),
      may<session::Refused>(caller, welcome, refused),
      may<session::PeerOutput>(caller, open, open),
      may<session::PeerEnded>(caller, open, open),

      may<session::Hello>(called, hello, proof),
      may<session::Proof>(called, proof, admission),
      may<session::PeerInput>(called, open, open),
      may<session::SignedOrder>(called, open, open),
      may<session::PeerStart>(called, ordered, open),
      may<session::PeerClear>(called, ordered, open),
      may<session::PeerAttach>(called, ordered, open),
  };
  return table;
}

} // namespace

std::optional<Stage> after(Listener listener, Stage stage, const session::Message& message) {
  for (const auto& cell : allowed_messages())
    if (cell.listener == listener && cell.stage == stage && cell.message == message.index())
      return cell.next;
  return std::nullopt;
}

bool gives_orders(Listener listener) {
  for (const auto& cell : allowed_messages())
    if (cell.listener == listener && cell.stage == Stage::ordered) return false;
  return true;
}

bool is_order(const session::Message& message) {
  for (const auto& cell : allowed_messages())
    if (cell.stage == Stage::ordered && cell.message == message.index()) return true;
  return false;
}

const char* name_of(Listener listener) {
  static constexpr std::array names{"agent", "master", "caller", "called"};
  return names.at(static_cast<std::size_t>(listener));
}

const char* name_of(Stage stage) {
  static constexpr std::array names{"hello", "challenge", "proof",   "admission", "welcome",
                                    "list",  "open",      "ordered", "refused"};
  return names.at(static_cast<std::size_t>(stage));
}

const char* name_of(const session::Message& message) {
  static constexpr std::array names{
      "Hello",         "Challenge",   "Proof",      "Welcome",    "Refused",     "Register",
      "Registered",    "Launch",      "TaskReport", "Control",    "Forget",      "HostLoad",
      "Relay",         "RelayAnswer", "PeerStart",  "PeerOutput", "PeerEnded",   "PeerClear",
      "PartSilent",    "PeerInput",   "Renew",      "Renewed",    "SignedOrder", "CommonFiles",
      "GetCommonFile", "CommonFile",  "TaskUses",   "PeerAttach"};
  static_assert(names.size() == std::variant_size_v<session::Message>);
  return names.at(message.index());
}

} // namespace almanac
