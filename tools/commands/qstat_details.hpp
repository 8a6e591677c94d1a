// qstat -j: jobs in detail, and why jobs wait (spec/cli.md section 6.4).
#pragma once

#include "tools/commands/context.hpp"

#include <string>

namespace almanac {

enum class DetailForm { text, xml, json };
enum class Bindings { shown, left_out };

/// The jobs that are named; the exit code, 1 where one does not exist.
int print_details(Context& context, const std::string& list, DetailForm form, Bindings bindings);
/// The reasons of all jobs that wait, each told once with the jobs that it keeps. `users`: of those
/// only; nullptr: of all.
int print_reasons(Context& context, const std::string* users, DetailForm form);

} // namespace almanac
