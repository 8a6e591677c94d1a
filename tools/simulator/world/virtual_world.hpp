// A whole cluster in one process, in virtual time, from a seed.
//
// Each daemon's incarnation is an actor system of its own over the daemons' own assemblies; a kill
// drops it as it is. Between them lies a network that delays, loses and doubles packets. One loop
// runs one message at a time, chosen by the seed; when nothing is ready, time jumps to what comes
// next.
#pragma once

#include "actors/process/jsv_pool.hpp"
#include "actors/trust/handshake.hpp"
#include "actors/trust/reservation_key.hpp"
#include "core/base/fingerprint.hpp"
#include "tools/commands/door.hpp"
#include "tools/simulator/world/agenda.hpp"
#include "tools/simulator/world/scenario.hpp"
#include "tools/simulator/world/virtual_network.hpp"
#include "tools/simulator/world/virtual_ports.hpp"

#include <map>
#include <memory>
#include <random>

namespace almanac {

struct Context;

/// A user as the simulated master's door knows them.
Caller caller_of(const std::string& user);

class VirtualWorld : public World {
public:
  explicit VirtualWorld(std::uint64_t seed, Faults faults = {});
  ~VirtualWorld() override;

  /// Masters that start from now on look after inputs whether what they derive from their records
  /// agrees with them.
  void set_checking() { checks_ = true; }
  /// As the archive does when inputs are too old.
  void want_checkpoint();
  /// Whether the journal leads to the records from each of its checkpoints.
  Outcome check_replays() const;

  const char* name() const override { return "simulator"; }
  Outcome begin(const std::vector<std::string>& hosts, std::int64_t slots) override;
  Output run(const std::string& user, const std::vector<std::string>& words) override;
  Output perform(const std::string& user, CommandBody body) override;
  Outcome stage(const std::string& verb, const std::string& host) override;
  Outcome put_site_file(const std::string& name, const std::string& text) override;
  void wait(Duration duration) override;
  /// Lets time pass up to that moment of clock(), in milliseconds; nothing happens if it has passed.
  void wait_until(std::int64_t milliseconds);
  Instant now() const override { return clock_.now(); }
  std::string directory() const override { return directory_; }
  Outcome finish() override;

  /// A fingerprint of all that happened: equal seeds give equal traces.
  std::uint64_t trace() const { return trace_; }

  // ---- for who breaks things ----
  void set_faults(Faults faults) { network_.set_faults(faults); }
  /// Packets from one node to another get lost from here on; "" is the master.
  void cut(const std::string& from, const std::string& to) { network_.cut(from, to); }
  void mend() { network_.mend(); }
  /// From now on each message takes a daemon so long; false if it is down.
  bool slow_down(const std::string& host, std::int64_t milliseconds);
  /// Called before each message: the world may be changed at any point between two of them.
  std::function<void()> before_step;
  MemoryJournal& journal() { return journal_; }
  VirtualLauncher& launcher(const std::string& host) {
    agenda_.touch_all();
    return *launchers_.at(host);
  }
  VirtualClock& clock() { return clock_; }
  const std::vector<std::string>& hosts() const { return hosts_; }
  bool is_up(const std::string& host) const { return nodes_.contains(host); }
  const std::string& first_error() const;
  /// How long a command tries again, in virtual time.
  void set_patience(Duration patience) { patience_ms_ = patience.seconds * 1000; }

  /// What a host's spool holds, for people.
  std::string told_of(const std::string& host) const;

  // ---- for who means harm ----
  using OnReply = std::function<void(const std::string& frame)>;
  /// Hands a frame to the master's gate, as a door would, and waits for nothing; false if there is
  /// no master.
  bool knock(const Caller& caller, const std::string& frame, OnReply on_reply);
  /// How many of these requests were answered, at most, while a command waited for its own answer.
  std::int64_t most_overtaken() const { return most_overtaken_; }
  struct Node; // a daemon's incarnation
  /// Ends a host's agent and puts a daemon without any actor in its place, which has its keys.
  Node& take_over(const std::string& host);
  const Identity& identity(const std::string& host) const { return identities_.at(host); }
  /// The daemon that is there now; null if it is down.
  Node* node(const std::string& host);
  /// Random bytes, as the seed has them.
  Handshake::Random random();
  /// Errors whose text names this host are no news from now on.
  void expect_errors_of(const std::string& host);

  struct ErrorWatch;
  class Entrance; // a door without a socket

private:
  Output run(const std::string& user, const std::vector<std::string>& words,
             const std::function<int(Context&)>& command);
  void watch_errors();
  void start_master();
  void start_agent(const std::string& host);
  void drop(const std::string& host);
  bool step(std::int64_t until_ms);
  void wait_ms(std::int64_t milliseconds);
  std::int64_t next_event() const;
  Agenda::Outlook look_at(std::size_t seat) const;
  std::size_t seat_of(const std::string& name);
  void take_seat(std::unique_ptr<Node> node);
  void let_time_come();
  Outcome check_invariants() const;

  VirtualClock clock_;
  std::mt19937_64 chance_;
  VirtualNetwork network_;
  std::string directory_;
  MemoryJournal journal_;
  bool checks_ = false;
  IdleNotebook notebook_;
  VirtualHooks hooks_;
  JsvPool jsvs_{
      {{{"PATH", "/usr/bin:/bin"}}, "root"}}; ///< real ones: they take no time of this world
  std::shared_ptr<ErrorWatch> errors_;        ///< keeps the first error that was logged
  Identity master_;
  SiteKeys site_keys_;
  std::map<std::string, Identity> identities_;
  std::map<std::string, std::unique_ptr<VirtualLauncher>> launchers_;
  std::map<std::string, std::unique_ptr<Node>> nodes_; ///< "" is the master
  std::vector<std::unique_ptr<Node>> dead_; ///< never torn down: they are gone, not stopped
  std::vector<std::string> hosts_;
  /// A daemon's place, whichever incarnation sits there, if one does.
  struct Seat {
    Node* node = nullptr;
    VirtualLauncher* launcher = nullptr;
  };
  std::map<std::string, std::size_t> seat_numbers_;
  std::vector<Seat> seats_;
  Agenda agenda_; ///< of the seats
  std::int64_t patience_ms_ = 60'000;
  std::uint64_t trace_ = empty_digest;
  std::int64_t requests_ = 0;
  std::int64_t knocks_answered_ = 0, most_overtaken_ = 0;
};

} // namespace almanac
