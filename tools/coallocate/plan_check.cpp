#include "tools/coallocate/plan_check.hpp"

#include "actors/process/tls_channel.hpp"
#include "actors/trust/line_seal.hpp"
#include "core/coallocation/site_part.hpp"
#include "core/request/site_request.hpp"
#include "core/text/token_list.hpp"

#include <cerrno>
#include <cstring>
#include <optional>
#include <unistd.h>

namespace almanac {

namespace {

// As the site reads it; nothing: it takes the line.
std::optional<std::string> objection_to(const std::string& line) {
  const auto reading = parse_site_line(line);
  if (reading.refusal) return reading.refusal->message;
  const auto request = site_request(reading.line, "");
  return request ? std::nullopt : std::optional(request.error().message);
}

// A token that only a reservation has, such as NAME.
bool is_for_with(const std::string& resources) {
  const auto tokens = parse_token_list(resources);
  if (!tokens) return false;
  for (const auto& token : *tokens) {
    const auto* const row = find_site_token(token.name);
    if (row && row->verbs.contains(SiteVerb::setres) && !row->verbs.contains(SiteVerb::resquery))
      return true;
  }
  return false;
}

// The lines that it would get; the times in them are those of any moment.
Outcome check_lines(const CoallocationPlan& plan, std::size_t site) {
  SitePart part;
  part.start = Instant{1};
  const SiteLines lines{plan, site, "check.1"};
  const auto where = "site " + plan.sites.at(site).name + ": ";
  part.task = SiteTask::query;
  if (const auto why = objection_to(lines.line(part, Instant{1})))
    return Error{where + "resources: " + *why +
                 (is_for_with(plan.sites.at(site).resources) ? ", which stands in \"with\"" : "")};
  part.task = SiteTask::hold;
  if (const auto why = objection_to(lines.line(part, Instant{1}))) return Error{"with: " + *why};
  return Done{};
}

Outcome check_files(const SitePlace& place) {
  const auto where = "site " + place.name + ": ";
  for (const auto* file : {&place.authority, &place.certificate, &place.key, &place.secret_file})
    if (!file->empty() && ::access(file->c_str(), R_OK) != 0)
      return Error{where + "can't read " + *file + ": " + std::strerror(errno)};
  if (place.authority.empty()) return Done{};
  const auto context = TlsContext::call_site({place.certificate, place.key, place.authority});
  if (!context) return Error{where + context.what()};
  if (place.secret_file.empty()) return Done{};
  const auto secret = read_line_secret(place.secret_file);
  return secret ? Outcome(Done{}) : Outcome(Error{where + secret.what()});
}

} // namespace

Outcome check_plan(const PlanFile& file) {
  if (auto valid = valid_new_plan(file.plan); !valid) return valid;
  for (std::size_t i = 0; i < file.plan.sites.size(); ++i)
    if (auto taken = check_lines(file.plan, i); !taken) return taken;
  for (const auto& place : file.places)
    if (auto read = check_files(place); !read) return read;
  return Done{};
}

} // namespace almanac
