// Options that a site or a user wants always, from files (spec/cli.md section 3, Sources of options;
// spec/quotas.md Q6.13, Q6.14).
//
// 1. They come before those of the command line, which win: the file of the cell first, then the
//    user's, then that of the folder where the command is called.
// 2. A missing file is no error. A file that is there and cannot be used is one, and nothing is
//    done.
#pragma once

#include "tools/commands/context.hpp"

#include <string>
#include <vector>

namespace almanac {

enum class DefaultFiles {
  cell_and_home, ///< qstat, qquota, qrsub
  directory_too  ///< qsub and its like
};

/// Where files of this name lie ("sge_qquota"), whether they are there or not. In home and folder
/// their names begin with a dot.
std::vector<std::string> default_files(const Context& context, const std::string& name,
                                       DefaultFiles which);

/// The options of a file: words as in a shell, on any number of lines; lines that begin with '#' are
/// remarks. An error names file and line.
Result<std::vector<GivenOption>> read_default_file(const std::string& path,
                                                   const std::vector<OptionRule>& rules);

/// The same of a file that somebody names (-@), and which has to be there.
Result<std::vector<GivenOption>> read_named_file(const std::string& path,
                                                 const std::vector<OptionRule>& rules);

/// The options of each of these files, the weakest first.
Result<std::vector<std::vector<GivenOption>>>
read_default_files(const Context& context, const std::string& name, DefaultFiles which,
                   const std::vector<OptionRule>& rules);

/// Looks into files that -@ names, from the folder where the command is called.
OptionsOf options_of_files(const Context& context, const std::vector<OptionRule>& rules);

/// Puts the options of all these files before those that are given.
Outcome add_default_options(const Context& context, const std::string& name, DefaultFiles which,
                            const std::vector<OptionRule>& rules, GivenOptions& given);

} // namespace almanac
