#include "tools/commands/context.hpp"

#include "core/answer/gridengine.hpp"
#include "core/answer/sentence.hpp"
#include "core/text/names.hpp"
#include "tools/commands/default_options.hpp"

#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

namespace almanac {

const std::string* Context::variable(const std::string& name) const {
  for (const auto& entry : environment)
    if (entry.name == name) return &entry.value;
  return nullptr;
}

Result<Instant> to_instant(const DateTime& date, Instant now) {
  const std::time_t present = now.seconds;
  std::tm local{};
  ::localtime_r(&present, &local);
  std::tm wanted{};
  wanted.tm_year = date.year < 0 ? local.tm_year : date.year - 1900;
  wanted.tm_mon = date.month - 1, wanted.tm_mday = date.day;
  wanted.tm_hour = date.hour, wanted.tm_min = date.minute, wanted.tm_sec = date.second;
  wanted.tm_isdst = -1;
  const auto day = wanted.tm_mday;
  const auto result = std::mktime(&wanted);
  if (result == -1 || wanted.tm_mday != day) return Error{"no such date"};
  return Instant{result};
}

Result<std::string> read_text_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    return Error{"can't read \"" + path + "\": it is a directory"};
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{"can't read \"" + path + "\""};
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

int print_answer(Context& context, Answer answer) {
  say_times(answer.statements, print_time);
  for (const auto& line : gridengine::lines_of(answer))
    (line.trouble ? context.err : context.out) << line.text << "\n";
  return static_cast<int>(answer.exit_code);
}

int run_command(Context& context, CommandBody body) {
  int code = 0;
  const int asked = ask<Answer>(context, door::RunCommand{std::move(body)},
                                [&](Answer& answer) { code = print_answer(context, answer); });
  return asked != 0 ? asked : code;
}

void tell_person(Context& context, const std::string& note) {
  if (context.shows_person) context.err << "note: " << note << "\n";
}

int complain(Context& context, const std::string& what, int code) {
  // What is complained of may have been typed, or have come from anywhere.
  context.err << context.program << ": " << printable(what, "\n") << "\n";
  return code;
}

int complain_of_words(Context& context, const std::string& what) {
  const bool is_unknown = what.starts_with("invalid option argument") ||
                          what.starts_with("invalid advance reservation id");
  const int code = complain(context, what, is_unknown ? 2 : 1);
  tell_form(context, what);
  return code;
}

void tell_form(Context& context, const std::string& what) {
  if (what.starts_with("Wrong date"))
    tell_person(context,
                "a date is written [[CC]YY]MMDDhhmm[.SS]: 09301400 is 30 September, 14:00");
  if (what.starts_with("Wrong time"))
    tell_person(context, "a time is written as seconds or as h:m:s: 2:0:0 is two hours");
}

std::optional<GivenOptions> read_options(Context& context, const std::vector<OptionRule>& rules,
                                         const char* usage, int& code,
                                         const std::string& defaults) {
  auto given = parse_options(context.arguments, rules, Operands::anywhere);
  if (!given || !given->operands.empty()) {
    context.err << usage;
    code = complain(context, given ? "invalid option argument \"" + given->operands.front() + "\""
                                   : given.what());
    return std::nullopt;
  }
  // Of what is typed: a file of default options may ask for the other form, and the last one counts.
  if (given->has("-xml") && given->has("-json") && !given->has("-help")) {
    code = complain(context, "-xml and -json exclude each other");
    return std::nullopt;
  }
  if (!given->has("-help") && !defaults.empty())
    if (auto added =
            add_default_options(context, defaults, DefaultFiles::cell_and_home, rules, *given);
        !added) {
      code = complain(context, added.what());
      return std::nullopt;
    }
  if (!given->has("-help")) return *given;
  context.out << usage;
  code = 0;
  return std::nullopt;
}

} // namespace almanac
