#include "tools/commands/commands.hpp"
#include "tools/commands/output_form.hpp"

#include "core/text/values.hpp"
#include "core/text/words.hpp"
#include "tools/commands/user_groups.hpp"
#include "tools/output/quotas.hpp"

#include <iostream>
#include <iterator>
#include <utility>

namespace almanac {

namespace {

constexpr const char* usage = "Almanac " ALMANAC_VERSION R"(
usage: qquota [options]
   -explain job              the limits that this job meets, and whether they leave enough for it
   -h host_list              only limits that concern these hosts: names, patterns, @groups
   -help                     print this help
   -json                     as JSON (share/schemas/qquota.schema.json)
   -l resource_list          only limits of these resources: names or shortcuts
   -P project_list           only limits that concern these projects: names or patterns
   -pe pe_list               only limits that concern these parallel environments
   -q queue_list             only limits that concern these cluster queues
   -u user_list              limits that concern these users, not the caller: names, patterns,
                             @usersets; '*' means all
   -xml                      as XML
)";

struct ListOption {
  const char* name;
  std::vector<std::string> QuotaSelection::*list;
};
constexpr ListOption lists[]{{"-h", &QuotaSelection::hosts},    {"-l", &QuotaSelection::resources},
                             {"-u", &QuotaSelection::users},    {"-pe", &QuotaSelection::pes},
                             {"-P", &QuotaSelection::projects}, {"-q", &QuotaSelection::queues}};

Result<QuotaSelection> selection_of(const GivenOptions& given) {
  QuotaSelection selection;
  for (const auto& [name, list] : lists) {
    const auto* text = given.last(name);
    if (!text) continue;
    selection.*list = words(*text, ", ");
    if ((selection.*list).empty())
      return Error{std::string("option ") + name + ": nothing is named"};
  }
  for (const auto& resource : selection.resources)
    if (resource.find('=') != std::string::npos)
      return Error{"option -l " + resource + ": resources are named here without a value"};
  return selection;
}

int fetch(Context& context, door::GetQuotas query, std::vector<door::QuotaView>& rows) {
  return ask<door::Quotas>(context, std::move(query), [&](door::Quotas& frame) {
    std::move(frame.rows.begin(), frame.rows.end(), std::back_inserter(rows));
  });
}

int explain(Context& context, const std::string& text) {
  const auto number = parse_number(text);
  if (!number || *number < 1)
    return complain(context, "option -explain " + text + ": this is not the number of a job");
  std::vector<door::QuotaView> rows;
  door::GetQuotas query;
  query.job = {*number};
  if (const int asked = fetch(context, std::move(query), rows); asked != 0) return asked;
  print_quota_reasons(context.out, rows, {*number});
  return 0;
}

} // namespace

int qquota(Context& context) {
  static const std::vector<OptionRule> rules{{"-explain", 1}, {"-h", 1},   {"-help", 0}, {"-l", 1},
                                             {"-P", 1},       {"-pe", 1},  {"-q", 1},    {"-u", 1},
                                             {"-xml", 0},     {"-json", 0}};
  int code = 0;
  const auto given = read_options(context, rules, usage, code, "sge_qquota");
  if (!given) return code;
  auto selection = selection_of(*given);
  if (!selection) return complain(context, selection.what());
  if (const auto* job = given->last("-explain")) {
    // A file of default options may want XML always.
    const auto typed = parse_options(context.arguments, rules, Operands::anywhere);
    for (const auto& [option, form] : {std::pair("-xml", "XML"), std::pair("-json", "JSON")})
      if (typed->has(option))
        return complain(context, std::string("option -explain: there is no ") + form + " of it");
    return explain(context, *job);
  }
  std::vector<door::QuotaView> rows;
  door::GetQuotas query;
  query.selection = std::move(*selection);
  // Rules may name groups, and the master asks nobody who is in them.
  query.selection.groups = known_groups(context, query.selection.users, most_told_groups);
  if (const int asked = fetch(context, std::move(query), rows); asked != 0) return asked;
  const auto form = last_form(*given);
  if (form == "-xml") print_quota_xml(context.out, rows);
  else if (form == "-json") print_quota_json(context.out, rows);
  else print_quota_table(context.out, rows);
  return 0;
}

} // namespace almanac
