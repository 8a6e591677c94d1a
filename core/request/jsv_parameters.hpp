// A job as a JSV sees it: its parameters by name, and what comes of changes to them
// (jsv_script_interface(3), jsv(1)).
//
// What a JSV says is read by the rows of qsub's options, with their checks; the result is still to be
// looked through like a submission (valid.hpp).
#pragma once

#include "core/base/attribute.hpp"
#include "core/base/time_zone.hpp"
#include "core/job/job_request.hpp"
#include "core/request/read_columns.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// Who is asked about the job, and for whom.
struct JsvOccasion {
  std::string context; ///< "client" or "server"
  std::string client;  ///< the command; "qmaster"
  std::string user, group;
};

/// Dates are CCYYMMDDhhmm.SS by somebody's wall clock.
struct JsvDates {
  std::function<std::string(Instant)> print;
  ToInstant read;
};
/// By that of this zone. A date without its year is refused.
JsvDates jsv_dates(TimeZone zone);

/// What a JSV wants to be different.
struct JsvChanges {
  enum class Verb { add, modify, remove }; ///< add and modify do the same
  struct Variable {
    Verb verb;
    std::string name, value;
  };
  std::vector<Attribute> parameters; ///< in its order; one without a value is deleted
  std::vector<Variable> environment; ///< likewise
};

/// Those that the job has. A line break or another control character is written with a backslash.
std::vector<Attribute> jsv_parameters(const JobRequest& request, const JsvOccasion& occasion,
                                      const JsvDates& dates);

/// The request as the JSV wants it, or which parameter cannot be so.
Result<JobRequest> jsv_corrected(JobRequest request, const JsvChanges& changes,
                                 const JsvDates& dates);

/// Whether qalter may change what this option says while a server's JSV is in force; `allowed` are
/// names of parameters (jsv_allowed_mod). -w may always be given.
bool jsv_allows(const std::vector<std::string>& allowed, std::string_view option);

/// As values travel in lines: backslash, line break, return and tab as \\, \n, \r and \t.
std::string jsv_escaped(std::string_view value);
std::string jsv_unescaped(std::string_view value);

} // namespace almanac
