// The options of qsub and qalter, a row each: how one is written and read, which fields it fills and
// what these may hold, whether qalter may change it, whether jobs that differ in it are searched for
// apart, and how qstat -j shows it. Submission, qalter, the classes of waiting jobs, the check of
// what comes to a door, qstat -j and -help all come from these rows (spec/cli.md section 3).
//
// No column has a default. The order of the rows is that of qstat -j.
#pragma once

#include "core/job/job_context.hpp"
#include "core/job/job_request.hpp"
#include "core/base/column.hpp"
#include "core/request/findings.hpp"
#include "core/request/options.hpp"
#include "core/request/read_columns.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

// ---- what a row reads and fills ---------------------------------------------------------------

/// What the command knows of where it was typed.
struct SubmitSite {
  std::string directory;
  std::vector<Attribute> environment;
  ToInstant to_instant;
  std::string host{};                     ///< its name, where nobody sets HOSTNAME
  ReservationCalled reservation_called{}; ///< of -ar
  bool is_alteration = false;             ///< of qalter, where an empty list of queues means any

  const std::string* variable(const std::string& name) const;
};

/// What qsub waits for (-sync).
struct WaitFor {
  bool start = false; ///< r: until a task runs
  bool end = false;   ///< x and y: until the job is over
};

struct SubmitOptions {
  JobRequest request;
  bool terse = false;
  WaitFor wait;
  bool verify = false; ///< the job is shown, and not submitted
  bool help = false;
  /// JSVs that are asked before the job is sent (-jsv), those of each source for themselves, the
  /// weakest source first. Those of one source do not take the place of another's.
  std::vector<std::vector<std::string>> jsv;
  std::vector<ContextChange> context; ///< what the request's context came of
  std::string prefix = "#$";          ///< of lines in the script; "" turns them off
  std::vector<std::string> command;   ///< the script or program and its arguments
  std::vector<std::string> given;     ///< names of the rows that were read, each once
  std::string key_file{};             ///< with the key of the reservation (-reskey); "": none

  bool was_given(std::string_view row) const;
};

/// Whose tasks -l and -q are about: of all, of the first slot, or of the others.
enum class Scope { global, master, slave };

/// What -soft, -hard and -scope said last, for the -l and -q behind them.
struct Position {
  bool soft = false;
  Scope scope = Scope::global;
};

/// An option that is read. What was said before it in the same source, the script or the command
/// line, may matter: lists of queues begin anew there, and -soft, -hard and -scope hold to its end.
struct OptionReading {
  SubmitOptions& into;
  const GivenOption& option;
  const SubmitSite& site;
  Position& position;
  bool is_first; ///< of this row in the source

  JobRequest& request() const { return into.request; }
  const std::string& value() const { return option.values.front(); }
  const ToInstant& to_instant() const { return site.to_instant; }
  Error wrong(const std::string& why) const { return option.wrong(why); }
};
template <> struct ReadingOf<JobRequest> { using Type = OptionReading; };
using ReadOption = Outcome (*)(const OptionReading& reading);

// ---- the other columns ------------------------------------------------------------------------

/// The fields of a request that an option fills.
struct RequestFields {
  void (*copy)(JobRequest& into, const JobRequest& from);
  void (*write)(std::string& key, const JobRequest& request); ///< equal where they are equal
};

using CheckFields = void (*)(Findings& findings, const JobRequest& request);

/// `must_not`: no more once no task of the job waits; `never`: not while any task of it runs;
/// `where_unbound`: once none waits, what is neither consumed nor a limit.
enum class WhileRunning { may_change, must_not, never, where_unbound };
enum class FitsAgain { is_checked, is_not }; ///< of a job of a reservation, as at submission

/// What qalter does with the option.
struct Alteration {
  enum class Kind { never, how_to_read, changes };
  Kind kind;
  const char* title; ///< as the answer calls what was changed
  WhileRunning while_running;
  FitsAgain fits_again;
};
/// No option of qalter.
inline constexpr Alteration never_altered{Alteration::Kind::never, "", WhileRunning::must_not,
                                          FitsAgain::is_not};
/// It says how the others are to be read.
inline constexpr Alteration read_as_in_qsub{Alteration::Kind::how_to_read, "",
                                            WhileRunning::must_not, FitsAgain::is_not};
constexpr Alteration altered(const char* title, WhileRunning while_running, FitsAgain fits_again) {
  return {Alteration::Kind::changes, title, while_running, fits_again};
}

/// Whether a search or an order asks for it: jobs that are equal in all such options are looked at as
/// one. `each_job`: it is asked of each job by itself, as the time before which it may not start is.
enum class PartOfClass { yes, each_job, no };

using PrintTime = std::string (*)(Instant);

/// A line of qstat -j, left out where the text is empty. Between the rows stand the owner, with
/// where he was, and the script, with its arguments.
struct Shown {
  enum class Place { nowhere, before_owner, before_script, after_script };
  Place place;
  const char* label;
  std::string (*text)(const JobRequest& request, PrintTime print);
};
inline constexpr Shown not_shown{Shown::Place::nowhere, "", nullptr};

struct SubmitOption {
  Column<std::string_view> name;   ///< with its dash; "-soft -l" is -l behind -soft; see
                                   ///< find_submit_option()
  Column<std::string_view> values; ///< the words that follow it, as the usage calls them
  Column<std::string_view> help;   ///< of the usage; "": that of the option alone
  Column<ReadOption> read;
  Column<RequestFields> fields;
  Column<CheckFields> check; ///< beside what every text and list has to be
  Column<Alteration> alter;
  Column<PartOfClass> in_class;
  Column<Shown> shown;

  /// One that has another meaning behind another option.
  bool is_positional() const { return name->find(' ') != std::string_view::npos; }
};

std::span<const SubmitOption> submit_table();
/// The row of this name, or nullptr.
const SubmitOption* find_submit_option(std::string_view name);
/// The row of an option at this position; none for what nobody may ask for there.
const SubmitOption* find_submit_option(const std::string& name, const Position& position);

/// Known to Grid Engine and refused by name.
std::span<const OptionRule> submit_options_not_built();

// ---- what comes from the table ----------------------------------------------------------------

/// Equal for two requests that a search can't tell apart.
std::string class_key(const JobRequest& request);

/// The usage's lines, of qsub and of qalter.
std::vector<UsageLine> submit_usage();
std::vector<UsageLine> alter_usage();

} // namespace almanac
