// Processes of qrsh -inherit that were asked for here, by their numbers on this host.
//
// Who asks has names of its own for them: a user the id of the request, another agent the number in
// its session. Each process is one of an attempt.
#pragma once

#include "schema/session_messages.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace almanac {

class CallNumbers {
public:
  /// None is used twice in the life of a task, which may be longer than that of this process: the
  /// numbers go on from a clock, in milliseconds. Before the first one.
  void begin_after(std::int64_t clock) { last_ = clock; }

  /// A number for the next process. `host`: where one of qrsh -inherit runs, which is told of with
  /// the end of its task; "" for one that is none.
  std::int64_t add_of_user(const Attempt& attempt, std::int64_t uid, const std::string& request,
                           const std::string& host = "");
  std::int64_t add_of_guest(const Attempt& attempt, std::uint64_t session, std::int64_t number);

  /// Nothing if it has ended, or was never asked for.
  std::optional<std::int64_t> find_of_user(std::int64_t uid, const std::string& request) const;
  std::optional<std::int64_t> find_of_guest(std::uint64_t session, std::int64_t number) const;
  std::vector<std::int64_t> of_guest(std::uint64_t session) const; ///< all of them
  std::optional<Attempt> attempt_of(std::int64_t call) const;
  /// Processes of qrsh -inherit, on any host, that have not ended.
  std::size_t running_of(const Attempt& attempt) const;

  void forget(std::int64_t call);
  /// The same, once it has ended: how, and what it used, is kept.
  void end(std::int64_t call, const ExitRecord& record);
  /// To the end of an attempt's own process it adds what those that have ended used, wherever they
  /// ran, and lists them (TaskEnded::processes): the master knows whether they have records of their
  /// own.
  session::TaskReport with_usage(session::TaskReport report) const;
  void forget(const Attempt& attempt); ///< all of it
  std::size_t size() const { return calls_.size(); }

private:
  std::int64_t last_ = 0;
  struct Call {
    Attempt attempt;
    std::string host;
  };
  /// By the processes of an attempt that have ended.
  struct Used {
    ExitRecord sum, unlisted;
    std::vector<ProcessEnd> processes;
    std::map<std::string, std::int64_t> on_host;
    void add(const std::string& host, const ExitRecord& record);
  };
  std::map<std::int64_t, Call> calls_;
  std::map<Attempt, Used> used_;
  std::map<std::pair<std::int64_t, std::string>, std::int64_t> of_users_;
  std::map<std::pair<std::uint64_t, std::int64_t>, std::int64_t> of_guests_;
};

} // namespace almanac
