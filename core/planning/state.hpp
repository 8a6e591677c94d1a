// The planner's state: the records, and what is derived from them, put together.
//
// 1. Records are changed through edit(), put() and erase(); all that is derived follows at once.
// 2. Who waits follows once an input is decided, or with reindex().
// 3. What reservations lend follows their changes at once (loans.hpp): nobody finds room free in
//    between that a lender has back.
#pragma once

#include "core/admission/rewriting.hpp"
#include "core/matching/snapshot.hpp"
#include "core/planning/decisions.hpp"
#include "core/planning/waiting.hpp"
#include "core/policy/priority_tally.hpp"

#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace almanac {

/// Where queues below others (subordinate_list) are to be looked at.
struct RankedHosts {
  std::set<std::string> hosts;
  bool are_reconfigured = false; ///< what was below others may not be so any more
};

/// What may be looked at is what Snapshot has.
class State : public Snapshot {
public:
  State();
  State(State&&) noexcept;
  State& operator=(State&&) noexcept;
  ~State();
  static Result<State> restore(RecordSet records);

  template <class R, class Change> void edit(const KeyOf<R>& key, Change change) {
    own_records().edit<R>(key, std::move(change));
    if constexpr (std::is_same_v<R, Reservation>) follow_loans(*reservation(key));
  }
  template <class R> void put(R record) {
    const auto key = key_of(record);
    own_records().put<R>(std::move(record));
    if constexpr (std::is_same_v<R, Reservation>) follow_loans(*reservation(key));
  }
  template <class R> void erase(const KeyOf<R>& key) {
    if constexpr (std::is_same_v<R, Reservation>) {
      const auto lenders = reservation(key)->request.room_of;
      own_records().erase<R>(key);
      end_loans(lenders);
    } else own_records().erase<R>(key);
  }
  void append(AccountingRecord record); ///< numbers it
  void append(Letter letter);           ///< numbers it; it has the time of the input
  std::int64_t append(HookCall call);   ///< likewise; its number
  void append(ReportingRecord record);  ///< likewise
  void reconfigure(Configuration::Changed changed);

  // ---- keys and numbers -----------------------------------------------------------------------

  std::int64_t next_key() const { return counters().last_key + 1; } ///< of what is put next
  /// Key and number of a new job or reservation, given once.
  void name(Job& job);
  void name(Reservation& reservation);
  void name(Series& series);
  /// The last one that was settled, of all reservations.
  void name(SettledTransaction& settled);
  /// As if the reservation had never been put, which nobody was told of: its key and its number are
  /// given again, with all that was since there were these.
  void take_back(ReservationKey key, const Counters& counters);
  /// Keys up to this one were given by records that are lost: what comes gets others. All that is
  /// skipped between two starts of the master is at most a million keys; what is beyond is not
  /// believed.
  void skip_keys(std::int64_t highest);
  void believe_anew(); ///< a master has been started
  void switch_passes(bool off);
  void stop_passes(const std::string& by); ///< until they are switched on
  /// A job of the queue starts: QueueRoundRobin goes on behind it.
  void note_turn(const std::string& queue);

  // ---- the books ------------------------------------------------------------------------------

  /// Before a job that asks for this is placed.
  void expect(const JobRequest& request);

  // ---- holds ----------------------------------------------------------------------------------

  /// What is held for a job instead of what was.
  void set_holds(JobKey key, std::vector<Hold> holds);
  /// Keeps the first `count` holds of the job; others may have the rest now.
  void keep_holds(JobKey key, std::size_t count);

  // ---- who waits ------------------------------------------------------------------------------

  /// Who waits, by classes; in step with the records after each input and each reindex().
  Waiting& waiting();
  const Waiting& waiting() const;
  const PriorityTally& priorities() const; ///< of all jobs
  void reindex(JobKey key, Instant now);
  /// Whether this input may write the job and its tasks anew, in so many bytes; a job of which it
  /// has written something counts once.
  bool may_write(JobKey key, std::int64_t bytes);

  /// What jobs ask for may mean something else from now on.
  void forget_class_requests();

  /// Brings the order of hosts up to date with what they report and with what was started.
  void refresh_order(Instant now);
  /// The order of all hosts is to be looked at: time has passed.
  void unsettle_order();

  // ---- what is not in the records (design.md section 3, Replay) --------------------------------

  /// What reserved instances are like has changed: reservations are to be repaired, or it undone.
  void want_repair();
  /// Reservations with -idle whose use may have changed since the last call.
  std::set<ReservationKey> take_idle_touched();
  /// All of those that are granted.
  const std::set<ReservationKey>& idle_reservations() const;
  bool take_repair_wanted();
  /// Hosts on which queues below others may have to stand back or may go on, since the last call.
  RankedHosts take_ranked_hosts();
  /// Hosts that a task has left since the last call; none while nobody goes by their idle time.
  std::set<std::string> take_left_hosts();
  /// When a calendar opens or closes an instance next.
  Instant next_turn() const;
  void set_next_turn(Instant next);
  /// Forgets what is not in the records.
  void restarted(Instant now, TimeZone zone = {});
  /// What changes until the effects are taken is somebody's wish: the reporting file names them.
  void note_command(const Caller& caller);
  /// The host on which the master was started; "" before it told.
  const std::string& master_host() const;
  void set_master_host(const std::string& host);

  /// What was changed since the last call, in a fixed order.
  std::vector<Effect> take_effects(Instant now);
  std::uint64_t digest() const { return records().digest(); }

private:
  friend class Unbooked;
  struct Parts; // followers point into each other: they stay where they are
  explicit State(std::unique_ptr<Parts> parts);
  Records& own_records();
  /// What the reservation lends, and what it has from others, is as much as both still have.
  void follow_loans(const Reservation& changed);
  /// The same of these as lenders.
  void end_loans(const std::vector<ReservationNumber>& lenders);
  void follow_loans_of(ReservationKey lender);

  std::unique_ptr<Parts> parts_;
};

/// While it lives, nothing is booked for a holder or a reservation but what is booked here; then
/// what its record says by that time. An edit meanwhile changes only what goes back.
class [[nodiscard]] Unbooked {
public:
  Unbooked(State& state, JobKey key);
  Unbooked(State& state, ReservationKey key);
  Unbooked(Unbooked&& other) noexcept;
  Unbooked& operator=(Unbooked&&) = delete;
  ~Unbooked();

  void book(std::vector<Booking> bookings, Window window) { ///< of a reservation
    book(std::move(bookings), window, Claim::plain);
  }
  void book(const Hold& hold); ///< of a holder
  /// The room that the reservation lends counts as free, too: it may go on lending it.
  void free_lent_room();
  /// Takes back all that was booked here.
  void clear();

private:
  void book(std::vector<Booking> bookings, Window window, Claim claim);

  State* state_;
  JobKey job_;
  ReservationKey reservation_;
  std::vector<BookedPart> booked_;
  std::vector<Loan> lent_; ///< that counts as free
  std::vector<Hold> held_;
};

} // namespace almanac
