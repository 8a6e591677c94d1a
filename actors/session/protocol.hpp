// Who may say what, and when: all of it is one table. Everything else ends the session.
//
//   an agent hears the master    challenge -> welcome -> list -> open
//   the master hears an agent    hello -> proof -> admission -> list -> open
//   an agent hears whom it calls, another agent      challenge -> welcome -> open
//   and who calls it             hello -> proof -> admission -> open
//
// A stage is named by what is awaited. A side that awaits `list` has not yet given, or heard, the
// list of the agent's tasks.
#pragma once

#include "schema/session_messages.hpp"

#include <array>
#include <optional>

namespace almanac {

/// On which end of which conversation one listens.
enum class Listener : std::uint8_t { agent, master, caller, called };

/// `admission`: the acceptor looks up who that is, nothing may be said meanwhile. `refused`: the
/// refusal is on its way. `ordered` is no stage of its own: what a signed order may hold when the
/// session is open.
enum class Stage : std::uint8_t {
  hello,
  challenge,
  proof,
  admission,
  welcome,
  list,
  open,
  ordered,
  refused
};

inline constexpr std::array listeners{Listener::agent, Listener::master, Listener::caller,
                                      Listener::called};
inline constexpr std::array stages{Stage::hello,     Stage::challenge, Stage::proof,
                                   Stage::admission, Stage::welcome,   Stage::list,
                                   Stage::open,      Stage::ordered,   Stage::refused};

/// The stage after this was said; nothing: it ends the session.
std::optional<Stage> after(Listener listener, Stage stage, const session::Message& message);

/// Whether it gives signed orders: who hears none. The other end of the conversation obeys.
bool gives_orders(Listener listener);

/// What is said within a signed order only.
bool is_order(const session::Message& message);

const char* name_of(Listener listener);
const char* name_of(Stage stage);
const char* name_of(const session::Message& message);

} // namespace almanac
