// Values as people and programs write them: numbers, times, sizes, ranges, patterns, addresses,
// steps, lines of the accounting file. What is printed reads back the same.
#include "core/configuration/objects/load_formula.hpp"
#include "core/job/accounting_line.hpp"
#include "core/job/read_exit_record.hpp"
#include "core/configuration/objects/process_limit.hpp"
#include "core/execution/process_limits.hpp"
#include "core/configuration/objects/step_line.hpp"
#include "core/execution/step_command.hpp"
#include "core/text/mail_address.hpp"
#include "core/mail/letter.hpp"
#include "core/text/resource_list.hpp"
#include "core/text/names.hpp"
#include "core/text/pattern.hpp"
#include "core/text/ranges.hpp"
#include "core/text/task_numbers.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <algorithm>

using namespace almanac;

namespace {

// The text up to the first line break, and what is behind it.
std::pair<std::string, std::string> two_of(std::string_view text) {
  const auto end = text.find('\n');
  return {std::string(text.substr(0, end)),
          end == std::string_view::npos ? std::string() : std::string(text.substr(end + 1))};
}

void numbers(std::string_view text) {
  if (const auto number = parse_number(text)) check(*number >= 0, "it has no sign");
  if (const auto number = parse_signed(text))
    check(*parse_signed(std::to_string(*number)) == *number, "a number reads back");
  if (const auto id = parse_reservation_id(text)) check(id->value >= 0, "an id is not negative");
  if (const auto value = parse_millionths(text))
    check(*parse_millionths(print_millionths(*value)) == *value, "millionths read back");
  (void)parse_switch(text);
  (void)parse_date_time(text);
}

void amounts(std::string_view text) {
  if (const auto value = parse_duration(text)) {
    check(value->seconds >= 0, "no time is negative");
    check(*parse_duration(print_duration(*value)) == *value, "a time reads back");
  }
  if (const auto bytes = parse_memory(text)) {
    check(*bytes >= 0, "no size is negative");
    check(parse_memory(print_memory(*bytes)).ok(), "a size reads back");
  }
  for (const auto* name : {"s_cpu", "h_vmem"})
    if (const auto limit = parse_process_limit(name, text); limit && *limit)
      check(**limit >= 0, "no limit is negative");
}

void ranges(std::string_view text) {
  if (const auto slots = parse_slot_ranges(text)) {
    check(*parse_slot_ranges(print_slot_ranges(*slots)) == *slots, "ranges read back");
    check(contains(*slots, lowest(*slots)) && contains(*slots, highest(*slots)),
          "their ends are in them");
  }
  const auto range = parse_task_range(text);
  if (!range || range->count() > 10'000) return;
  std::vector<std::int64_t> tasks;
  for (const auto task : TaskNumbers(*range)) tasks.push_back(task);
  check(static_cast<std::int64_t>(tasks.size()) == range->count(), "as many as there are");
  check(std::all_of(tasks.begin(), tasks.end(), [&](auto task) { return range->contains(task); }),
        "each is in the range");
  check(!print_tasks(tasks).empty(), "tasks are shown");
}

void patterns(std::string_view text) {
  const auto [pattern, name] = two_of(text);
  const bool valid = valid_expression(pattern).ok();
  check(valid || !matches_expression(pattern, name), "what is malformed matches nothing");
  (void)matches_expression(pattern, name, Case::insensitive);
  (void)matches_pattern(pattern, name);
  check(is_pattern(name) || name.find('\\') != std::string::npos || matches_pattern(name, name),
        "a name matches itself");
  (void)queue_request_matches(pattern, name, "h1", [](const std::string&) { return true; });
}

void names(std::string_view text) {
  const auto shown = printable(text);
  check(is_utf8(shown), "what is shown is UTF-8");
  check(std::none_of(shown.begin(), shown.end(), [](char c) { return is_control(c) && c != '\t'; }),
        "what is shown moves no cursor");
  check(excerpt(text).size() < 1000, "an excerpt is short");
  if (valid_object_name(text))
    check(!text.empty() && text.size() <= 512, "a name has 1 to 512 characters");
  (void)valid_name_unlike_number(text);
  check(!is_plain_variable(text) || is_variable(text), "a plain variable is one");
  if (valid_host_name(text)) check(text.size() <= 255, "a host's name is short");
  if (valid_mail_address(text))
    check(text.front() != '-' && text.front() != '|' && text.front() != '/',
          "an address is no option or file");
  (void)parse_mail_list(std::string(text));
  (void)parse_mail_occasions(std::string(text), "beas");
}

void lists(std::string_view text) {
  check(join(split(text, ','), ",") == text, "what is split is joined");
  for (const auto& word : words(text)) check(!word.empty(), "no word is empty");
  (void)shell_words(text);
  (void)trim(text);
  std::vector<Attribute> requests;
  if (add_resource_requests(requests, text)) {
    std::vector<Attribute> again;
    check(add_resource_requests(again, print_resource_requests(requests)).ok() && again == requests,
          "requests read back");
  }
}

void formulas(std::string_view text) {
  if (const auto terms = parse_load_formula(text)) check(!terms->empty(), "a formula has terms");
  const auto step = parse_step_command(text);
  if (!step || step->words.empty()) return;
  check(step->words.front().starts_with('/'), "a step is a program by its path");
  Task task;
  task.grants = {{{"all.q", "h1"}, 1}};
  const auto expanded = expand_step_command(step->words, Job(), task, TaskSite());
  check(expanded.size() == step->words.size(), "no word becomes two");
}

void records(std::string_view text) {
  const std::string line(text);
  if (const auto record = parse_exit_record(line)) {
    const auto printed = print_exit_record(*record);
    const auto again = parse_exit_record(printed);
    check(again.ok() && print_exit_record(*again) == printed, "an exit record reads back");
  }
  if (const auto record = parse_accounting_line(line)) {
    const auto printed = accounting_line(*record);
    check(printed.find('\n') == std::string::npos || printed.find('\n') + 1 == printed.size(),
          "a record is one line");
    const auto again = parse_accounting_line(printed);
    check(again.ok() && accounting_line(*again) == printed, "a line reads back");
  }
}

constexpr void (*readers[])(std::string_view){numbers, amounts, ranges,   patterns,
                                              names,   lists,   formulas, records};

} // namespace

// A letter chooses who reads the rest.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Pieces pieces(as_text(data, size));
  const auto choice = pieces.byte();
  readers[choice % std::size(readers)](pieces.rest());
  return 0;
}
