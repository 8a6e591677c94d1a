// The options of qsub: on the command line, in "#$" lines and in request files (spec/cli.md section 3,
// Sources of options).
//
// 1. A later source wins over an earlier one: request files, the script, the command line.
// 2. What a file says that is named by -@ counts as if it stood there.
#pragma once

#include "core/job/job_request.hpp"
#include "core/request/options.hpp"
#include "core/request/submit_table.hpp"
#include "core/text/values.hpp"

#include <functional>
#include <string>
#include <vector>

namespace almanac {

/// What parse_options() needs to know, of qsub and of qalter.
const std::vector<OptionRule>& submit_option_rules();
const std::vector<OptionRule>& alter_option_rules();

/// Where a submission is read from beside its words.
struct SubmitSources {
  /// A script's content; "-" is standard input.
  std::function<Result<std::string>(const std::string& path)> read_script;
  OptionsOf options_of{};                           ///< files that -@ names; nowhere without it
  std::vector<std::vector<GivenOption>> defaults{}; ///< request files, the weakest first
};

/// The whole request.
Result<SubmitOptions> parse_submission(const std::vector<std::string>& arguments,
                                       const SubmitSite& place, const SubmitSources& sources);

/// What qalter says of it. Only the command line counts, where the job's arguments may follow "--".
Result<SubmitOptions> parse_job_alteration(const GivenOptions& given, const SubmitSite& place,
                                           const OptionsOf& options_of);

/// The words of all lines of a script that begin with the prefix.
Result<std::vector<std::string>> script_options(std::string_view script, std::string_view prefix);

} // namespace almanac
