#include "tools/coallocate/plan_file.hpp"

#include "core/text/names.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"
#include "tools/settings/toml_values.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string_view>

namespace almanac {

namespace {

// Seconds, or "h:m:s".
Duration duration_of(const toml::node& node) {
  if (node.is_integer()) return Duration{node.as_integer()->get()};
  constexpr const char* expected = "whole seconds, or a time such as \"2:0:0\", are expected";
  if (!node.is_string()) refuse(node, expected);
  const auto parsed = parse_duration(text_of(node));
  if (!parsed || parsed->is_endless()) refuse(node, expected);
  return *parsed;
}

// Seconds since 1970, or a date with an offset, as TOML has it.
Instant instant_of(const toml::node& node) {
  if (node.is_integer()) return Instant{node.as_integer()->get()};
  const auto* const date = node.as_date_time();
  if (!date || !date->get().offset)
    refuse(node, "seconds since 1970, or a date with an offset such as 2026-12-01T10:00:00Z, are "
                 "expected");
  const auto& [day, time, offset] = date->get();
  const std::chrono::sys_days days(std::chrono::year(day.year) / std::chrono::month(day.month) /
                                   std::chrono::day(day.day));
  return Instant{std::chrono::sys_seconds(days).time_since_epoch().count() + time.hour * 3600 +
                 time.minute * 60 + time.second - offset->minutes * 60};
}

std::vector<std::string> words_of(const toml::node& node) {
  std::vector<std::string> result;
  if (!node.is_array() || node.as_array()->empty() || node.as_array()->size() > 100)
    refuse(node, "a list of texts is expected, such as [\"gmeta\", \"-i\"]");
  for (const auto& word : *node.as_array()) result.push_back(text_of(word));
  if (result.front().empty()) refuse(node, "the program has no name");
  return result;
}

std::vector<Attribute> environment_of(const toml::node& node) {
  std::vector<Attribute> result;
  if (!node.is_table())
    refuse(node, "a table is expected, such as { ALMANAC_DIR = \"/srv/cell\" }");
  for (const auto& [name, value] : *node.as_table()) {
    result.push_back({std::string(name.str()), text_of(value)});
    if (auto valid = valid_variable(result.back().name, result.back().value); !valid)
      refuse(value, valid.what());
  }
  return result;
}

struct Reader {
  const std::string& folder;
  std::string user;
  PlanFile result{};

  // Whether the key is one of a site's.
  bool read_site_key(std::string_view key, const toml::node& value, SitePlan& site,
                     SitePlace& place) const {
    if (key == "name") site.name = place.name = text_of(value);
    else if (key == "user") site.user = text_of(value);
    else if (key == "resources") site.resources = text_of(value);
    else if (key == "command") place.command = words_of(value);
    else if (key == "environment") place.environment = environment_of(value);
    else if (key == "host") place.host = host_of(value);
    else if (key == "port") place.port = static_cast<std::uint16_t>(number_of(value, 1, 65535));
    else if (key == "authority") place.authority = file_of(value, folder);
    else if (key == "certificate") place.certificate = file_of(value, folder);
    else if (key == "key") place.key = file_of(value, folder);
    else if (key == "key_id") place.key_id = text_of(value);
    else if (key == "secret") place.secret_file = file_of(value, folder);
    else return false;
    return true;
  }

  // Exactly one way, and one proof of who calls.
  static void check_place(const toml::node& node, const SitePlace& place) {
    const bool shows = !place.certificate.empty() && !place.key.empty();
    const bool seals = !place.key_id.empty() && !place.secret_file.empty();
    const bool half = place.certificate.empty() != place.key.empty() ||
                      place.key_id.empty() != place.secret_file.empty();
    if (!place.command.empty()) {
      if (!place.host.empty() || place.port || !place.authority.empty() || shows || seals || half)
        refuse(node, "a site has a command, or host and port, not both");
      return;
    }
    if (place.host.empty() || place.port == 0)
      refuse(node, "a site needs a command, or host and port");
    if (!place.environment.empty()) refuse(node, "environment is for a command");
    if (place.authority.empty())
      refuse(node, "a site with a port needs authority: the file with the certificate of its "
                   "authority");
    if (half || shows == seals)
      refuse(node, "a site with a port needs certificate and key, or key_id and secret");
    if (place.key_id.size() > 64 || (seals && !is_plain_variable(place.key_id)))
      refuse(node, "key_id is up to 64 letters, digits and underscores");
  }

  void read_site(const toml::node& node) {
    if (!node.is_table()) refuse(node, "each site is a table: [[site]]");
    SitePlan site;
    SitePlace place;
    for (const auto& [key, value] : *node.as_table())
      if (!read_site_key(key.str(), value, site, place))
        refuse(value,
               "\"" + excerpt(key.str()) +
                   "\" is not a setting of a site; known are name, user, resources, command, "
                   "environment, host, port, authority, certificate, key, key_id, secret");
    if (site.name.empty()) refuse(node, "a site needs a name");
    check_place(node, place);
    result.plan.sites.push_back(std::move(site));
    result.places.push_back(std::move(place));
  }

  bool read_number(std::string_view key, const toml::node& value) {
    auto& plan = result.plan;
    if (key == "duration") plan.duration = duration_of(value);
    else if (key == "skew") plan.skew = duration_of(value);
    else if (key == "hold") plan.hold = duration_of(value);
    else if (key == "margin") plan.margin = duration_of(value);
    else if (key == "lead") plan.lead = duration_of(value);
    else if (key == "answer_within") plan.answer_within = duration_of(value);
    else if (key == "earliest") plan.earliest = instant_of(value);
    else if (key == "latest") plan.latest = instant_of(value);
    else if (key == "tries") plan.tries = number_of(value, 1, 100);
    else if (key == "rounds") plan.rounds = number_of(value, 0, 100);
    else return false;
    return true;
  }

  void read_key(std::string_view key, const toml::node& value) {
    if (key == "user") user = text_of(value);
    else if (key == "with") result.plan.with = text_of(value);
    else if (key == "odd_clock") {
      const auto word = text_of(value);
      if (word != "refuse" && word != "shift") refuse(value, "\"refuse\" or \"shift\" is expected");
      result.plan.odd_clock = word == "shift" ? OddClock::shifted : OddClock::refused;
    } else if (key == "site") {
      if (!value.is_array()) refuse(value, "each site is a table: [[site]]");
      for (const auto& site : *value.as_array()) read_site(site);
    } else if (!read_number(key, value))
      refuse(value, "\"" + excerpt(key) +
                        "\" is not a setting; known are duration, earliest, latest, skew, hold, "
                        "margin, lead, answer_within, tries, rounds, odd_clock, user, with, site");
  }

  // In the order of their names: all that is done at sites is done in this order.
  void finish() {
    for (auto& site : result.plan.sites)
      if (site.user.empty()) site.user = user;
    const auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
    std::stable_sort(result.plan.sites.begin(), result.plan.sites.end(), by_name);
    std::stable_sort(result.places.begin(), result.places.end(), by_name);
  }
};

} // namespace

Result<PlanFile> parse_plan_file(const std::string& text, const std::string& folder,
                                 const std::string& user) {
  if (text.size() > longest_plan_file) return Error{"it is too long"};
  Reader reader{folder, user};
  try {
    const auto file = toml::parse(text);
    for (const auto& [key, value] : file) {
      try {
        reader.read_key(key.str(), value);
      } catch (const TomlProblem& problem) {
        return at_line(problem.where, std::string(key.str()) + ": " + problem.what);
      }
    }
  } catch (const toml::parse_error& error) {
    return at_line(error.source(), std::string(error.description()));
  }
  reader.finish();
  if (auto valid = valid_plan(reader.result.plan); !valid) return valid.error();
  return std::move(reader.result);
}

} // namespace almanac
