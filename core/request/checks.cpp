#include "core/request/checks.hpp"

#include "core/configuration/objects/parallel_environment.hpp"
#include "core/text/mail_address.hpp"
#include "core/request/valid.hpp"

#include <algorithm>

namespace almanac {

namespace {

// Name and value: no process can be begun with a longer one, nor a step of the site that has the
// job's environment. PATH gets two folders more.
constexpr std::size_t longest_variable = 120 << 10;

} // namespace

bool is_typed_range(const TaskRange& range) {
  return range.first >= 1 && range.first <= range.last && range.last <= most_slots &&
         range.step >= 1 && range.step <= most_slots;
}

void check_instant(Findings& findings, const char* what, Instant at) {
  findings.range(what, at.seconds, 0, last_second);
}

void check_slots(Findings& findings, const std::vector<SlotRange>& slots) {
  findings.size("slot ranges", slots.size(), longest_wish);
  for (const auto& range : slots) {
    findings.range("the number of slots", range.low, 1, most_slots);
    findings.range("the number of slots", range.high, range.low, most_slots);
  }
}

void check_allocation_rule(Findings& findings, const std::string& rule) {
  if (!rule.empty() && !allocation_pe(allocation_pe_name(rule)))
    findings.note(Error{"\"" + excerpt(rule) + "\" is no allocation rule"});
}

void check_mail_occasions(Findings& findings, const std::string& occasions,
                          std::string_view known) {
  findings.require(occasions.size() <= known.size() &&
                       occasions.find_first_not_of(known) == std::string::npos,
                   "mail is sent on other occasions than are known");
}

void check_mail_addresses(Findings& findings, const std::vector<std::string>& addresses) {
  findings.size("mail addresses", addresses.size(), longest_wish);
  for (const auto& address : addresses)
    if (!findings.any() && !valid_mail_address(address))
      findings.note(Error{"\"" + excerpt(address) + "\" is not a mail address"});
}

Outcome valid_environment(const std::vector<Attribute>& environment) {
  for (const auto& [name, value] : environment) {
    if (!is_variable(name))
      return Error{"\"" + excerpt(name) + "\" is not a name of an environment variable"};
    if (name.size() + value.size() > longest_variable)
      return Error{"the environment variable " + excerpt(name) + " has more than " +
                   std::to_string(longest_variable) + " bytes"};
  }
  return Done{};
}

void check_job_patterns(Findings& findings, const std::vector<std::string>& jobs) {
  const auto patterns = std::count_if(jobs.begin(), jobs.end(), [](const std::string& word) {
    return word.empty() || word.find_first_not_of("0123456789") != word.npos;
  });
  findings.size("names and patterns of jobs", static_cast<std::size_t>(patterns), longest_wish);
}

} // namespace almanac
