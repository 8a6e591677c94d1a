#include "tools/coallocate/report.hpp"

#include "core/text/names.hpp"
#include "core/text/token_list.hpp"
#include "tools/output/json.hpp"

namespace almanac {

namespace {

const char* name_of(SiteState state) {
  switch (state) {
  case SiteState::committed: return "committed";
  case SiteState::released: return "released";
  case SiteState::lost: return "lost";
  case SiteState::held:
  case SiteState::unknown: return "unknown";
  case SiteState::nothing: break;
  }
  return "none";
}

// Of a site that has nothing there is nothing to tell.
bool is_told(const CoallocationOutcome& outcome) { return outcome.end != CoallocationEnd::none; }

} // namespace

std::string report_lines(const std::string& id, const CoallocationOutcome& outcome) {
  std::vector<Attribute> whole{{"COALLOCATION", id}, {"END", name_of(outcome.end)}};
  if (!outcome.why.empty() && outcome.end != CoallocationEnd::all)
    whole.push_back({"MSG", outcome.why});
  auto text = print_token_list(whole) + "\n";
  if (!is_told(outcome)) return text;
  for (const auto& site : outcome.sites) {
    std::vector<Attribute> tokens{{"SITE", site.grant.site},
                                  {"STATE", name_of(site.state)},
                                  {"RESID", site.grant.reservation},
                                  {"STARTTIME", std::to_string(site.grant.start.seconds)}};
    if (!site.grant.key.empty()) tokens.push_back({"RESKEY", site.grant.key});
    if (!site.trouble.empty()) tokens.push_back({"MSG", printable(site.trouble)});
    text += print_token_list(tokens) + "\n";
  }
  return text;
}

std::string report_json(const std::string& id, const CoallocationOutcome& outcome) {
  Json object{{"coallocation", id}, {"end", name_of(outcome.end)}};
  if (outcome.end != CoallocationEnd::all) put_if_set(object, "message", outcome.why);
  if (is_told(outcome))
    object["sites"] = json_list(outcome.sites, [](const SiteOutcome& site) {
      Json one{{"site", site.grant.site},
               {"state", name_of(site.state)},
               {"reservation", site.grant.reservation},
               {"start_time", site.grant.start.seconds}};
      put_if_set(one, "reservation_key", site.grant.key);
      put_if_set(one, "message", printable(site.trouble));
      return one;
    });
  return json_text(object) + "\n";
}

} // namespace almanac
