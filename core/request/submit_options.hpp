// The options of qsub, on the command line and in "#$" lines (spec/cli.md section 3).
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

/// The whole request: options of the script's lines first, then those of the command line, which
/// win. `read_script(path)` gives a script's content ("-" for standard input).
Result<SubmitOptions>
parse_submission(const std::vector<std::string>& arguments, const SubmitSite& place,
                 const std::function<Result<std::string>(const std::string& path)>& read_script);

/// The words of all lines of a script that begin with the prefix.
Result<std::vector<std::string>> script_options(std::string_view script, std::string_view prefix);

} // namespace almanac
